"""A game between two seats, seen from outside: who may do what and when. No network, no clock of its own."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from plyground import games
from plyground.core.notation import play_texts
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move, Rules, Side
from plyground.play.records import GameRecord, PlayedMove, Result
from plyground.play.records.json_line import score_from_json, score_to_json
from plyground.web.refusal import Refused

NAME_LENGTH = 40


@dataclass
class Seat:
    """One side of a game."""

    name: str

    player: str | None = None
    """The spec of an AI; None for a person."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    """Who knows it may move for this seat."""

    taken: bool = False
    """Whether somebody sits there; an AI always does."""

    def held_by(self, token: str) -> bool:
        """Whether a token is this person's."""
        given = token.encode(errors="replace")  # what comes from outside may not even be text
        return self.player is None and secrets.compare_digest(self.token.encode(), given)


@dataclass(frozen=True)
class TimeControl:
    """A clock for each side."""

    seconds: float
    increment: float = 0.0


@dataclass
class Room:
    """A game under way or finished, with its seats and clocks."""

    id: str
    rules: Rules
    seats: tuple[Seat, Seat]
    owner: str
    """The client that opened it."""
    control: TimeControl | None = None
    ai_seconds: float = 1.0
    """What an AI may think about a move."""
    moves: list[PlayedMove] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)
    """The start and the position after each move."""
    result: Result = Result.OPEN
    termination: str = ""
    clocks: list[float] = field(default_factory=list)
    """Seconds left of each side when its last turn ended."""
    turn_started: float = 0.0
    """When the running turn began, by the server's clock."""
    touched: float = 0.0
    """When anybody last did anything here."""
    undo_asked: Side | None = None
    rematch: str | None = None
    """The room in which the same players play again."""

    def __post_init__(self) -> None:
        if not self.positions:
            self.positions = [Position.start(self.rules)]
        if self.control and not self.clocks:
            self.clocks = [self.control.seconds] * 2

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def open(self) -> bool:
        """Whether the game goes on."""
        return self.result is Result.OPEN

    @property
    def ai_to_move(self) -> str | None:
        """The spec of the AI whose turn it is, or None."""
        return self.seats[self.position.to_move].player if self.open else None

    def texts(self) -> list[str]:
        """The moves as the game writes them."""
        return [self.rules.notation.write(self.rules, played.move) for played in self.moves]

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

    def sit(self, name: str) -> Side:
        """Take the free human seat; Refused when there is none."""
        for side in Side:
            seat = self.seats[side]
            if seat.player is None and not seat.taken:
                seat.taken, seat.name = True, clean_name(name, seat.name)
                return side
        raise Refused(409, "no-free-seat", "both seats of this game are taken; you can watch")

    def play(self, side: Side, ply: int, text: str, now: float, thought: PlayedMove | None = None) -> Move:
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
        if self.expire(now):
            raise Refused(409, "time", "the clock ran out before the move arrived")
        spent = now - self.turn_started if self.turn_started else 0.0
        left = None
        if self.control:
            if self.moves:  # the clocks start with the first move
                self.clocks[side] = self.clocks[side] - spent + self.control.increment
            left = round(self.clocks[side], 3)
        noted = thought or PlayedMove(move)
        self.moves.append(PlayedMove(move, noted.score, noted.depth, round(spent, 3), left, noted.comment))
        self.positions.append(self.position.play(move))
        self.turn_started, self.undo_asked = now, None
        if outcome := self.position.outcome():
            self.end(Result.won_by(outcome.winner), outcome.ending.value)
        return move

    def left(self, side: Side, now: float) -> float | None:
        """Seconds left on a side's clock, or None without one."""
        if not self.control:
            return None
        running = self.open and self.moves and side is self.position.to_move
        return self.clocks[side] - (now - self.turn_started if running else 0.0)

    def expire(self, now: float) -> bool:
        """End the game if the side to move is out of time; whether that happened."""
        side = self.position.to_move
        left = self.left(side, now)
        if not self.open or left is None or left > 0:
            return False
        self.clocks[side] = 0.0
        self.end(Result.won_by(side.other), "time")
        return True

    def resign(self, side: Side) -> None:
        """Give up."""
        self._must_be_open()
        self.end(Result.won_by(side.other), "resignation")

    def undo(self, side: Side, token: str, now: float) -> bool:
        """Take back to the last turn of the side that asked; whether it was done.

        Against a program that is at once, between two people when the other one asks for it too.
        """
        if self.termination in ("time", "resignation"):
            raise Refused(409, "over", "the game is over; ask for a rematch")
        if not self.moves:
            raise Refused(409, "nothing-to-undo", "no move has been played")
        if len(self.sides_of(token)) == 2:
            back = 1  # one person plays both sides: just the last move
        else:
            agreed = self.undo_asked is side.other
            plies = [ply for ply in range(len(self.moves)) if ply % 2 == (side.other if agreed else side)]
            if not plies:
                raise Refused(409, "nothing-to-undo", "you have not moved yet")
            if self.seats[side.other].player is None and not agreed:
                self.undo_asked = side
                return False
            back = len(self.moves) - plies[-1]
        del self.moves[-back:], self.positions[-back:]
        self.result, self.termination = Result.OPEN, ""
        self.undo_asked, self.turn_started = None, now
        return True

    def end(self, result: Result, termination: str) -> None:
        """The game is over."""
        self.result, self.termination, self.undo_asked = result, termination, None

    def _must_be_open(self) -> None:
        if not self.open:
            raise Refused(409, "over", f"the game is over: {self.result.value} by {self.termination}")

    def record(self) -> GameRecord:
        """The game as a record."""
        control = f"{self.control.seconds:g}+{self.control.increment:g}" if self.control else ""
        return GameRecord(
            rules=self.rules,
            moves=tuple(self.moves),
            first=self.seats[0].name,
            second=self.seats[1].name,
            result=self.result,
            termination=self.termination,
            time_control=control,
        )

    def state(self) -> dict[str, object]:
        """Everything needed to bring the room back, for the store."""
        return {
            "owner": self.owner,
            "seats": [[seat.name, seat.player, seat.token, seat.taken] for seat in self.seats],
            "control": [self.control.seconds, self.control.increment] if self.control else None,
            "ai_seconds": self.ai_seconds,
            "clocks": self.clocks,
            "rematch": self.rematch,
            "game": self.rules.name,
            "moves": self.texts(),
            "notes": [
                [score_to_json(played.score), played.depth, played.seconds, played.clock] for played in self.moves
            ],
            "result": self.result.value,
            "termination": self.termination,
        }


def restored(room_id: str, state: dict[str, Any], now: float) -> Room:
    """The room that `Room.state` described; clocks go on from where the last move left them."""
    positions = started(state["game"], state["moves"])
    seats = [Seat(name, player, token, taken) for name, player, token, taken in state["seats"]]
    played = [position.last for position in positions if position.last is not None]
    return Room(
        id=room_id,
        rules=positions[0].rules,
        seats=(seats[0], seats[1]),
        owner=state["owner"],
        control=TimeControl(*state["control"]) if state["control"] else None,
        ai_seconds=state["ai_seconds"],
        moves=[
            PlayedMove(move, score_from_json(score), *notes)
            for move, (score, *notes) in zip(played, state["notes"], strict=True)
        ],
        positions=positions,
        result=Result.parse(state["result"]),
        termination=state["termination"],
        clocks=state["clocks"],
        turn_started=now,
        touched=now,
        rematch=state["rematch"],
    )


def clean_name(name: str, default: str) -> str:
    """A name as it may be shown: one line, no control characters, not too long."""
    plain = "".join(char for char in name if char.isprintable()).strip()
    return plain[:NAME_LENGTH] or default


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
