"""`plyground site`: what the folder holds, and what it refuses to write."""

from __future__ import annotations

import json
import re
import runpy
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from plyground import games
from plyground.cli import cli
from plyground.core.position import Position
from plyground.games import GAMES
from plyground.render.icon import DISC_RADIUS_UNITS, DISCS, icon_png
from plyground.web import wasm
from plyground.web.joined import STATIC
from plyground.web.site import write
from plyground.web.site.game_data import levels_view
from plyground.web.site.move_texts import spellings
from plyground.web.site.write import usual_games, write_site
from plyground.web.views import answer_view
from sites import shared, written


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared(tmp_path_factory)


def read(folder: Path, name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "data" / name).read_text(encoding="utf-8"))
    return found


def test_every_registered_game_is_written_unless_some_are_named() -> None:
    assert set(GAMES) <= set(usual_games())


def test_every_data_file_is_in_the_index_with_its_checksum(folder: Path) -> None:
    sums = read(folder, "index.json")["files"]
    assert isinstance(sums, dict)
    files = {path.relative_to(folder / "data").as_posix() for path in (folder / "data").rglob("*") if path.is_file()}
    assert files - {"index.json"} == sums.keys()
    for name, checksum in sums.items():
        assert zlib.crc32((folder / "data" / name).read_bytes()) == checksum


def test_every_module_that_a_module_needs_is_in_the_folder(folder: Path) -> None:
    for path in (folder / "js").rglob("*.js"):
        for name in re.findall(r'(?:from|import\() ?"(\.[^"]+)"', path.read_text(encoding="utf-8")):
            if name.removeprefix("./") not in write.SERVER_ONLY:
                assert (path.parent / name).is_file(), f"{path.name}: {name}"


def test_the_service_worker_keeps_every_file(folder: Path) -> None:
    text = (folder / "service-worker.js").read_text(encoding="utf-8")
    found = re.search(r"const FILES = (\[.*?\]);", text)
    assert found
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert set(json.loads(found[1])) == files - {"service-worker.js"}


def test_another_content_is_another_version(folder: Path, tmp_path: Path) -> None:
    versions = set()
    for name in (("tic-tac-toe",), ("tic-tac-toe", "mnk")):
        other = written(tmp_path / "page", name)  # the second time over the first
        found = re.search(r'const VERSION = "(.+)";', (other / "service-worker.js").read_text(encoding="utf-8"))
        assert found
        versions.add(found[1])
    assert len(versions) == 2


def test_nothing_in_the_page_leads_to_the_root_of_its_host(folder: Path) -> None:
    text = (folder / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:href|src)="(?:/|http)', text)
    manifest = json.loads((folder / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["start_url"] == manifest["scope"] == "./"
    assert all((folder / icon["src"]).is_file() for icon in manifest["icons"])


def test_the_icon_has_the_discs_of_the_page_s_own() -> None:
    drawn = (STATIC / "icon.svg").read_text(encoding="utf-8")
    for x, y, _ in DISCS:
        assert f'cx="{x}" cy="{y}" r="{DISC_RADIUS_UNITS}"' in drawn
    assert icon_png(16).startswith(b"\x89PNG")


def test_levels_have_the_limits_of_the_players() -> None:
    levels = levels_view(games.load("connect-four"))
    assert [level["number"] for level in levels] == list(range(1, 11))
    assert [level["guarded"] for level in levels] == [False] * 9 + [True]
    assert levels[4]["limit"] == {"depth": None, "nodes": 2500, "seconds": 2.5}
    assert levels[0]["slips"] == 0.5


@pytest.mark.parametrize("game", ["connect-four", "polarized-ladder", "double-card"])
def test_what_a_task_of_a_lesson_says_is_written_for_every_move(folder: Path, game: str) -> None:
    data, rules = read(folder, f"{game}/lesson.json"), games.load(game)
    answers, lesson = data["answers"], data["lesson"]
    assert isinstance(answers, list)
    assert isinstance(lesson, dict)
    for number, task in enumerate(answers):
        assert (task is None) == (lesson["steps"][number]["goal"] is None)
        for text, (correct, why, reply) in list((task or {"moves": {}})["moves"].items())[:20]:
            said = answer_view(rules, number, text)
            assert (said["correct"], said["why"]) == (correct, task["why"][why])
            assert (said["reply"] is None) == (reply is None)


def test_other_spellings_are_what_the_notation_reads() -> None:
    known = spellings(games.load("polarized-ladder"))
    assert known["3g"] == known["g3"] == "G3"
    assert spellings(games.load("connect-four"))["d"] == "4"
    position = Position("connect-four")
    assert all(position.parse(typed) == position.parse(text) for typed, text in spellings(position.rules).items())


def test_engines_are_built_with_the_room_that_games_are_given() -> None:
    built = runpy.run_path(str(Path(__file__).parents[2] / "native" / "wasm" / "build.py"))
    assert {name: 64 * words for name, words in built["ENGINES"].items()} == wasm.ENGINES
    assert built["WITH_SOLVER"] == wasm.WITH_SOLVER
    wanted = ("connect-four", "connect-four:rows=9,columns=9", "tic-tac-toe", "gomoku", "double-card")
    fits = [wasm.engine_for(games.load(name)) for name in wanted]
    assert fits == ["engine-four", "engine-256-four", "engine", "engine-256", "engine-768"]
    assert wasm.player_for(games.load("connect-four")) == "engine-play"


# ------------------------------------------------------------------ what is refused


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    written(tmp_path / "first", ("tic-tac-toe",))
    (tmp_path / "thesis.txt").write_text("years of work")
    ran = CliRunner().invoke(cli, ["site", str(tmp_path)])
    assert isinstance(ran.exception, ValueError)
    assert "is not empty and was not written by plyground site; choose a new folder" in str(ran.exception)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_game_that_does_not_exist_is_named(tmp_path: Path) -> None:
    ran = CliRunner().invoke(cli, ["site", str(tmp_path / "new"), "--games", "connect-for"])
    assert "unknown game 'connect-for'; did you mean 'connect-four'?" in str(ran.exception)


def test_no_games_at_all_are_a_usage_error(tmp_path: Path) -> None:
    ran = CliRunner().invoke(cli, ["site", str(tmp_path / "new"), "--games", " ; "])
    assert ran.exit_code == 2
    assert "expected specs of games" in ran.output


def test_without_the_core_for_browsers_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "modules", dict)
    with pytest.raises(ValueError, match="the core for browsers is not built; "):
        write_site(tmp_path / "new")
    assert not (tmp_path / "new").exists()
