"""A game at the terminal: who plays it, and where it is kept."""

from __future__ import annotations

import math
import shlex
import time
from dataclasses import dataclass
from pathlib import Path

from plyground.core.rules import Side
from plyground.play.clock import UNLIMITED, Clock, TimeControl, Turn
from plyground.play.game import Game, GameOver
from plyground.play.records import GameRecord, PlayedMove, save_record
from plyground.players import HUMAN, PLAYERS, Player
from plyground.referee.bots import is_bot
from plyground.render.text import ended
from plyground.terminal.hints import Hint

SPEC_TAGS = ("FirstPlayer", "SecondPlayer")
"""Where a record keeps the players' specs, so that the game can be continued."""


BOT_CONTROL = TimeControl(3.0)
"""The time of a bot where nobody set one: a bot that never answers must lose, not stop the game."""


@dataclass
class TerminalGame:
    """A game with its players and its file."""

    game: Game

    players: tuple[Player | None, Player | None]
    """Who chooses the moves of each side; None for a person."""

    path: Path | None = None
    """Where the game is kept; None until it must be."""

    pause: float = 0.0
    """Seconds between two moves of programs that somebody watches."""

    hint: Hint | None = None
    """The hint that was asked for last, and how much of it was given."""

    scores: bool = False
    """Whether evaluations of programs are shown to somebody who plays; who watches programs sees them always."""

    def __post_init__(self) -> None:
        specs = (player.name if player else HUMAN for player in self.players)
        self.game.tags = dict(self.game.tags) | dict(zip(SPEC_TAGS, specs, strict=True))

    @property
    def player(self) -> Player | None:
        """Who is to move; None for a person."""
        return self.players[self.game.to_move]

    @property
    def people(self) -> bool:
        """Whether somebody plays who sits at the keyboard."""
        return None in self.players

    @property
    def quiet(self) -> bool:
        """Whether programs keep to themselves how they evaluate the game."""
        return self.people and not self.scores

    def start_clock(self) -> None:
        """The turn begins now, in a game with a clock."""
        if self.game.control.game is not None:
            self.game.turn_started = time.monotonic()

    def time_left(self) -> str:
        """What the side to move has on its clock, for a prompt: ` (4:52 left)`; nothing without a clock."""
        left = self.game.left(self.game.to_move, time.monotonic())
        if left is None:
            return ""
        minutes, seconds = divmod(math.ceil(max(left, 0)), 60)
        return f" ({minutes}:{seconds:02} left)"

    def play(self, played: PlayedMove) -> bool:
        """Play a move, its mover's clock running to this moment; False when the time was over before."""
        try:
            self.game.play(played, None if self.game.control.game is None else time.monotonic())
        except GameOver:
            return False
        return True

    def who(self, side: Side) -> str:
        """A player's name with the side it plays: `Ada (x)`."""
        return f"{self.game.names[side]} ({self.game.rules.sides[side]})"

    def turn(self) -> Turn:
        """What the program to move may use, and the moves so far; without a limit a bot has `BOT_CONTROL`."""
        game, player = self.game, self.player
        if game.control == UNLIMITED and player is not None and is_bot(player.name):
            return Clock(BOT_CONTROL).turn(game.to_move, moves=[played.move for played in game.moves])
        return game.turn()

    def undo(self) -> int:
        """Take back to the last turn of the person to move, or else of another person; how many moves that was.

        0 when no person has moved.
        """
        side = self.game.to_move
        people = [one for one in (side, side.other) if one is side or self.players[one] is None]
        count = next((back for one in people if (back := self.game.since_turn_of(one))), 0)
        self.game.take_back(count)
        return count

    def result(self) -> str:
        """How it ended, in words."""
        if self.game.lost is not None:
            loser, reason = self.game.lost
            return f"{self.who(loser)} loses by {reason}, {self.who(loser.other)} wins"
        return ended(self.game.position, self.who(Side.FIRST), self.who(Side.SECOND))

    def save(self, path: Path | None = None) -> Path:
        """Write the record to a file, by default to the game's own; OSError when that fails."""
        if path is None:
            path = self.path = self.path or _new_path()
        save_record(path, self.game.record())
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
