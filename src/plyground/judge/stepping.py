"""Searches step by step: what a player's search does at each node, and which line of its own source does it.

The lines are not listed anywhere: while the search runs, Python reports which line is executed, and the values of its
variables. A change of a function in `plyground.search` changes what is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from plyground.core.position import Position
from plyground.debug.file_search import FileSearch
from plyground.debug.tree import Node
from plyground.heuristics import Heuristic
from plyground.judge.step_recorder import StepRecorder
from plyground.judge.steps import Count, SearchStep, ShownSource, StepKind, SteppedSearch
from plyground.judge.trace import (
    Traceable,
    TraceNode,
    fixed_depth,
    name_of,
    plain_function,
    too_large,
    traced,
    traced_calls,
)
from plyground.native import supports
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort, Limit, OutOfTime
from plyground.search.beam import beam
from plyground.search.deepening import FixedDepth
from plyground.search.twins import TWINS

MAX_STEPPED_NODES = 4_000
"""A larger tree is refused: nobody could follow it."""

MOST_COUNTED = Limit(nodes=1_000_000, seconds=1.0)
"""The limit for counting the positions of the counterpart, which is not shown."""


def stepped(player: object, position: Position, max_nodes: int = MAX_STEPPED_NODES) -> SteppedSearch:
    """The search of a player to its full depth, step by step.

    ValueError for a player whose search does not go to a fixed depth, for a game that is over, and for a tree of
    more than `max_nodes` positions.
    """
    traceable, depth = fixed_depth(player, position)
    if isinstance(traceable.search, FileSearch) and not traceable.search.hands_over(position):
        return _stepped_calls(traceable, traceable.search, position, depth, max_nodes)
    shown = _shown(traceable.search)
    recorder = StepRecorder(functions=shown)
    found = None
    if _small(traceable, position, depth, max_nodes):
        with recorder.watching():
            found = traced(traceable.search, position, depth, traceable.heuristic, max_nodes, recorder)
    if found is None:
        raise too_large(traceable, max_nodes)
    other = traceable.counterpart
    compared = None if other is None else _count(other, traceable.heuristic, position, depth, MOST_COUNTED)
    sources = tuple(ShownSource.of(function) for function in shown)
    return SteppedSearch(found, depth, tuple(recorder.nodes), tuple(recorder.steps), sources, compared)


def _stepped_calls(
    player: Traceable, search: FileSearch, position: Position, depth: int, max_nodes: int
) -> SteppedSearch:
    """A student's search step by step, from its recorded calls."""
    found = search.record(position, depth, max_nodes)
    if found is None:
        raise too_large(player, max_nodes)
    tree = traced_calls(search, found)
    numbers = {code: number for number, code in enumerate(found.codes)}
    nodes: list[TraceNode] = []
    steps: list[SearchStep] = []

    def note(kind: StepKind, number: int, node: Node, line: int, value: int | None = None, **more: int) -> None:
        alpha, beta = (search.bound(each) for each in node.window)
        source = numbers.get(node.call.code, 0)
        steps.append(SearchStep(kind, number, source, line, alpha, beta, value, **more))

    def walk(shown: TraceNode, node: Node) -> int:
        node, number = node.deepest, len(nodes)
        nodes.append(shown)
        note(StepKind.ENTER, number, node, node.call.code.co_firstlineno)
        last, best = {child.move: child for child in node.children}, None
        for child, below in zip(last.values(), shown.children, strict=True):
            reached, value = walk(below, child), -below.value
            kind = StepKind.BETTER if best is None or value > best else StepKind.WORSE
            best = value if best is None else max(best, value)
            note(kind, number, node, child.call.called_at or node.call.returned_at, value, child=reached)
        line = node.call.returned_at
        if not shown.children:
            note(StepKind.LEAF if shown.position.outcome() is None else StepKind.OVER, number, node, line, shown.value)
            return number
        if shown.cut:
            note(StepKind.CUT, number, node, line, shown.value, count=shown.cut)
        note(StepKind.DONE, number, node, line, shown.value)
        return number

    walk(tree.root, found.root)
    other = player.counterpart
    compared = None if other is None else _count(other, player.heuristic, position, depth, MOST_COUNTED)
    sources = tuple(ShownSource.of(code) for code in found.codes)
    return SteppedSearch(tree, depth, tuple(nodes), tuple(steps), sources, compared)


def _small(player: Traceable, position: Position, depth: int, max_nodes: int) -> bool:
    """Whether a search is small enough to be shown, as far as the core can tell before the slow recording."""
    if plain_function(player.search) not in TWINS or not supports(position.rules):
        return True
    return _count(player.search, player.heuristic, position, depth, Limit(nodes=max_nodes)) is not None


def _count(search: FixedDepth, heuristic: Heuristic, position: Position, depth: int, limit: Limit) -> Count | None:
    """How much a search visits, counted by the core if there is one; None if it is more than the limit."""
    options = search.keywords if isinstance(search, partial) else {}
    function = plain_function(search)
    twin = TWINS.get(function) if supports(position.rules) else None
    effort = Effort(limit)
    try:
        (twin or function)(position, depth, heuristic, effort, **options)
    except OutOfTime:
        return None
    return Count(name_of(search), effort.nodes, effort.evaluations)


def _shown(search: FixedDepth) -> tuple[Callable[..., object], ...]:
    """The functions whose lines are shown: the search itself, and the one that it calls below the root."""
    function = plain_function(search)
    return (function, alpha_beta) if function is beam else (function,)
