"""Find my bug: correct searches get no finding, seeded bugs get the right cause at a node that is wrong."""

from __future__ import annotations

import contextlib
import json
import random
import types
from pathlib import Path
from typing import Any

import pytest

import plyground
from command import run
from plyground.conformance.checks import SearchError
from plyground.debug.causes import CAUSES
from plyground.debug.findings import Finding, Report
from plyground.debug.page import to_html
from plyground.debug.running import WrongUseError, check_file
from seeded import BUGS, CORRECT, OTHER_BUGS, OTHER_CORRECT, Bug, seeded

GAMES = ("tic-tac-toe", "connect-four", "polarized-ladder", "double-card")
QUICK = random.Random(33).sample(range(len(BUGS)), 12)
"""The bugs that are tried at every test run; all of them are tried among the slow tests."""

SECONDS = 8


def report_of(folder: Path, text: str, name: str, game: str, depth: int = 3) -> Report:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return check_file(str(file), name, plyground.load_game(game), depth, "lines", seconds=SECONDS)


def only(report: Report) -> Finding:
    assert len(report.findings) == 1, report
    return report.findings[0]


def missed(folder: Path, bug: Bug, game: str, depth: int) -> str:
    """What a check says of a seeded bug if it is not the right cause; empty if it is."""
    text, name = seeded(bug)
    report = report_of(folder, text, name, game, depth)
    got = report.findings[0].cause if report.findings else "nothing"
    return "" if got == bug.cause else f"{game} {depth}: {bug.variant}, {bug.cause}: {got}"


@pytest.mark.parametrize(
    "name", ["negamax", "fail-hard", "flagged", "two functions", "scout", "table", "own heuristic"]
)
def test_a_correct_search_gets_no_finding(name: str, tmp_path: Path) -> None:
    text, function = CORRECT[name]
    assert not report_of(tmp_path, text, function, "connect-four").findings


@pytest.mark.parametrize("number", QUICK)
def test_a_seeded_bug_gets_its_cause(number: int, tmp_path: Path) -> None:
    assert not missed(tmp_path, BUGS[number], "tic-tac-toe", 3)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", [*CORRECT, *OTHER_CORRECT])
def test_no_correct_search_gets_a_finding(name: str, game: str, tmp_path: Path) -> None:
    text, function = (CORRECT | OTHER_CORRECT)[name]
    for depth in (2, 3, 4):
        assert not report_of(tmp_path, text, function, game, depth).findings


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_nine_of_ten_seeded_bugs_get_their_cause(game: str, tmp_path: Path) -> None:
    wrong = [said for bug in BUGS if (said := missed(tmp_path, bug, game, 2 if game == "double-card" else 3))]
    assert len(wrong) <= len(BUGS) // 10, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four", "polarized-ladder"])
def test_nine_of_ten_bugs_in_other_styles_get_their_cause(game: str, tmp_path: Path) -> None:
    wrong = [said for bug in OTHER_BUGS if (said := missed(tmp_path, bug, game, 3))]
    assert len(wrong) <= len(OTHER_BUGS) // 10, "\n".join(wrong)


@pytest.mark.parametrize("name", OTHER_CORRECT)
def test_a_correct_search_in_another_style_gets_no_finding(name: str, tmp_path: Path) -> None:
    text, function = OTHER_CORRECT[name]
    assert not report_of(tmp_path, text, function, "tic-tac-toe").findings


@pytest.mark.parametrize("number", [1, 7, 9])
def test_a_bug_of_one_player_a_sign_that_stays_and_a_loop_inside_get_their_cause(number: int, tmp_path: Path) -> None:
    assert not missed(tmp_path, OTHER_BUGS[number], "tic-tac-toe", 3)


def test_there_are_forty_bugs_of_ten_kinds_and_25_correct_searches() -> None:
    assert len(BUGS) >= 40
    assert len({bug.cause for bug in BUGS}) >= 10
    assert len(CORRECT) >= 25
    assert {bug.cause for bug in BUGS} <= set(CAUSES)


def first_disagreement(folder: Path, bug: Bug, finding: Finding, game: str) -> list[str] | None:
    """The moves to the first call that returns something else than the correct search does for the same arguments.

    Nothing of the check is used: the function of the wrong search is wrapped, so that it calls the wrapping itself.
    """
    text, name = seeded(bug)
    wrong, right = types.ModuleType("wrong"), types.ModuleType("right")
    exec(text, vars(wrong))
    exec((CORRECT | OTHER_CORRECT)[bug.variant].text, vars(right))
    calls: list[tuple[plyground.Position, str, tuple[Any, ...], Any]] = []

    def wrapped(each: str, function: Any) -> Any:
        def call(*given: Any) -> Any:
            answer = function(*given)
            calls.append((next(one for one in given if isinstance(one, plyground.Position)), each, given, answer))
            return answer

        return call

    for each in (name, *(["min_value"] if name == "max_value" else [])):
        setattr(wrong, each, wrapped(each, getattr(wrong, each)))
    rules = plyground.load_game(game)
    start = plyground.start(game, " ".join(finding.before or [])) if finding.before is not None else None
    assert start is not None
    assert finding.depth is not None
    arguments: tuple[Any, ...] = (start, finding.depth, plyground.load_heuristic("lines", rules))
    if bug.variant == "flagged":
        arguments = (start, finding.depth, -(10**9), 10**9, True, arguments[2])
    getattr(wrong, name)(*arguments)
    for position, each, given, answer in calls:
        if getattr(right, each)(*given) != answer:
            return path_to(start, position)
    return None


