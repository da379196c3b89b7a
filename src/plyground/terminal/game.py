"""A game under way: who sits where, what was played, and where it is kept."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.play.clock import Clock, TimeControl, Turn
from plyground.play.records import GameRecord, PlayedMove, Result, save_record
from plyground.players import HUMAN, PLAYERS, Player
from plyground.referee.bots import is_bot
from plyground.render.text import ended
from plyground.search.base import Limit

SPEC_TAGS = ("FirstPlayer", "SecondPlayer")
"""Where a record keeps the players' specs, so that the game can be continued."""


@dataclass(frozen=True)
class Seat:
    """Who plays a side."""

    name: str
    player: Player | None
    """None for a person."""

    @property
    def spec(self) -> str:
        """What to write down to have the same player again."""
        return self.player.name if self.player else HUMAN


@dataclass
class Game:
    """A game under way."""

    rules: Rules
    seats: tuple[Seat, Seat]
    limit: Limit = field(default_factory=Limit)
    """For each move of a program."""
    seed: int | None = None
    path: Path | None = None
    """Where the game is kept; None until it must be."""
    moves: list[PlayedMove] = field(default_factory=list)
    lost: tuple[Side, str] | None = None
    """Who lost without being beaten, and by what: `resignation`, or a fault such as `crash`."""
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    comment: str = ""

    def __post_init__(self) -> None:
        self._positions = list(GameRecord(self.rules, tuple(self.moves)).positions())

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._positions[-1]

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.lost is not None or self.position.outcome() is not None

    @property
    def seat(self) -> Seat:
        """Who is to move."""
        return self.seats[self.position.to_move]

    def who(self, side: Side) -> str:
        """A player's name with the side it plays: `Ada (x)`."""
        return f"{self.seats[side].name} ({self.rules.sides[side]})"

    def turn(self) -> Turn:
        """What the program to move may use, and what was played so far."""
        usual = TimeControl().move if is_bot(self.seat.spec) else None
        clock = Clock(TimeControl(self.limit.seconds or usual))
        return clock.turn(self.position.to_move, moves=[played.move for played in self.moves])

    def play(self, played: PlayedMove) -> None:
        """Play a move; IllegalMove when it is not one."""
        self._positions.append(self.position.play(played.move))
        self.moves.append(played)

    def undo(self) -> int:
        """Take back to the last turn of the person to move, or else of another person; how many moves that was.

        0 when no person has moved.
        """
        ply, side = self.position.ply, self.position.to_move
        own = [at for at in range(ply) if Side(at & 1) is side]
        anybody = [at for at in range(ply) if self.seats[at & 1].player is None]
        target = max(own or anybody, default=ply)
        del self.moves[target:], self._positions[target + 1 :]
        return ply - target

    def result(self) -> str:
        """How it ended, in words."""
        if self.lost is not None:
            loser, reason = self.lost
            return f"{self.who(loser)} loses by {reason}, {self.who(loser.other)} wins"
        return ended(self.position, self.who(Side.FIRST), self.who(Side.SECOND))

    def record(self) -> GameRecord:
        """The game so far."""
        outcome, result, termination = self.position.outcome(), Result.OPEN, ""
        if self.lost is not None:
            result, termination = Result.won_by(self.lost[0].other), self.lost[1]
        elif outcome is not None:
            result, termination = Result.won_by(outcome.winner), outcome.ending.value
        return GameRecord(
            rules=self.rules,
            moves=tuple(self.moves),
            first=self.seats[Side.FIRST].name,
            second=self.seats[Side.SECOND].name,
            result=result,
            termination=termination,
            seed=self.seed,
            time_control="" if self.limit.seconds is None else f"{self.limit.seconds:g}",
            tags=dict(self.tags) | {tag: seat.spec for tag, seat in zip(SPEC_TAGS, self.seats, strict=True)},
            comment=self.comment,
        )

    def save(self, path: Path | None = None) -> Path:
        """Write the record to a file, by default to the game's own; OSError when that fails."""
        if path is None:
            path = self.path = self.path or _new_path()
        save_record(path, self.record())
        return path


def _new_path() -> Path:
    """A file in the current folder that does not exist yet, named by the time."""
    stem = time.strftime("plyground-%Y%m%d-%H%M%S")
    names = (Path(f"{stem}{suffix}.pgn") for suffix in ("", *(f"-{n}" for n in range(2, 100))))
    return next(path for path in names if not path.exists())


def known_spec(record: GameRecord, side: Side) -> str:
    """Who played a side of a record: its tag, or its name where that is a player's, else a person.

    ValueError for a program: a file from somewhere must not start one.
    """
    tagged = record.tags.get(SPEC_TAGS[side])
    if tagged is not None and is_bot(tagged):
        raise ValueError(f"the record asks to run a program; if you trust it, add --{side.text} {shlex.quote(tagged)}")
    name = (record.first, record.second)[side]
    return tagged or (name if name.partition(":")[0] in PLAYERS else HUMAN)
