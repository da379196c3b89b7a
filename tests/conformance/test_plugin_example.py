"""The example plug-in: once its package is installed, everything knows its game, and nothing else was changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command import environment, run

EXAMPLE = Path(__file__).parents[2] / "examples" / "four-corners"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder the package was installed into, for PYTHONPATH."""
    folder = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(EXAMPLE, folder / "source")
    target = folder / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(source)]
    subprocess.run(command, check=True, env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    return str(target)


def python(installed: str, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code],
        capture_output=True,
        text=True,
        env=environment(PYTHONPATH=installed),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_game_is_listed_shown_and_counted(installed: str) -> None:
    listed = run("games", PYTHONPATH=installed)
    assert listed.returncode == 0, listed.stderr
    assert "four-corners" in listed.stdout
    assert listed.stderr == ""
    won = run("show", "four-corners:size=3", "--after", "A1 B2 A3 B1 C1 B3 C3", "--json", PYTHONPATH=installed)
    assert json.loads(won.stdout)["outcome"] == {
        "winner": "first",
        "ending": "pattern",
        "cells": ["A1", "C1", "A3", "C3"],
    }
    counted = run("perft", "four-corners:size=3", "--depth", "3", PYTHONPATH=installed)
    assert counted.stdout == "1 9\n2 72\n3 504\n"


def test_a_wrong_option_is_refused_like_those_of_any_game(installed: str) -> None:
    refused = run("show", "four-corners:siez=3", PYTHONPATH=installed)
    assert refused.returncode == 2
    assert "did you mean 'size'?" in refused.stderr


def test_its_positions_are_analysed(installed: str) -> None:
    done = run(
        "analyse", "four-corners", "--after", "A1 F6 A2 F5 B1 E5", "--depth", "2", "--json", PYTHONPATH=installed
    )
    reported = json.loads(done.stdout.splitlines()[-1])
    assert reported["best"] == "B2"
    assert len(reported["moves"]) == 30


def test_a_tournament_is_played_with_its_heuristic(installed: str, tmp_path: Path) -> None:
    entered = "alpha-beta:depth=2,heuristic=middle-first;engine:level=3;random"
    store = str(tmp_path / "corners.db")
    done = run(
        *("tournament", "run", "--game", "four-corners", "--players", entered, "--store", store, "--concurrency", "1"),
        PYTHONPATH=installed,
    )
    assert done.returncode == 0, done.stderr
    assert "6 of 6 games" in done.stdout


def test_the_page_offers_draws_and_plays_it(installed: str) -> None:
    pytest.importorskip("fastapi")
    reported = python(
        installed,
        """
import asyncio, json, httpx
from plyground.web.app import create_app

async def asked():
    transport = httpx.ASGITransport(app=create_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        listed = await client.get("/api/games")
        board = await client.get("/api/board", params={"game": "four-corners"})
        after = await client.post("/api/positions", json={"game": "four-corners", "moves": ["C3"]})
        return [game["name"] for game in listed.json()], board.json(), after.json()

print(json.dumps(asyncio.run(asked())))
""",
    )
    listed, board, after = json.loads(reported)
    assert "four-corners" in listed
    assert board["board"]["game"] == "four-corners"
    assert len(board["position"]["moves"]) == 36
    assert [shown["ply"] for shown in after["positions"]] == [0, 1]


def test_its_own_tests_pass_the_conformance_check_being_one_line(installed: str) -> None:
    tests = EXAMPLE / "tests" / "test_four_corners.py"
    assert "check_rules(four_corners(size=4))" in tests.read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(EXAMPLE), str(tests)],
        capture_output=True,
        text=True,
        env=environment(PYTHONPATH=installed),
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_without_it_the_game_is_not_known() -> None:
    assert "unknown game 'four-corners'" in run("show", "four-corners").stderr


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package begun by the command, and where it was installed."""
    folder = tmp_path_factory.mktemp("begun")
    done = run("plugin", "new", str(folder / "three-in-line"))
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (folder / "three-in-line").iterdir()}
    assert names == {"pyproject.toml", "test_three_in_line.py", "three_in_line.py"}
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder / "installed")]
    subprocess.run([*command, str(folder / "three-in-line")], check=True)
    return folder


def test_a_package_begun_by_the_command_passes_its_own_tests_and_plays(begun: Path) -> None:
    installed = str(begun / "installed")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(begun / "three-in-line")],
        capture_output=True,
        text=True,
        env=environment(PYTHONPATH=installed),
        cwd=begun,
        check=False,
    )
    assert "3 passed" in done.stdout, done.stdout
    played = run(
        *("match", "three-in-line:size=5", "three-in-line-first", "random", "--games", "2"), PYTHONPATH=installed
    )
    assert played.returncode == 0, played.stderr
    assert "three-in-line-first" in run("players", PYTHONPATH=installed).stdout
    assert "Own cells near the middle" in run("heuristics", PYTHONPATH=installed).stdout


def test_a_package_is_not_begun_where_something_is_or_without_a_name(tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    assert "is not empty; name a new directory" in run("plugin", "new", str(tmp_path)).stderr.replace("\n", " ")
    assert "expected letters, digits and hyphens" in run("plugin", "new", str(tmp_path / "x"), "--name", "9!").stderr
