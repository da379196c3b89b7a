"""Heuristics that readers type in Python: what they say and play, and what `plyground site --with-python` writes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, browser, cell, page_in, page_of, shot
from plyground import players
from plyground.cli import cli
from plyground.core.position import Position
from plyground.search.base import Limit
from plyground.search.score import Score
from plyground.web.site import python_files
from plyground.web.site.python_files import FILES, PYODIDE, write_python
from plyground.web.site.write import write_site
from plyground.web.typed import answer
from pyodides import pyodide
from sites import SiteServer, served, written

THREATS = """def threats(position):
    mine, theirs = position.lines(position.to_move), position.lines(position.to_move.other)
    return sum(4**n * (mine[n] - theirs[n]) for n in range(1, len(mine)))
"""


@pytest.fixture(autouse=True)
def anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The typed text is written to the folder one is in."""
    monkeypatch.chdir(tmp_path)


def ask(kind: str, source: str, game: str = "tic-tac-toe", moves: str = "", **more: Any) -> dict[str, Any]:
    job = {"kind": kind, "source": source, "game": game, "moves": moves.split(), "seconds": 5, **more}
    found: dict[str, Any] = json.loads(answer(json.dumps(job)))
    return found


# ------------------------------------------------------------------ what the code says


def test_a_typed_function_values_a_position_and_the_position_after_each_move() -> None:
    found = ask("value", THREATS, moves="B2 A1")
    scope: dict[str, Any] = {}
    exec(THREATS, scope)
    position = Position("tic-tac-toe", "B2 A1")
    assert (found["name"], found["value"]) == ("threats", scope["threats"](position))
    after = {position.write(move): -scope["threats"](position.play(move)) for move in position.moves()}
    assert found["moves"] == after


def test_a_move_that_ends_the_game_has_no_opinion_and_a_finished_game_has_none_at_all() -> None:
    assert "C1" not in ask("value", THREATS, moves="A1 A2 B1 B2")["moves"]
    assert ask("value", THREATS, moves="A1 A2 B1 B2 C1") == {
        "name": "threats",
        "value": None,
        "moves": {},
        "printed": "",
    }


def test_the_last_function_that_takes_a_position_counts() -> None:
    source = "def one(position):\n    return 1\n\ndef two(position):\n    return 2\n\ndef three(a, b):\n    return 3\n"
    found = ask("value", source)
    assert (found["name"], found["value"]) == ("two", 2)


