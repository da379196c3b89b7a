"""The features of a position that a heuristic made of weights counts.

Such a heuristic is a sum of weights times features, so a page that has the features can show the effect of a changed
weight at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from plyground.core.grid import Mask
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.heuristics.data import DataHeuristic, Part, PatternWeights
from plyground.heuristics.weights import TERMS


@dataclass(frozen=True)
class Feature:
    """One count, with where it comes from; numbers are for the first side."""

    name: str
    """`pattern`, or a term that may be added: `directions`, `cells`."""

    total: int
    """What is counted, the first side's minus the second's."""

    discs: dict[int, Fraction]
    """The share of each disc, by cell."""

    places: tuple[tuple[Mask, Side], ...]
    """Where it is, and whose."""

    held: int = 0
    """How many cells of a pattern its side holds."""

    poles: int = 0
    """How many poles of a pattern the opponent holds."""


def rows_of(rules: Rules) -> int:
    """How many rows of pattern weights make a difference: one for each number of poles that leaves a pattern alive."""
    return max(1, *(pattern.neutraliser.bit_count() for pattern in rules.patterns))


def terms_of(rules: Rules) -> list[str]:
    """The terms that may be added to pattern weights in a game."""
    found = []
    for name, part in TERMS.items():
        try:
            part(rules, 1)
        except ValueError:
            continue
        found.append(name)
    return found


def features(position: Position) -> Iterator[Feature]:
    """Everything that weights can count in a position."""
    rules = position.rules
    for poles in range(rows_of(rules)):
        for held in range(1, rules.longest):
            yield _counted(position, "pattern", _one(rules, poles, held), held, poles)
    for name in terms_of(rules):
        yield _counted(position, name, TERMS[name](rules, 1))


def _one(rules: Rules, poles: int, held: int) -> PatternWeights:
    """Weights that count patterns of one kind only."""
    rows = (
        tuple(int((row, cells) == (poles, held)) for cells in range(rules.longest + 1)) for row in range(rows_of(rules))
    )
    return PatternWeights(tuple(rows))


def _counted(position: Position, name: str, part: Part, held: int = 0, poles: int = 0) -> Feature:
    terms = [term for term in part.terms(position) if term.worth]
    places = tuple((term.cells, Side.FIRST if term.worth > 0 else Side.SECOND) for term in terms)
    discs = {cell: share for cell, share in DataHeuristic(name, (part,)).by_disc(position).items() if share}
    return Feature(name, sum(term.worth for term in terms), discs, places, held, poles)
