"""Every interpreter that is started ignores the current folder: a file there named like a module is never run."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import plyground
from command import environment
from plyground.core.interpreter import find_program, import_path, interpreter_command
from plyground.referee import bots
from plyground.referee.sandbox.modes import problem_with
from plyground.tournament.pool import ProcessPool
from serving import served_by_command
from waiting import eventually

SOURCE = Path(plyground.__file__).parent

NAMES = (
    "typing",
    "pickle",
    "queue",
    "heapq",
    "random",
    "json",
    "socket",
    "runpy",
    "struct",
    "dataclasses",
    "plyground",
)
"""What the program itself imports in all of its processes."""

TRAP = """\
if __name__ != "bot":  # which it is when it plays, in its sandbox
    import os
    with open({marker!r}, "a") as file:
        file.write(f"{{__name__}} in {{os.getpid()}}\\n")

def choose(position, limit):
    return position.moves()[0]
"""

GAMES = ("--games", "2", "--limit", "9")

HONEST = "import json, random, heapq\n\ndef choose(position, limit):\n    return random.choice(position.moves())\n"


@pytest.fixture
def trapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, full of files named like modules; the file beside it that says which of them were run."""
    folder, marker = tmp_path / "submissions", tmp_path / "marker"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(TRAP.format(marker=str(marker)))
    monkeypatch.chdir(folder)
    return marker