@pytest.mark.parametrize(
    ("source", "line", "says"),
    [
        (
            "def f(position):\n    return position.lines(position.to_move)[99]\n",
            2,
            "IndexError: list index out of range",
        ),
        ("def f(position)\n    return 1\n", 1, "SyntaxError: expected ':'"),
        ("\nimport nothing_like_it\n", 2, "ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("def f(position):\n    return 'a'\n", None, "must return a whole number"),
        ("x = 1\n", None, "there is no function that takes a position, such as def threats(position)"),
        ("def f(position):\n    raise SystemExit\n", 2, "SystemExit"),
    ],
)
def test_an_error_in_typed_code_names_its_line(source: str, line: int | None, says: str) -> None:
    found = ask("value", source)["error"]
    assert found["code"] == "failed"
    assert found["line"] == line
    assert says in found["message"]


def test_code_that_calls_itself_without_end_says_so() -> None:
    found = ask("value", "def f(position):\n    return f(position)\n")["error"]
    assert "RecursionError" in found["message"]
    assert found["line"] in (1, 2)


@pytest.mark.parametrize("source", ["while True:\n    pass\n", "def f(position):\n    while True:\n        pass\n"])
def test_an_endless_loop_ends_in_the_line_where_it_is(source: str) -> None:
    found = ask("value", source, seconds=0.2)["error"]
    assert found["code"] == "slow"
    assert found["line"] in {source.split("while")[0].count("\n") + n for n in (1, 2)}
    assert sys.gettrace() is None or "OutOfPatience" not in repr(sys.gettrace())
    assert ask("value", THREATS)["name"] == "threats"


def test_an_endless_loop_is_not_caught_by_the_code_itself() -> None:
    source = (
        "def f(p):\n    while True:\n        try:\n            x = 1\n        except Exception:\n            pass\n"
    )
    assert ask("value", source, seconds=0.2)["error"]["code"] == "slow"


def test_what_the_code_prints_is_shown() -> None:
    assert ask("value", "def f(position):\n    print('ply', position.ply)\n    return 1\n")["printed"].startswith(
        "ply "
    )


def test_it_plays_as_alpha_beta_with_that_function_does(tmp_path: Path) -> None:
    (tmp_path / "threats.py").write_text(THREATS)
    position = Position("connect-four", "4453")
    with closing(players.load("alpha-beta:depth=2,heuristic=threats.py:threats", position.rules)) as player:
        *_, wanted = player.think(position, Limit(depth=2))
    found = ask("choose", THREATS, "connect-four", "4 4 5 3", depth=2)
    assert (found["move"], found["depth"]) == (position.write(wanted.move), 2)
    assert found["nodes"] == wanted.nodes
    assert Score.from_json(found["worth"]) == wanted.score


def test_a_search_with_broken_code_says_so() -> None:
    assert ask("choose", "def f(position):\n    return 1 // 0\n", depth=1)["error"]["line"] == 2


# ------------------------------------------------------------------ what is written


def package(folder: Path, *, without: str = "") -> Path:
    """Something with the files of the npm package."""
    folder.mkdir()
    for name in FILES:
        if name != without:
            (folder / name).write_text(name)
    return folder


def test_python_comes_from_a_folder_with_plyground_beside_it(tmp_path: Path) -> None:
    write_python(tmp_path / "python", package(tmp_path / "package"))
    assert {path.name for path in (tmp_path / "python").iterdir()} == {
        *FILES,
        "plyground.zip",
        "LICENSE.pyodide.txt",
        "LICENSE.python.txt",
    }
    with zipfile.ZipFile(tmp_path / "python" / "plyground.zip") as packed:
        names = set(packed.namelist())
    assert {"plyground/core/position.py", "plyground/web/typed.py", "plyground/heuristics/learned.json"} <= names
    assert not [name for name in names if name.startswith(("plyground/cli/", "plyground/web/static/"))]


def test_the_packed_plyground_works_without_anything_else(tmp_path: Path) -> None:
    write_python(tmp_path / "python", package(tmp_path / "package"))
    job = {"kind": "value", "source": THREATS, "game": "connect-four", "moves": ["4"], "seconds": 20}
    program = "import sys; sys.path.insert(0, sys.argv[1]); from plyground.web.typed import answer; "
    program += "print(answer(sys.argv[2]))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, "python/plyground.zip", json.dumps(job)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["name"] == "threats"


def test_a_folder_that_is_not_the_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"is not the npm package pyodide: it has no pyodide\.asm\.wasm"):
        write_python(tmp_path / "python", package(tmp_path / "package", without="pyodide.asm.wasm"))


def test_without_npm_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        ValueError, match=r"npm is missing, which fetches pyodide@.*: install npm .* name its folder by --py"
    ):
        write_python(tmp_path / "python")


def fake_npm(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = folder / "bin" / "npm"  # not in the current folder, where no program is looked for
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")


def test_what_npm_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_npm(tmp_path, monkeypatch, "echo 'npm error network is unreachable' >&2; exit 1")
    with pytest.raises(
        ValueError, match=f"npm could not fetch {PYODIDE}: npm error network is unreachable; try again, or"
    ):
        write_python(tmp_path / "python")


def test_npm_that_does_not_answer_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_npm(tmp_path, monkeypatch, "exec sleep 60")
    monkeypatch.setattr(python_files, "NPM_SECONDS", 0.2)
    with pytest.raises(ValueError, match=r"in 0\.2 s; try again"):
        write_python(tmp_path / "python")


def test_the_package_that_npm_fetches_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path / "package")
    archive = shutil.make_archive(str(tmp_path / "made"), "gztar", tmp_path, "package")
    fake_npm(tmp_path, monkeypatch, f'[ "$1 $2" = "pack {PYODIDE}" ] && cp {archive} "$5/pyodide-1.tgz"')
    write_python(tmp_path / "python")
    assert (tmp_path / "python" / "pyodide.mjs").read_text() == "pyodide.mjs"


def test_a_folder_for_python_without_python_is_a_usage_error(tmp_path: Path) -> None:
    ran = CliRunner().invoke(cli, ["site", str(tmp_path / "new"), "--pyodide", str(tmp_path)])
    assert ran.exit_code == 2
    assert "--pyodide needs --with-python" in ran.output


def test_a_page_without_python_does_not_offer_it(tmp_path: Path) -> None:
    folder = written(tmp_path / "page", ("tic-tac-toe",))
    assert json.loads((folder / "data" / "index.json").read_text())["python"] is False
    assert not (folder / "python").exists()


# ------------------------------------------------------------------ in a browser, with the real Pyodide


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = written(tmp_path_factory.mktemp("python") / "page", ("tic-tac-toe",))  # skipped where the core is not built
    write_site(made, ("connect-four", "tic-tac-toe"), with_python=True, pyodide=pyodide())
    return made


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[SiteServer]:
    with served(folder) as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def bench(chromium: Browser, site: SiteServer) -> Iterator[Page]:
    """The workbench with Python, which takes seconds to load."""
    with page_of(chromium, site, service_workers="block") as page:
        page.goto(f"{site.url}#/workbench?game=connect-four&moves=4;4&h=python")
        expect(page.locator(".typed .said.good")).to_have_text("threats(position) works.")
        yield page
        page.complaints.clear()  # type: ignore[attr-defined]  # that nothing is kept


