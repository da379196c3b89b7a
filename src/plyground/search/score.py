"""What a position is worth, by a search or a solver: proved, or an opinion.

>>> Score.win(3) > Score.win(5) > Score.points(12) > Score.draw() > Score.loss(6) > Score.loss(4)
True
>>> str(-Score.win(3)), str(Score.win(3).later()), str(Score.points(12))
('loss in 3', 'win in 4', '+12')
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from plyground.core.kinds import checked_whole

WIN = 1_000_000_000
"""The number of a game won on the spot where searches count in numbers; one won in n plies counts n less."""

MAX_HEURISTIC = 900_000_000
"""The largest value of a heuristic, so that no opinion is mistaken for a win."""


class ProvedResult(StrEnum):
    """How a game ends for a side if nobody errs."""

    LOSS = "loss"
    DRAW = "draw"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class Score:
    """The worth of a position to a side: a verdict, which is proved, or an opinion in points.

    In the order of scores a sooner win is better, a later loss too; opinions lie around 0, which is as good as a draw.
    """

    result: ProvedResult | None
    """What is proved; None for an opinion."""

    number: int = 0
    """Plies to the end of a game won or lost; the points of an opinion; 0 for a draw."""

    at_most: bool = False
    """Whether the game may end sooner than in these plies: who wins is proved, but not when."""

    def __post_init__(self) -> None:
        checked_whole(self.number, "the plies or points of a score")
        if self.result in (ProvedResult.WIN, ProvedResult.LOSS) and self.number < 0:
            raise ValueError(f"plies to the end of a game must not be below 0, got {self.number}")
        if self.result is None and abs(self.number) > MAX_HEURISTIC:
            raise ValueError(f"an opinion must stay within ±{MAX_HEURISTIC}, got {self.number}")

    @staticmethod
    def win(plies: int, at_most: bool = False) -> Score:
        """A game won in so many plies."""
        return Score(ProvedResult.WIN, plies, at_most)

    @staticmethod
    def loss(plies: int, at_most: bool = False) -> Score:
        """A game lost in so many plies."""
        return Score(ProvedResult.LOSS, plies, at_most)

    @staticmethod
    def draw() -> Score:
        """A game that nobody wins."""
        return DRAW

    @staticmethod
    def points(number: int) -> Score:
        """An opinion: above 0 when the side stands better."""
        return Score(None, number)

    @staticmethod
    def of_value(value: int) -> Score:
        """The score of a number that plain searches and the core count in."""
        if abs(value) <= MAX_HEURISTIC:
            return Score.points(value)
        return Score.win(WIN - value) if value > 0 else Score.loss(WIN + value)

    @property
    def value(self) -> int:
        """The reverse of `of_value`: the number for it; 0 for a draw."""
        return {ProvedResult.WIN: WIN - self.number, ProvedResult.LOSS: self.number - WIN, None: self.number}.get(
            self.result, 0
        )

    @property
    def proved(self) -> bool:
        """Whether it is a verdict."""
        return self.result is not None

    @property
    def won(self) -> bool:
        """Whether it is a proved win."""
        return self.result is ProvedResult.WIN

    @property
    def lost(self) -> bool:
        """Whether it is a proved loss."""
        return self.result is ProvedResult.LOSS

    @property
    def plies(self) -> int | None:
        """Plies to the end of a game won or lost, None otherwise."""
        return self.number if self.won or self.lost else None

    @property
    def opinion(self) -> int | None:
        """The points of an opinion, None for a verdict."""
        return None if self.proved else self.number

    def __neg__(self) -> Score:
        """The same for the other side."""
        if self.result is None:
            return Score.points(-self.number)
        turned = {
            ProvedResult.WIN: ProvedResult.LOSS,
            ProvedResult.LOSS: ProvedResult.WIN,
            ProvedResult.DRAW: ProvedResult.DRAW,
        }
        return replace(self, result=turned[self.result])

    def later(self, plies: int = 1) -> Score:
        """The same seen from this many plies earlier: a win in 3 becomes a win in 4."""
        return self if self.plies is None else replace(self, number=self.number + plies)

    def before_move(self) -> Score:
        """The worth of a move to its mover, where this is the worth of the position after it to the side to move."""
        return (-self).later()

    def after_move(self) -> Score:
        """The reverse of `before_move`: the worth of the position after a move to the side to move there."""
        return (-self).later(-1)

    @property
    def rank(self) -> tuple[int, int]:
        """The key by which scores are ordered."""
        match self.result:
            case ProvedResult.WIN:
                return 1, -self.number
            case ProvedResult.LOSS:
                return -1, self.number
        return 0, self.number

    def __lt__(self, other: object) -> bool:
        return self.rank < other.rank if isinstance(other, Score) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.rank <= other.rank if isinstance(other, Score) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.rank > other.rank if isinstance(other, Score) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.rank >= other.rank if isinstance(other, Score) else NotImplemented

    def __str__(self) -> str:
        """`win in 5`, `loss in at most 4`, `draw`, `+12`."""
        if self.result is None:
            return f"{self.number:+d}" if self.number else "0"
        if self.result is ProvedResult.DRAW:
            return "draw"
        return f"{self.result} in {'at most ' * self.at_most}{self.number}"

    def to_json(self) -> dict[str, object]:
        """The one form for JSON: `{"result": "win", "plies": 5}` or `{"points": 12}`."""
        if self.result is None:
            return {"points": self.number}
        verdict: dict[str, object] = {"result": str(self.result), "plies": self.plies}
        return verdict | ({"at_most": True} if self.at_most else {})

    @staticmethod
    def from_json(value: object) -> Score:
        """The score that `to_json` wrote; ValueError for anything else."""
        match value:
            case {"points": int(number), **rest} if not rest and not isinstance(number, bool):
                return Score.points(number)
            case {"result": "draw", **rest} if rest in ({}, {"plies": None}):
                return DRAW
            case {"result": "win" | "loss" as result, "plies": int(plies), **rest} if plies >= 0:
                if not isinstance(plies, bool) and rest in ({}, {"at_most": True}):
                    return Score(ProvedResult(result), plies, bool(rest))
        raise ValueError(f'a score is {{"points": 12}} or {{"result": "win", "plies": 5}}, got {value!r}')


DRAW = Score(ProvedResult.DRAW)
