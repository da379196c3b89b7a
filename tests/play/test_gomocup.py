"""Gomocup's protocol both ways: foreign engines for five in a row as players, and ours under their managers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from command import bot_spec, run
from plyground import games, play_game, players
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.play.faults import Fault, FaultKind
from plyground.play.gomocup import GomocupEngine
from plyground.referee import bots
from plyground.search.base import Limit

GOMOKU = "gomoku:size=9"
WORDS = [sys.executable, "-m", "plyground", "engine", GOMOKU, "--protocol", "gomocup", "--player", "engine:level=5"]
OURS = f"cmd:{bots.join_words(WORDS)}"

BRAIN = """
import sys
board, size = {}, 0

def answer():
    free = [(x, y) for y in range(size) for x in range(size) if (x, y) not in board]
    x, y = free[0]
    board[x, y] = 1
    print(f"{x},{y}", flush=True)

for line in sys.stdin:
    print(line.strip(), file=sys.stderr, flush=True)
    word, _, rest = line.strip().partition(" ")
    if word == "START":
        print("MESSAGE hello", flush=True)
        size = int(rest)
        print("OK", flush=True)
    elif word == "RESTART":
        board.clear()
        print("OK", flush=True)
    elif word == "ABOUT":
        print('name="Rosie", version="1"', flush=True)
    elif word == "BEGIN":
        answer()
    elif word == "TURN":
        x, y = map(int, rest.split(","))
        board[x, y] = 2
        print("DEBUG thinking", flush=True)
        answer()
    elif word == "BOARD":
        for line in sys.stdin:
            if line.strip() == "DONE":
                break
            x, y, who = map(int, line.split(","))
            board[x, y] = who
        answer()
    elif word == "END":
        break
