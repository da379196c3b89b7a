"""Fixed opponents: they play the same again whatever the clock says, or it is known how far the clock had a say."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.play.clock import TimeControl
from plyground.play.faults import FaultKind
from plyground.play.guests import Guest
from plyground.play.records import GameRecord
from plyground.players import Player
from plyground.players.base import Limited

NEAR_SHARE = 0.5
"""The part of a time limit from which on another machine, or another load of this one, may make a difference."""


@dataclass(frozen=True)
class Hurried:
    """How many moves came near a time limit, of how many; values add up."""

    near: int = 0
    moves: int = 0

    def __add__(self, other: Hurried) -> Hurried:
        return Hurried(self.near + other.near, self.moves + other.moves)


def is_steady(player: Player, rules: Rules) -> bool:
    """Whether depth or positions limit a player of this program, so that no clock has to: it plays the same again."""
    if isinstance(player, Guest) or not isinstance(player, Limited):
        return False
    own = player.own_limit(Position.start(rules))
    return own.depth is not None or own.nodes is not None


def hurried(player: Player, record: GameRecord, side: Side, control: TimeControl) -> Hurried:
    """How many moves of an opponent came near a time limit: its own where it is steady, or that of the game as well."""
    steady, found = is_steady(player, record.rules), Hurried()
    position = Position.start(record.rules)
    for played in record.moves:
        if position.to_move is side and played.seconds is not None:
            own = player.own_limit(position).seconds if isinstance(player, Limited) else None
            limits = (own,) if steady else (own, control.move)
            allowed = min((seconds for seconds in limits if seconds is not None), default=None)
            found += Hurried(int(allowed is not None and played.seconds >= NEAR_SHARE * allowed), 1)
        position = position.play(played.move)
    late = record.fault is not None and record.fault.side is side and record.fault.kind is FaultKind.TIME_EXCEEDED
    return found + Hurried(1, 1) if late else found
