"""Proof-number search in the native core: whether a side can force a win, proved or refuted."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.native import _core, core_for, position_of, state_of

MEGABYTE = 1 << 20


class Prover:
    """Answers whether a side can force a win. It remembers, so that the same question continues where it stopped."""

    def __init__(self, rules: Rules, table_mb: int = 256) -> None:
        """A table of that size for these rules."""
        self.rules = rules
        self._core = _core.Prover(core_for(rules), table_mb * MEGABYTE)
        self._one_at_a_time = threading.Lock()

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return self._core.nodes

    def can_win(
        self, position: Position, side: Side, plies: int, nodes: int | None = None, seconds: float | None = None
    ) -> bool | None:
        """Whether a side can force a win within so many plies; None when a limit came first."""
        horizon = position.ply + plies
        with self._one_at_a_time:
            answer = self._core.ask(state_of(position), side, horizon, nodes, seconds)
        return {0: None, 1: True, 2: False}[answer]

    def line(self, position: Position, side: Side, plies: int, seconds: float | None = None) -> tuple[Move, ...]:
        """The line of a proved win: the winner keeps it, the other side delays it; cut short when out of time."""
        with self._one_at_a_time:
            moves = self._core.line(state_of(position), side, position.ply + plies, seconds)
        return tuple(Move(*move) for move in moves)

    def winning_move(self, position: Position, plies: int) -> Move | None:
        """A move of the side to move that keeps a win proved just before; None if the table has lost it."""
        moves = position.moves()
        return next((m for m in moves if self.can_win(position.play(m), position.to_move, plies - 1, nodes=0)), None)

    def strategy(
        self, position: Position, side: Side, plies: int, seconds: float | None = None
    ) -> list[tuple[Position, Move]] | None:
        """The winner's answer in every position that can arise, one of each set of images; None when out of time.

        Positions in which a move wins at once are left out.
        """
        with self._one_at_a_time:
            complete, replies = self._core.strategy(state_of(position), side, position.ply + plies, seconds)
        if not complete:
            return None
        return [(position_of(self.rules, *placed), Move(*move)) for placed, move in replies]

    def solutions(self, position: Position, within: int | None, seconds: float | None) -> Iterator[_core.SolutionTuple]:
        """What `solve.proof` says in words: who wins within so many plies, ever better."""
        with self._one_at_a_time:
            solving = self._core.solve(state_of(position), within, seconds)
        while True:
            with self._one_at_a_time:
                found = solving.next()
            if found is None:
                return
            yield found

    def stop(self) -> None:
        """End a search that runs in another thread."""
        self._core.stop()


def winning_lengths(position: Position, side: Side, most: int) -> range:
    """The numbers of plies, up to `most`, after which a side may have won.

    Every second number, unless the opponent's moves can win for the side too.
    """
    rules = position.rules
    shared = any(p.adds[layer] for p in rules.placements[side.other] for layer in rules.goal_layers[side])
    shared = shared or rules.full_winner is side  # whoever fills the board
    first = 1 if shared or position.to_move is side else 2
    return range(first, most + 1, 1 if shared else 2)
