"""A plain walk through a game in Python: who can force a win within some plies.

It checks what solver and proof search find, so it shares no code with them: it has its own tables, made from the rules,
and its own way of making moves. It visits every move unless a count shows that the plies cannot be enough. It is slow,
and it does not know cards that are lifted again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from plyground.core.rules import Rules

BUDGET_NODES = 200_000
"""Positions that may be visited for one question."""

PAIRING_FROM_PLIES = 5
"""From so many plies on, pairs of cells that keep the opponent from winning are looked for before the moves."""

QUICK_PAIRING_STEPS = 12
"""Steps in which they are looked for then."""

PAIRING_STEPS = 1_000
"""Steps in which they are looked for if that is the whole question."""

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
        """The tables of some rules."""
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
        """`budget` is the number of positions for one question."""
        self.tables, self.budget = tables, budget
        self.known: dict[tuple[Layers, int, int], tuple[int, int]] = {}
        """For a position and a side: the plies within which it wins, and those within which it does not."""
        self.nodes = 0
        """Positions visited for the last question."""
        self.decided = [[0] * len(laid) for laid in tables.laid]
        """How often each placement has decided a question; such placements are tried first."""
        self.touching = [[self._touched(laid) for laid in side] for side in tables.laid]
        """For each side and placement the lines that it may complete."""
        self.shared = any(laid.adds[layer] for laid in tables.laid[0] for layer in tables.watches[1])
        """Whether a move may complete a line of the other side."""
        single = all(not laid.rests_on and laid.cells.bit_count() == 1 for side in tables.laid for laid in side)
        self.any_cell = single and not self.shared
        """Whether a side may take any free cell for itself, so that one of two is always to be had."""
        self.steps_left = 0
        """Of the search for pairs."""
        if any(added & (added - 1) for side in tables.laid for laid in side for added in laid.adds):
            raise ValueError("this walk is for games in which a move adds one cell to a layer at most")
        if self.shared and any(line.poles for line in tables.lines):
            raise ValueError("this walk is for games in which a move serves one side, or no line has poles")

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
        self.nodes = 0
        return self._asked(board, side, max(0, plies))

    def _asked(self, board: Board, side: int, plies: int) -> bool:
        """The answer to one question; the walk in the core finds it in its own way."""
        return self._wins(board, side, plies)

    def _wins(self, board: Board, side: int, plies: int) -> bool:
        if plies <= 0:
            return False
        key = (board.layers, board.mover, side)
        proved, refuted = self.known.get(key, (1 << 30, 0))
        if plies >= proved or plies <= refuted:
            return plies >= proved
        self.nodes += 1
        if self.nodes > self.budget:
            raise UndecidedError
        answer = False
        if plies >= PAIRING_FROM_PLIES and self.any_cell and self._has_pairs(board, 1 - side, QUICK_PAIRING_STEPS):
            plies = self.tables.plies  # however long the game goes on
        elif not self._hopeless(board, side, plies):
            answer = self._tried(board, side, plies)
        proved, refuted = self.known.get(key, (1 << 30, 0))
        self.known[key] = (min(proved, plies), refuted) if answer else (proved, max(refuted, plies))
        return answer

    def _hopeless(self, board: Board, side: int, plies: int) -> bool:
        """Whether no line can be completed in time: nobody adds more than a cell to one with a move."""
        occupied, own = board.occupied, plies
        if not self.shared:
            own = (plies + (board.mover == side)) // 2
        for layer in self.tables.watches[side]:
            others = occupied & ~board.layers[layer]
            for cells, _ in self.tables.lines:
                if not cells & others and (cells & ~board.layers[layer]).bit_count() <= own:
                    return False
        return True

    def _tried(self, board: Board, side: int, plies: int) -> bool:
        """Whether one of the side's moves wins, or all of the other's do."""
        attacking, mover = board.mover == side, board.mover
        moves = self.moves(board)
        own, theirs = self._needs(board, mover), self._needs(board, 1 - mover)
        after = []
        for number in moves:
            adds = self.tables.laid[mover][number].adds
            winner = mover if _meets(adds, own) else 1 - mover if _meets(adds, theirs) else None
            if winner is None:
                after.append(number)
            elif (winner == side) == attacking:
                return attacking
        if plies > 1 and board.ply + 1 < self.tables.plies:
            # A move that leaves the opponent a win at once needs no search.
            guards, laid = self._guards(board, 1 - mover), self.tables.laid[mover]
            after = [number for number in after if all(laid[number].cells & guard for guard in guards)]
            if attacking and plies == 3 and self.any_cell:
                after = self._doubling(board, after)
            after.sort(key=lambda number: -self.decided[mover][number])
            for number in after:
                if self._wins(self._after(board, number), side, plies - 1) == attacking:
                    self.decided[mover][number] += 1
                    return attacking
        elif after:
            return False
        return not attacking and bool(moves)

    def _doubling(self, board: Board, numbers: list[int]) -> list[int]:
        """The placements that may make two threats: a single one can be stopped if any free cell may be taken."""
        mover = board.mover
        lacks = [cells for layer, line in self.live(board, mover) if (cells := line.cells & ~board.layers[layer])]
        twos, laid = [cells for cells in lacks if cells.bit_count() == 2], self.tables.laid[mover]
        return [number for number in numbers if sum(bool(laid[number].cells & cells) for cells in twos) > 1]

    def _guards(self, board: Board, side: int) -> list[int]:
        """For each way in which a side that is not to move could win at once: the cells that stop it."""
        needs = self._needs(board, side)
        if not any(needs):
            return []
        occupied, guards = board.occupied, []
        for number, laid in enumerate(self.tables.laid[side]):
            if _meets(laid.adds, needs) and not laid.cells & occupied and not laid.rests_on & ~occupied:
                guards.append(laid.cells | self._poles(board, side, number))
        return guards

    def _poles(self, board: Board, side: int, number: int) -> int:
        """The poles of the lines that laying something completes."""
        adds, poles = self.tables.laid[side][number].adds, 0
        for watcher, layer, line in self.touching[side][number]:
            if watcher == side and not line.cells & ~(board.layers[layer] | adds[layer]):
                poles |= line.poles
        return poles

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
        return self.any_cell and self._has_pairs(board, side, PAIRING_STEPS)

    def _has_pairs(self, board: Board, side: int, steps: int) -> bool:
        """The same in so many steps at most, in a game in which any free cell may be taken."""
        free = ~board.occupied
        wanted = list(dict.fromkeys(line.cells & free for _, line in self.live(board, 1 - side)))
        self.steps_left = steps
        return self._paired(wanted, free)

    def _paired(self, wanted: Sequence[int], free: int) -> bool:
        """Whether each of the lines gets a pair of free cells, tried for the line with the fewest of them first."""
        if not wanted:
            return True
        self.steps_left -= 1
        if self.steps_left < 0:
            return False
        tightest = min(wanted, key=lambda cells: (cells & free).bit_count())
        cells = [1 << bit for bit in range((tightest & free).bit_length()) if tightest & free & 1 << bit]
        pairs = [one | other for one, other in combinations(cells, 2)]
        pairs.sort(key=lambda pair: -sum(line & pair == pair for line in wanted))
        return any(self._paired([line for line in wanted if line & pair != pair], free & ~pair) for pair in pairs)

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
