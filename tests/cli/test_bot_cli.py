"""`plyground bot new` and `plyground bot check`."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command import bot_spec, run
from plyground.referee.sandbox.modes import isolation, mode_here

VICIOUS = Path(__file__).parents[1] / "vicious"
RUN = {"python": bot_spec("bot.py"), "java": "cmd:java Bot.java", "javascript": "cmd:node bot.js", "cpp": "cmd:./bot"}


@pytest.mark.parametrize(
    ("language", "games"),
    [
        ("python", ("connect-four", "polarized-ladder", "double-card")),
        ("java", ("double-card",)),
        ("javascript", ("double-card",)),
        ("cpp", ("double-card",)),
    ],
)
def test_a_new_bot_passes_every_check(language: str, games: tuple[str, ...], tmp_path: Path) -> None:
    program = "c++" if language == "cpp" else shlex.split(RUN[language].removeprefix("cmd:"))[0]
    if shutil.which(program) is None:
        pytest.skip(f"there is no {language} here")
    made = run("bot", "new", "mine", "--language", language, where=tmp_path)
    assert made.returncode == 0, made.stderr
    assert "plyground bot check" in made.stdout
    assert (tmp_path / "mine" / "README.md").is_file()
    if language == "cpp":
        built = made.stdout.splitlines()[-1].split(" && ")[1]
        subprocess.run(shlex.split(built), cwd=tmp_path / "mine", check=True)
    for game in games:
        # A program that is compiled as it starts may need its time on a busy machine.
        spec = f"{RUN[language]},protocol=json,startup=60"
        done = run("bot", "check", spec, game, "--limit", "10", where=tmp_path / "mine")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "FAULT" not in done.stdout
        assert "every task passed" in done.stdout


def test_a_new_bot_never_overwrites_anything(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text("precious")
    done = run("bot", "new", "mine", where=tmp_path)
    assert done.returncode == 2
    assert "mine is not empty; name a new directory" in done.stderr
    assert (tmp_path / "mine" / "bot.py").read_text() == "precious"


def test_every_fault_is_explained(tmp_path: Path) -> None:
    done = run("bot", "check", bot_spec(VICIOUS / "raises.py"), "connect-four", where=tmp_path)
    assert done.returncode == 1
    assert "ok    starts and reports that it is ready" in done.stdout
    assert "FAULT plays from the empty board\n        crash: it ended with status 1\n" in done.stdout
    assert "usually name the line of code" in done.stdout
    assert "LookupError: lost my way" in done.stdout
    assert "crash: it ended with status 1, as before" in done.stdout
    assert "10 of 12 tasks failed" in done.stdout


def test_a_bot_that_does_not_start_is_not_asked_anything_else() -> None:
    done = run("bot", "check", "cmd:./no-such-bot", "connect-four")
    assert done.returncode == 1
    assert "could not be started: No such file or directory" in done.stdout
    assert "Check its name, seen from this folder" in done.stdout
    assert "usually name the line of code" not in done.stdout
    assert "1 of 1 tasks failed" in done.stdout


@pytest.mark.parametrize(
    ("spec", "advice"),
    [
        ("py:mine/bot.py", "name it cmd:python3 FILE,protocol=json."),
        (f"{bot_spec('mine/bot.py')}", "If it reads JSON, add protocol=json to its spec."),
        ("cmd:false,protocol=json", "If it speaks UGI, leave protocol=json out of its spec."),
    ],
)
def test_a_bot_asked_in_the_wrong_language_is_told_the_right_one(spec: str, advice: str, tmp_path: Path) -> None:
    assert run("bot", "new", "mine", where=tmp_path).returncode == 0
    done = run("bot", "check", spec, "connect-four", where=tmp_path)
    assert done.returncode == 1
    assert advice in done.stdout
    assert "1 of 1 tasks failed" in done.stdout


def test_a_bot_that_does_not_end_is_reported(tmp_path: Path) -> None:
    text = (VICIOUS / "honest.py").read_text().replace("            return", "            continue")
    (tmp_path / "stays.py").write_text(f"{text}\n    import time\n    time.sleep(3600)\n")
    done = run("bot", "check", bot_spec("stays.py"), "connect-four", where=tmp_path)
    assert done.returncode == 1
    assert "FAULT ends when asked to" in done.stdout
    assert "it still ran 2 s after it was asked to quit" in done.stdout


def test_findings_are_printed_as_json() -> None:
    done = run("bot", "check", bot_spec(VICIOUS / "cheats.py"), "connect-four", "--json")
    assert done.returncode == 1
    reported = json.loads(done.stdout)
    assert reported["isolation"] == str(isolation(mode_here()))
    first, second, *_ = reported["findings"]
    assert first["passed"]
    assert second["problem"].startswith("illegal move: '9' in connect-four: there is no column 9")


@pytest.mark.parametrize("spec", ["alpha-beta:depth=2", "cmd:./x,protcol=json", "py:nowhere.py"])
def test_what_is_no_bot_is_a_usage_error(spec: str) -> None:
    done = run("bot", "check", spec, "connect-four")
    assert done.returncode == 2
    assert "Invalid value for 'SPEC'" in done.stderr


def test_a_record_from_somewhere_does_not_start_programs(tmp_path: Path) -> None:
    record = '[Game "connect-four"]\n[SecondPlayer "cmd:touch {}"]\n\n1. 4 *\n'.format(tmp_path / "ran")
    (tmp_path / "game.pgn").write_text(record)
    done = run("play", "--resume", "game.pgn", given="4\n", where=tmp_path)
    assert done.returncode == 1
    assert "the record asks to run a program; if you trust it, add --second 'cmd:touch" in done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="its shell has other quotes")
def test_the_printed_command_can_be_copied_whatever_the_folder_is_called(tmp_path: Path) -> None:
    folder = str(tmp_path / "my first bot")
    words = shlex.split(run("bot", "new", folder).stdout.splitlines()[-1])
    spec = "cmd:python3 bot.py,protocol=json"
    assert words == ["cd", folder, "&&", "plyground", "bot", "check", spec, "connect-four"]
