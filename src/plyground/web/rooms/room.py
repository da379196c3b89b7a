"""A game between two seats: who may do what and when. No network, no clock of its own."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

from plyground import games
from plyground.core.notation import play_texts
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Side
from plyground.play.clock import UNLIMITED, TimeControl
from plyground.play.game import Game, GameOver
from plyground.play.records import PlayedMove, Result
from plyground.play.records.json_line import score_from_json, score_to_json
from plyground.play.termination import Termination, read_termination
from plyground.web.security.clients import Caller
from plyground.web.security.refusal import Refused

NAME_LETTERS = 40


@dataclass
class Seat:
    """One side of a game, whose name the game knows."""

    player: str | None = None
    """The spec of an AI; None for a person."""

    lock: str = ""
    """What `lock_of` makes of the token; who knows that may move for this seat. Empty while nobody does."""

    taken: bool = False
    """Whether somebody sits there; an AI always does."""

    def held_by(self, token: str) -> bool:
        """Whether a token is this person's."""
        return self.player is None and secrets.compare_digest(self.lock, lock_of(token))


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(18)


def lock_of(token: str) -> str:
    """What is kept of a token, in memory and in the store: whoever reads it there cannot move for anybody."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()  # it may not even be text


@dataclass
class Room:
    """A game under way or finished, with its seats."""

    id: str
    game: Game
    seats: tuple[Seat, Seat]
    owner: Caller
    """The client that opened it."""
    ai_seconds: float = 1.0
    """What an AI may think about a move."""
    touched: float = 0.0
    """When anybody last did anything here."""
    undo_asked: Side | None = None
    listed: bool = False
    """Whether everybody may find it in the list of games."""
    rematch: str | None = None
    """The room in which the same players play again."""

    @property
    def position(self) -> Position:
        """The position now."""
        return self.game.position

    @property
    def moves(self) -> list[PlayedMove]:
        """What was played."""
        return self.game.moves

    @property
    def open(self) -> bool:
        """Whether the game goes on."""
        return self.game.open

    @property
    def ai_to_move(self) -> str | None:
        """The spec of the AI whose turn it is, or None."""
        return self.seats[self.position.to_move].player if self.open else None

    def side_of(self, token: str | None) -> Side:
        """The side a token may act for, the one to move when it holds both; Refused for a stranger's."""
        if token is not None:
            to_move = self.position.to_move
            for side in (to_move, to_move.other):
                if self.seats[side].held_by(token):
                    return side
        raise Refused(403, "no-seat", "this token is not for a seat of this game; spectators can only watch")

    def sides_of(self, token: str | None) -> list[Side]:
        """Every side a token may act for."""
        if token is None:
            return []
        return [side for side in Side if self.seats[side].held_by(token)]

    def sit(self, name: str) -> tuple[Side, str]:
        """Take the free human seat: which side, and its token; Refused when there is none."""
        for side in Side:
            seat = self.seats[side]
            if seat.player is None and not seat.taken:
                names = list(self.game.names)
                names[side] = clean_name(name, names[side])
                token = new_token()
                seat.lock, seat.taken, self.game.names = lock_of(token), True, (names[0], names[1])
                return side, token
        raise Refused(409, "no-free-seat", "both seats of this game are taken; you can watch")

    def play(self, side: Side, ply: int, text: str, now: float) -> None:
        """Play a move for a side; Refused, changing nothing, when it is late, out of turn or illegal."""
        self._must_be_open()
        if ply != self.position.ply:
            raise Refused(
                409, "stale", f"that move was for ply {ply}, the game is at ply {self.position.ply}; reload the state"
            )
        if side is not self.position.to_move:
            raise Refused(409, "out-of-turn", f"it is the {self.position.to_move.text} player's turn")
        try:
            move = self.position.parse(text)
        except IllegalMove as error:
            raise Refused(422, "illegal", str(error)) from None
        self.keep(PlayedMove(move), now)

    def keep(self, played: PlayedMove, now: float) -> None:
        """Play a legal move for the side to move, with what it thought of it; Refused when the game is over."""
        self._must_be_open()
        self.undo_asked = None
        try:
            self.game.play(played, now)
        except GameOver as error:
            raise Refused(409, "time", str(error)) from None

    def expire(self, now: float) -> bool:
        """End the game if the side to move is out of time; whether that happened."""
        expired = self.game.expire(now)
        if expired:
            self.undo_asked = None
        return expired

    def resign(self, side: Side) -> None:
        """Give up."""
        self._must_be_open()
        self.game.resign(side)
        self.undo_asked = None

    def undo(self, side: Side, token: str, now: float) -> bool:
        """Take back to the last turn of the side that asked; whether it was done.

        Against a program that is at once, between two people when the other one asks for it too.
        """
        if self.game.lost is not None:
            raise Refused(409, "over", "the game is over; ask for a rematch")
        if not self.moves:
            raise Refused(409, "nothing-to-undo", "no move has been played")
        if len(self.sides_of(token)) == 2:
            back = 1  # one person plays both sides: just the last move
        else:
            agreed = self.undo_asked is side.other
            back = self.game.since_turn_of(side.other if agreed else side)
            if not back:
                raise Refused(409, "nothing-to-undo", "you have not moved yet")
            if self.seats[side.other].player is None and not agreed:
                self.undo_asked = side
                return False
        self.game.take_back(back, now)
        self.undo_asked = None
        return True

    def decline(self, side: Side) -> None:
        """Refuse what the other side asked to take back."""
        if self.undo_asked is not side.other:
            raise Refused(409, "not-asked", "nobody asks you to take back a move")
        self.undo_asked = None

    @property
    def hints(self) -> bool:
        """Whether hints are given: never between people who play against a clock."""
        return self.game.control.game is None or any(seat.player for seat in self.seats)

    def _must_be_open(self) -> None:
        if not self.open:
            raise Refused(409, "over", f"the game is over: {self.game.result.value} by {self.game.termination}")

    def state(self) -> dict[str, object]:
        """Everything needed to bring the room back, for the store."""
        game, control = self.game, self.game.control
        seats = zip(game.names, self.seats, strict=True)
        return {
            "owner": self.owner.name,  # and not where it came from
            "seats": [[name, seat.player, seat.lock, seat.taken] for name, seat in seats],
            "control": None if control.game is None else [control.game, control.increment],
            "ai_seconds": self.ai_seconds,
            "clocks": [] if control.game is None else game.clock.left,
            "rematch": self.rematch,
            "listed": self.listed,
            "game": game.rules.name,
            "moves": game.move_texts(),
            "notes": [
                [score_to_json(played.score), played.depth, played.seconds, played.clock] for played in self.moves
            ],
            "tags": dict(game.tags),
            "result": game.result.value,
            "termination": game.termination or "",
        }


