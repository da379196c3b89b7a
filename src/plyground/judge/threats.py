"""The threats of both sides in a position, and what a heuristic counts there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from plyground.core.grid import Mask, bits
from plyground.core.notation import write_cells
from plyground.core.position import Position, fits
from plyground.core.rules import Rules, Side
from plyground.heuristics import Heuristic
from plyground.heuristics.data import DataHeuristic


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
