"""What is proved about a position, told as far as a proof has come."""

from __future__ import annotations

import time
from collections.abc import Iterator

from plyground.position import Position
from plyground.search.base import Limit
from plyground.solve import proof
from plyground.solve.connect_four import ConnectFourSolver, plies_left

TABLE_BYTES = 64 << 20
"""How much a proof may remember."""

UNDECIDED = "not decided in the time"

Told = dict[str, object]


def solve(position: Position, seconds: float) -> Iterator[Told]:
    """Ever more that is proved; ValueError where this installation can prove nothing."""
    if position.rules.name.partition(":")[0] == "connect-four":
        yield from _connect_four(position, seconds)
        return
    try:
        prover = proof.Prover(position.rules, TABLE_BYTES >> 20)
    except RuntimeError as error:
        raise ValueError(str(error)) from None
    for found in proof.solve(position, seconds=seconds, prover=prover):
        yield {"verdict": found.verdict, "decided": found.winner is not None or found.drawn, "moves": {}}


def _connect_four(position: Position, seconds: float) -> Iterator[Told]:
    """The exact value of one move after the other, each with its share of the time, and the position's in the end."""
    solver = ConnectFourSolver(position.rules, TABLE_BYTES)
    deadline = time.monotonic() + seconds
    moves = position.moves()
    known: dict[str, int] = {}
    for done, move in enumerate(moves):
        share = max(0.01, (deadline - time.monotonic()) / (len(moves) - done))
        score = _score(solver, position.play(move), share)
        if score is not None:
            known[position.write(move)] = score
        yield {"verdict": UNDECIDED, "decided": False, "moves": _worded(position, known)}
    best = max(known.values(), default=None)
    if best is not None and len(known) == len(moves):
        yield {"verdict": _words(position, best), "decided": True, "moves": _worded(position, known)}


def _score(solver: ConnectFourSolver, after: Position, seconds: float) -> int | None:
    """What a move is worth to who has just made it; None when the time was too short."""
    if (outcome := after.outcome()) is not None:
        left = len(after.rules.grid.cells) - after.ply + 1
        return 0 if outcome.winner is None else (left + 1) // 2
    score = solver.solve(after, Limit(seconds=seconds)).score
    return None if score is None else -score


def _worded(position: Position, known: dict[str, int]) -> dict[str, str]:
    return {move: _words(position, score) for move, score in known.items()}


def _words(position: Position, score: int) -> str:
    if score == 0:
        return "draw"
    return f"{'win' if score > 0 else 'loses'} in {plies_left(position, score)}"
