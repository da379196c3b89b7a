"""Those who choose moves: searches with a heuristic and a limit, and the random player."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from plyground import heuristics, specs
from plyground.position import Position
from plyground.rules import Move, Rules
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Analysis, Limit, Search
from plyground.search.deepening import deepening
from plyground.search.minimax import minimax

HUMAN = "human"
"""The spec of a person, who is asked by the program that shows the board."""


class Setting(NamedTuple):
    """What a player is told before its game."""

    rules: Rules

    seed: int | None = None
    """Where its random numbers start; None: anywhere."""


class Player(Protocol):
    """Anything that chooses moves."""

    @property
    def name(self) -> str:
        """What it is called in records and tables: its spec."""

    def think(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """Ever better answers to a position; the last one counts. At least one, for a game that goes on."""


def choose(player: Player, position: Position, limit: Limit) -> Move:
    """The move a player settles on."""
    *_, analysis = player.think(position, limit)
    return analysis.line[0]


@dataclass(frozen=True)
class SearchPlayer:
    """A search with a limit of its own; in a game the stricter of its own limit and the game's counts."""

    name: str
    search: Search
    limit: Limit

    def think(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """What the search finds within both limits."""
        return self.search(position, self.limit.within(limit))


@dataclass(frozen=True)
class RandomPlayer:
    """Any legal move, each as likely as the others."""

    name: str
    generator: random.Random

    def think(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """One analysis that knows nothing."""
        yield Analysis((self.generator.choice(position.moves()),), 0, 0, 0, 0.0)


def random_player(setting: Setting, /, seed: int | None = None) -> Player:
    """Any legal move."""
    given = setting.seed if seed is None else seed
    return RandomPlayer(specs.written("random", random_player, seed=seed), random.Random(given))


def minimax_player(
    setting: Setting,
    /,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    heuristic: str = "lines",
) -> Player:
    """Every line of play, ply by ply deeper, in plain Python."""
    search = deepening(minimax, heuristics.load(heuristic, setting.rules))
    name = specs.written("minimax", minimax_player, depth=depth, seconds=seconds, nodes=nodes, heuristic=heuristic)
    return SearchPlayer(name, search, _limit(depth, seconds, nodes, 2))


def alpha_beta_player(
    setting: Setting,
    /,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    heuristic: str = "lines",
) -> Player:
    """Minimax without the lines that cannot matter, in plain Python."""
    search = deepening(alpha_beta, heuristics.load(heuristic, setting.rules))
    name = specs.written(
        "alpha-beta", alpha_beta_player, depth=depth, seconds=seconds, nodes=nodes, heuristic=heuristic
    )
    return SearchPlayer(name, search, _limit(depth, seconds, nodes, 3))


def _limit(depth: int | None, seconds: float | None, nodes: int | None, usual: int) -> Limit:
    """What was asked for; the usual depth when nothing was."""
    return Limit(usual if depth is seconds is nodes is None else depth, nodes, seconds)


PLAYERS: dict[str, Callable[..., Player]] = {
    "random": random_player,
    "minimax": minimax_player,
    "alpha-beta": alpha_beta_player,
}
"""What builds each player for a setting, by its name in specs."""


def load(spec: str, rules: Rules, seed: int | None = None) -> Player:
    """The player a spec names, ready for a game; ValueError for what does not exist or does not fit the game."""
    return specs.build("player", spec, PLAYERS, Setting(rules, seed))