def restored(room_id: str, state: dict[str, Any], now: float) -> Room:
    """The room that `Room.state` described; clocks go on from where the last move left them."""
    positions = started(state["game"], state["moves"])
    seats = [Seat(player, lock, taken) for _, player, lock, taken in state["seats"]]
    first, second = (name for name, *_ in state["seats"])
    played = [position.last for position in positions if position.last is not None]
    game = Game(
        positions[0].rules,
        (first, second),
        TimeControl(None, *state["control"]) if state["control"] else UNLIMITED,
        moves=[
            PlayedMove(move, score_from_json(score), *notes)
            for move, (score, *notes) in zip(played, state["notes"], strict=True)
        ],
        tags=state.get("tags", {}),
        lost=_lost(Result.parse(state["result"]), state["termination"]),
        turn_started=now,
    )
    if state["clocks"]:
        game.clock.left = state["clocks"]
    return Room(
        id=room_id,
        game=game,
        seats=(seats[0], seats[1]),
        owner=Caller(state["owner"]),
        ai_seconds=state["ai_seconds"],
        touched=now,
        rematch=state["rematch"],
        listed=state.get("listed", False),
    )


def _lost(result: Result, termination: str) -> tuple[Side, Termination] | None:
    """Who lost without being beaten, and by what."""
    if result.winner is None or (reason := Termination(read_termination(termination))).by_rules:
        return None
    return result.winner.other, reason


def default_name(side: Side) -> str:
    """What somebody who gives no name is called."""
    return f"{side.text} player"


def clean_name(name: str, default: str) -> str:
    """A name as it may be shown: one line, no control characters, not too long."""
    plain = "".join(char for char in name if char.isprintable()).strip()
    return plain[:NAME_LETTERS] or default


def started(rules_name: str, moves: list[str]) -> list[Position]:
    """The positions of a game from its moves; Refused when they are not legal."""
    try:
        rules = games.load(rules_name)
        played, _ = play_texts(Position.start(rules), moves)
    except ValueError as error:
        raise Refused(422, "bad-position", str(error)) from None
    positions = [Position.start(rules)]
    for move in played:
        positions.append(positions[-1].play(move))
    return positions
