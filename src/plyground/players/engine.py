"""The engine as a player, at full strength or at a level."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from plyground import heuristics
from plyground.core import specs
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.heuristics.engine import engine_heuristic, level_heuristic
from plyground.heuristics.net_file import load_net
from plyground.judge.safeguard import Safeguard, judge_with
from plyground.native import supports
from plyground.players import levels
from plyground.players.base import NeedsNoClosing, Player, Setting
from plyground.players.depth import DepthPlayer
from plyground.players.monte_carlo import RandomPlayer
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import NO_LIMIT, Analysis, Limit, Ranking
from plyground.search.engine import EngineSearch


@dataclass(frozen=True)
class CorePlayer(NeedsNoClosing):
    """The native core's best search."""

    name: str
    search: EngineSearch

    @property
    def table_mb(self) -> int:
        """Megabytes of the table that helps its next search."""
        return self.search.table_mb

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """What the search finds within a limit."""
        return self.search(position, limit, among)

    def rank(self, position: Position, limit: Limit) -> Iterator[Ranking]:
        """All moves, compared in one search."""
        return self.search.rank(position, limit)

    def stop(self) -> None:
        """End its searches, from any thread."""
        self.search.stop()


@dataclass(frozen=True)
class EnginePlayer(NeedsNoClosing):
    """The best search there is, made weaker by a level where one is asked for."""

    name: str

    thinker: CorePlayer | DepthPlayer
    """The player that searches."""

    limit: Limit

    dice: RandomPlayer
    """The player that moves instead when it slips."""

    guard: Safeguard | None = None
    """The guard that keeps what is proved; None for a player without one."""

    slips: float = 0.0
    """How often it plays any move instead, from 0 to 1."""

    @property
    def table_mb(self) -> int:
        """Megabytes of tables that help its next move; 0 if each move must not depend on earlier ones."""
        if self.slips or self.limit.nodes is not None or not isinstance(self.thinker, CorePlayer):
            return 0
        return self.thinker.table_mb + (0 if self.guard is None else self.guard.judge.table_mb)

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """What the search finds within both limits; three seconds where neither says anything."""
        if self.slips and self.dice.generator.random() < self.slips:
            return self.dice.think(position, limit, among)
        if self.guard is None or among is not None:
            return self.thinker.think(position, self.within(limit), among)
        return self.guard.think(position, self.within(limit))

    def own_limit(self, position: Position) -> Limit:
        """That of its level or its spec, in every position."""
        return self.within(Limit())

    def rank(self, position: Position, limit: Limit, opinions: bool = False) -> Iterator[Ranking]:
        """All moves: what the judge knows of them where it is guarded, else what its search finds.

        With opinions the judge then ranks moves that are proved to draw.
        """
        if self.guard is None:
            return self.thinker.rank(position, self.within(limit))
        judgements = self.guard.judge.rank(position, self.within(limit), opinions=opinions)
        return (judgement.ranking for judgement in judgements)

    def within(self, limit: Limit) -> Limit:
        """The stricter of its own limit and another; three seconds where neither says anything."""
        both = self.limit.within(limit)
        return Limit(seconds=3.0) if both == Limit() else both

    def stop(self) -> None:
        """End its searches, from any thread."""
        if isinstance(self.thinker, CorePlayer):
            self.thinker.stop()


def engine_player(
    setting: Setting,
    /,
    level: int | None = None,
    limit: Limit = NO_LIMIT,
    threads: int = 1,
    table: int = 64,
    heuristic: str | None = None,
    guard: bool = True,
    book: str | None = None,
    net: str | None = None,
) -> Player:
    """The strongest player; levels 1 to 10, or limits of your own; its guard keeps what is proved."""
    options = {"level": level, **asdict(limit), "heuristic": heuristic, "net": net}
    name = specs.written("engine", engine_player, **options, threads=threads, table=table, guard=guard, book=book)
    asked = None if level is None else levels.level(level)
    guess: heuristics.Heuristic | None = None
    if net is not None:
        if heuristic is not None:
            raise ValueError("a net is a heuristic: give one of the two")
        guess = load_net(net, setting.rules)
    elif heuristic is not None:
        guess = heuristics.load(heuristic, setting.rules)
    elif asked is not None and asked is not levels.LEVELS[-1]:
        guess = level_heuristic(setting.rules)
    dice = RandomPlayer(name, random.Random(setting.seed))
    if supports(setting.rules):
        search = EngineSearch(guess, threads, table)
        thinker: CorePlayer | DepthPlayer = CorePlayer(name, search)
    else:  # the same in plain Python, slower, for which threads and a table are of no use
        search = None
        own = guess or engine_heuristic(setting.rules)
        thinker = DepthPlayer(name, alpha_beta, own, lambda _: Limit(), exhaustive=True)
    keeps = None
    if guard and level in (None, len(levels.LEVELS)):
        keeps = Safeguard(thinker, judge_with(setting.rules, book, search))
    if asked is None:
        return EnginePlayer(name, thinker, limit, dice, keeps)
    return EnginePlayer(name, thinker, asked.limit.within(limit), dice, keeps, asked.slips)