"""


def brain(folder: Path, text: str = BRAIN) -> str:
    path = folder / "brain.py"
    path.write_text(text)
    return f"{bot_spec(path)},protocol=gomocup"


def commands(bot: bots.ProcessBot) -> list[str]:
    """What a brain was sent, as far as its stderr tells."""
    assert bot.process is not None
    return [line for line in bot.process.complaints().splitlines() if not line.startswith("INFO")]


def test_a_brain_plays_a_game_and_is_sent_one_move_at_a_time(tmp_path: Path) -> None:
    rules = games.load(GOMOKU)
    with bots.load(brain(tmp_path), rules) as bot:
        position = Position.start(rules)
        [first] = bot.think(position, Limit(seconds=5))
        assert position.write(first.line[0]) == "A1"
        assert bot.title == "Rosie"
        position = position.play(first.line[0]).play("E5")
        [second] = bot.think(position, Limit(seconds=5))
        assert position.write(second.line[0]) == "B1"
        assert commands(bot)[-2:] == ["BEGIN", "TURN 4,4"]


def test_a_brain_is_shown_the_board_where_it_has_not_seen_the_moves(tmp_path: Path) -> None:
    rules = games.load(GOMOKU)
    with bots.load(brain(tmp_path), rules) as bot:
        position = Position(rules, "A1 E5 B1")
        [answer] = bot.think(position, Limit(seconds=5))
        assert position.write(answer.line[0]) == "C1"
        assert "RESTART" not in commands(bot)
        other = Position(rules, "A1")
        [answer] = bot.think(other, Limit(seconds=5))
        assert other.write(answer.line[0]) == "B1"
        assert commands(bot)[-2:] == ["RESTART", "BOARD"]


def test_a_match_with_a_brain_on_a_board_that_is_not_square(tmp_path: Path) -> None:
    text = BRAIN.replace('if word == "START":', 'if word == "RECTSTART":').replace(
        "int(rest)", 'int(rest.split(",")[1])'
    )
    record = play_game("mnk:columns=9,rows=7,line=5", brain(tmp_path, text), "engine:level=4", seed=1)
    assert record.fault is None
    assert record.result.value == "0-1"


@pytest.mark.parametrize(
    ("change", "kind", "why"),
    [
        (('print("OK", flush=True)', 'print("ERROR no", flush=True)'), FaultKind.GARBAGE, "OK after START 9"),
        (('print(f"{x},{y}", flush=True)', 'print("x", flush=True)'), FaultKind.GARBAGE, "a cell such as 7,7"),
        (('print(f"{x},{y}", flush=True)', 'print("40,1", flush=True)'), FaultKind.ILLEGAL_MOVE, "40,1"),
        (('print(f"{x},{y}", flush=True)', 'print("0,0", flush=True)'), FaultKind.ILLEGAL_MOVE, "A1"),
    ],
)
def test_what_a_brain_does_wrong_is_a_fault(tmp_path: Path, change: tuple[str, str], kind: FaultKind, why: str) -> None:
    rules = games.load(GOMOKU)
    with (
        bots.load(brain(tmp_path, BRAIN.replace(*change)), rules) as bot,
        pytest.raises(Fault, match=why) as raised,
    ):
        next(bot.think(Position(rules, "A1"), Limit(seconds=5)))
    assert raised.value.kind is kind


def test_games_that_the_protocol_has_no_words_for_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Gomocup's protocol plays gomoku, or mnk with line=5, got connect-four"):
        bots.load(brain(tmp_path), games.load("connect-four"))
    done = run("engine", "tic-tac-toe", "--protocol", "gomocup")
    assert done.returncode == 2
    assert "mnk with line=5, got tic-tac-toe" in " ".join(done.stderr.split())


def test_ours_plays_as_a_foreign_engine_and_punishes_a_brain(tmp_path: Path) -> None:
    record = play_game(GOMOKU, brain(tmp_path), f"{OURS},protocol=gomocup", seed=1)
    assert record.fault is None
    assert record.result.value == "0-1"


def session(*lines: str, rules: Rules | None = None) -> list[str]:
    """What our engine answers."""
    written: list[str] = []
    engine = GomocupEngine(
        rules or games.load(GOMOKU), lambda rules: players.load("engine:level=5", rules), written.append
    )
    engine.run(lines)
    return written


def test_a_manager_gets_an_answer_to_every_command_it_knows() -> None:
    assert session("ABOUT")[0].startswith('name="Plyground", version="')
    answers = session("START 9", "INFO timeout_turn 0", "TURN 4,4", "RESTART", "BEGIN", "END", "BEGIN")
    assert answers[0] == answers[2] == "OK"
    assert len(answers) == 4
    assert session("INFO folder /tmp", "SWAP2BOARD", "", "start 12") == ["UNKNOWN SWAP2BOARD", "OK"]


def test_a_board_is_played_on_whoever_began() -> None:
    four = [f"{column},4,1" for column in range(1, 5)]
    others = ["0,0,2", "2,0,2", "4,0,2", "6,0,2"]
    assert session("START 9", "INFO timeout_turn 500", "BOARD", *four, *others, "DONE")[-1] in ("0,4", "5,4")
    threat = [line.replace(",1", ",2") for line in four]
    answer = session("START 9", "INFO timeout_turn 500", "BOARD", *threat, "0,4,1", "8,8,1", "8,0,1", "DONE")[-1]
    assert answer == "5,4"


def test_a_move_is_taken_back_from_the_last_one_on() -> None:
    answers = session("RECTSTART 9,7", "INFO time_left 500", "INFO timeout_match 1000", "TURN 4,4")
    answers = session("RECTSTART 9,7", "TURN 4,4", f"TAKEBACK {answers[1]}", "TAKEBACK 4,4", "TURN 4,4")
    assert (answers[0], *answers[2:4]) == ("OK", "OK", "OK")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("START 30", "ERROR bad game 'gomoku:size=30': size must be 5 to 16, got 30"),
        ("START x", "ERROR bad board 'x': expected START 15 or RECTSTART 15,12"),
        ("TURN 9,9", "ERROR bad cell '9,9': expected 0,0 to 8,8"),
        ("TURN here", "ERROR bad cell 'here': expected 0,0 to 8,8"),
        ("TAKEBACK 0,0", "ERROR there is no stone on 0,0"),
    ],
)
def test_what_a_manager_cannot_mean_is_an_error_and_changes_nothing(line: str, answer: str) -> None:
    assert session("START 9", line) == ["OK", answer]


def test_a_board_that_cannot_be_is_an_error_after_its_last_line() -> None:
    assert session("BOARD", "0,0,1", "0,0,2", "1,1,1", "DONE", "ABOUT")[0].startswith("ERROR bad line '0,0,2'")
    [error, about] = session("BOARD", "0,0,1", "1,1,1", "DONE", "ABOUT")
    assert error == "ERROR 2 own stones and 0 others: it is not the engine's move"
    assert about.startswith("name=")
    won = [f"{column},4,2" for column in range(5)] + [f"{column},0,1" for column in range(4)]
    assert session("BOARD", *won, "DONE")[0].startswith("ERROR the game is over: first wins")
