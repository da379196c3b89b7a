"""What the command line says of a wrong call: the same way in every command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.types import FloatParamType, IntParamType

from command import bot_spec, run
from plyground.cli import cli

MISSING = "there is no file 'nowhere.py'"

TAKE_A_PLAYER = [
    ("bot", "check", "py:nowhere.py", "tic-tac-toe"),
    ("match", "tic-tac-toe", "py:nowhere.py", "random"),
    ("match", "tic-tac-toe", "random", "search=nowhere.py:scout"),
    ("match", "tic-tac-toe", "random", "alpha-beta:heuristic=nowhere.py:mine"),
    ("play", "tic-tac-toe", "--first", "py:nowhere.py"),
    ("analyse", "tic-tac-toe", "--player", "py:nowhere.py"),
    ("engine", "tic-tac-toe", "--player", "py:nowhere.py"),
    ("tournament", "run", "--game", "tic-tac-toe", "--players", "py:nowhere.py;random"),
    ("tournament", "run", "--game", "tic-tac-toe", "--players", f"{bot_spec('nowhere.py')};random"),
    ("grade", "py:nowhere.py", "tic-tac-toe"),
    ("grade", bot_spec("nowhere.py"), "tic-tac-toe"),
]


@pytest.mark.parametrize("words", TAKE_A_PLAYER, ids=" ".join)
def test_a_missing_file_of_a_player_is_named_with_its_folder_and_what_to_do(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    done = run(*words, where=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    spec = next(word for word in words if "nowhere.py" in word).removesuffix(";random")
    assert f"bad player {spec!r}: " in done.stderr
    assert f"{MISSING} in {tmp_path}; change to its folder, or give its path\n" in done.stderr


def test_a_missing_file_that_is_nearly_there_is_guessed(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "newhere.py").touch()
    done = run("bot", "check", "py:bots/nowhere.py", "tic-tac-toe", where=tmp_path)
    assert done.stderr.endswith(f"'bots/nowhere.py' in {tmp_path}; did you mean '{Path('bots/newhere.py')}'?\n")


def test_a_missing_submission_to_a_class_is_named_with_its_folder(tmp_path: Path) -> None:
    assert run("class", "new", "first", where=tmp_path).returncode == 0
    for given in ("nowhere.py", "py:nowhere.py"):
        done = run("class", "add", "first", "s1", given, where=tmp_path)
        assert done.returncode == 2
        assert f"there is no file or folder 'nowhere.py' in {tmp_path}; " in done.stderr


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("cmd:./nowhere", "there is no program './nowhere' in {}; change to its folder, or give its path"),
        ("cmd:no-such-program", "there is no program 'no-such-program' on the PATH; a file in this folder is ./no-"),
        ("cmd:./text", "'./text' cannot be run as a program; make it executable, or name its interpreter: cmd:python3"),
    ],
)
def test_a_program_that_cannot_be_run_is_a_usage_error_and_no_bad_grade(bot: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    done = run("grade", bot, "tic-tac-toe", where=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"bad player {bot!r}: {reason.format(tmp_path)}" in done.stderr


def parameters(group: click.Group = cli, *above: str) -> Iterator[tuple[str, click.Parameter]]:
    """Every parameter of every command, after the words of its command and its own name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from parameters(command, *above, name)
        for each in command.params:
            yield " ".join((*above, name, each.opts[0])), each


def test_no_number_is_read_by_click_in_its_own_words() -> None:
    numbers = (IntParamType, FloatParamType)  # IntRange and FloatRange are such types too
    assert [name for name, each in parameters() if isinstance(each.type, numbers)] == []


def test_every_option_for_a_whole_number_says_the_same_of_a_word() -> None:
    whole = [(name, each) for name, each in parameters() if each.metavar in ("N", "MB")]
    assert len(whole) > 60
    for name, each in whole:
        with pytest.raises(click.BadParameter) as caught:
            each.type.convert("x", each, None)
        assert (name, caught.value.message) == (name, "expected a whole number, got 'x'")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("tournament", "run", "--rounds", "0"), "Invalid value for '--rounds': must be at least 1, got 0"),
        (("tournament", "run", "--depth", "x"), "Invalid value for '--depth': expected a whole number, got 'x'"),
        (
            ("tournament", "run", "--opening", "-1"),
            "Invalid value for '--openings' / '--opening': must be at least 0, got -1",
        ),
        (("tune", "--every", "0"), "Invalid value for '--every': must be at least 1, got 0"),
        (("tune", "--iterations", "1.5"), "Invalid value for '--iterations': expected a whole number, got '1.5'"),
    ],
)
def test_a_tournament_and_a_tuning_read_numbers_as_all_commands_do(words: tuple[str, ...], reason: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"Error: {reason}\n")


WRONG_CALLS = {
    ("shwo",): 2,
    ("show", "conect-four"): 2,
    ("show", "connect-four", "--aftre", "4"): 2,
    ("perft", "tic-tac-toe", "--depth", "0"): 2,
    ("show",): 2,
    ("match", "tic-tac-toe", "radom", "random"): 2,
    ("tournament", "run", "--game", "tic-tac-toe"): 2,
    ("tournament", "resume", "nowhere.db"): 1,
    ("report", "nowhere.db"): 1,
    ("class", "status", "nowhere"): 1,
    ("class", "final", "nowhere"): 1,
    ("show", "broken.pgn"): 1,
    ("review", "broken.pgn"): 1,
    ("play", "--resume", "broken.pgn"): 1,
    ("puzzles", "check", "broken.pgn"): 1,
    ("puzzles", "play", "--id", "nobody"): 1,
    ("book", "info", "broken.pgn"): 1,
    ("match", "tic-tac-toe", "cmd:./nowhere", "random"): 1,
    ("solve", "connect-four", "--position", "......../......../......../......../......../......../xx...... x"): 1,
}
"""Commands that cannot be run, in a folder with a file broken.pgn, and how they end."""


@pytest.mark.parametrize(("words", "code"), WRONG_CALLS.items(), ids=map(" ".join, WRONG_CALLS))
def test_every_error_is_one_line_that_begins_in_the_same_way(words: tuple[str, ...], code: int, tmp_path: Path) -> None:
    (tmp_path / "broken.pgn").write_text("nonsense")
    done = run(*words, where=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    usage, said = done.stderr.splitlines()[:-1], done.stderr.splitlines()[-1]
    assert said.startswith("Error: ")
    assert [line.partition(" ")[0] for line in usage] == (["Usage:", "Try", ""] if code == 2 else [])
