"""Claims read back from the JSON of a puzzle, so that they can be proved and put into words again."""

from __future__ import annotations

from typing import Any

from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.judge.claims import Claim, ClaimKind
from plyground.judge.tempo import turn_of

PLAYED_IN_TURN = {ClaimKind.FORCES, ClaimKind.MUST_FILL}
"""Kinds whose moves are played one after the other; those of other kinds are all its side's."""

BEFORE_THE_MOVE = {ClaimKind.STOPS, ClaimKind.LEAVES}
"""Kinds whose move could be made instead of the one that is explained."""


def claim_of(said: dict[str, Any], position: Position, move: Move) -> Claim:
    """The claim about a move that `Claim.to_json` wrote; IllegalMove where a move it names cannot be played."""
    kind, side = ClaimKind(said["claim"]), Side.FIRST if said["side"] == "first" else Side.SECOND
    grid, board = position.rules.grid, position.play(move)
    after = []
    for text in said.get("after", []):
        after.append(board.parse(text))
        board = board.play(after[-1])
    board = position if kind in BEFORE_THE_MOVE else board
    moves = list[Move]()
    for text in said.get("moves", []):
        ready = board if kind in PLAYED_IN_TURN else turn_of(board, side)
        assert ready is not None
        moves.append(ready.parse(text))
        board = board.play(moves[-1]) if kind in PLAYED_IN_TURN else board

    def mask(names: list[str]) -> int:
        return sum(1 << grid.parse(name) for name in names)

    pairs = tuple((grid.parse(one), grid.parse(other)) for one, other in said.get("pairs", []))
    patterns = tuple(map(mask, said.get("patterns", [])))
    cells, number = mask(said.get("cells", [])), said.get("number", 0)
    return Claim(kind, side, tuple(moves), tuple(after), cells, patterns, pairs, number)
