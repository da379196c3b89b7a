"""Players that deepen a plain search ply by ply."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial

from plyground import heuristics
from plyground.core import specs
from plyground.core.position import Position
from plyground.core.registry import function
from plyground.core.rules import Move, Rules
from plyground.heuristics import Heuristic
from plyground.native import supports
from plyground.players.base import NeedsNoClosing, Player, Setting
from plyground.search import twins
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import NEAREST, NO_LIMIT, Analysis, Limit, Ranking, WinValue
from plyground.search.beam import beam
from plyground.search.deepening import Deepening, FixedDepth
from plyground.search.minimax import minimax

USUAL_PLIES = 3
"""How far a search looks ahead by default."""

LEAST_SECONDS = 0.01
"""The least time for the comparison of moves, however long the choice took."""


@dataclass(frozen=True)
class DepthPlayer(NeedsNoClosing):
    """A plain search that is deepened ply by ply; its tree can be watched and its moves ranked."""

    name: str
    search: FixedDepth
    heuristic: Heuristic

    own_limit: Callable[[Position], Limit]
    """How far it thinks in a position, if the game does not stop it earlier."""

    twin: FixedDepth | None = None
    """The same search in the native core, which does the thinking where there is one."""

    counterpart: FixedDepth | None = None
    """Minimax for a search with cut-offs, alpha-beta for minimax: what shows how much cut-offs save."""

    exhaustive: bool = False
    """Whether it looks at every move."""

    selective: bool = False
    """Whether it looks at some moves less deeply than at others, so that they cannot be compared."""

    @property
    def deepened(self) -> Deepening:
        """The search with all it takes to go deeper and deeper."""
        return Deepening(self.twin or self.search, self.heuristic, exhaustive=self.exhaustive)

    @property
    def win(self) -> WinValue:
        """What it thinks a won game is worth."""
        return NEAREST

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """What the search finds within both limits."""
        allowed = self.own_limit(position).within(limit)
        if among is None:
            yield from self.deepened(position, allowed)
            return
        for ranking in self.deepened.rank(position, allowed, among):
            yield ranking.best

    def rank(self, position: Position, limit: Limit) -> Iterator[Ranking]:
        """All moves as the search sees them, or only the one it chooses where it does not see them alike.

        Where there is no time to look at all moves as deeply as at its choice, they are listed apart from it.
        """
        allowed, started = self.own_limit(position).within(limit), time.perf_counter()
        if self.selective:
            for answer in self.deepened(position, allowed):
                yield Ranking.of_choice(position, answer)
            return
        choice = self._choice(position, allowed)
        if allowed.seconds is not None:
            allowed = replace(allowed, seconds=max(allowed.seconds - (time.perf_counter() - started), LEAST_SECONDS))
        for ranking in self.deepened.rank(position, allowed):
            yield ranking
        if choice is not None and (not ranking.compared or ranking.best.depth < choice.depth):
            yield Ranking((choice,), tuple(each for each in ranking if each.move != choice.move), chosen=True)

    def _choice(self, position: Position, limit: Limit) -> Analysis | None:
        """Its choice at its own depth, if it gets there in half of the time; None without a limit of time."""
        if limit.depth is None or limit.seconds is None or limit.nodes is not None:
            return None
        *_, answer = self.deepened(position, limit.part(0.5))
        return answer if answer.depth == self.deepened.depths(position, limit)[-1] else None


def beam_player(
    setting: Setting,
    /,
    limit: Limit = NO_LIMIT,
    heuristic: str = "lines",
    width: int = 4,
    shallow: int = 2,
) -> Player:
    """Looks at every move, then deeper at the few best, in plain Python."""
    for key, value in (("width", width), ("shallow", shallow)):
        if value < 1:
            raise ValueError(f"{key} must be 1 or more, got {value}")
    options = asdict(limit) | {"heuristic": heuristic, "width": width, "shallow": shallow}
    name = specs.written("beam", beam_player, **options)
    own = limit or Limit(depth=4)
    search = partial(beam, width=width, shallow=shallow)
    return DepthPlayer(name, search, heuristics.load(heuristic, setting.rules), lambda _: own, selective=True)


def heuristic_player(rules: Rules, heuristic: str, depth: int) -> DepthPlayer:
    """Alpha-beta to a fixed depth with a heuristic, in the core where there is one: for games that nobody waits for."""
    twin = twins.alpha_beta if supports(rules) else None
    guess = heuristics.load(heuristic, rules)
    return DepthPlayer(heuristic, alpha_beta, guess, lambda _: Limit(depth=depth), twin=twin, exhaustive=True)


def deepened_player(
    name: str,
    search: FixedDepth,
    about: str | None,
    usual: int = USUAL_PLIES,
    counterpart: FixedDepth | None = None,
    exhaustive: bool = False,
) -> Callable[..., Player]:
    """What builds a player from a plain search of fixed depth; `usual` is the depth when nothing is asked for."""

    def player(
        setting: Setting,
        /,
        limit: Limit = NO_LIMIT,
        heuristic: str = "lines",
    ) -> Player:
        called = specs.written(name, player, **asdict(limit), heuristic=heuristic)
        own = limit or Limit(depth=usual)
        guess = heuristics.load(heuristic, setting.rules)
        return DepthPlayer(called, search, guess, lambda _: own, counterpart=counterpart, exhaustive=exhaustive)

    player.__doc__ = about
    return player


def file_search_player(
    setting: Setting,
    /,
    search: str = "FILE.py:NAME",
    limit: Limit = NO_LIMIT,
    heuristic: str = "lines",
) -> Player:
    """A search in your own file, one ply deeper each time: search=mine.py:scout,depth=4"""
    from plyground.debug.file_search import FileSearch  # what follows calls is loaded only for such players

    function = FileSearch(search, setting.rules, heuristic)
    options = {"search": search, **asdict(limit), "heuristic": heuristic}
    name = specs.written("search", file_search_player, **options).removeprefix("search:")
    own = limit or Limit(depth=USUAL_PLIES)
    reference = None if function.own_heuristic else alpha_beta if function.has_window else minimax
    guess = heuristics.load(heuristic, setting.rules)
    selective = not function.counts_itself  # it may not say what each move is worth
    return DepthPlayer(name, function, guess, lambda _: own, counterpart=reference, selective=selective)


def player_of_search(name: str, offered: object) -> Callable[..., Player]:
    """What builds a player from a plug-in's search."""
    return deepened_player(name, function(name, offered), inspect.getdoc(offered))
