"""Growth of one's own search, exercises of the course, and pictures of a report."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from command import run
from plyground.core.position import Position
from plyground.debug.growth import measure
from plyground.debug.running import WrongUseError, check_file, named_search
from plyground.games import load
from plyground.render.pictures import to_png
from seeded import CORRECT

PNG = b"\x89PNG"


def test_a_textbook_alpha_beta_looks_at_what_the_reference_looks_at(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CORRECT["alpha-beta"].text)
    rules = load("tic-tac-toe")
    found = measure(f"{tmp_path}/mine.py:search", rules, "lines", Position.start(rules), 3, 60)
    yours, pruned, full = (found.by_name[name] for name in ("yours", "alpha-beta", "minimax"))
    assert [each.positions for each in yours] == [each.positions for each in pruned]
    assert [each.positions for each in full] == [1 + 9, 1 + 9 + 72, 1 + 9 + 72 + 504]
    assert found.share(3) == yours[2].positions / 586


def test_a_search_that_fails_is_named_with_its_depth_and_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def search(position, depth):\n    return [][depth]\n")
    rules = load("tic-tac-toe")
    with pytest.raises(ValueError, match=r"fails at depth 1: IndexError: .* \(line 2\)"):
        measure(f"{tmp_path}/mine.py:search", rules, "lines", Position.start(rules), 3, 60)


def test_a_search_that_never_ends_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def search(position, depth):\n    while True: pass\n")
    rules = load("tic-tac-toe")
    found = measure(f"{tmp_path}/mine.py:search", rules, "lines", Position.start(rules), 1, 1.5)
    assert found.by_name["yours"] == []
    assert len(found.by_name["minimax"]) == 1


def test_a_file_with_one_search_needs_no_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(CORRECT["negamax"].text)
    assert named_search(str(file)) == f"{file}:search"
    assert named_search("mine.py:Player.move") == "mine.py:Player.move"
    with pytest.raises(WrongUseError, match="there is no file"):
        named_search(str(tmp_path / "none.py"))


def test_growth_is_written_as_picture_and_as_tables(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CORRECT["alpha-beta"].text)
    signs = {"g.svg": b"<svg", "g.png": PNG, "g.csv": b"depth,yours", "g.tex": b"% Pos", "g.md": b"## "}
    for name, sign in signs.items():
        done = run("growth", "mine.py", "tic-tac-toe", "--depth", "2", "-o", name, where=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / name).read_bytes().startswith(sign)
    found = json.loads(run("growth", "mine.py", "tic-tac-toe", "--depth", "2", "--json", where=tmp_path).stdout)
    assert [each["minimax"]["positions"] for each in found["depths"]] == [10, 82]
    wrong = run("growth", "mine.py", "tic-tac-toe", "-o", "g.gif", where=tmp_path)
    assert wrong.returncode == 2
    assert "ends in .svg, .png" in wrong.stderr


def test_boards_and_trees_are_written_as_png(tmp_path: Path) -> None:
    assert run("show", "connect-four", "--after", "4 4", "-o", "b.png", where=tmp_path).returncode == 0
    traced = run("trace", "tic-tac-toe", "--player", "minimax:depth=1", "-o", "t.png", where=tmp_path)
    assert traced.returncode == 0, traced.stderr
    assert all((tmp_path / name).read_bytes().startswith(PNG) for name in ("b.png", "t.png"))


def test_without_its_package_a_png_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ValueError, match=r"resvg_py: .*\[pictures\].*\.svg"):
        to_png("<svg/>")


@pytest.mark.parametrize("name", ["minimax", "alpha-beta"])
def test_an_exercise_is_a_search_with_something_left_to_write(name: str, tmp_path: Path) -> None:
    file, game = {"minimax": ("minimax.py", "tic-tac-toe"), "alpha-beta": ("alpha_beta.py", "connect-four")}[name]
    done = run("exercise", name, where=tmp_path)
    assert f"plyground check {file} {game}" in done.stdout
    assert "..." in (tmp_path / file).read_text()
    assert check_file(str(tmp_path / file), "", load("tic-tac-toe"), 3, "lines").findings
    again = run("exercise", name, where=tmp_path)
    assert again.returncode == 2
    assert "there is a file" in again.stderr
