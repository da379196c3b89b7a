"""Results of games as values that add up and can be seen from the other side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class GameScore(NamedTuple):
    """A finished game as the ratings see it."""

    first: str
    """The name of the player who moved first."""

    second: str

    points: float
    """Of the first player: 1, 0.5 or 0."""

    pair: str
    """Two games from one opening with the sides swapped have the same text here, others never."""


@dataclass(frozen=True)
class Tally:
    """How games against an opponent (or several) went."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    pairs: tuple[int, ...] = (0, 0, 0, 0, 0)
    """Complete pairs of games, by the points made in both together: 0, 0.5, 1, 1.5, 2 (the pentanomial)."""

    singles: tuple[int, ...] = (0, 0, 0)
    """Games outside complete pairs, by their points: 0, 0.5, 1. They are among wins, draws and losses too."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            tuple(map(sum, zip(self.pairs, other.pairs, strict=True))),
            tuple(map(sum, zip(self.singles, other.singles, strict=True))),
        )

    @property
    def reversed(self) -> Tally:
        """The same games as the opponent sees them."""
        return Tally(self.losses, self.draws, self.wins, self.pairs[::-1], self.singles[::-1])

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for a win, half of one for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """Points a game; a half when there was none."""
        return self.points / self.games if self.games else 0.5

    @property
    def deviation(self) -> float:
        """The standard error of `share`; the two games of a pair belong together and are one observation."""
        if not self.games:
            return float("inf")
        share, observations = self.share, sum(self.pairs) + sum(self.singles)
        squares = sum(count * (halves / 2 - 2 * share) ** 2 for halves, count in enumerate(self.pairs))
        squares += sum(count * (halves / 2 - share) ** 2 for halves, count in enumerate(self.singles))
        return float((squares * observations / max(1, observations - 1)) ** 0.5 / self.games)


def tally(scores: Iterable[GameScore], player: str) -> Tally:
    """How a player did, in the games of the list that it played."""
    wins = draws = losses = 0
    pairs: dict[str, list[float]] = {}
    for score in scores:
        if player not in (score.first, score.second):
            continue
        points = score.points if score.first == player else 1 - score.points
        wins, draws, losses = wins + (points == 1), draws + (points == 0.5), losses + (points == 0)
        pairs.setdefault(score.pair, []).append(points)
    paired, singles = [0, 0, 0, 0, 0], [0, 0, 0]
    for points_made in pairs.values():
        if len(points_made) == 2:
            paired[round(2 * sum(points_made))] += 1
        else:
            for points in points_made:
                singles[round(2 * points)] += 1
    return Tally(wins, draws, losses, tuple(paired), tuple(singles))


def tallies(scores: Iterable[GameScore]) -> dict[tuple[str, str], Tally]:
    """Head to head: for every two players that met, both ways, how the one did against the other."""
    met: dict[tuple[str, str], list[GameScore]] = {}
    for score in scores:
        low, high = sorted((score.first, score.second))
        met.setdefault((low, high), []).append(score)
    table = {}
    for (low, high), games in met.items():
        table[low, high] = tally(games, low)
        table[high, low] = table[low, high].reversed
    return table
