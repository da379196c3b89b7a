"""What stands in a position: threats, what a heuristic counts, and the features that weights can count.

A heuristic made of weights is a sum of weights times features, so a page that has the features can show the effect of a
changed weight at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from plyground.core.grid import Mask, bits
from plyground.core.notation import write_cells
from plyground.core.position import Position, fits
from plyground.core.rules import Rules, Side
from plyground.heuristics.base import Heuristic
from plyground.heuristics.data import DataHeuristic, Part, PatternWeights
from plyground.heuristics.weights import TERMS


@dataclass(frozen=True)
class Threat:
    """A live pattern that lacks a single cell."""

    side: Side

    layer: int
    """The layer that would cover it."""

    cells: Mask
    """All of its cells."""

    missing: Mask
    """The one that is still empty."""

    family: int

    at_once: bool
    """Whether the side could fill it with its next move, as the board stands."""

    def text(self, rules: Rules) -> str:
        """`x: row B1 C1 D1 + E1, at once`."""
        kind = "" if len(rules.watches[self.side]) == 1 else f" {rules.layers[self.layer]}"
        when = ", at once" if self.at_once else ""
        have, need = write_cells(rules, self.cells & ~self.missing), write_cells(rules, self.missing)
        family = "" if have.startswith(("columns", "rows", "row")) else f" {rules.families[self.family]}"
        return f"{rules.sides[self.side]}:{kind}{family} {have} + {need}{when}"


def threats(position: Position) -> list[Threat]:
    """The threats of the side to move, then the other's; those that can be carried out at once first."""
    found = [threat for side in (position.to_move, position.to_move.other) for threat in _threats(position, side)]
    return sorted(found, key=lambda threat: (threat.side is not position.to_move, not threat.at_once))


def _threats(position: Position, side: Side) -> Iterator[Threat]:
    occupied, placements = position.occupied, position.rules.placements[side]
    for layer, pattern in position.live(side):
        missing = pattern.cells & ~position.layers[layer]
        if missing.bit_count() == 1:
            at_once = any(p.adds[layer] & missing and fits(p, occupied) for p in placements)
            yield Threat(side, layer, pattern.cells, missing, pattern.family, at_once)


@dataclass(frozen=True)
class Contribution:
    """Something that a heuristic counts, in the definition's own numbers."""

    value: float
    """To the first side."""

    cells: Mask


@dataclass(frozen=True)
class DiscWorth:
    """What one disc adds to the value of a heuristic, in the definition's own numbers, for the first side."""

    cell: int

    value: float
    """Its shares in everything it makes up."""

    summands: tuple[float, ...]
    """The same for each of the heuristics of which this one is the sum; empty where it is none."""


@dataclass(frozen=True)
class Evaluation:
    """What a heuristic says of a position, in the definition's own numbers, for the first side."""

    value: float

    contributions: tuple[Contribution, ...] | None
    """The summands, the largest first; None for a function, which gives only its value."""

    discs: tuple[DiscWorth, ...] | None = None
    """The part of each disc, the largest first; None for a function, which gives only its value."""


def evaluation(heuristic: Heuristic, position: Position, value: int) -> Evaluation:
    """The value that a heuristic gave the side to move, seen from the first side, with what it is made of."""
    scale = scale_of(heuristic)
    seen = value if position.to_move is Side.FIRST else -value
    if not isinstance(heuristic, DataHeuristic):
        return Evaluation(own_number(seen, scale), None)
    worth: dict[Mask, int] = {}
    for term in heuristic.terms(position):
        worth[term.cells] = worth.get(term.cells, 0) + term.worth
    largest = sorted(worth.items(), key=lambda entry: -abs(entry[1]))
    parts = tuple(Contribution(own_number(total, scale), cells) for cells, total in largest if total)
    return Evaluation(own_number(seen, scale), parts, _disc_worths(heuristic, position))


def _disc_worths(heuristic: DataHeuristic, position: Position) -> tuple[DiscWorth, ...]:
    whole, *summands = (part.by_disc(position) for part in (heuristic, *heuristic.summands))
    found = [
        DiscWorth(
            cell,
            own_number(whole[cell], heuristic.scale),
            tuple(own_number(part[cell], heuristic.scale) for part in summands),
        )
        for cell in bits(position.occupied)
    ]
    return tuple(sorted(found, key=lambda disc: -abs(disc.value)))


def scale_of(heuristic: Heuristic) -> int:
    """By what a heuristic's whole numbers are divided to get the definition's own."""
    return heuristic.scale if isinstance(heuristic, DataHeuristic) else 1


def own_number(value: int | Fraction, scale: int) -> float:
    """A heuristic's value in the definition's own numbers: whole where the definition has no fractions."""
    if scale == 1 and value.denominator == 1:
        return value.numerator
    return float(Fraction(value) / scale)


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
