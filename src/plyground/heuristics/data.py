"""Heuristics that are data: tables of weights that the native core reads too and runs at full speed.

Three forms are enough for everything here. Each part says what a position is worth to the *first*
player; a `DataHeuristic` adds its parts up and turns the sum to the side to move.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground.grid import bits
from plyground.position import Position
from plyground.rules import Side


@dataclass(frozen=True)
class PatternWeights:
    """Each live pattern counts by how many of its cells its side holds."""

    weights: tuple[tuple[int, ...], ...]
    """weights[t][n]: worth of a live pattern with n own cells when the opponent holds t cells of its
    neutraliser. For t beyond the last row the last row holds; once all are taken the pattern is dead."""

    def __call__(self, position: Position) -> int:
        """The first side's live patterns minus the second's."""
        total, rules = 0, position.rules
        for side, sign in ((Side.FIRST, 1), (Side.SECOND, -1)):
            against = 0
            for layer in rules.watches[side.other]:
                against |= position.layers[layer]
            for layer, pattern in position.live(side):
                taken = (pattern.neutraliser & against).bit_count()
                row = self.weights[min(taken, len(self.weights) - 1)]
                total += sign * row[(position.layers[layer] & pattern.cells).bit_count()]
        return total


@dataclass(frozen=True)
class CellWeights:
    """Each occupied cell counts by where it is and what stands on it."""

    kinds: tuple[tuple[int, tuple[int, ...]], ...]
    """(set of layers as a bit mask, worth of each cell to the first side when exactly these cover it)."""

    def __call__(self, position: Position) -> int:
        """The sum over the occupied cells."""
        total, table = 0, dict(self.kinds)
        for cell in bits(position.occupied):
            kind = sum((layer >> cell & 1) << i for i, layer in enumerate(position.layers))
            if kind in table:
                total += table[kind][cell]
        return total


@dataclass(frozen=True)
class LiveDirections:
    """Each disc counts the families of pattern in which some pattern through it is live, times its cell's weight."""

    weights: tuple[int, ...]
    """The weight of each cell."""

    def __call__(self, position: Position) -> int:
        """The first side's discs minus the second's."""
        total = 0
        for side, sign in ((Side.FIRST, 1), (Side.SECOND, -1)):
            families: dict[tuple[int, int], set[int]] = {}
            for layer, pattern in position.live(side):
                for cell in bits(pattern.cells & position.layers[layer]):
                    families.setdefault((layer, cell), set()).add(pattern.family)
            total += sign * sum(self.weights[cell] * len(found) for (_, cell), found in families.items())
        return total


Part = PatternWeights | CellWeights | LiveDirections


@dataclass(frozen=True)
class DataHeuristic:
    """A sum of parts, as a heuristic."""

    name: str
    parts: tuple[Part, ...]

    scale: int = 1
    """The definition's own number is the value divided by this, where it has fractions."""

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, position: Position) -> int:
        """The value for the side to move."""
        value = sum(part(position) for part in self.parts)
        return value if position.to_move is Side.FIRST else -value
