"""Results of games as values that add up and can be seen from the other side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from plyground.ratings.beta import Beta

PAIR_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Points per game for each result of a pair."""

GAME_SHARES = (0.0, 0.5, 1.0)
"""Points for each result of a game."""


class GameScore(NamedTuple):
    """A finished game as the ratings see it."""

    first: str
    """The name of the player who moved first."""

    second: str

    points: float
    """Of the first player: 1, 0.5 or 0."""

    pair: str
    """Two games from one opening with the sides swapped have the same text here, others never."""

    forfeited: bool = False
    """Whether it was lost by a fault and not on the board."""


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
        if not isinstance(other, Tally):
            return NotImplemented
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
        """Points per game; a half when there was none."""
        return self.points / self.games if self.games else 0.5

    @property
    def all_split(self) -> bool:
        """Whether each player won a game of every pair, of three at least: the openings decided, not the players."""
        return 2 < self.wins == self.losses == self.pairs[2] and self.games == 2 * self.wins

    @property
    def pairs_played(self) -> float:
        """How many observations there are: a pair is one, a game outside a pair half of one."""
        return sum(self.pairs) + sum(self.singles) / 2

    def squares(self, share: float) -> float:
        """The squared distances of the observations from these points per game, added up."""
        pairs = sum(count * (points - share) ** 2 for points, count in zip(PAIR_SHARES, self.pairs, strict=True))
        singles = sum(count * (points - share) ** 2 for points, count in zip(GAME_SHARES, self.singles, strict=True))
        return pairs + singles / 4

    @property
    def known(self) -> Beta:
        """What these games and one imaginary pair show about the points per game.

        The two games of a pair belong together and are one observation. The imaginary pair is a third won, a third
        shared and a third lost: so doubt is left where all pairs ended alike. The distribution has the mean and the
        variance that the points per game have under a Dirichlet distribution over the results of pairs.
        """
        size = self.pairs_played + 1
        mean = (self.points / 2 + 0.5) / size
        return Beta.of(mean, (self.squares(mean) + imaginary_squares(mean)) / (size * (size + 1)))


def imaginary_squares(share: float) -> float:
    """The squared distances of one imaginary pair, a third won, a third shared and a third lost."""
    return sum((points - share) ** 2 for points in GAME_SHARES) / 3


def tally(scores: Iterable[GameScore], player: str) -> Tally:
    """How a player did, in the games of the list that it played."""
    own = (score for score in scores if player in (score.first, score.second))
    return _tally((score.pair, score.points if score.first == player else 1 - score.points) for score in own)


def first_movers(scores: Iterable[GameScore]) -> Tally:
    """How those who moved first did, in the games that were decided on the board."""
    return _tally((score.pair, score.points) for score in scores if not score.forfeited)


def _tally(made: Iterable[tuple[str, float]]) -> Tally:
    """The tally of the points made in each game, after the pair that the game belongs to."""
    pairs: dict[str, list[float]] = {}
    for pair, points in made:
        pairs.setdefault(pair, []).append(points)
    paired, singles, every = [0, 0, 0, 0, 0], [0, 0, 0], [0, 0, 0]
    for both in pairs.values():
        for points in both:
            every[round(2 * points)] += 1
        if len(both) == 2:
            paired[round(2 * sum(both))] += 1
        else:
            for points in both:
                singles[round(2 * points)] += 1
    losses, draws, wins = every
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
