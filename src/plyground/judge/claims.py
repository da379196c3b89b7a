"""Claims about a move, as data. They are found and checked in `native/judge/`, whose kinds stand in the same order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from plyground.core.grid import Mask
from plyground.core.position import Position
from plyground.core.rules import Move, Side


class ClaimKind(StrEnum):
    """What a claim says about a move M, which leads to the position Q; S is the claim's side, T the other side.

    To win at once is to complete a pattern with the next move, as if it were the side's turn.
    """

    COMPLETES = "completes"
    """M completes the pattern for S, which wins. S need not be the mover."""

    STOPS = "stops"
    """Before M, S could win at once with the move named; in Q it cannot win at once."""

    LEAVES = "leaves"
    """S could win at once with the move named before M, and still can."""

    GIVES_CELL = "gives-cell"
    """In Q, S wins at once on a cell that rests on one that M has filled."""

    LETS = "lets"
    """In Q, S wins at once with the move named, which it could not before."""

    TWO_THREATS = "two-threats"
    """After M and the moves named `after`, S threatens to win at once with two moves, and no reply stops both."""

    ZUGZWANG = "zugzwang"
    """In Q, S threatens nothing, but wins at once after every move of T, or T completes a pattern for S."""

    NO_REPLY = "no-reply"
    """In Q, S wins at once after every move of T."""

    FORCES = "forces"
    """S wins in so many plies counted from before M, and no sooner if T defends well; the moves are such a play."""

    MUST_FILL = "must-fill"
    """As FORCES; in the play named T fills the cell under the one with which S completes the pattern."""

    FOLLOWS = "follows"
    """After M and the moves named, S answers every disc on top of it, and so T completes nothing; with a pattern: and
    S completes this one of the cells that it gets. In odd columns, those with an odd number of empty cells, the lowest
    is answered in another such column; the number is how many there are."""

    CANNOT_WIN = "cannot-win"
    """In Q, S has no live pattern left."""

    PAIRING = "pairing"
    """In Q, every pattern still open to T contains one of the pairs, of which S gets a cell."""

    POLES = "poles"
    """M takes the last cell of the neutraliser of a pattern live for T, which is dead now."""

    ONLY = "only"
    """Every other move loses within so many plies, and M does not lose within as many."""

    LASTS = "lasts"
    """Every move loses; M lasts for so many plies, and none lasts longer."""

    THREATENS = "threatens"
    """In Q, S threatens to win at once with the move named."""

    BLOCKS = "blocks"
    """So many patterns that were live for S before M, and of which it had a cell, are not live any more."""

    BUILDS = "builds"
    """M adds to so many live patterns of S."""

    @property
    def explains(self) -> bool:
        """Whether it says why the game is won, lost or held, and not only what a move does."""
        return self not in (ClaimKind.THREATENS, ClaimKind.BLOCKS, ClaimKind.BUILDS)


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is true about a move in a position."""

    kind: ClaimKind

    side: Side
    """Whom it is about."""

    moves: tuple[Move, ...] = ()
    """The moves it names, in the order of the kind."""

    after: tuple[Move, ...] = ()
    """The moves after M that lead to the position for which the claim holds."""

    cells: Mask = 0
    """The cells it names."""

    patterns: tuple[Mask, ...] = ()
    """The patterns it names."""

    pairs: tuple[tuple[int, int], ...] = ()

    number: int = 0
    """Plies, or how many patterns."""

    def to_json(self, position: Position) -> dict[str, object]:
        """The claim as JSON values, without empty fields."""
        grid, placements = position.rules.grid, position.rules.placements[self.side]
        # A forced play is read move by move; elsewhere the cells of a move say more than its column.
        shown = () if self.kind is ClaimKind.FORCES else self.moves
        facts: dict[str, object] = {
            "moves": position.write_line(self.moves),
            "at": [grid.names_of(placements[move.place].cells) for move in shown],
            "after": position.write_line(self.after),
            "cells": grid.names_of(self.cells),
            "patterns": [grid.names_of(pattern) for pattern in self.patterns],
            "pairs": [[grid.names[cell] for cell in pair] for pair in self.pairs],
            "number": self.number,
        }
        return {"claim": self.kind.value, "side": self.side.text} | {key: fact for key, fact in facts.items() if fact}
