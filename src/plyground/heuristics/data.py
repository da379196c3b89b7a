"""Heuristics that are data: tables of weights that the native core reads too and runs at full speed.

Six forms are enough for everything here. Each part lists what it counts in a position and its worth
to the *first* player; a `DataHeuristic` adds all that up and turns the sum to the side to move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from plyground.core.grid import Mask, bits
from plyground.core.position import Position, held
from plyground.core.rules import Pattern, Side
from plyground.heuristics.net import Net
from plyground.heuristics.term import Term, threatened

LARGEST_WEIGHT = 1 << 40
"""The core adds up in 64 bits, and no position has 2**20 things to count."""

WEIGHT_FIELDS = ("weights", "first", "second", "kinds")
"""The fields of the parts below that hold weights."""

SIGNS = ((Side.FIRST, 1), (Side.SECOND, -1))
"""Each side, and what its worth is multiplied by to be that of the first."""


@dataclass(frozen=True)
class PatternWeights:
    """Each live pattern counts by how many of its cells its side holds."""

    weights: tuple[tuple[int, ...], ...]
    """weights[t][n]: worth of a live pattern with n own cells when the opponent holds t cells of its
    neutraliser. For t beyond the last row the last row holds; once all are taken the pattern is dead."""

    def terms(self, position: Position) -> Iterator[Term]:
        """The first side's live patterns, and the second's with a minus."""
        for side, sign in SIGNS:
            for layer, pattern, worth in self.worths(position, side):
                if worth:
                    yield Term(sign * worth, pattern.cells, held(position.layers, layer, pattern))

    def worths(self, position: Position, side: Side) -> Iterator[tuple[int, Pattern, int]]:
        """Every (layer, pattern) that is live for a side, with its worth to it."""
        against = 0
        for layer in position.rules.watches[side.other]:
            against |= position.layers[layer]
        for layer, pattern in position.live(side):
            taken = (pattern.neutraliser & against).bit_count()
            row = self.weights[min(taken, len(self.weights) - 1)]
            yield layer, pattern, row[held(position.layers, layer, pattern).bit_count()]


@dataclass(frozen=True)
class SinglePatterns:
    """Each live pattern counts by which one it is, whose, and how many of its cells that side holds."""

    first: tuple[tuple[int, ...], ...]
    """first[p][n]: worth of pattern p of the rules to the first side when it holds n of its cells."""

    second: tuple[tuple[int, ...], ...]
    """The same for the second side."""

    def terms(self, position: Position) -> Iterator[Term]:
        """The first side's live patterns, and the second's with a minus."""
        numbers = position.rules.pattern_numbers
        for side, sign, weights in ((Side.FIRST, 1, self.first), (Side.SECOND, -1, self.second)):
            for layer, pattern in position.live(side):
                own = held(position.layers, layer, pattern)
                if worth := weights[numbers[pattern]][own.bit_count()]:
                    yield Term(sign * worth, pattern.cells, own)


@dataclass(frozen=True)
class ThreatWeights:
    """Each empty cell that would complete a live pattern counts by where it is and whose threat it is."""

    first: tuple[int, ...]
    """Worth of each cell to the first side."""

    second: tuple[int, ...]
    """Worth of each cell to the second side."""

    shades: tuple[Mask, ...]
    """The cells that count for nothing when a cell is a threat of either side: where discs fall, those above it."""

    def terms(self, position: Position) -> Iterator[Term]:
        """The first side's threats, and the second's with a minus."""
        cells = [threatened(position, side) for side in Side]
        shade = 0
        for cell in bits(cells[Side.FIRST] | cells[Side.SECOND]):
            shade |= self.shades[cell]
        for side, sign, weights in ((Side.FIRST, 1, self.first), (Side.SECOND, -1, self.second)):
            for cell in bits(cells[side] & ~shade):
                if worth := weights[cell]:
                    yield Term(sign * worth, 1 << cell, 0)


@dataclass(frozen=True)
class CellWeights:
    """Each occupied cell counts by where it is and what stands on it."""

    kinds: tuple[tuple[int, tuple[int, ...]], ...]
    """(set of layers as a bit mask, worth of each cell to the first side when exactly these cover it)."""

    def terms(self, position: Position) -> Iterator[Term]:
        """The occupied cells that count."""
        table = dict(self.kinds)
        for cell in bits(position.occupied):
            kind = sum((layer >> cell & 1) << i for i, layer in enumerate(position.layers))
            if kind in table:
                yield Term(table[kind][cell], 1 << cell, 1 << cell)


@dataclass(frozen=True)
class LiveDirections:
    """Each disc counts the families of pattern in which some pattern through it is live, times its cell's weight."""

    weights: tuple[int, ...]
    """The weight of each cell."""

    def terms(self, position: Position) -> Iterator[Term]:
        """The first side's discs, and the second's with a minus."""
        for side, sign in SIGNS:
            families: dict[tuple[int, int], set[int]] = {}
            for layer, pattern in position.live(side):
                for cell in bits(held(position.layers, layer, pattern)):
                    lies_in = 1 - layer if pattern.swapped >> cell & 1 else layer
                    families.setdefault((lies_in, cell), set()).add(pattern.family)
            for (_, cell), found in families.items():
                yield Term(sign * self.weights[cell] * len(found), 1 << cell, 1 << cell)


Part = PatternWeights | SinglePatterns | CellWeights | LiveDirections | ThreatWeights | Net


@dataclass(frozen=True)
class DataHeuristic:
    """A sum of parts, as a heuristic."""

    name: str
    parts: tuple[Part, ...]

    scale: int = 1
    """The definition's own number is the value divided by this, where it has fractions."""

    summands: tuple[DataHeuristic, ...] = ()
    """The heuristics of which it is the sum, where its definition names them."""

    def __post_init__(self) -> None:
        """ValueError when a weight is so large that a sum would not be exact in the core."""
        for part in self.parts:
            tables = tuple(table for name, table in vars(part).items() if name in WEIGHT_FIELDS)  # others are masks
            largest = max(_numbers(tables), key=abs, default=0)
            if abs(largest) > LARGEST_WEIGHT:
                raise ValueError(f"weights of {self.name!r} must be within ±{LARGEST_WEIGHT}, got {largest}")

    @property
    def __name__(self) -> str:
        return self.name

    def terms(self, position: Position) -> Iterator[Term]:
        """Everything that is counted; the worths add up to the value for the first side."""
        for part in self.parts:
            yield from part.terms(position)

    def by_disc(self, position: Position) -> dict[int, Fraction]:
        """What each disc is worth to the first side: its shares in all that is counted.

        What no disc makes up, such as a pattern that is still empty, is left out.
        """
        worth = dict.fromkeys(bits(position.occupied), Fraction(0))
        for term in self.terms(position):
            for cell in bits(term.discs):
                worth[cell] += Fraction(term.worth, term.discs.bit_count())
        return worth

    def __call__(self, position: Position) -> int:
        """The value for the side to move."""
        value = sum(term.worth for term in self.terms(position))
        return value if position.to_move is Side.FIRST else -value


def _numbers(table: object) -> Iterator[int]:
    """The numbers in tables of tables."""
    if isinstance(table, int):
        yield table
    elif isinstance(table, tuple | list):
        for row in table:
            yield from _numbers(row)


NO_OPINION = DataHeuristic("nothing", ())
"""The heuristic of a search that counts only games that are over."""
