from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from benchmarks.kept import keep, restored, write_reports
from click.testing import CliRunner

import plyground
from plyground import games
from plyground.cli import cli
from plyground.core.notation import parse_moves
from plyground.core.rules import Side
from plyground.play.faults import FaultKind
from plyground.play.records import GameRecord, NotedFault, PlayedMove, Result
from plyground.ratings import Estimate
from plyground.render.svg import mark
from plyground.report.charts import bars, curves, error_bars, grid
from plyground.report.of_tournament import tournament_report
from plyground.report.plain import columns_text, to_text
from plyground.report.summary import TimeUse, summarise
from plyground.report.tables import Column, Table
from plyground.report.write import FORMS, form_for, write_report
from plyground.search.score import Score
from plyground.tournament.plan import plan_of
from plyground.tournament.store import Store, StoredGame

EVIL = "</script><script>alert(1)</script>"
WIN = "4152637"
"""Seven moves, the first player wins."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Ada has beaten the evil-named bot, drawn nothing, lost once by a fault; one game could not be played."""
    plan = plan_of({"game": "connect-four", "players": {"ada": "random", EVIL: "random"}, "rounds": 3, "seed": 5})
    with Store.create(tmp_path / "t.db", "tournament", plan.to_json(), "test") as made:
        made.save(played("1.1.1-a", ("ada", EVIL), WIN, Result.FIRST, "pattern"))
        made.save(played("1.1.1-b", (EVIL, "ada"), "415263", Result.FIRST, "time exceeded", fault="3.20 s <b>late</b>"))
        made.save(played("2.1.1-a", ("ada", EVIL), WIN, Result.FIRST, "pattern"))
        made.save(played("2.1.1-b", (EVIL, "ada"), "", Result.OPEN, "failed"))
        yield made


def played(key: str, names: tuple[str, str], text: str, result: Result, ending: str, fault: str = "") -> StoredGame:
    moves, _ = parse_moves(games.load("connect-four"), text)
    record = GameRecord(
        games.load("connect-four"),
        tuple(PlayedMove(move, score=Score.points(10 * n), depth=3, seconds=0.5) for n, move in enumerate(moves)),
        first=names[0],
        second=names[1],
        result=result,
        termination=ending,
        fault=NotedFault(Side.SECOND, FaultKind(ending), fault, "a\nTypeError") if fault else None,
        isolation="namespaces" if fault else "",
    )
    return StoredGame.of(record, key, key.rpartition("-")[0], "test")


def written(store: Store, form: str) -> str:
    out = io.StringIO()
    write_report(store, form, out)
    return out.getvalue()


def test_the_summary_counts_games_faults_times_and_repetitions(store: Store) -> None:
    summary = summarise(store)
    assert (summary.played, summary.repeated) == (3, 1)
    assert summary.endings == {"pattern": 2, "time exceeded": 1, "failed": 1}
    assert summary.faults_of("ada") == 1
    assert [note.player for note in summary.faults] == ["ada", ""]
    assert summary.times["ada"].moves == 4 + 3 + 4
    assert summary.times["ada"].average == 0.5
    assert summary.head_to_head["ada", EVIL].wins == 2
    assert summary.names[0] == "ada"
    assert (summary.first.points, summary.first.games) == (2, 2)  # a forfeit shows nothing of the first move


def test_text_shows_standings_warnings_and_reasons(store: Store) -> None:
    text = written(store, "text")
    for part in (
        "3 of 6 games",
        "seed 5",
        "2/3",
        "1 game repeated another",
        "1 game could not be played",
        "time exceeded",
        "namespaces (1 game)",
    ):
        assert part in text, part


def test_markdown_shows_names_as_text(store: Store) -> None:
    text = written(store, "markdown")
    assert "<script" not in re.sub(r"\\<", "", text)
    assert "| # | player" in text.replace("\\#", "#")