def path_to(start: plyground.Position, position: plyground.Position) -> list[str]:
    """The moves from one position to a later one, by trying all."""
    if start == position:
        return []
    for move in start.moves() if start.ply < position.ply else []:
        after = start.play(move)
        if (after.layers[0] & ~position.layers[0]) == 0 and (after.layers[1] & ~position.layers[1]) == 0:
            with contextlib.suppress(LookupError):
                return [start.write(move), *path_to(after, position)]
    raise LookupError("no move leads there")


WRAPPED = ("negamax", "alpha-beta", "fail-hard", "flagged", "two functions", "move first")
NO_NODE = (
    *("never-cuts", "window-not-narrowed", "depth-not-reduced", "shared-board", "end-without-distance"),
    "last-of-equal-moves",
)
"""Causes without a call that returns something else, or that end no call, or of which only some calls are wrong."""

NODE_BUGS = [bug for bug in BUGS if bug.variant in WRAPPED and bug.cause not in NO_NODE]


def other_node(folder: Path, bug: Bug, game: str, depth: int) -> str:
    """What a check says of a seeded bug if its node is not the first that a correct search disagrees with."""
    text, name = seeded(bug)
    report = report_of(folder, text, name, game, depth)
    if not report.findings:
        return f"{game} {depth}: {bug.variant}, {bug.cause}: nothing"
    finding = report.findings[0]
    wanted = first_disagreement(folder, bug, finding, game)
    if wanted is None:  # each call is right for its window: only the windows are wrong
        return "" if bug.cause.startswith("window") else f"{game} {depth}: {bug.variant}, {bug.cause}: all calls agree"
    # A call with wrong arguments is right for these: then its caller is the first to disagree.
    same = sorted(finding.path) == sorted(wanted) or sorted(finding.path[:-1]) == sorted(wanted)
    return "" if same else f"{game} {depth}: {bug.variant}, {bug.cause}: {finding.path} instead of {wanted}"


@pytest.mark.parametrize("number", [0, 5, 9, 14, 20])
def test_the_first_wrong_node_is_the_first_that_a_correct_search_disagrees_with(number: int, tmp_path: Path) -> None:
    assert not other_node(tmp_path, NODE_BUGS[number], "tic-tac-toe", 3)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four", "polarized-ladder"])
def test_nine_of_ten_first_wrong_nodes_are_those_that_a_correct_search_disagrees_with(
    game: str, tmp_path: Path
) -> None:
    wrong = [said for bug in NODE_BUGS if (said := other_node(tmp_path, bug, game, 3))]
    assert len(wrong) <= len(NODE_BUGS) // 10, "\n".join(wrong)


def test_the_first_wrong_node_is_wrong_and_its_children_are_right(tmp_path: Path) -> None:
    bug = next(bug for bug in BUGS if bug.cause == "negation-missing")
    finding = only(report_of(tmp_path, *seeded(bug), "tic-tac-toe"))
    position = plyground.start("tic-tac-toe", finding.start)
    for move in finding.path:
        position = position.play(move)
    assert finding.depth is not None
    left = finding.depth - len(finding.path)
    effort = plyground.Effort(plyground.Limit())
    lines = plyground.load_heuristic("lines", position.rules)
    value, _ = plyground.minimax(position, left, lines, effort)
    assert (finding.got > 0) != (value > 0) or abs(finding.got) != abs(value)
    assert all(row["got"] == row["right"] for row in finding.moves)
    assert "value = search(" in finding.source


def test_the_line_of_the_heuristic_is_named(tmp_path: Path) -> None:
    finding = only(report_of(tmp_path, *seeded(BUGS[0]), "connect-four"))
    assert finding.cause == "heuristic-side"
    assert finding.source == "return -heuristic(position), None"
    assert finding.got == -finding.right
    agree = finding.experiments[0]
    assert agree["agree"] == agree["of"] > 100


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ("while True: pass", "too-slow"),
        ("return search(position, depth)", "stale-board"),
        ("return search(position.play(position.moves()[0]), depth) if position.moves() else 0", ""),
        ("raise KeyError('here')", "exception"),
        ("import sys; sys.exit(3)", "exception"),
        ("return None", "no-value"),
        ("return 'nonsense'", "no-value"),
    ],
)
def test_code_that_never_ends_or_fails_is_reported(body: str, cause: str, tmp_path: Path) -> None:
    report = report_of(tmp_path, f"def search(position, depth):\n    {body}\n", "", "tic-tac-toe")
    assert report.findings
    if cause:
        assert report.findings[0].cause == cause
        assert report.findings[0].line == 2


