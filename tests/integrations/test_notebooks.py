"""The example notebooks run as they stand, and objects show themselves as pictures and tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from plyground import Analysis, GameRecord, Limit, Summary, analyse, judge, play_game, run_tournament, start
from plyground.integrations.notebook import best_line, move_scores

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


def shown(cell: Any) -> list[tuple[str, Any]]:
    """What a cell shows, but for times and pictures: kinds of output, and printed text."""
    return [
        (output["output_type"], output["text"] if output["output_type"] == "stream" else sorted(output.get("data", {})))
        for output in cell["outputs"]
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="kernels need an event loop that warns there")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_again_what_it_shows(path: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    stored, again = nbformat.read(path, 4), nbformat.read(path, 4)
    client = nbclient.NotebookClient(again, timeout=120, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    cells = [cell for cell in stored.cells if cell.cell_type == "code"]
    fresh = [cell for cell in again.cells if cell.cell_type == "code"]
    assert [shown(cell) for cell in fresh] == [shown(cell) for cell in cells]
    assert any("image/svg+xml" in kinds or "text/html" in kinds for cell in cells for _, kinds in shown(cell))


def test_there_is_a_notebook_for_each_use() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["compare_two", "look_into_a_search", "play_with_heuristics"]


def classes(svg: str) -> list[str]:
    return [element.get("class", "") for element in ElementTree.fromstring(svg).iter()]


def html_of(value: Analysis | GameRecord | Summary) -> str:
    html = value._repr_html_()
    assert html is not None
    return html


def test_a_position_shows_its_board() -> None:
    svg = start("connect-four", "445")._repr_svg_()
    assert svg is not None
    assert classes(svg).count("pg-disc") == 3


def test_an_analysis_shows_what_was_found() -> None:
    html = html_of(analyse(start("tic-tac-toe", "A1 B1 A2 B2"), "alpha-beta:depth=3"))
    ElementTree.fromstring(html)
    assert "win in 1" in html
    assert "A3" in html  # the move, not the number of its placement
    assert "placement" not in html


def test_a_judgement_shows_every_move_the_best_first() -> None:
    html = judge(start("tic-tac-toe", "A1 B1 A2 B2"))._repr_html_()
    assert html is not None
    assert [row.findtext("td") for row in ElementTree.fromstring(html).iter("tr")][1] == "A3"
    assert html.count("<tr>") == 6


def test_a_game_shows_its_board_moves_and_scores_and_names_are_text() -> None:
    record = play_game("connect-four:rows=4,columns=5", "alpha-beta:depth=2", "alpha-beta:depth=1")
    html = html_of(record)
    ElementTree.fromstring(html)
    assert "".join(record.move_texts()) in html
    assert 'class="curve' in html
    hostile = type(record)(record.rules, first="<script>", second="b")
    assert "<script>" not in html_of(hostile)


def test_a_tournament_shows_standings_and_ratings() -> None:
    html = html_of(run_tournament("tic-tac-toe", ["alpha-beta:depth=2", "random"]))
    assert "Standings" in html
    assert "Head to head" in html
    assert 'class="error"' in html


def test_the_scores_of_moves_stand_on_their_cells() -> None:
    picture = move_scores(start("tic-tac-toe", "A1 B1 A2 B2"), "alpha-beta:depth=3", Limit(depth=3))
    reported = classes(picture._repr_svg_())
    assert reported.count("pg-score") == 5
    assert ">W1<" in picture.svg


def test_a_line_is_numbered_on_the_board() -> None:
    position = start("tic-tac-toe")
    analysis = analyse(position, "alpha-beta:depth=3")
    picture = best_line(position, analysis)
    assert classes(picture.svg).count("pg-score") == len(analysis.line) == 3
    assert classes(picture.svg).count("pg-ghost") == 3
