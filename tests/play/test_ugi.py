"""The package as a UGI engine."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from command import bot_spec, run, started
from plyground import games, players
from plyground.cli.engine import was_interrupted
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.position_text import parse_position
from plyground.core.rules import Side
from plyground.play.ugi import UgiEngine
from plyground.play.ugi_search import Thinker
from plyground.play.ugi_text import LAG_SECONDS, join_moves, read_limit, read_position, write_info
from plyground.search.base import Analysis, Limit
from plyground.search.score import Score

RULES = games.load("connect-four")
CARDS = games.load("double-card")


def load(game: str, spec: str) -> Thinker:
    rules = games.load(game)
    return Thinker(rules, spec, players.load(spec, rules, seed=1).think)


def conversation(*lines: str, game: str = "tic-tac-toe", player: str = "minimax:depth=2") -> list[str]:
    """What is said; a `go` at the end is thought about to the end."""
    said: list[str] = []
    answered = threading.Event()

    def hear(line: str) -> None:
        said.extend(line.splitlines())
        if line.startswith("bestmove"):
            answered.set()

    def reported() -> Iterator[str]:
        for line in lines:
            answered.clear()
            yield line
        if lines[-1].startswith("go"):
            assert answered.wait(60)

    UgiEngine(load, game, player, hear).run(reported())
    return said


Think = Callable[[Position, Limit], Iterator[Analysis]]


def ordered(think: Think, *lines: str, game: str = "connect-four") -> list[str]:
    """What is said but for `info`, by a player that thinks so."""
    said: list[str] = []
    rules = games.load(game)
    UgiEngine(lambda *_: Thinker(rules, "any", think), game, "any", said.append).run(lines)
    return [line for line in said if not line.startswith("info")]


def test_it_introduces_itself() -> None:
    assert conversation("ugi", "isready") == [
        "id name Plyground",
        "id author the Plyground founders",
        "option name Game type string default tic-tac-toe",
        "option name Player type string default minimax:depth=2",
        "ugiok",
        "readyok",
    ]


def test_it_answers_with_what_it_found() -> None:
    *infos, best = conversation("position startpos moves B2 A1 B3 A2", "go depth 1")
    assert infos[-1].startswith("info depth 1 score mate 1 nodes ")
    assert infos[-1].endswith(" pv B1")
    assert best == "bestmove B1"


def test_the_game_and_the_player_can_be_changed() -> None:
    said = conversation(
        "setoption name Game value double-card",
        "setoption name Player value minimax:depth=1",
        "position startpos moves 0 5 A 1; 0 1 C 1",
        "go",
    )
    assert said[-1].startswith("bestmove 0 ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("position startpos moves A1 A1", "illegal move 'A1' in tic-tac-toe after A1: A1 is taken"),
        ("position nowhere", "bad position 'nowhere'"),
        ("position fen xxx x", "info string"),
        ("setoption name Game value chess", "unknown game 'chess'"),
        ("setoption name Hash value 16", "bad option"),
        ("setoption Game", "bad option"),
        ("go depth", "depth needs a whole number"),
        ("go depth x", "depth needs a whole number, got 'x'"),
        ("go depth 0", "depth must be above 0"),
        ("go fast", "'fast' is not a limit"),
        ("query weather", "bad query 'weather'"),
    ],
)
def test_a_wrong_command_is_explained_and_has_no_effect(line: str, message: str) -> None:
    complaint, *_, best = conversation("position startpos moves B2", line, "go depth 1")
    assert complaint.startswith("info string ")
    assert message in complaint
    assert best.startswith("bestmove ")


def test_unknown_commands_are_ignored_as_ugi_demands() -> None:
    assert conversation("joho", "", "debug on", "stop", "isready") == ["readyok"]


def test_after_quit_nothing_is_said() -> None:
    assert conversation("quit", "isready") == []


def test_a_finished_game_has_no_best_move() -> None:
    said = conversation(
        "position startpos moves A1 A2 B1 B2 C1", "go", "query gameover", "query result", "query p1turn"
    )
    assert said == ["bestmove none", "response true", "response p1win", "response false"]


def test_a_game_that_goes_on_has_no_result() -> None:
    assert conversation("query gameover", "query result", "query p1turn") == [
        "response false",
        "response none",
        "response true",
    ]


def test_stop_is_answered_with_the_best_so_far() -> None:
    def endless(position: Position, limit: Limit) -> Iterator[Analysis]:
        depth = 0
        while True:
            depth += 1
            yield Analysis((position.moves()[0],), Score.points(0), depth, depth, 0.0)

    said = ordered(
        endless, "go infinite", "stop", "stop", "isready", "go infinite", "position startpos moves 4", "quit"
    )
    assert said == ["bestmove 1", "readyok", "bestmove 1"]


@pytest.mark.parametrize("end", [["stop"], ["quit"], ["position startpos moves 4"], []])
@pytest.mark.parametrize("spec", ["engine", "engine:guard=false,threads=2", "alpha-beta:depth=40", "mcts:seconds=600"])
def test_whatever_stops_a_search_really_ends_it(spec: str, end: list[str]) -> None:
    player, ended = players.load(spec, games.load("polarized-ladder")), []

    def watched(position: Position, limit: Limit) -> Iterator[Analysis]:
        try:
            yield from player.think(position, Limit(seconds=600))
        finally:
            ended.append(threading.current_thread() is threading.main_thread())

    assert [line.split()[0] for line in ordered(watched, "go", *end, game="polarized-ladder")] == ["bestmove"]
    assert ended == [True]


def test_a_search_stopped_before_it_has_an_answer_takes_a_quick_look() -> None:
    def slow(position: Position, limit: Limit) -> Iterator[Analysis]:
        while limit.seconds is None:
            pass
        yield Analysis((position.parse("5"),), Score.points(0), 1, 1, 0.0)

    assert ordered(slow, "go infinite", "stop", "isready") == ["bestmove 5", "readyok"]


def test_a_player_that_never_finds_a_move_is_answered_for() -> None:
    def mute(position: Position, limit: Limit) -> Iterator[Analysis]:
        while True:
            position.moves()
        yield

    assert ordered(mute, "go", "stop", "go", "quit") == ["bestmove 1", "bestmove 1"]


def test_a_stop_that_comes_too_late_stops_nothing_else() -> None:
    said = conversation("go depth 1", "stop", "go depth 2", player="minimax:depth=2")
    assert [line.split()[0] for line in said].count("bestmove") == 2
    assert said[-2].startswith("info depth 2 ")


def test_what_goes_wrong_with_writing_ends_the_search_and_is_raised() -> None:
    def deaf(line: str) -> None:
        if line == "readyok":
            raise BrokenPipeError

    engine = UgiEngine(load, "polarized-ladder", "alpha-beta:depth=40", deaf)
    with pytest.raises(BrokenPipeError):
        engine.run(["go infinite", "isready"])


def test_moves_stand_a_space_apart_or_a_semicolon_where_they_contain_spaces() -> None:
    assert join_moves(["4", "4"]) == "4 4"
    assert join_moves(["0 5 A 1", "0 1 C 1"]) == "0 5 A 1; 0 1 C 1"


@pytest.mark.parametrize(
    ("rules", "text", "same"),
    [
        (RULES, "startpos", ""),
        (RULES, "startpos moves 4 4 5", "445"),
        (RULES, "startpos moves 445", "445"),
        (CARDS, "startpos moves 0 5 A 1; 0 1 C 1", "0 5 A 1; 0 1 C 1"),
        (CARDS, "startpos moves 0 5 A 1", "0 5 A 1"),
    ],
)
def test_positions_are_read(rules: object, text: str, same: str) -> None:
    game = RULES if rules is RULES else CARDS
    assert read_position(game, text) == parse_moves(game, same)[1]


def test_a_position_as_text_may_be_followed_by_moves() -> None:
    text = "......../......../......../......../......../......../...xo... x"
    assert read_position(RULES, f"fen {text} moves 4") == parse_position(RULES, text).play(
        parse_moves(RULES, "454")[0][2]
    )


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("", Limit()),
        ("infinite", Limit()),
        ("depth 4 nodes 1000", Limit(4, 1000)),
        ("movetime 2000", Limit(seconds=2 - LAG_SECONDS)),
        ("movetime 10", Limit(seconds=0.001)),
        ("p1time -5 p2time 1000", Limit(seconds=0.001)),
    ],
)
def test_limits_are_read(text: str, limit: Limit) -> None:
    read = read_limit(text, Side.FIRST)
    assert (read.depth, read.nodes) == (limit.depth, limit.nodes)
    assert read.seconds == (limit.seconds and pytest.approx(limit.seconds, rel=0.3))


def test_each_side_looks_at_its_own_clock() -> None:
    first, second = (read_limit("p1time 1000 p2time 60000 p1inc 0 p2inc 1000", side).seconds for side in Side)
    assert first is not None
    assert second is not None
    assert first < 0.2 < 2 < second < 10


@pytest.mark.parametrize(
    ("score", "reported"),
    [
        (Score.points(12), " score cp 12"),
        (Score.win(3), " score mate 3"),
        (Score.loss(4), " score mate -4"),
        (Score.draw(), " score cp 0"),
        (None, ""),
    ],
)
def test_scores_are_shown_for_the_side_to_move(score: Score | None, reported: str) -> None:
    moves, _ = parse_moves(RULES, "44")
    line = write_info(Position.start(RULES), Analysis(tuple(moves), score, 2, 9, 0.5))
    assert line == f"info depth 2{reported} nodes 9 time 500 pv 4 4"


# The command


def test_the_command_speaks_ugi_until_its_input_ends() -> None:
    done = run("engine", "connect-four:rows=6,columns=7", "--player", "alpha-beta:depth=3", given="ugi\ngo\n")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "ugiok" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("bestmove ")


def test_the_command_answers_while_it_is_being_written_to() -> None:
    with started("engine", "tic-tac-toe") as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write("isready\n")
        assert engine.stdout.readline() == "readyok\n"
        engine.stdin.write("go depth 1\n")
        while not (line := engine.stdout.readline()).startswith("bestmove"):
            assert line.startswith("info depth ")
        engine.stdin.write("quit\n")


@pytest.mark.parametrize("game", ["connect-four", "polarized-ladder", "double-card"])
@pytest.mark.parametrize("player", ["engine", "alpha-beta"])
@pytest.mark.parametrize("go", ["go", "go infinite", "go movetime 600000"])
@pytest.mark.parametrize("end", ["quit\n", ""])
def test_the_command_answers_at_once_when_it_is_left(game: str, player: str, go: str, end: str) -> None:
    done = run("engine", game, "--player", player, given=f"ugi\n{go}\n{end}")
    assert (done.returncode, done.stderr) == (0, "")
    answers = [line for line in done.stdout.splitlines() if line.startswith("bestmove")]
    assert answers == done.stdout.splitlines()[-1:]
    Position.start(games.load(game)).parse(answers[0].removeprefix("bestmove "))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to one process")
@pytest.mark.parametrize("before", ["", "go infinite\n"])
def test_the_command_can_be_interrupted(before: str) -> None:
    with started("engine", "polarized-ladder", "--player", "alpha-beta:depth=40") as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        engine.stdin.write(f"{before}isready\n")
        while engine.stdout.readline() != "readyok\n":
            pass
        engine.send_signal(signal.SIGINT)
        assert engine.stderr.read() == "interrupted\n"
    assert engine.returncode == 130


def test_ctrl_c_is_recognised_behind_an_error_that_came_of_it() -> None:
    def press_it_while_a_lock_is_taken() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            threading.Lock().release()

    with pytest.raises(RuntimeError) as caught:
        press_it_while_a_lock_is_taken()
    assert was_interrupted(caught.value)
    assert was_interrupted(KeyboardInterrupt())
    assert not was_interrupted(ValueError())


def test_a_player_that_fails_is_reported_and_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def broken(position):\n    return 1 / 0\n")
    player = "alpha-beta:depth=1,heuristic=broken.py:broken"
    done = run("engine", "tic-tac-toe", "--player", player, given="go\n", where=tmp_path)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


def test_the_command_survives_bytes_that_are_no_text() -> None:
    done = run("engine", "tic-tac-toe", given=b"\xff\xfe\nisready\n")
    assert (done.returncode, done.stdout) == (0, "readyok\n")


@pytest.mark.parametrize("arguments", [("chess",), ("tic-tac-toe", "--player", "nobody")])
def test_an_unknown_game_or_player_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    done = run("engine", *arguments)
    assert done.returncode == 2
    assert "unknown" in done.stderr


def test_the_engine_is_a_bot_that_its_own_referee_accepts() -> None:
    command = bot_spec("-m", "plyground", "engine", "tic-tac-toe", "--player", "minimax:depth=2")
    done = run("bot", "check", command, "tic-tac-toe", "--limit", "10")
    assert done.returncode == 0, done.stdout + done.stderr
