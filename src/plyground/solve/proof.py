"""Who wins a position by force and how soon, by questions to a prover: proved, never guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.solve.prover import Prover


@dataclass(frozen=True, slots=True)
class Solution:
    """What has been proved about a position so far."""

    position: Position

    within: int
    """The plies asked about."""

    winner: Side | None = None
    """Who has a forced win."""

    plies: int | None = None
    """The winner needs no more than these."""

    excluded: tuple[int, int] = (0, 0)
    """For each side: it has no forced win within so many plies."""

    first: Move | None = None
    """A move by which the winner, if it is to move, needs no more plies than that; None when none was found out."""

    line: tuple[Move, ...] = ()
    """The winner's play against a stubborn defence; if it is the winner's move, it begins with `first`."""

    nodes: int = 0
    seconds: float = 0.0

    @property
    def shortest(self) -> bool:
        """Whether the winner cannot force the win any sooner."""
        return self.winner is not None and self.plies == self.excluded[self.winner] + 1

    @property
    def decided(self) -> bool:
        """Whether it is known who wins within the plies asked about, or that nobody does."""
        return self.winner is not None or min(self.excluded) >= self.within

    @property
    def drawn(self) -> bool:
        """Whether neither side can force a win for the rest of the game."""
        return min(self.excluded) >= self.position.rules.max_plies - self.position.ply

    @property
    def verdict(self) -> str:
        """The answer in words."""
        ply, sides = self.position.ply, [side.text for side in Side]
        if self.winner is not None and self.plies is not None:
            soonest = self.excluded[self.winner] + 1
            length = plural(self.plies, "ply", "plies") if self.shortest else f"{soonest} to {self.plies} plies"
            by = f"by move {ply + self.plies}" if ply else ""
            return f"{sides[self.winner]} wins by force in {length}{f' ({by})' if by else ''}"
        if self.drawn:
            return "draw: neither side can force a win"
        if self.decided:
            return f"no forced win within {plural(self.within, 'ply', 'plies')}"
        lengths = [plural(plies, "ply", "plies") for plies in self.excluded]
        known = [f"{side} none within {length}" for side, length in zip(sides, lengths, strict=True)]
        return f"not decided in the time (forced wins: {', '.join(known)})"


def solve(
    position: Position, within: int | None = None, seconds: float | None = None, prover: Prover | None = None
) -> Iterator[Solution]:
    """Ever better solutions of a position; the last one is final, or the best within the time.

    `within` plies are asked about, the rest of the game when None. A forced win is reported as soon as it is proved,
    then shortened until it is known to be the shortest; without a limit that may take a minute more.
    """
    if position.outcome() is not None:
        raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to solve")
    for found in (prover or Prover(position.rules)).solutions(position, within, seconds):
        asked, winner, plies, *excluded, first, line, nodes, spent = found
        yield Solution(
            position,
            asked,
            None if winner is None else Side(winner),
            None if winner is None else plies,
            (excluded[0], excluded[1]),
            None if first is None else Move(*first),
            tuple(Move(*move) for move in line),
            nodes,
            spent,
        )
