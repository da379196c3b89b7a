"""How a game on the page begins: what somebody wishes for, and the room that comes of it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.rules import Side
from plyground.play.clock import UNLIMITED, TimeControl
from plyground.play.game import Game
from plyground.play.records import PlayedMove, occasion
from plyground.web.rooms.room import Room, Seat, clean_name, default_name, lock_of, new_token, started
from plyground.web.security.clients import Caller
from plyground.web.security.trust import playable

EVENT = "Game on the page"
"""What a record says that the game was part of."""


@dataclass(frozen=True)
class SeatWish:
    """What somebody who opens a game says about one side."""

    player: str | None = None
    """The spec of an AI, None for a person."""
    name: str = ""
    here: bool = True
    """Whether the person is the one who opens the game; else the seat waits for a friend."""


@dataclass(frozen=True)
class GameWish:
    """What somebody who opens a game says about it."""

    game: str
    """The spec of the game."""
    seats: tuple[SeatWish, SeatWish] = (SeatWish(), SeatWish())
    control: TimeControl = UNLIMITED
    ai_seconds: float = 1.0
    """What an AI may think about a move, as far as the server grants it."""
    moves: Sequence[str] = ()
    """Those played already."""
    listed: bool = False
    """Whether everybody may find it in the list of games."""


def opened(wanted: GameWish, owner: Caller, now: float) -> tuple[Room, dict[str, str]]:
    """A new room and the tokens of the seats its opener holds, by side; Refused for what cannot be played."""
    positions = started(wanted.game, list(wanted.moves))
    rules = positions[0].rules
    token = new_token()  # one person at two seats needs one token only
    seats, names = [], []
    for side, wish in zip(Side, wanted.seats, strict=True):
        if wish.player is not None:
            spec = playable(wish.player, rules)
            names.append(clean_name(wish.name, spec))
            seats.append(Seat(spec, taken=True))
        else:
            names.append(clean_name(wish.name, default_name(side)))
            seats.append(Seat(None, lock_of(token), taken=True) if wish.here else Seat(None))
    played = [PlayedMove(position.last) for position in positions[1:] if position.last]
    named = names[0], names[1]
    room = Room(
        id=secrets.token_urlsafe(9),
        game=Game(rules, named, wanted.control, moves=played, tags=occasion(EVENT), turn_started=now),
        seats=(seats[0], seats[1]),
        owner=owner,
        ai_seconds=wanted.ai_seconds,
        touched=now,
        listed=wanted.listed,
    )
    return room, {side.text: token for side, seat in zip(Side, seats, strict=True) if seat.held_by(token)}


def rematch_of(room: Room, owner: Caller, now: float) -> Room:
    """The room in which the same two play again with sides swapped."""
    game = room.game
    return Room(
        id=secrets.token_urlsafe(9),
        game=Game(game.rules, _swapped(game.names), game.control, tags=occasion(EVENT), turn_started=now),
        seats=(room.seats[1], room.seats[0]),
        owner=owner,
        ai_seconds=room.ai_seconds,
        touched=now,
        listed=room.listed,
    )


def _swapped(names: tuple[str, str]) -> tuple[str, str]:
    """The names of a rematch; who has given none is called after the new side."""
    second, first = (None if name == default_name(side) else name for side, name in zip(Side, names, strict=True))
    return first or default_name(Side.FIRST), second or default_name(Side.SECOND)
