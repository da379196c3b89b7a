"""The page as a browser sees it; where there is no browser these tests say so."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from plyground.games import title
from plyground.report.write import write_report
from plyground.tournament.plan import plan_of
from plyground.tournament.play import GameTask, play
from plyground.tournament.store import Store

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")

EVIL = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>"


def seen(page: Path, link: str = "") -> str:
    """The page after its script has run."""
    assert BROWSER is not None
    words = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"{page.as_uri()}{link}"]
    profile = f"--user-data-dir={page.parent / 'profile'}"
    return subprocess.run([*words, profile], capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.mark.skipif(BROWSER is None, reason="needs a browser: install chromium")
@pytest.mark.parametrize("game", ["connect-four", "double-card"])
def test_a_game_is_replayed_from_the_disk_and_names_stay_text(tmp_path: Path, game: str) -> None:
    plan = plan_of({"game": game, "players": {EVIL: "random", "ada": "random"}, "time": "none"})
    (fixtures,) = plan.schedule({})
    with Store.create(tmp_path / "t.db", "tournament", plan.to_json(), "test") as store:
        for fixture in fixtures:
            store.save(play(GameTask(fixture, plan.terms, ())))
        page = tmp_path / "report.html"
        with page.open("w", encoding="utf-8") as out:
            write_report(store, "html", out)
    dom = seen(page, "#1.1.1-a/3")
    assert f"<title>Tournament: {title(game)}</title>" in dom  # which the name of a player would have changed
    assert "2 of 2 games" in dom
    assert "3/" in dom
    board = dom.partition('class="pg-pieces">')[2].partition('class="pg-marks"')[0]
    assert board.count("pg-disc") + board.count("pg-card") == 3