def test_an_exception_deep_inside_shows_the_own_lines_only(tmp_path: Path) -> None:
    text = CORRECT["negamax"].text.replace("return heuristic(position), None", "return [][1], None")
    finding = only(report_of(tmp_path, text, "", "connect-four"))
    assert finding.cause == "exception"
    assert "IndexError" in finding.traceback
    assert "plyground" not in finding.traceback
    assert finding.source == "return [][1], None"


def test_printing_does_not_spoil_the_output(tmp_path: Path) -> None:
    text = CORRECT["negamax"].text.replace("    best, chosen", "    print('here')\n    best, chosen", 1)
    (tmp_path / "loud.py").write_text(text, encoding="utf-8")
    done = run("check", "loud.py", "tic-tac-toe", "--json", where=tmp_path)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["findings"] == []
    assert any("prints" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("def f(:\n", "", "SyntaxError"),
        ("x = 1\n", "", "there is no search"),
        ("def search(position, depth): return 0\n", "other", "there is no function 'other'"),
        (CORRECT["negamax"].text + CORRECT["two functions"].text, "", "has several functions"),
        ("def search(position, depth, banana): return 0\n", "search", "'banana'"),
        ("raise ValueError('no')\n", "", "does not load"),
    ],
)
def test_wrong_use_is_explained(text: str, name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(WrongUseError, match=said):
        report_of(tmp_path, text, name, "tic-tac-toe")


def test_the_command_exits_with_0_1_and_2(tmp_path: Path) -> None:
    text, _ = seeded(BUGS[0])
    (tmp_path / "bad.py").write_text(text, encoding="utf-8")
    bad = run("check", "bad.py", "tic-tac-toe", "--json", "-o", "report.html", where=tmp_path)
    assert bad.returncode == 1
    (finding,) = json.loads(bad.stdout)["findings"]
    assert {"path", "cause", "line", "got", "right", "text"} <= set(finding)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "the heuristic is seen from the wrong side" in page
    assert "<svg" in page
    missing = run("check", "none.py", "tic-tac-toe", where=tmp_path)
    assert missing.returncode == 2
    assert "there is no file" in missing.stderr


def test_a_position_can_be_chosen(tmp_path: Path) -> None:
    text, _ = seeded(BUGS[0])
    (tmp_path / "bad.py").write_text(text, encoding="utf-8")
    done = run("check", "bad.py", "tic-tac-toe", "--after", "B2 A1", "--depth", "2", "--json", where=tmp_path)
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["start"] == ".../.x./o.. x"
    assert finding["depth"] == 2
    assert len(finding["path"]) == 2


def test_check_search_raises_with_the_findings() -> None:
    rules = plyground.load_game("tic-tac-toe")

    def wrong(position: plyground.Position, depth: int) -> int:
        over = position.outcome()
        if over:
            return 0 if over.winner is None else (100 if over.winner is position.to_move else -100)
        return 0 if depth == 0 else max(wrong(position.play(move), depth - 1) for move in position.moves())

    with pytest.raises(SearchError, match="a negation is missing") as caught:
        plyground.check_search(wrong, rules)
    assert caught.value.findings[0].cause == "negation-missing"
    assert plyground.check_search(plyground.minimax, rules).findings == []


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ("return 0.5", "heuristic-not-whole"),
        ("return float('nan')", "heuristic-not-finite"),
        ("return 10**9", "heuristic-out-of-range"),
        ("return id(object()) % 1000 + len(seen.append(1) or seen)", "heuristic-unsteady"),
        (
            "return sum(position.lines(position.to_move.other)[2:]) - sum(position.lines(position.to_move)[2:])",
            "heuristic-side",
        ),
        ("return sum(position.lines(position.to_move)[2:]) - sum(position.lines(position.to_move.other)[2:])", ""),
    ],
)
def test_a_heuristic_is_checked(body: str, cause: str, tmp_path: Path) -> None:
    report = report_of(tmp_path, f"seen = []\n\n\ndef h(position):\n    {body}\n", "h", "connect-four")
    assert report.kind == "heuristic"
    assert [each.cause for each in report.findings] == ([cause] if cause else [])


def test_the_page_escapes_the_code(tmp_path: Path) -> None:
    text = seeded(BUGS[0]).text.replace("return -heuristic", "'<script>' and 0; return -heuristic")
    page = to_html(report_of(tmp_path, text, "", "tic-tac-toe"), text)
    assert "<script>" not in page


def test_a_board_is_written_as_a_picture(tmp_path: Path) -> None:
    assert run("show", "tic-tac-toe", "--after", "B2", "-o", "board.svg", where=tmp_path).returncode == 0
    assert (tmp_path / "board.svg").read_text(encoding="utf-8").startswith("<svg")
    refused = run("show", "tic-tac-toe", "-o", "board.bmp", where=tmp_path)
    assert refused.returncode == 2
    assert "ends in .svg" in refused.stderr
