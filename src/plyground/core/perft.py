"""Leaf counts: how many games of a given length there are, the classic check of a move generator."""

from __future__ import annotations

from plyground.core.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of ways to play exactly `depth` more moves; a finished game has no continuation."""
    if depth == 0:
        return 1
    moves = position.moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)