def test_csv_has_a_line_for_each_player_and_no_formulas(store: Store) -> None:
    rows = list(csv.DictReader(io.StringIO(written(store, "csv"))))
    assert [row["player"] for row in rows] == ["ada", EVIL]
    assert float(rows[0]["points"]) == 2
    assert list(rows[0])[:5] == ["place", "player", "elo", "elo_low", "elo_high"]
    assert all(re.fullmatch(r"\w+", header) for header in rows[0])
    assert len(rows[0]["elo"].partition(".")[2]) == 1
    assert rows[1]["better_than_next"] == ""
    plan = plan_of({"game": "connect-four", "players": {"=cmd()": "random", "b": "random"}})
    path = store.path.with_name("formula.db")
    with Store.create(path, "tournament", plan.to_json(), "test") as other:
        assert "'=cmd()" in written(other, "csv")


def test_json_holds_everything(store: Store) -> None:
    reported = json.loads(written(store, "json"))
    assert reported["standings"][0]["name"] == "ada"
    assert reported["head_to_head"][0]["pairs"] == [0, 0, 1, 0, 0]
    assert reported["endings"]["pattern"] == 2
    assert reported["faults"][0]["why"] == "o: 3.20 s <b>late</b>"
    assert reported["faults"][0]["stderr"] == "a\nTypeError"
    assert reported["isolation"] == {"namespaces": 1}
    assert reported["plan"]["seed"] == 5


