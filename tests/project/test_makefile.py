"""The Makefile makes the environment it needs, and makes it anew when it is of no use."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from documents import PROJECT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")

NEW = "-m venv --clear"


def planned(target: str, venv: Path, python: str = sys.executable) -> str:
    """What make would do. It knows no spaces in names, so it is given the way from the project, as it is by default."""
    command = ["make", "--dry-run", target, f"VENV={os.path.relpath(venv, PROJECT)}", f"PYTHON={python}"]
    return subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True).stdout


def interpreter(path: Path, code: str) -> Path:
    """A program in the place of a Python."""
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{code}\n")
    path.chmod(0o755)
    return path


def test_an_environment_that_works_is_kept() -> None:
    assert NEW not in planned("setup", Path(sys.prefix))


def test_an_environment_is_made_where_there_is_none(tmp_path: Path) -> None:
    assert NEW in planned("setup", tmp_path / "venv")


def test_an_environment_that_does_not_run_is_made_anew(tmp_path: Path) -> None:
    interpreter(tmp_path / "venv" / "bin" / "python", "exit 1")
    assert NEW in planned("setup", tmp_path / "venv")


def test_an_environment_of_an_older_python_is_made_anew(tmp_path: Path) -> None:
    newer = interpreter(tmp_path / "newer" / "python", "echo '(3, 99)'")
    assert NEW in planned("setup", Path(sys.prefix), str(newer))


def test_an_environment_of_a_newer_python_is_kept(tmp_path: Path) -> None:
    older = interpreter(tmp_path / "older" / "python", "echo '(3, 11)'")
    assert NEW not in planned("setup", Path(sys.prefix), str(older))


@pytest.mark.parametrize("target", ["setup", "play", "serve", "lint", "docs"])
def test_what_takes_long_is_announced(target: str, tmp_path: Path) -> None:
    steps = planned(target, tmp_path / "venv").splitlines()
    (long,) = (number for number, step in enumerate(steps) if "--editable" in step)
    assert steps[long - 1] == 'echo "compiling the core; this takes a minute or two at first"'


def test_failed_tests_are_not_tried_again() -> None:
    reported = planned("test", Path(sys.prefix))
    assert "pytest -n 3" in reported
    assert "last-failed" not in reported


@pytest.mark.parametrize(("target", "ready"), [("play", r"Game \[1\]: "), ("serve", "Plyground is at http")])
def test_ctrl_c_ends_a_game_or_the_server_without_an_error_of_make(target: str, ready: str) -> None:
    pexpect = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")
    venv = os.path.relpath(sys.prefix, PROJECT)
    kept = [f"--assume-old={venv}/.installed{extra}" for extra in ("", "-web")]
    env = {**os.environ, "BROWSER": "true"}  # a browser that shows nothing
    child = pexpect.spawn("make", [*kept, f"VENV={venv}", target], cwd=PROJECT, env=env, encoding="utf-8", timeout=60)
    child.expect(ready)
    child.sendintr()
    child.expect(pexpect.EOF)
    assert "***" not in child.before
    child.close()
