"""The plain walk in the core: the same positions in the same order as in Python, hundreds of times faster."""

from __future__ import annotations

from plyground.core.grid import bits
from plyground.native import available
from plyground.puzzle.walk import BUDGET_NODES, Board, Laid, PlainWalk, Tables, UndecidedError

if available:
    from plyground.native import _core

CORE_BUDGET_NODES = 20_000_000
"""Positions that the core may visit for one question."""

MOST_CELLS_OF_FOUR_LAYERS = 128

LaidData = tuple[list[list[int]], list[int], list[int]]
"""The cells that each layer gets, those that are covered, and those below."""


class CoreWalk(PlainWalk):
    """Walks through one game in the core; it shares no code with the core's searches."""

    def __init__(self, tables: Tables, budget: int = CORE_BUDGET_NODES) -> None:
        """`budget` is the number of positions for one question; ValueError for a game that does not fit."""
        super().__init__(tables, budget)
        first, second = ([_data(laid) for laid in side] for side in tables.laid)
        self._core = _core.PlainWalk(
            (first, second),
            [(list(bits(line.cells)), list(bits(line.poles))) for line in tables.lines],
            (list(tables.watches[0]), list(tables.watches[1])),
            (_cells(tables), tables.layers),
            tables.plies,
            self.shared,
            self.any_cell,
        )

    def _asked(self, board: Board, side: int, plies: int) -> bool:
        layers = [list(bits(layer)) for layer in board.layers]
        found = self._core.wins(layers, board.ply, side, plies, self.budget)
        self.nodes = self._core.nodes
        if found is None:
            raise UndecidedError
        return found


def _cells(tables: Tables) -> int:
    """How many cells the board has, as far as anything can be laid."""
    return max(laid.cells for side in tables.laid for laid in side).bit_length()


def _data(laid: Laid) -> LaidData:
    return [list(bits(added)) for added in laid.adds], list(bits(laid.cells)), list(bits(laid.rests_on))


def fastest_walk(tables: Tables, budget: int | None = None) -> PlainWalk:
    """A walk in the core if there is one and the game fits, else in Python; by default with the usual budget."""
    if available and (tables.layers == 2 or (tables.layers == 4 and _cells(tables) <= MOST_CELLS_OF_FOUR_LAYERS)):
        return CoreWalk(tables, CORE_BUDGET_NODES if budget is None else budget)
    return PlainWalk(tables, BUDGET_NODES if budget is None else budget)