class Page(HTMLParser):
    """What a browser makes of a page: its elements, and the text of each kind."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_data(self, data: str) -> None:
        (self.scripts if self._open and self._open[-1] == "script" else self.texts).append(data)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass


def test_html_shows_names_as_text_never_as_markup(store: Store) -> None:
    page = Page(written(store, "html"))
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    assert len(scripts) == 2  # the data and the page's own
    assert any(EVIL in text for text in page.texts)
    assert not [tag for tag, _ in page.elements if tag == "b"]
    assert "alert(1)" not in page.scripts[-1]


def test_html_loads_nothing_from_anywhere(store: Store) -> None:
    text = written(store, "html")
    page = Page(text)
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed"), tag
        within = str(attributes.get("href", "#")).startswith("#")  # a part of a picture that the page defines itself
        assert within, (tag, attributes)
        assert not {"src", "onclick", "onload"} & set(attributes), (tag, attributes)
    assert not re.findall(r"url\((?!#)|@import|fetch\(|https?://(?!www\.w3\.org/)", text)
    assert "default-src 'none'" in text


def test_html_can_replay_every_game_without_rules(store: Store) -> None:
    text = written(store, "html")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]
    assert [game[0] for game in data["games"]] == ["1.1.1-a", "1.1.1-b", "2.1.1-a", "2.1.1-b"]
    first = data["games"][0]
    assert [data["moves"][move][0] for move in first[5]] == list(WIN)
    assert all(data["moves"][move][1] in data["pieces"] for move in first[5])
    assert first[6] == [10 * n for n in range(7)]
    assert first[8] == mark(games.load("connect-four"), 0b1111000, "win")
    assert all(data["moves"][move][3].startswith('<use class="pg-last"') for move in first[5])


@pytest.mark.parametrize("form", FORMS)
def test_a_tournament_without_a_game_is_reported_too(tmp_path: Path, form: str) -> None:
    plan = plan_of({"game": "tic-tac-toe", "players": ["random", "b=random"], "sprt": "0,10", "opening": 0})
    with Store.create(tmp_path / "empty.db", "tournament", plan.to_json(), "test") as empty:
        assert "random" in written(empty, form)


def test_what_is_no_form_or_no_known_store_is_refused(tmp_path: Path, store: Store) -> None:
    with pytest.raises(ValueError, match="unknown form 'pdf'"):
        written(store, "pdf")
    with (
        Store.create(tmp_path / "other.db", "proof", "{}", "test") as other,
        pytest.raises(ValueError, match="unknown kind of store 'proof'"),
    ):
        written(other, "text")
    with Store.create(tmp_path / "t.db2", "tuning", "{}", "x") as tuning, pytest.raises(ValueError, match="a tuning"):
        summarise(tuning)


def test_the_form_follows_the_name_of_the_file() -> None:
    assert form_for(None, Path("a.html")) == "html"
    assert form_for(None, Path("a.md")) == "markdown"
    assert form_for(None, None) == form_for(None, Path("a.txt")) == "text"
    assert form_for("csv", Path("a.html")) == "csv"


def test_a_table_is_written_alone_in_every_form_and_as_a_picture(store: Store, tmp_path: Path) -> None:
    def report(*words: str) -> str:
        done = CliRunner().invoke(cli, ["report", str(store.path), *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert report("--table", "time").splitlines()[0] == "Time"
    assert "Standings" not in report("--table", "crosstable")
    assert report("--table", "standings", "--format", "latex").startswith("% Standings\n\\begin{tabular}{rl")
    assert report("--table", "endings", "--format", "markdown").startswith("## How games ended")
    assert report("--table", "crosstable", "--format", "csv").startswith("place,player,1,2\n")
    for name in ("standings", "crosstable", "endings", "time"):
        report("--table", name, "-o", str(tmp_path / f"{name}.svg"))
        assert EVIL not in (tmp_path / f"{name}.svg").read_text()
        ElementTree.parse(tmp_path / f"{name}.svg")
    report("-o", str(tmp_path / "ratings.png"))
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")
    for words in (("--table", "nonsense"), ("--table", "faults", "-o", str(tmp_path / "x.svg"))):
        refused = CliRunner().invoke(cli, ["report", str(store.path), *words])
        assert refused.exit_code == 2
        assert "crosstable" in refused.output


def test_latex_takes_every_name_as_text(store: Store) -> None:
    text = written(store, "latex")
    assert r"\textless{}/script\textgreater{}" in text
    assert "<script>" not in text


def test_what_players_report_of_their_searches_is_added_up() -> None:
    use = TimeUse()
    use.add(0.5, 3, 100)
    use.add(1.5, 5, 300)
    use.add(1.0)
    assert (use.moves, use.depth, use.nodes_per_move, use.nodes_per_second) == (3, 4.0, 200.0, 200.0)
    assert (TimeUse().depth, TimeUse().nodes_per_move, TimeUse().nodes_per_second) == (None, None, None)


def test_a_tournament_of_searches_has_their_nodes_in_record_and_report() -> None:
    summary = plyground.run_tournament("tic-tac-toe", ["alpha-beta:depth=2", "random"])
    use = summary.times["alpha-beta:depth=2"]
    assert use.counted == use.moves
    assert use.nodes_per_move is not None
    assert use.nodes_per_move > 5
    assert summary.times["random"].nodes_per_move is None
    frame = summary.to_dataframe("time")
    assert list(frame["player"]) == summary.names
    assert frame["nodes_per_move"].notna().sum() == 1
    assert list(summary.to_dataframe().columns)[:3] == ["place", "player", "elo"]
    with pytest.raises(ValueError, match="unknown table 'x'"):
        summary.to_dataframe("x")


def test_charts_are_complete_and_show_names_as_text() -> None:
    for chart in (
        error_bars([("<b>", Estimate(10, 5, 15)), ("x", Estimate(-10, -510, 490))], "<t>"),
        bars([("<b>", 0, "<i>")], "t"),
        curves([("<b>", [1.0, 2.0]), ("flat", [0.0])], "t"),
        error_bars([], "t"),
        bars([], "t"),
        grid(["<b>", "x"], {("<b>", "x"): (0.75, "<i>")}, "t"),
        curves([("<b>", [1.0, 200.0]), ("none", [])], "t", ["1", "2"], logarithmic=True),
    ):
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(chart).iter()}
        assert tags <= {"svg", "title", "style", "line", "text", "circle", "rect", "polyline"}


def test_a_csv_file_begins_with_the_mark_that_spreadsheets_look_for(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "grades.csv"
    result = CliRunner().invoke(cli, ["report", str(store.path), "-o", str(file)])
    assert result.exit_code == 0, result.output
    assert (result.stdout, result.stderr) == ("", f"wrote {file}\n")
    assert file.read_bytes().startswith(b"\xef\xbb\xbfplace,player,")


def test_a_report_on_stdout_is_nothing_but_the_report(store: Store) -> None:
    result = CliRunner().invoke(cli, ["report", str(store.path)])
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_report_in_an_unknown_form_is_refused_with_the_known_ones(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "x.pdf"
    result = CliRunner().invoke(cli, ["report", str(store.path), "-o", str(file)])
    assert result.exit_code == 2
    assert "no report can be written as .pdf" in " ".join(result.output.split())
    assert ".txt, .md, .tex, .csv, .json, .html" in " ".join(result.output.split())
    assert not file.exists()
    assert CliRunner().invoke(cli, ["report", str(store.path), "-o", str(file), "--format", "text"]).exit_code == 0


def test_a_long_label_of_a_chart_is_shown_whole_and_has_its_room() -> None:
    name = "alpha-beta:depth=4,heuristic=completable-centrality,seconds=10"
    for chart in (
        error_bars([(name, Estimate(0, -10, 10))], "t"),
        bars([(name, 1, name)], "t"),
        curves([(name, [1.0, 2.0])], "t"),
    ):
        picture = ElementTree.fromstring(chart)
        texts = [element for element in picture.iter("{http://www.w3.org/2000/svg}text") if element.text == name]
        assert texts
        width = float(picture.attrib["viewBox"].split()[2])
        for text in texts:
            x, length = float(text.attrib["x"]), 7 * len(name)
            assert x >= length if text.attrib["class"] == "label" else x + length <= width


def test_a_tournament_that_was_kept_comes_back_game_by_game(store: Store, tmp_path: Path) -> None:
    keep(store, tmp_path / "kept.jsonl.gz")
    with restored(tmp_path / "kept.jsonl.gz", tmp_path) as again:
        assert again.plan == store.plan
        assert list(again.games()) == list(store.games())


def test_kept_tournaments_become_pages_and_tables(store: Store, tmp_path: Path) -> None:
    keep(store, tmp_path / "kept.jsonl.gz")
    write_reports(tmp_path, tmp_path / "pages", tmp_path / "tables")
    assert "<h2>Standings</h2>" in (tmp_path / "pages" / "kept.html").read_text(encoding="utf-8")
    table = (tmp_path / "tables" / "kept.md").read_text(encoding="utf-8")
    assert table.startswith("## Standings\n")
    assert [line for line in table.splitlines() if line.startswith("## ")] == ["## Standings", "## Head to head"]


def test_a_table_has_room_in_a_narrow_terminal_and_names_what_it_left_out() -> None:
    columns = [Column("player", right=False), Column("points"), Column("won", spare=True), Column("lost", spare=True)]
    table = Table("Standings", columns, [["ada", 3, 2, 1]])
    assert columns_text(table) == columns_text(table, 25) == "player  points  won  lost\nada          3    2     1"
    assert columns_text(table, 24) == "player  points  won\nada          3    2\n(no room here for: lost)"
    narrowest = "player  points\nada          3\n(no room here for: won, lost)"
    assert columns_text(table, 14) == columns_text(table, 5) == narrowest


def test_notes_are_wrapped_in_a_terminal_only(store: Store) -> None:
    report = tournament_report(store)
    wide, narrow = to_text(report), to_text(report, 60)
    assert max(map(len, wide.splitlines())) > 80
    notes, _, _ = narrow.partition("\n\n")
    assert max(map(len, notes.splitlines())) <= 60
    assert notes.replace("\n", " ") == " ".join(report.notes)
