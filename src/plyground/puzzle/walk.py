"""A plain walk through a game: who can force a win within some plies.

It checks what solver and proof search find, so it shares no code with them: it has its own tables, made from the rules,
and its own way of making moves. It visits every move unless a count shows that the plies cannot be enough. The walk
itself is in the core (native/walk), apart from all other searches; here are the boards that it is asked about. It does
not know cards that are lifted again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plyground.core.grid import bits
from plyground.core.rules import Rules
from plyground.native import _core

BUDGET_NODES = 20_000_000
"""Positions that may be visited for one question."""

PAIRING_STEPS = 1_000
"""Steps in which pairs of cells that keep the opponent from winning are looked for."""

Layers = tuple[int, ...]


class UndecidedError(Exception):
    """The budget was used up before there was an answer."""


class Laid(NamedTuple):
    """A placement as the walk needs it."""

    name: str
    adds: tuple[int, ...]
    cells: int
    rests_on: int


class PatternLine(NamedTuple):
    """Cells that win, unless the opponent has all of the poles."""

    cells: int
    poles: int


class Tables(NamedTuple):
    """The rules of a game as a walk needs them."""

    laid: tuple[tuple[Laid, ...], tuple[Laid, ...]]
    """For each side what it may lay."""

    lines: tuple[PatternLine, ...]

    watches: tuple[tuple[int, ...], tuple[int, ...]]
    """For each side the layers in which lines count for it."""

    layers: int
    plies: int
    """The game is a draw after so many moves, or where cards would be lifted."""

    @staticmethod
    def of(rules: Rules) -> Tables:
        """The tables of some rules; ValueError where they have more than patterns that win."""
        if not rules.plain:
            raise ValueError(f"{rules.name}: puzzles are checked only where patterns win, and nothing else decides")
        first, second = (
            tuple(Laid(p.name, p.adds, p.cells, p.rests_on) for p in placements) for placements in rules.placements
        )
        lines = tuple(PatternLine(pattern.cells, pattern.neutraliser) for pattern in rules.patterns)
        end = rules.max_plies if rules.recycle_from is None else min(rules.max_plies, rules.recycle_from)
        return Tables((first, second), lines, rules.watches, len(rules.layers), end)


class Board(NamedTuple):
    """A position of a walk."""

    layers: Layers
    ply: int
    winner: int | None = None

    @property
    def mover(self) -> int:
        """0 for the first side, 1 for the second."""
        return self.ply & 1

    @property
    def occupied(self) -> int:
        """Every cell that is not empty."""
        mask = 0
        for layer in self.layers:
            mask |= layer
        return mask


class PlainWalk:
    """Walks through one game, and remembers what it found."""

    def __init__(self, tables: Tables, budget: int = BUDGET_NODES) -> None:
        """`budget` is the number of positions for one question; ValueError for a game that does not fit."""
        self.tables, self.budget = tables, budget
        self.touching = [[self._touched(laid) for laid in side] for side in tables.laid]
        """For each side and placement the lines that it may complete."""
        self.shared = any(laid.adds[layer] for laid in tables.laid[0] for layer in tables.watches[1])
        """Whether a move may complete a line of the other side."""
        single = all(not laid.rests_on and laid.cells.bit_count() == 1 for side in tables.laid for laid in side)
        self.any_cell = single and not self.shared
        """Whether a side may take any free cell for itself, so that one of two is always to be had."""
        if any(added & (added - 1) for side in tables.laid for laid in side for added in laid.adds):
            raise ValueError("this walk is for games in which a move adds one cell to a layer at most")
        if self.shared and any(line.poles for line in tables.lines):
            raise ValueError("this walk is for games in which a move serves one side, or no line has poles")
        # The core walks through games of two or of four layers; a layer on which nothing is laid changes nothing.
        self._unused: list[list[int]] = [[]] * (-tables.layers % 2)
        first, second = ([self._data(laid) for laid in side] for side in tables.laid)
        self._core = _core.PlainWalk(
            (first, second),
            [(list(bits(line.cells)), list(bits(line.poles))) for line in tables.lines],
            (list(tables.watches[0]), list(tables.watches[1])),
            (max(laid.cells for side in tables.laid for laid in side).bit_length(), tables.layers + len(self._unused)),
            tables.plies,
            self.shared,
            self.any_cell,
        )

    def _data(self, laid: Laid) -> tuple[list[list[int]], list[int], list[int]]:
        """The cells that each layer gets, those that are covered, and those below."""
        return self._lists(laid.adds), list(bits(laid.cells)), list(bits(laid.rests_on))

    def _lists(self, layers: Layers) -> list[list[int]]:
        """The cells of each layer of the core."""
        return [*(list(bits(layer)) for layer in layers), *self._unused]

    @property
    def nodes(self) -> int:
        """Positions visited for the last question."""
        return self._core.nodes

    def _touched(self, laid: Laid) -> list[tuple[int, int, PatternLine]]:
        """The lines that a placement may complete, with the side and the layer."""
        return [
            (side, layer, line)
            for side in (0, 1)
            for layer in self.tables.watches[side]
            for line in self.tables.lines
            if line.cells & laid.adds[layer]
        ]

    def start(self) -> Board:
        """The empty board."""
        return Board((0,) * self.tables.layers, 0)

    def moves(self, board: Board) -> list[int]:
        """The numbers of the legal placements; none when the game is over."""
        if board.winner is not None or board.ply >= self.tables.plies:
            return []
        occupied = board.occupied
        return [
            number
            for number, laid in enumerate(self.tables.laid[board.mover])
            if not laid.cells & occupied and not laid.rests_on & ~occupied
        ]

    def lay(self, board: Board, number: int) -> Board:
        """The board after a placement, with the winner: the mover if both sides complete a line."""
        after = self._after(board, number)
        layers, won = after.layers, None
        for side, layer, line in self.touching[board.mover][number]:
            if won != board.mover and line.cells & ~layers[layer] == 0 and not self._dead(layers, side, line):
                won = side
        return after._replace(winner=won)

    def _dead(self, layers: Layers, side: int, line: PatternLine) -> bool:
        return bool(line.poles) and any(line.poles & ~layers[layer] == 0 for layer in self.tables.watches[1 - side])

    def named(self, board: Board, name: str) -> int:
        """The number of the legal placement with a name; ValueError if there is none."""
        for number in self.moves(board):
            if self.tables.laid[board.mover][number].name == name:
                return number
        raise ValueError(f"{name!r} cannot be laid")

    def live(self, board: Board, side: int) -> Iterator[tuple[int, PatternLine]]:
        """Every layer and line that a side can still complete."""
        occupied = board.occupied
        for layer in self.tables.watches[side]:
            for line in self.tables.lines:
                if not line.cells & occupied & ~board.layers[layer] and not self._dead(board.layers, side, line):
                    yield layer, line

    def wins(self, board: Board, side: int, plies: int) -> bool:
        """Whether a side can force a win within so many plies; UndecidedError when the budget was not enough."""
        if board.winner is not None:
            return board.winner == side
        plies = min(plies, self.tables.plies - board.ply)
        if not self.shared and plies % 2 != (board.mover == side):
            plies -= 1  # a side wins with a move of its own
        found = self._core.wins(self._lists(board.layers), board.ply, side, max(0, plies), self.budget)
        if found is None:
            raise UndecidedError
        return found

    def _after(self, board: Board, number: int) -> Board:
        """The board after a placement that completes no line."""
        adds = self.tables.laid[board.mover][number].adds
        return Board(tuple(layer | added for layer, added in zip(board.layers, adds, strict=True)), board.ply + 1)

    def _needs(self, board: Board, side: int) -> list[int]:
        """For each layer the cells that complete a line of a side."""
        occupied, needs = board.occupied, [0] * self.tables.layers
        for layer in self.tables.watches[side]:
            mine = board.layers[layer]
            others = occupied & ~mine
            for line in self.tables.lines:
                lack = line.cells & ~mine
                if not lack & (lack - 1) and not lack & others and not self._dead(board.layers, side, line):
                    needs[layer] |= lack
        return needs

    def at_once(self, board: Board, side: int) -> list[int]:
        """What a side may lay to win at once, on its turn."""
        if board.mover != side:
            board = Board(board.layers, board.ply + 1)
        needs, laid = self._needs(board, side), self.tables.laid[side]
        return [number for number in self.moves(board) if _meets(laid[number].adds, needs)]

    def paired(self, board: Board, side: int) -> bool:
        """Whether pairs of free cells, one in each line open to the opponent, show that a side cannot lose."""
        return self.any_cell and self._core.paired(self._lists(board.layers), board.ply, side, PAIRING_STEPS)

    def unbeaten(self, board: Board, side: int) -> bool:
        """Whether a side cannot be beaten in the rest of the game; UndecidedError when that is not found out."""
        if board.winner is not None:
            return board.winner == side
        if self.paired(board, side):
            return True
        # Most wins are short, so short ones are asked about first.
        return not any(self.wins(board, 1 - side, plies) for plies in range(1, self.tables.plies - board.ply + 1))


def _meets(adds: tuple[int, ...], needs: Sequence[int]) -> bool:
    return any(added & need for added, need in zip(adds, needs, strict=True))
