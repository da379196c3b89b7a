"""`plyground play` without a terminal: nothing is asked, records are kept, bad input is refused and nothing lost."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import pytest

from command import run, started
from plyground.play.records import GameRecord, Result, load_records
from waiting import eventually

TWO_PEOPLE = ("--first", "human", "--second", "human")
ROWS = "A3 A1 B3 B1 C3"
"""Tic-tac-toe, won by the first player on row 3."""


def lines(moves: str) -> str:
    return "".join(f"{move}\n" for move in moves.split())


def only_record(folder: Path) -> GameRecord:
    (path,) = folder.iterdir()
    (record,) = load_records(path)
    return record


def test_without_a_terminal_nothing_is_asked_and_two_programs_play_to_the_end(tmp_path: Path) -> None:
    done = run("play", where=tmp_path)
    assert done.returncode == 0
    assert "[1]" not in done.stderr
    moves = [line for line in done.stdout.splitlines() if line[0:1].isdigit() and ". engine" in line]
    assert moves[0].startswith("1. engine:level=")
    assert " wins with " in done.stdout or "a draw: " in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", ["connect-four", "double-card", "tic-tac-toe", "mnk:columns=4,rows=4,line=4"])
def test_each_game_runs_to_its_end(game: str, tmp_path: Path) -> None:
    done = run(
        "play", game, "--first", "random", "--second", "random", "--seed", "1", "--save", "game.pgn", where=tmp_path
    )
    assert done.returncode == 0
    record = only_record(tmp_path)
    assert record.result is not Result.OPEN
    assert record.seed == 1
    assert (record.tags["Event"], record.tags["Round"]) == ("Game in a terminal", "-")


def test_the_same_seed_plays_the_same_game(tmp_path: Path) -> None:
    def played(seed: str, name: str) -> list[str]:
        run(
            "play",
            "polarized-ladder",
            "--first",
            "random",
            "--second",
            "random",
            "--seed",
            seed,
            "--save",
            name,
            where=tmp_path,
        )
        return load_records(tmp_path / name)[0].move_texts()

    assert played("7", "a.pgn") == played("7", "b.json") != played("8", "c.pgn")


def test_a_person_named_on_the_command_line_plays_from_a_pipe(tmp_path: Path) -> None:
    done = run("play", "tic-tac-toe", *TWO_PEOPLE, "--names", "Eva,Émile", given=lines(ROWS), where=tmp_path)
    assert done.returncode == 0
    assert done.stdout.endswith("Eva (x) wins with A3-B3-C3\n")
    assert "2. Émile (o): A1" in done.stdout


def test_a_name_cannot_steer_the_terminal() -> None:
    done = run("play", "tic-tac-toe", "--names", "\x1b[31mEva,Bo")
    assert done.returncode == 2
    assert "a name is 1 to 40 printable characters, got '\\x1b[31mEva'" in done.stderr


def test_an_illegal_entry_says_why_and_costs_nothing(tmp_path: Path) -> None:
    done = run("play", "tic-tac-toe", *TWO_PEOPLE, given=lines(f"A3 A3 Z9 sav {ROWS[3:]}"), where=tmp_path)
    assert "illegal move 'A3' in tic-tac-toe: A3 is taken; legal: A1" in done.stderr
    assert "there is no cell Z9 on this board" in done.stderr
    assert "'sav' is not a move; did you mean the command 'save'?" in done.stderr
    assert done.stdout.endswith("Ada (x) wins with A3-B3-C3\n")


def test_bytes_that_are_no_text_are_an_illegal_entry(tmp_path: Path) -> None:
    done = run("play", "tic-tac-toe", *TWO_PEOPLE, given=b"\xff\xfe\x00\n" + lines(ROWS).encode(), where=tmp_path)
    assert "is not a cell" in done.stderr
    assert done.stdout.endswith("Ada (x) wins with A3-B3-C3\n")


def test_the_end_of_input_saves_the_game_where_the_message_says_and_it_can_be_continued(tmp_path: Path) -> None:
    done = run("play", "tic-tac-toe", *TWO_PEOPLE, "--names", "Eva,Bo", given=lines(ROWS[:5]), where=tmp_path)
    assert done.returncode == 0
    (path,) = tmp_path.iterdir()
    assert re.search(rf"game saved to {path.name}; continue with: .*plyground play --resume {path.name}\n", done.stderr)
    done = run("play", "--resume", path.name, given=lines(ROWS[6:]), where=tmp_path)
    assert done.returncode == 0
    assert done.stdout.endswith("Eva (x) wins with A3-B3-C3\n")
    record = only_record(tmp_path)
    assert (record.first, record.second, record.result) == ("Eva", "Bo", Result.FIRST)
    assert " ".join(record.move_texts()) == ROWS


@pytest.mark.parametrize("word", ["quit", "zz", "ZZ"])
def test_quitting_saves_and_is_no_failure(word: str, tmp_path: Path) -> None:
    done = run("play", "tic-tac-toe", *TWO_PEOPLE, given=f"B2\n{word}\n", where=tmp_path)
    assert done.returncode == 0
    assert only_record(tmp_path).move_texts() == ["B2"]


def test_quitting_before_the_first_move_leaves_no_file(tmp_path: Path) -> None:
    assert run("play", "tic-tac-toe", *TWO_PEOPLE, given="quit\n", where=tmp_path).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_resigning_is_recorded(tmp_path: Path) -> None:
    done = run("play", "tic-tac-toe", *TWO_PEOPLE, "--save", "g.json", given="B2\nresign\n", where=tmp_path)
    assert done.stdout.endswith("Grace (o) loses by resignation, Ada (x) wins\n")
    record = only_record(tmp_path)
    assert (record.result, record.termination) == (Result.FIRST, "resignation")


def test_a_resumed_program_is_the_one_that_played_whatever_it_is_called(tmp_path: Path) -> None:
    opponent = ("--first", "human", "--second", "alpha-beta:depth=1", "--names", "Eva,Robot")
    run("play", "tic-tac-toe", *opponent, "--save", "g.pgn", given="B2\nquit\n", where=tmp_path)
    done = run("play", "--resume", "g.pgn", given="resign\n", where=tmp_path)
    assert "Eva (x) against Robot (o)" in done.stderr
    assert only_record(tmp_path).tags["SecondPlayer"] == "alpha-beta:depth=1"


def test_a_resumed_game_keeps_its_time_limit_unless_asked_otherwise(tmp_path: Path) -> None:
    run("play", "tic-tac-toe", *TWO_PEOPLE, "--limit", "2.5", "--save", "g.pgn", given="B2\nquit\n", where=tmp_path)
    run("play", "--resume", "g.pgn", given="A1\nquit\n", where=tmp_path)
    assert only_record(tmp_path).time_control == "2.5"
    run("play", "--resume", "g.pgn", "--limit", "1", given="C1\nquit\n", where=tmp_path)
    assert only_record(tmp_path).time_control == "1"


def test_resuming_one_of_many_games_leaves_their_file_alone(tmp_path: Path) -> None:
    run("play", "tic-tac-toe", *TWO_PEOPLE, "--save", "one.pgn", given="B2\nquit\n", where=tmp_path)
    one = (tmp_path / "one.pgn").read_text()
    (tmp_path / "many.pgn").write_text(f"{one}\n{one}")
    done = run("play", "--resume", "many.pgn", given="A1\nquit\n", where=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "many.pgn").read_text() == f"{one}\n{one}"
    (new,) = set(tmp_path.glob("plyground-*.pgn"))
    assert load_records(new)[0].move_texts() == ["B2", "A1"]


def test_resuming_another_game_than_the_one_named_is_a_usage_error(tmp_path: Path) -> None:
    run("play", "tic-tac-toe", *TWO_PEOPLE, "--save", "g.pgn", given="B2\nquit\n", where=tmp_path)
    done = run("play", "gomoku", "--resume", "g.pgn", where=tmp_path)
    assert done.returncode == 2
    assert "the game to continue is tic-tac-toe, not gomoku" in done.stderr


def test_resuming_a_finished_game_fails_and_says_how_it_ended(tmp_path: Path) -> None:
    run("play", "tic-tac-toe", *TWO_PEOPLE, "--save", "g.pgn", given=lines(ROWS), where=tmp_path)
    done = run("play", "--resume", "g.pgn", where=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "g.pgn: the game is over (1-0, pattern)" in done.stderr


def test_a_saved_game_is_never_overwritten_by_another(tmp_path: Path) -> None:
    run("play", "tic-tac-toe", *TWO_PEOPLE, "--save", "g.pgn", given="B2\nquit\n", where=tmp_path)
    before = (tmp_path / "g.pgn").read_text()
    done = run("play", "tic-tac-toe", *TWO_PEOPLE, "--save", "g.pgn", given="A1\n", where=tmp_path)
    assert done.returncode == 2
    assert "'g.pgn' exists already" in done.stderr
    done = run("play", "tic-tac-toe", *TWO_PEOPLE, given="A1\nsave g.pgn\nresign\n", where=tmp_path)
    assert "not saved: g.pgn exists already" in done.stderr
    assert (tmp_path / "g.pgn").read_text() == before


BROKEN = {
    "cut in half": b'[Game "tic-tac-toe"]\n[Result "*"]\n\n1. B2 A',
    "cut in its tags": b'[Game "tic-tac-toe"]\n[First "Ad',
    "in Latin-1": '[Game "tic-tac-toe"]\n[First "Émile"]\n\n*\n'.encode("latin-1"),
    "in UTF-16": '[Game "tic-tac-toe"]\n\n*\n'.encode("utf-16"),
    "empty": b"",
    "half a line of JSON": b'{"game": "tic-tac-toe", "moves": ["B2", ',
    "of an unknown game": b'[Game "chess"]\n\n1. e4 *\n',
    "of a board too large": b'[Game "mnk"]\n[Rules "width=26,height=26,k=5"]\n\n*\n',
    "with an illegal move": b'[Game "tic-tac-toe"]\n\n1. B2 B2 *\n',
    "with a false result": b'[Game "tic-tac-toe"]\n\n1. A3 A1 2. B3 B1 3. C3 0-1\n',
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_record_is_named_explained_and_left_as_it_is(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.pgn"
    path.write_bytes(content)
    done = run("play", "--resume", "broken.pgn", where=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: broken.pgn: ")
    assert "Traceback" not in done.stderr
    assert path.read_bytes() == content


HEURISTICS = {
    "does not import": ("import nothing_of_that_name\n", 2, "ModuleNotFoundError"),
    "is no Python": ("def f(position:\n", 2, "SyntaxError"),
    "lacks the function": ("def g(position):\n    return 0\n", 2, "unknown function in h.py 'f'; known: g"),
    "raises": (
        "def f(position):\n    return 1 // 0\n",
        1,
        "ZeroDivisionError: integer division or modulo by zero (h.py, line 2)",
    ),
    "returns a text": ("def f(position):\n    return 'good'\n", 1, "must return a whole number"),
    "returns nothing": ("def f(position):\n    pass\n", 1, "got None"),
    "returns a fraction": ("def f(position):\n    return 0.5\n", 1, "use int(...) or round(...)"),
    "returns too much": ("def f(position):\n    return 10**30\n", 1, "within"),
}


@pytest.mark.parametrize(("code", "exit_code", "reason"), HEURISTICS.values(), ids=HEURISTICS)
def test_a_heuristics_file_that_fails_is_explained(code: str, exit_code: int, reason: str, tmp_path: Path) -> None:
    (tmp_path / "h.py").write_text(code)
    player = "alpha-beta:depth=1,heuristic=h.py:f"
    done = run("play", "connect-four", "--first", player, "--second", player, where=tmp_path)
    assert done.returncode == exit_code
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_is_saved_when_a_heuristic_fails_in_its_middle(tmp_path: Path) -> None:
    (tmp_path / "h.py").write_text("def f(position):\n    return 'late' if position.ply > 2 else 0\n")
    opponent = ("--first", "human", "--second", "alpha-beta:depth=1,heuristic=h.py:f")
    done = run("play", "tic-tac-toe", *opponent, given="B2\nC3\n", where=tmp_path)
    assert done.returncode == 1
    assert "game saved to plyground-" in done.stderr
    (saved,) = tmp_path.glob("*.pgn")
    assert len(load_records(saved)[0].moves) == 3


def test_a_bot_that_crashes_loses_and_what_it_wrote_is_shown(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(position, limit):\n    raise RuntimeError('no idea')\n")
    done = run("play", "tic-tac-toe", "--first", "random", "--second", "py:bot.py", "--save", "g.pgn", where=tmp_path)
    assert done.returncode == 0
    assert done.stdout.endswith("py:bot.py (o) loses by crash, random (x) wins\n")
    assert "RuntimeError: no idea" in done.stderr
    (record,) = load_records(tmp_path / "g.pgn")
    assert (record.result, record.termination) == (Result.FIRST, "crash")


def play_the_middle(process: subprocess.Popen[str]) -> None:
    """Let Ada begin with B2, and wait until that is shown."""
    assert process.stdin
    assert process.stdout
    process.stdin.write("B2\n")
    process.stdin.flush()
    while "1. Ada (x): B2" not in process.stdout.readline():
        pass


def test_where_the_game_cannot_be_saved_its_record_is_printed(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    with started("play", "tic-tac-toe", *TWO_PEOPLE, "--save", str(folder / "g.pgn")) as process:
        play_the_middle(process)
        eventually((folder / "g.pgn").exists)  # it is written right after the move was shown
        (folder / "g.pgn").unlink()
        folder.rmdir()
        stdout, stderr = process.communicate("A1\nquit\n", timeout=60)
    assert process.returncode == 1
    assert "could not save the game to" in stderr
    assert "1. B2 A1 *" in stdout


def test_a_game_that_is_ended_from_outside_is_saved(tmp_path: Path) -> None:
    with started("play", "tic-tac-toe", *TWO_PEOPLE, where=tmp_path) as process:
        play_the_middle(process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    assert only_record(tmp_path).move_texts() == ["B2"]
