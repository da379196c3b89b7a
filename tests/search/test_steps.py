"""A search step by step: each step names the line of the real source that takes it."""

from __future__ import annotations

import inspect
import sys

import pytest

from plyground import games, players
from plyground.core.notation import parse_moves
from plyground.search.alpha_beta import alpha_beta
from plyground.search.beam import beam
from plyground.search.minimax import minimax
from plyground.steps import trace
from plyground.steps.stepping import SearchStep, StepKind, SteppedSearch, stepped


def followed(spec: str, moves: str = "A1 B2", game: str = "tic-tac-toe") -> SteppedSearch:
    _, position = parse_moves(games.load(game), moves)
    return stepped(players.load(spec, position.rules), position)


def line(found: SteppedSearch, step: SearchStep) -> str:
    """The text of the line that takes a step."""
    source = found.sources[step.source]
    return source.text.splitlines()[step.line - source.first].strip()


def of_kind(found: SteppedSearch, kind: StepKind) -> list[SearchStep]:
    return [step for step in found.steps if step.kind is kind]


@pytest.mark.parametrize(
    ("spec", "kind", "text"),
    [
        ("alpha-beta:depth=3", StepKind.ENTER, "effort.visit(position)"),
        ("alpha-beta:depth=3", StepKind.WORSE, "if -value > best[0]:"),
        ("alpha-beta:depth=3", StepKind.CUT, "break"),
        ("alpha-beta:depth=3", StepKind.DONE, "return best"),
        ("alpha-beta:depth=3", StepKind.OVER, "return NEAREST.at_end(over, plies, position), ()"),
        ("minimax:depth=2", StepKind.ENTER, "effort.visit(position)"),
        ("minimax:depth=2", StepKind.BETTER, "best = -value, (move, *line)"),
        ("minimax:depth=2", StepKind.LEAF, "return effort.evaluate(heuristic, position), ()"),
        ("beam:depth=3", StepKind.LOOKED, "return -value, (move, *line)"),
        ("beam:depth=3", StepKind.KEPT, "kept = sorted(moves, key=lambda move: -looks[move])[:width]"),
    ],
)
def test_every_step_of_a_kind_is_taken_by_the_line_that_does_it(spec: str, kind: StepKind, text: str) -> None:
    found = followed(spec)
    assert {line(found, step) for step in of_kind(found, kind)} == {text}


def test_a_better_child_is_shown_where_alpha_rises_or_only_the_best_changes() -> None:
    found = followed("alpha-beta:depth=3")
    lines = {line(found, step) for step in of_kind(found, StepKind.BETTER)}
    assert lines == {"best = -value, (move, *line)", "alpha = max(alpha, best[0])"}


def test_the_code_shown_is_that_of_the_package() -> None:
    assert [source.text for source in followed("minimax:depth=1").sources] == [inspect.getsource(minimax)]
    both = [inspect.getsource(beam), inspect.getsource(alpha_beta)]
    assert [source.text for source in followed("beam:depth=3").sources] == both
    assert followed("minimax:depth=1").sources[0].file == "search/minimax.py"


@pytest.mark.parametrize("spec", ["minimax:depth=3", "alpha-beta:depth=3", "beam:depth=3"])
def test_following_a_search_changes_nothing_about_it(spec: str) -> None:
    found = followed(spec)
    _, position = parse_moves(games.load("tic-tac-toe"), "A1 B2")
    plain = trace.trace(players.load(spec, position.rules), position).search
    assert (found.search.nodes, found.search.evaluations) == (plain.nodes, plain.evaluations)
    assert found.nodes[0].value == plain.root.value
    assert len(found.nodes) == found.search.nodes == len(of_kind(found, StepKind.ENTER))


@pytest.mark.parametrize("spec", ["minimax:depth=3", "alpha-beta:depth=3"])
def test_every_node_is_entered_once_and_ends_once_and_each_child_is_reported_to_its_parent(spec: str) -> None:
    found = followed(spec)
    ends = [step.node for step in found.steps if step.kind in (StepKind.OVER, StepKind.LEAF, StepKind.DONE)]
    assert sorted(ends) == list(range(len(found.nodes)))
    reported = {step.child: step.node for step in found.steps if step.kind in (StepKind.BETTER, StepKind.WORSE)}
    assert reported == {child: parent for child, parent in enumerate(found.parents) if parent is not None}


def test_a_cut_says_how_many_moves_are_left_out_and_that_the_window_is_empty() -> None:
    found = followed("alpha-beta:depth=3")
    cuts = of_kind(found, StepKind.CUT)
    assert {step.node: step.count for step in cuts} == {i: node.cut for i, node in enumerate(found.nodes) if node.cut}
    assert cuts
    for step in cuts:
        assert step.alpha is not None
        assert step.beta is not None
        assert step.alpha >= step.beta


def test_minimax_has_no_window_and_is_counted_beside_alpha_beta() -> None:
    found = followed("minimax:depth=2")
    assert {(step.alpha, step.beta) for step in found.steps} == {(None, None)}
    assert found.counterpart is not None
    assert found.counterpart == ("alpha-beta", found.counterpart.nodes, found.counterpart.evaluations)
    assert found.counterpart.nodes < found.search.nodes
    assert followed("alpha-beta:depth=2").counterpart == ("minimax", found.search.nodes, found.search.evaluations)


def test_too_large_a_tree_is_refused_and_whoever_traced_before_goes_on() -> None:
    before = sys.gettrace()
    with pytest.raises(ValueError, match="more than 4000 positions here; ask for less depth"):
        followed("minimax:depth=5", "")
    assert sys.gettrace() is before


def test_a_player_without_a_tree_is_refused() -> None:
    with pytest.raises(ValueError, match="has no tree to show"):
        followed("random")
