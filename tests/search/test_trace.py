"""The tree a search walked: the course's figures, cut-offs where they happened, pages that need nothing else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from plyground import games, players
from plyground.cli import cli
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.search.base import Limit
from plyground.steps import trace
from plyground.steps.stepping import StepKind, stepped
from plyground.steps.trace import Trace, TraceNode
from seeded import CORRECT, OTHER_CORRECT


def traced(game: str, spec: str, moves: str = "") -> Trace:
    _, position = parse_moves(games.load(game), moves)
    return trace.trace(players.load(spec, position.rules), position)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["trace", *arguments])


def every(node: TraceNode) -> list[TraceNode]:
    return [node, *(below for child in node.children for below in every(child))]


def test_the_courses_demo_has_its_known_figures() -> None:
    lines = trace.to_text(traced("double-card", "minimax:depth=2,heuristic=naive")).split("\n")
    assert lines[:3] == ["3184", "-6.0", ""]
    values, rest = lines[3:63], lines[63:]
    assert max(map(float, values)) == -6.0
    assert rest == ["", ""]


def test_with_dots_first_the_naive_values_change_sign() -> None:
    """The position is the same and so is the search, but now the first player wants the opposite."""
    lines = trace.to_text(traced("double-card:first=dots", "minimax:depth=1,heuristic=naive")).split("\n")
    swapped = trace.to_text(traced("double-card", "minimax:depth=1,heuristic=naive")).split("\n")
    assert [float(line) for line in lines[3:63]] == [-float(line) for line in swapped[3:63]]


@pytest.mark.parametrize("spec", ["minimax:depth=3", "alpha-beta:depth=3"])
def test_every_node_is_worth_the_best_of_its_children(spec: str) -> None:
    found = traced("connect-four:rows=4,columns=5", spec, "33")
    for node in every(found.search.root):
        if node.children:
            assert node.value == max(-child.value for child in node.children)
    assert len(every(found.search.root)) == found.search.nodes


def test_the_tree_is_the_one_the_player_walks() -> None:
    found = traced("connect-four:rows=4,columns=5", "alpha-beta:depth=4", "33")
    position = found.search.root.position
    *_, analysis = players.load("alpha-beta:depth=4", position.rules).think(position, Limit())
    assert analysis.score is not None
    assert found.search.root.value == analysis.score.value
    best = next(child for child in found.search.root.children if -child.value == found.search.root.value)
    assert best.position.last == analysis.line[0]


def test_cut_offs_are_where_moves_were_left_out_and_only_alpha_beta_has_them() -> None:
    found = traced("connect-four:rows=4,columns=5", "alpha-beta:depth=3")
    assert found.counterpart is not None
    assert found.counterpart.name == "minimax"
    assert [node for node in every(found.counterpart.root) if node.cut] == []
    cut = [node for node in every(found.search.root) if node.cut]
    assert cut
    for node in cut:
        assert node.cut == len(node.position.moves()) - len(node.children)
    assert found.search.root.value == found.counterpart.root.value
    assert found.search.nodes < found.counterpart.nodes


@pytest.mark.parametrize(
    ("game", "spec", "searches"),
    [
        ("polarized-ladder:height=4", "lavoie", ["alpha-beta", "minimax"]),
        ("polarized-ladder:height=4", "cameron-tiago", ["minimax", "alpha-beta"]),
        ("polarized-ladder:height=4", "team-two", ["beam"]),
        ("polarized-ladder:height=4,variant=open", "ayoub-qabbani:level=1", ["alpha-beta", "minimax"]),
        ("polarized-ladder:height=4,variant=open", "ayoub-qabbani:level=2", ["alpha-beta"]),
        ("connect-four", "hazar-isik:plies=2", ["alpha-beta", "minimax"]),
    ],
)
def test_the_old_programs_can_be_watched(game: str, spec: str, searches: list[str]) -> None:
    reported = json.loads(trace.to_json(traced(game, spec, "" if game == "connect-four" else "A1 B1 C1 D1 E1 F1 G1")))
    assert [search["search"] for search in reported["searches"]] == searches


def test_json_shows_moves_values_cut_offs_and_the_ends_of_games() -> None:
    reported = json.loads(trace.to_json(traced("tic-tac-toe", "alpha-beta:depth=2", "A1 A2 B1 B2")))
    assert (reported["to_move"], reported["player"], reported["depth"]) == ("first", "alpha-beta:depth=2", 2)
    tree = reported["searches"][0]["tree"]
    won = next(child for child in tree["children"] if child["move"] == "C1")
    assert won["over"] == "first"
    assert won["value"] == tree["value"]


class Resources(HTMLParser):
    """Collects what a page would load, and checks that its elements are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.open: list[str] = []
        self.data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href") and (value or "")[:1] != "#"]
        if tag not in ("meta", "link", "br", "hr", "img", "input"):
            self.open.append("data" if given.get("id") == "data" else tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() in (tag, "data")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href") and (value or "")[:1] != "#"]

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "data":
            self.data += data


def read_page(page: str) -> tuple[Resources, Any]:
    parser = Resources()
    parser.feed(page)
    parser.close()
    return parser, json.loads(parser.data)


def test_the_page_is_whole_and_loads_nothing() -> None:
    page = trace.to_html(traced("connect-four", "alpha-beta:depth=2", "4455"), fold=1)
    parser, data = read_page(page)
    assert parser.open == []
    assert parser.loaded == []
    assert not re.search(r"@import|url\((?!#)|fetch\(", page)  # what is drawn refers to its own gradients
    assert (data["fold"], data["title"]) == (1, "Connect Four")
    assert [search["search"] for search in data["searches"]] == ["alpha-beta", "minimax"]
    assert "<svg" in page


def test_a_name_cannot_break_out_of_the_page(tmp_path: Path) -> None:
    bad = tmp_path / "<!--<script>"
    bad.mkdir()
    (bad / "mine.py").write_text("def zero(position):\n    return 0\n")
    page = trace.to_html(traced("tic-tac-toe", f"minimax:depth=1,heuristic={bad}/mine.py:zero"))
    parser, data = read_page(page)
    assert parser.open == []
    assert data["heuristic"] == f"{bad}/mine.py:zero"
    assert str(bad) not in page


def test_a_tree_too_large_to_look_at_is_refused() -> None:
    rules = games.load("connect-four")
    with pytest.raises(ValueError, match="minimax:depth=4 looks at more than 1000 positions here; ask for less depth"):
        trace.trace(players.load("minimax:depth=4", rules), Position.start(rules), max_nodes=1000)


def test_a_counterpart_too_large_to_look_at_is_left_out() -> None:
    rules = games.load("connect-four")
    found = trace.trace(players.load("alpha-beta:depth=3", rules), Position.start(rules), max_nodes=500)
    assert found.counterpart is None


@pytest.mark.parametrize("name", ["trace.txt", "trace.json", "trace.html"])
def test_the_command_writes_the_format_that_the_name_asks_for(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    result = run("connect-four", "--after", "44", "--player", "minimax:depth=2", "-o", str(file))
    assert result.exit_code == 0, result.output
    text = file.read_text()
    start = {"trace.txt": "64\n", "trace.json": '{"game": "connect-four"', "trace.html": "<!doctype html>"}
    assert text.startswith(start[name])


def test_without_a_file_the_text_goes_to_stdout() -> None:
    result = run("tic-tac-toe", "--player", "minimax:depth=1")
    assert result.exit_code == 0
    assert result.stdout.split("\n")[0] == "9"


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("tic-tac-toe", "-o", "trace.pdf"), 2, "expected a name that ends in .txt, .json, .html"),
        (("tic-tac-toe", "--player", "minmax"), 2, "did you mean 'minimax'"),
    ],
)
def test_a_bad_request_is_a_usage_error(arguments: tuple[str, ...], code: int, reason: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert reason in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("spec", "moves", "reason"),
    [("random", "", "'random' has no tree to show"), ("minimax", "A1 A2 B1 B2 C1", "the game is over")],
)
def test_what_cannot_be_traced_is_an_error(spec: str, moves: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        traced("tic-tac-toe", spec, moves)


@pytest.mark.parametrize(
    "name", ["effort", "alpha-beta", "class", "two functions", "table", "dict", "deepening inside"]
)
def test_a_search_of_a_file_has_its_tree(name: str, tmp_path: Path) -> None:
    """Whatever its form: the values are those of its own calls, and a node without a cut-off has the best."""
    text, function = (CORRECT | OTHER_CORRECT)[name]
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    found = traced("tic-tac-toe", f"search={tmp_path}/mine.py:{function},depth=2", "B2 A1 C3")
    right = traced("tic-tac-toe", "minimax:depth=2", "B2 A1 C3")
    assert found.search.root.value == right.search.root.value
    assert len(found.search.root.children) == 6
    for node in every(found.search.root):
        if node.children and not node.cut:
            assert node.value == max(-child.value for child in node.children)


def test_a_search_of_a_file_is_shown_as_a_page(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(CORRECT["effort"].text, encoding="utf-8")
    page = tmp_path / "x.html"
    spec = f"search={tmp_path}/plain.py:plain,depth=3"
    done = run("tic-tac-toe", "--after", "B2 A1 C3", "--player", spec, "-o", str(page))
    assert (done.exit_code, done.exception) == (0, None)
    assert "157 positions" in done.stderr


def test_a_search_of_a_file_that_fails_is_described_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def bad(position, depth):\n    return 1 / 0\n", encoding="utf-8")
    done = run("tic-tac-toe", "--player", f"search={tmp_path}/bad.py:bad,depth=2")
    assert str(done.exception) == "search bad fails: ZeroDivisionError: division by zero (line 2)"


def test_a_search_of_a_file_is_shown_step_by_step(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CORRECT["alpha-beta"].text, encoding="utf-8")
    position = Position("tic-tac-toe", "B2 A1 C3")
    found = stepped(players.load(f"search={tmp_path}/mine.py:search,depth=2", position.rules), position)
    own = stepped(players.load("alpha-beta:depth=2", position.rules), position)
    assert [node.value for node in found.nodes] == [node.value for node in own.nodes]
    assert [step.kind for step in found.steps] == [step.kind for step in own.steps]
    lines = found.sources[0].text.splitlines()
    leaf = next(step for step in found.steps if step.kind is StepKind.LEAF)
    assert lines[leaf.line - found.sources[0].first].strip() == "return heuristic(position)"


def test_a_small_tree_is_drawn_with_its_cut_offs(tmp_path: Path) -> None:
    picture = tmp_path / "tree.svg"
    done = run("tic-tac-toe", "--after", "A1 B2 C3 A3 C1 B1", "--player", "alpha-beta:depth=3", "-o", str(picture))
    assert done.exit_code == 0
    text = picture.read_text(encoding="utf-8")
    found = traced("tic-tac-toe", "alpha-beta:depth=3", "A1 B2 C3 A3 C1 B1")
    nodes = every(found.search.root)
    assert text.startswith("<svg")
    assert text.count('class="move"') == len(nodes) - 1
    assert text.count('<text class="cut"') == sum(node.cut > 0 for node in nodes)
    assert "var(" not in text


def test_a_tree_that_is_too_wide_is_not_drawn(tmp_path: Path) -> None:
    done = run("connect-four", "--player", "minimax:depth=3", "-o", str(tmp_path / "tree.svg"))
    assert "ask for less depth" in str(done.exception)
    assert not (tmp_path / "tree.svg").exists()
