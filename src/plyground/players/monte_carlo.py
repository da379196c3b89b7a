"""Players that let chance decide: any legal move, or games played at random."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plyground import heuristics
from plyground.core import specs
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.players.base import NeedsNoClosing, Player, Setting
from plyground.search.base import Analysis, Limit, Ranking, unsearched
from plyground.search.mcts import MonteCarlo, ranking_of


@dataclass(frozen=True)
class RandomPlayer(NeedsNoClosing):
    """Any legal move, each as likely as the others."""

    name: str
    generator: random.Random

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """One analysis that knows nothing."""
        yield unsearched(self.generator.choice(position.moves() if among is None else list(among)))

    def own_limit(self, position: Position) -> Limit:
        """It looks at no position but the one it is asked about."""
        return Limit(nodes=1)


@dataclass(frozen=True)
class MonteCarloPlayer(NeedsNoClosing):
    """Monte Carlo tree search, whose tree has a score for every move."""

    name: str
    search: MonteCarlo
    limit: Limit

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """What the search finds within both limits."""
        if among is None:
            yield from self.search(position, self.limit.within(limit))
            return
        allowed = list(among)
        for ranking in self.rank(position, limit):
            yield next((a for a in ranking.compared if a.line[0] in allowed), unsearched(allowed[0]))

    def own_limit(self, position: Position) -> Limit:
        """That of its spec, in every position."""
        return self.limit

    def rank(self, position: Position, limit: Limit) -> Iterator[Ranking]:
        """All moves, those most played first."""
        for root, effort in self.search.grow(position, self.limit.within(limit)):
            yield ranking_of(root, effort)


def random_player(setting: Setting, /, seed: int | None = None) -> Player:
    """Plays random legal moves."""
    given = setting.seed if seed is None else seed
    return RandomPlayer(specs.written("random", random_player, seed=seed), random.Random(given))


def mcts_player(
    setting: Setting,
    /,
    seconds: float | None = None,
    nodes: int | None = None,
    heuristic: str | None = None,
    exploration: float = 1.4,
    unit: int = 100,
    seed: int | None = None,
) -> Player:
    """Monte Carlo tree search (UCT) in plain Python; unit is the value of a clear advantage."""
    if exploration < 0 or unit < 1:
        raise ValueError(f"exploration must be 0 or more and unit 1 or more, got {exploration} and {unit}")
    options = {"seconds": seconds, "nodes": nodes, "heuristic": heuristic, "exploration": exploration}
    name = specs.written("mcts", mcts_player, **options, unit=unit, seed=seed)
    guess = None if heuristic is None else heuristics.load(heuristic, setting.rules)
    generator = random.Random(setting.seed if seed is None else seed)
    limit = Limit(nodes=10_000 if seconds is nodes is None else nodes, seconds=seconds)
    return MonteCarloPlayer(name, MonteCarlo(generator, exploration, guess, unit), limit)