def sprung(marker: Path) -> str:
    """Which traps were run, a line each."""
    return marker.read_text() if marker.exists() else ""


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as it is installed, in the current folder."""
    program = Path(sys.executable).with_name("plyground")
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, env=environment(), timeout=300, check=False
    )


def test_the_traps_work_where_an_interpreter_is_started_the_usual_way(trapped: Path) -> None:
    Path("plyground.py").unlink()
    usual = [sys.executable, "-m", "plyground.tournament.pool_worker"]
    subprocess.run(usual, input=b"", capture_output=True, check=False)
    assert sprung(trapped)


def test_a_tournament_of_the_current_folder_runs_no_file_of_it_unsandboxed(trapped: Path) -> None:
    for name in NAMES[4:]:
        Path(f"{name}.py").unlink()
    options = ("--rounds", "1", "--concurrency", "2", "--time", "5", "--store", "../t.db")
    done = call("tournament", "run", "--game", "tic-tac-toe", "--entrants", ".", *options)
    assert done.returncode == 0, done.stderr
    assert sprung(trapped) == ""


def test_grading_each_of_the_current_folder_runs_no_file_of_it_unsandboxed(trapped: Path) -> None:
    Path("rubric.txt").write_text('time = "5"\n[[criterion]]\nkind = "legality"\npoints = 1\ncount = 2\n')
    words = ("--each", "--rubric", "rubric.txt", "--workers", "2", "-o", "../g.csv")
    done = call("grade", ".", "tic-tac-toe", *words)
    assert done.returncode == 0, done.stderr
    assert sprung(trapped) == ""


@pytest.mark.parametrize("mode", ["auto", "group", "process"])
def test_a_match_in_the_current_folder_runs_no_file_of_it(mode: str, trapped: Path) -> None:
    if mode == "group" and problem_with(mode):
        pytest.skip("this system has no process groups")
    player = trapped.parent / "ada"
    player.mkdir()
    (player / "bot.py").write_text(HONEST)
    (player / "heuristic.py").write_text("def worth(position):\n    return 0\n")
    done = call(
        "match", "tic-tac-toe", f"py:{player}/bot.py,isolation={mode}", "random", "--games", "2", "--limit", "9"
    )
    assert done.returncode == 0, done.stderr
    assert sprung(trapped) == ""
    isolated = f"alpha-beta:depth=1,heuristic={player}/heuristic.py:worth,isolated=yes"
    done = call("match", "tic-tac-toe", isolated, "random", *GAMES)
    assert done.returncode == 0, done.stderr
    assert sprung(trapped) == ""


def test_the_workers_of_a_server_in_the_current_folder_run_no_file_of_it(trapped: Path) -> None:
    Path("plyground.py").unlink()  # the tests start the command as `python -m plyground`
    with served_by_command("--workers", "1") as (server, _):
        room = server.open("tic-tac-toe", second="engine:level=1")
        room.play(0, "B2")
        eventually(lambda: len(room.state()["moves"]) == 2)
        assert sprung(trapped) == ""


def test_the_workers_of_a_pool_run_no_file_of_the_current_folder(trapped: Path) -> None:
    with ProcessPool(1) as pool:
        assert str(Path.cwd()) not in pool.submit(import_path).result()
    assert sprung(trapped) == ""


def test_a_bot_in_a_file_never_imports_from_the_folder_of_the_referee(trapped: Path) -> None:
    (trapped.parent / "bot.py").write_text(HONEST)
    with bots.load(f"py:{trapped.parent}/bot.py,isolation=process", plyground.load_game("tic-tac-toe")) as bot:
        bot.start()
    assert sprung(trapped) == ""


def test_variables_of_python_do_not_lead_an_interpreter_elsewhere(
    trapped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("PYTHONPATH", "."), ("PYTHONSTARTUP", "json.py"), ("PYTHONINSPECT", "1")):
        monkeypatch.setenv(name, value)
    done = subprocess.run(interpreter_command("calendar", "2026"), capture_output=True, text=True, check=True)
    assert "2026" in done.stdout
    assert sprung(trapped) == ""


def test_the_command_as_a_module_leaves_the_current_folder_out(trapped: Path) -> None:
    Path("plyground.py").unlink()
    done = subprocess.run([sys.executable, "-m", "plyground", "games"], capture_output=True, text=True, check=True)
    assert "connect-four" in done.stdout
    assert sprung(trapped) == ""


@pytest.mark.parametrize("here", ["", ".", "{folder}"])
def test_no_program_of_the_current_folder_stands_in_for_one_of_the_machine(
    here: str, trapped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some have the current folder on their PATH: bubblewrap would be somebody's submission, outside of any sandbox."""
    for name in ("bwrap", "sh", "true", "python3"):
        Path(name).write_text(f"#!/bin/sh\necho {name} >>{trapped}\nexec /bin/true\n")
        Path(name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{here.format(folder=Path.cwd())}:{os.environ['PATH']}")
    assert find_program("bwrap") != str(Path("bwrap").absolute())
    assert not find_program("sh").startswith(("./", str(Path.cwd())))
    (trapped.parent / "ada").mkdir()
    (trapped.parent / "ada" / "bot.py").write_text(HONEST)
    done = call("match", "tic-tac-toe", f"py:{trapped.parent}/ada/bot.py", "random", *GAMES)
    assert done.returncode == 0, done.stderr
    done = call("doctor")
    assert done.returncode == 0, done.stderr
    assert sprung(trapped) == ""


def test_the_path_of_a_new_interpreter_is_absolute_and_has_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", ".", str(Path.cwd()), "relative"])
    assert import_path() == [str(SOURCE.parent)]


# ------------------------------------------------------------ nothing starts an interpreter in another way

ONE_PLACE = "core/interpreter.py"
SAYS_ONLY = {"terminal/invoked.py", "core/installation.py"}
"""Modules that name the interpreter in texts for people."""

STARTERS = {"multiprocessing", "runpy", "ProcessPoolExecutor"}
RUNS_A_FILE = {"referee/protocols/python.py"}
"""What runs a bot's file, in the process that `interpreter_command` has started for it."""

FORKS = {"debug/running.py"}
"""What copies its own process: no interpreter starts, so nothing is looked for in the current folder."""


def other_ways(tree: ast.AST) -> Iterator[str]:
    """Whatever in a module could start an interpreter."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("executable", "_base_executable"):
            yield f"{ast.unparse(node)} in line {node.lineno}"
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        module = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in (*names, *module):
            if name.partition(".")[0] in STARTERS:
                yield f"import {name}"
        if isinstance(node, ast.Constant) and node.value == "-m":
            yield f"{node.value!r} in line {node.lineno}"


def test_no_module_starts_an_interpreter_in_another_way() -> None:
    found = {}
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        if name != ONE_PLACE and name not in SAYS_ONLY and "templates" not in path.parts:
            ways = list(other_ways(ast.parse(path.read_text(encoding="utf-8"))))
            allowed = ["import runpy"] * (name in RUNS_A_FILE) + ["import multiprocessing"] * (name in FORKS)
            if ways != allowed:
                found[name] = ways
    assert found == {}


@pytest.mark.parametrize(
    "way",
    ["import sys\nrun([sys.executable])", "import runpy", "run(['python3', '-m', 'x'])", "import multiprocessing"],
)
def test_another_way_is_found(way: str) -> None:
    assert list(other_ways(ast.parse(way)))


def test_a_bundle_runs_an_interpreter_that_looks_nowhere_else() -> None:
    text = (SOURCE / "course" / "bundle.py").read_text(encoding="utf-8")
    started = [line for line in text.splitlines() if "bin/python " in line]
    assert started
    assert all("bin/python -I " in line for line in started)
