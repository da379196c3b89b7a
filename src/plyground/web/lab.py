"""The search lab and the workbench as the page draws them: searches step by step, heuristics as counts and weights."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.grid import bits
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.heuristics.base import heuristic_name
from plyground.heuristics.evaluation import Feature, features, own_number, rows_of, scale_of, terms_of
from plyground.search.base import NEAREST
from plyground.search.score import Score
from plyground.steps.stepping import SearchStep, ShownSource, SteppedSearch, unbounded
from plyground.steps.trace import Traceable

View = dict[str, object]
Number = Callable[[int | None, Side], object]


def tree_view(player: Traceable, found: SteppedSearch) -> View:
    """A search with its tree, its steps and its code.

    All numbers are for the first side, which is MAX, and in the heuristic's own scale: a number, `"+∞"` or `"−∞"` where
    a bound says nothing yet, `{"wins": 0, "plies": 3}` for a game decided so many plies below the root.
    """
    root, number = found.nodes[0].position, numbers(player)
    return {
        "game": root.rules.name,
        "sides": list(root.rules.sides),
        "search": found.search.name,
        "heuristic": heuristic_name(player.heuristic),
        "depth": found.depth,
        "evaluations": found.search.evaluations,
        "counterpart": None if found.counterpart is None else found.counterpart._asdict(),
        "nodes": _nodes(found, number),
        "steps": [_step(step, found.nodes[step.node].position.to_move, number) for step in found.steps],
        "sources": [_source(source) for source in found.sources],
    }


def numbers(player: Traceable) -> Number:
    """How the numbers of a player's search are written."""
    scale, usual = scale_of(player.heuristic), player.win == NEAREST

    def number(value: int | None, mover: Side) -> object:
        if value is None:
            return None
        seen = value if mover is Side.FIRST else -value
        if unbounded(seen):
            return "+∞" if seen > 0 else "−∞"
        score = Score.of_value(seen)
        if usual and score.plies is not None:
            return {"wins": int(Side.FIRST if score.won else Side.SECOND), "plies": score.plies}
        return own_number(seen, scale)

    return number


def _nodes(found: SteppedSearch, number: Number) -> View:
    """The nodes in the order in which they were entered, each property as a list."""
    positions = [node.position for node in found.nodes]
    before = [None if parent is None else positions[parent] for parent in found.parents]
    return {
        "parents": list(found.parents),
        "moves": [_move(parent, position) for parent, position in zip(before, positions, strict=True)],
        "movers": [int(position.to_move) for position in positions],
        "values": [number(node.value, node.position.to_move) for node in found.nodes],
        "cut": [node.cut for node in found.nodes],
        "over": [position.outcome() is not None for position in positions],
    }


def _move(before: Position | None, position: Position) -> str | None:
    return None if before is None or position.last is None else before.write(position.last)


def _step(step: SearchStep, mover: Side, number: Number) -> list[object]:
    """kind, node, source, line, α, β, value, child, count; α is what MAX has, at a node of MIN the code's -beta."""
    low, high = (step.alpha, step.beta) if mover is Side.FIRST else (step.beta, step.alpha)
    alpha, beta, value = (number(bound, mover) for bound in (low, high, step.value))
    return [step.kind.value, step.node, step.source, step.line, alpha, beta, value, step.child, step.count]


def _source(source: ShownSource) -> View:
    return {"name": source.name, "file": source.file, "first": source.first, "text": source.text}


def workbench_view(position: Position) -> View:
    """What weights can be given in a game, and what each counts in a position; numbers are for the first side."""
    rules = position.rules
    return {
        "longest": rules.longest,
        "rows": rows_of(rules),
        "terms": terms_of(rules),
        "through": [len(patterns) for patterns in rules.patterns_through],
        "features": [_feature(feature) for feature in features(position)],
    }


def _feature(feature: Feature) -> View:
    return {
        "name": feature.name,
        "held": feature.held,
        "poles": feature.poles,
        "total": feature.total,
        "discs": [[cell, round(float(share), 4)] for cell, share in feature.discs.items()],
        "places": [[list(bits(cells)), int(side)] for cells, side in feature.places],
    }