def type_in(page: Page, source: str) -> None:
    page.locator(".editor textarea").fill(source)


def test_python_is_loaded_only_when_it_is_wanted(chromium: Browser, site: SiteServer) -> None:
    site.asked.clear()
    with page_of(chromium, site, service_workers="block") as page:
        page.goto(f"{site.url}#/workbench")
        expect(page.get_by_role("radio", name="Python")).to_be_visible()
        page.locator(".sl").first.wait_for()
        assert not [name for name in site.asked if name.startswith("python/")]
        page.complaints.clear()  # type: ignore[attr-defined]  # that nothing is kept


def test_the_value_follows_what_one_types(bench: Page) -> None:
    type_in(bench, "def five(position):\n    return 5\n")
    expect(bench.locator(".typed .said.good")).to_have_text("five(position) works.")
    expect(bench.locator(".total")).to_have_text("+5")
    expect(bench.locator(".board .number").first).to_have_text("−5")
    shot(bench, "workbench-python")


def test_an_error_is_shown_with_its_line(bench: Page) -> None:
    type_in(bench, "def f(position):\n    return missing\n")
    expect(bench.locator(".typed .said.bad")).to_have_text("Line 2: NameError: name 'missing' is not defined")
    expect(bench.locator(".numbers .bad")).to_have_text("2")
    expect(bench.get_by_role("button", name="Play against it")).to_be_disabled()


def test_an_endless_loop_harms_nothing(bench: Page) -> None:
    type_in(bench, "def f(position):\n    while True:\n        pass\n")
    expect(bench.locator(".typed .said.bad")).to_contain_text("stopped after 2 seconds")
    type_in(bench, "def f(position):\n    return sum(range(10**13))\n")  # not even Python can stop this
    expect(bench.locator(".typed .said.bad")).to_contain_text("stopped after 2 seconds")
    type_in(bench, "def f(position):\n    return 7\n")
    expect(bench.locator(".total")).to_have_text("+7")


def test_what_runs_can_be_stopped_at_once(bench: Page) -> None:
    type_in(bench, "def f(position):\n    return sum(range(10**13))\n")
    bench.locator(".typed .said", has_text="Running").wait_for()
    bench.get_by_role("button", name="Stop").click()
    expect(bench.locator(".typed .said")).to_have_text("Stopped. Change the code to run it again.")


def test_a_game_is_played_against_it_and_goes_on_after_a_reload(bench: Page) -> None:
    type_in(
        bench,
        "def first_column(position):\n    return int(position.at('A1') == 'o') * (1 if position.ply % 2 else -1)\n",
    )
    expect(bench.locator(".typed .said.good")).to_have_text("first_column(position) works.")
    with page_in(bench.context) as page:
        page.goto(bench.url)
        page.get_by_role("button", name="Play against it").click()
        page.locator(".stage ply-board").wait_for()
        expect(page.locator(".strip").first).to_contain_text("first_column")
        cell(page, "D7").click()
        page.wait_for_function("document.querySelector('ply-board')?.position?.ply === 2")
        page.reload()
        page.wait_for_function("document.querySelector('ply-board')?.position?.ply === 2")
        cell(page, "D7").click()
        page.wait_for_function("document.querySelector('ply-board')?.position?.ply === 4")
        page.complaints.clear()  # type: ignore[attr-defined]  # that nothing is kept


def test_it_works_without_a_network_once_it_was_used(chromium: Browser, folder: Path) -> None:
    with served(folder) as other, page_of(chromium, other) as page:
        page.goto(f"{other.url}#/workbench?game=tic-tac-toe")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.wait_for_function("navigator.serviceWorker.controller")
        page.get_by_role("radio", name="Python").click()
        expect(page.locator(".typed .said.good")).to_be_visible()
        other.cut()
        page.reload()
        expect(page.locator(".typed .said.good")).to_have_text("threats(position) works.")
        expect(page.locator(".total")).to_have_text("0")


def test_it_fits_on_a_phone(chromium: Browser, site: SiteServer) -> None:
    with page_of(chromium, site, viewport=PHONE, service_workers="block") as page:
        page.goto(f"{site.url}#/workbench?game=tic-tac-toe&h=python")
        page.locator(".editor textarea").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        shot(page, "workbench-python-phone")
        page.complaints.clear()  # type: ignore[attr-defined]  # that nothing is kept
