"""Checks whether a claim is true in its position: on the board, by playing it out, or by a proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from plyground.core.grid import Mask
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.judge.claims import Claim, ClaimKind, for_kind
from plyground.judge.keeping import Aim, Keeper
from plyground.judge.tempo import completed, gets, turn_of, waiting, wins_at_once
from plyground.search.score import ProvedResult
from plyground.solve.verify import check_pairing

Check = Callable[[Claim, Position, Move, Keeper], bool]

CHECKS: dict[ClaimKind, Check] = {}
"""The function that checks each kind of claim."""


def holds(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    """Whether a claim about a legal move is true."""
    return CHECKS[claim.kind](claim, position, move, keeper)


@for_kind(CHECKS, ClaimKind.COMPLETES)
def _completes(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    return _completed_by(claim, position.play(move))


def _completed_by(claim: Claim, position: Position) -> bool:
    """Whether a game is over because the claim's side has the first pattern that it names."""
    won = position.over is not None and position.over.winner is claim.side
    return won and claim.patterns[0] in completed(position)


@for_kind(CHECKS, ClaimKind.STOPS)
def _stops(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    after = position.play(move)
    return _wins_with(claim, position) and after.over is None and not wins_at_once(after, claim.side)


@for_kind(CHECKS, ClaimKind.LEAVES)
def _leaves(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    return _wins_with(claim, position) and _wins_with(claim, position.play(move))


@for_kind(CHECKS, ClaimKind.GIVES_CELL)
def _gives_cell(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    placements = position.rules.placements
    laid, next_ = placements[position.to_move][move.place], placements[claim.side][claim.moves[0].place]
    return bool(next_.rests_on & laid.cells) and _wins_with(claim, position.play(move))


@for_kind(CHECKS, ClaimKind.LETS)
def _lets(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    return _wins_with(claim, position.play(move)) and claim.moves[0] not in wins_at_once(position, claim.side)


def _wins_with(claim: Claim, position: Position) -> bool:
    """Whether the claim's side wins at once with the move and the pattern that it names."""
    ready = turn_of(position, claim.side)
    if ready is None or ready.over is not None or ready.objection(claim.moves[0]) is not None:
        return False
    return _completed_by(claim, ready.play(claim.moves[0]))


@for_kind(CHECKS, ClaimKind.TWO_THREATS)
def _two_threats(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    after = played(position, (move, *claim.after))
    if after is None or len(set(claim.moves)) < 2:
        return False
    named = zip(claim.moves, claim.patterns, strict=True)
    threats = (replace(claim, moves=(move,), patterns=(pattern,)) for move, pattern in named)
    return all(_wins_with(threat, after) for threat in threats) and _every_reply_loses(after, claim)


@for_kind(CHECKS, ClaimKind.ZUGZWANG)
def _zugzwang(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    after = position.play(move)
    return after.over is None and not wins_at_once(after, claim.side) and _every_reply_loses(after, claim)


@for_kind(CHECKS, ClaimKind.NO_REPLY)
def _no_reply(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    return _every_reply_loses(position.play(move), claim)


def _every_reply_loses(position: Position, claim: Claim) -> bool:
    """Whether the other side, which is to move, completes a pattern of the side or lets it do so, whatever it plays."""
    if position.over is not None or position.to_move is claim.side:
        return False
    for reply in position.moves():
        after = position.play(reply)
        if after.over is not None:
            if after.over.winner is not claim.side:
                return False
        elif not wins_at_once(after, claim.side):
            return False
    return True


@for_kind(CHECKS, ClaimKind.FORCES)
def _forces(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    """The win takes so long before every move of the play named: nobody errs in it."""
    after, left = position.play(move), claim.number - 1
    for next_ in claim.moves:
        if after.over is not None or not keeper.takes(after, claim.side, left) or after.objection(next_):
            return False
        after, left = after.play(next_), left - 1
    if after.over is not None:
        return after.over.winner is claim.side and left == 0
    return keeper.takes(after, claim.side, left)


def played(position: Position, moves: Sequence[Move]) -> Position | None:
    """The position after some moves; None where they are not legal."""
    for move in moves:
        if position.objection(move) is not None:
            return None
        position = position.play(move)
    return position


@for_kind(CHECKS, ClaimKind.MUST_FILL)
def _must_fill(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    before = played(position, (move, *claim.moves[:-2]))
    if len(claim.moves) < 2 or before is None or before.to_move is claim.side or wins_at_once(before, claim.side):
        return False
    forced, last = claim.moves[-2:]
    placements = position.rules.placements
    filled, winning = placements[claim.side.other][forced.place], placements[claim.side][last.place]
    won = _completed_by(claim, before.play(forced).play(last))
    return won and bool(winning.rests_on & filled.cells) and _forces(claim, position, move, keeper)


@for_kind(CHECKS, ClaimKind.FOLLOWS)
def _follows(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    after = played(position, (move, *claim.after))
    way = None if after is None else waiting(after)
    if after is None or way is None or way.follower is not claim.side or gets(after, claim.side.other, way.open):
        return False
    return (way.settled, way.odd) == (claim.cells, claim.number) and all(
        pattern in gets(after, claim.side, way.settled) for pattern in claim.patterns
    )


@for_kind(CHECKS, ClaimKind.CANNOT_WIN)
def _cannot_win(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    after = position.play(move)
    return after.rules.recycle_from is None and next(after.live(claim.side), None) is None


@for_kind(CHECKS, ClaimKind.PAIRING)
def _pairing(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    after = position.play(move)
    if after.over is not None:
        return False
    try:
        check_pairing(after, claim.side, claim.pairs)
    except ValueError:
        return False
    return True


@for_kind(CHECKS, ClaimKind.POLES)
def _poles(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    after, laid = position.play(move), position.rules.placements[position.to_move][move.place].cells
    gone = set(position.live(claim.side)) - set(after.live(claim.side))
    cells: Mask = claim.patterns[0]
    return any(p.cells == cells and p.neutraliser & laid and not p.cells & laid for _, p in gone)


@for_kind(CHECKS, ClaimKind.ONLY)
def _only(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    """Every other move loses by the ply; this one does not."""
    aim = Aim(claim.side, ProvedResult.LOSS, position.ply + claim.number + 1)
    kept = {other: keeper.keeps(position.play(other), aim) for other in position.moves()}
    return bool(kept.pop(move)) and bool(kept) and all(answer is False for answer in kept.values())


@for_kind(CHECKS, ClaimKind.LASTS)
def _lasts(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    if keeper.wins(position, claim.side.other, claim.number) is not True:
        return False
    aim = Aim(claim.side, ProvedResult.LOSS, position.ply + claim.number)
    return keeper.keeps(position.play(move), aim) is True


@for_kind(CHECKS, ClaimKind.THREATENS)
def _threatens(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    return _wins_with(claim, position.play(move))


@for_kind(CHECKS, ClaimKind.BLOCKS)
def _blocks(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    return blocked(position, position.play(move), claim) == claim.number > 0


def blocked(before: Position, after: Position, claim: Claim) -> int:
    """How many live patterns that the claim's side had begun are live no more."""
    gone = set(before.live(claim.side)) - set(after.live(claim.side))
    return sum(bool(pattern.cells & before.layers[layer]) for layer, pattern in gone)


@for_kind(CHECKS, ClaimKind.BUILDS)
def _builds(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    return advanced(position, position.play(move), claim) == claim.number > 0


def advanced(before: Position, after: Position, claim: Claim) -> int:
    """In how many live patterns the claim's side has more cells after a move than before."""
    return sum(
        (pattern.cells & after.layers[layer]).bit_count() > (pattern.cells & before.layers[layer]).bit_count()
        for layer, pattern in after.live(claim.side)
    )
