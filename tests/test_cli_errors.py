"""What the command line says of a wrong call: the same way in every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import bot_spec, run

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
