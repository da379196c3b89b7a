"""What a request may say, in shapes: games to open, moves, positions to look at or to think about."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from plyground.play.clock import UNLIMITED, TimeControl
from plyground.web.rooms.opening import GameWish, SeatWish

MOST_GAME_LETTERS = 6_000
"""The longest name of a game, which may carry a text."""

Game = Annotated[str, Field(min_length=1, max_length=MOST_GAME_LETTERS, examples=["connect-four:rows=6,columns=7"])]
GameName = Annotated[str, Query(max_length=MOST_GAME_LETTERS)]
"""The same in an address."""
MOST_TEXT_LETTERS = 4_000
"""The longest text of a game that may be typed on the page: its address carries it."""

MoveText = Annotated[str, Field(min_length=1, max_length=40, examples=["4"])]
Name = Annotated[str, Field(max_length=80)]
HeuristicSpec = Annotated[str, Field(min_length=1, max_length=160, examples=["lines", "weights:0/1/4/16/64"])]


class SeatModel(BaseModel):
    """Who plays a side."""

    kind: Literal["me", "friend", "ai"] = "me"
    """The one who opens the game, somebody who gets the link, or a program."""
    name: Name = ""
    player: Annotated[str, Field(max_length=200)] = "engine"
    """The program's spec, for an AI."""

    def wish(self) -> SeatWish:
        """The same as the hub takes it."""
        return SeatWish(self.player if self.kind == "ai" else None, self.name, self.kind == "me")


class ControlModel(BaseModel):
    """Clocks for a game."""

    seconds: Annotated[float, Field(gt=0, le=86_400)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0

    def time_control(self) -> TimeControl:
        """The same as the hub takes it."""
        return TimeControl(None, self.seconds, self.increment)


class OpenModel(BaseModel):
    """A game to be played."""

    game: Game
    first: SeatModel = SeatModel()
    second: SeatModel = SeatModel(kind="ai")
    control: ControlModel | None = None
    ai_seconds: Annotated[float, Field(gt=0, le=60)] = 1.0
    moves: Annotated[list[MoveText], Field(max_length=1000)] = []
    listed: bool = False
    """Whether everybody on this server may find it in the list of games."""

    def wish(self) -> GameWish:
        """The same as the hub takes it."""
        control = self.control.time_control() if self.control else UNLIMITED
        return GameWish(
            self.game, (self.first.wish(), self.second.wish()), control, self.ai_seconds, self.moves, self.listed
        )


class JoinModel(BaseModel):
    """Somebody who sits down."""

    name: Name = ""


class MoveModel(BaseModel):
    """A move for the turn in which `ply` moves have been played."""

    ply: Annotated[int, Field(ge=0, le=100_000)]
    move: MoveText


class PositionModel(BaseModel):
    """A position to look at."""

    game: Game
    moves: Annotated[list[MoveText], Field(max_length=1000)] = []


class AnswerModel(BaseModel):
    """The moves made since a puzzle began: right moves, each with its reply, and the new answer last."""

    moves: Annotated[list[MoveText], Field(max_length=100)]


class SolveModel(PositionModel):
    """A position to prove something about."""

    seconds: Annotated[float, Field(gt=0, le=60)] = 2.0


class ExplainModel(SolveModel):
    """A move to explain; the best one if none is named."""

    move: MoveText | None = None


class JudgeModel(SolveModel):
    """A position to judge."""

    prove: bool = False
    """Whether most of the time goes into proofs, and little into opinions."""


class AnalyseModel(SolveModel):
    """A position to think about."""

    player: Annotated[str, Field(max_length=200)] = "engine"


class TreeModel(PositionModel):
    """A position whose search is to be seen."""

    search: Literal["minimax", "alpha-beta", "beam"] = "alpha-beta"
    heuristic: HeuristicSpec = "lines"
    depth: Annotated[int, Field(ge=1, le=4)] = 2


class CheckModel(PositionModel):
    """A search, or a heuristic, that somebody has written in Python, to be checked."""

    source: Annotated[str, Field(min_length=1, max_length=12_000)]
    heuristic: HeuristicSpec = "lines"
    """What a search is given that asks for one."""
    depth: Annotated[int, Field(ge=1, le=4)] = 3


class TextModel(BaseModel):
    """The text of a game."""

    text: Annotated[str, Field(max_length=MOST_TEXT_LETTERS)]


class MatchModel(BaseModel):
    """Two heuristics that play against each other."""

    game: Game
    heuristic: HeuristicSpec
    against: HeuristicSpec = "lines"
    depth: Annotated[int, Field(ge=1, le=4)] = 4
    """Plies that both look ahead."""
    games: Annotated[int, Field(ge=2, le=40, multiple_of=2)] = 20
    """They come in pairs from one opening, the second with the sides swapped."""
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0


class LessonMoveModel(BaseModel):
    """A move tried in a lesson."""

    move: MoveText


class RecordModel(BaseModel):
    """A record or a list of moves, pasted."""

    text: Annotated[str, Field(max_length=12_000)]
    game: Game | None = None
    """The game of a bare list of moves."""
