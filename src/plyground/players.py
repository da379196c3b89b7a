"""Those who choose moves: searches with a heuristic and a limit, the old programs, the engine, the random player."""

from __future__ import annotations

import inspect
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from plyground import heritage, heuristics, levels, specs
from plyground.clock import Turn
from plyground.heritage import Preset
from plyground.heuristics import Heuristic
from plyground.heuristics.engine import engine_heuristic
from plyground.judge.guard import Guard, judge_with
from plyground.native import supports
from plyground.position import Position
from plyground.referee import bots
from plyground.registry import Registry, function
from plyground.rules import Move, Rules
from plyground.search import native
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import NEAREST, Analysis, Limit, Ranking, WinValue, unsearched
from plyground.search.beam import beam
from plyground.search.deepening import Deepening, FixedDepth
from plyground.search.mcts import MonteCarlo, ranking_of
from plyground.search.minimax import minimax
from plyground.search.native import EngineSearch
from plyground.search.plain import STATIC, LeafValue, Order

HUMAN = "human"
"""The spec of a person, who is asked by the program that shows the board."""

DEFAULT = "engine"
"""The spec of the opponent one gets without asking for another."""


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

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """Ever better answers to a position; the last one counts. At least one, for a game that goes on.

        With `among` the answer is one of these moves.
        """

    def close(self) -> None:
        """Free what it holds, such as a process; it is not asked again."""


@runtime_checkable
class Ranker(Protocol):
    """A player that can compare all moves in one search."""

    def rank(self, position: Position, limit: Limit) -> Iterator[Ranking]:
        """Ever better rankings; at least one, for a game that goes on."""


@runtime_checkable
class Guest(Protocol):
    """A player in a process of its own, which is told all about its turn and may be at fault."""

    @property
    def isolation(self) -> str:
        """How it is kept from the rest of the machine."""

    def start(self) -> object:
        """Get ready, off the clock."""

    def take_turn(self, position: Position, turn: Turn) -> Analysis:
        """Its answer to a position."""

    def take_warnings(self) -> list[str]:
        """What was forgiven since this was last asked for, a line each."""


@runtime_checkable
class Stoppable(Protocol):
    """A player whose thinking another thread can end."""

    def stop(self) -> None:
        """Make it answer with what it has found so far."""


def choose(player: Player, position: Position, limit: Limit) -> Move:
    """The move a player settles on."""
    *_, analysis = player.think(position, limit)
    return analysis.line[0]


def rank(player: Player, position: Position, limit: Limit) -> Iterator[Ranking]:
    """Ever better rankings of the legal moves within a limit; at least one, for a game that goes on.

    Of a player that cannot compare moves only the one that it chooses has a score.
    """
    if isinstance(player, Ranker):
        yield from player.rank(position, limit)
        return
    for answer in player.think(position, limit):
        yield Ranking.of_choice(position, answer)


def answer(player: Player, position: Position, turn: Turn) -> Analysis | None:
    """What a player settles on in its turn; None from one that does not keep its promise to answer."""
    if isinstance(player, Guest):
        return player.take_turn(position, turn)
    answers = deque(player.think(position, turn.limit), maxlen=1)
    return answers[0] if answers else None


class NeedsNoClosing:
    """A player that holds nothing."""

    def close(self) -> None:
        """Nothing is to be freed."""


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

    win: WinValue = NEAREST
    """What it thinks a won game is worth."""

    leaf: LeafValue = STATIC
    """What the end of a line is worth to it."""

    order: Order = ()
    """Which moves it tries first, and so prefers among equals."""

    below: FixedDepth | None = None
    """The same search for positions after a move, in which a win is a ply farther away than it seems there."""

    exhaustive: bool = False
    """Whether it looks at every move."""

    selective: bool = False
    """Whether it looks at some moves less deeply than at others, so that they cannot be compared."""

    @property
    def deepened(self) -> Deepening:
        """The search with all it takes to go deeper and deeper."""
        return Deepening(
            self.twin or self.search,
            self.heuristic,
            win=self.win,
            exhaustive=self.exhaustive,
            leaf=self.leaf,
            order=self.order,
            below=self.below,
            check=native.alpha_beta if self.twin is not None else alpha_beta,
        )

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """What the search finds within both limits."""
        allowed = self.own_limit(position).within(limit)
        if among is None:
            yield from self.deepened(position, allowed)
            return
        for ranking in self.deepened.rank(position, allowed, among):
            yield ranking.best

    def rank(self, position: Position, limit: Limit) -> Iterator[Ranking]:
        """All moves as the search sees them, or only the one it chooses where it does not see them alike."""
        allowed = self.own_limit(position).within(limit)
        if not self.selective:
            yield from self.deepened.rank(position, allowed)
            return
        for answer in self.deepened(position, allowed):
            yield Ranking.of_choice(position, answer)


@dataclass(frozen=True)
class RandomPlayer(NeedsNoClosing):
    """Any legal move, each as likely as the others."""

    name: str
    generator: random.Random

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """One analysis that knows nothing."""
        yield unsearched(self.generator.choice(position.moves() if among is None else list(among)))


@dataclass(frozen=True)
class MonteCarloPlayer(NeedsNoClosing):
    """Monte Carlo tree search, whose tree tells about every move."""

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

    def rank(self, position: Position, limit: Limit) -> Iterator[Ranking]:
        """All moves, those most played first."""
        for root, effort in self.search.grow(position, self.limit.within(limit)):
            yield ranking_of(root, effort)


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
    """Who does the thinking."""

    limit: Limit

    dice: RandomPlayer
    """Who moves instead when it slips."""

    guard: Guard | None = None
    """Who keeps what is proved; None: nobody."""

    slips: float = 0.0
    """How often it plays any move instead, from 0 to 1."""

    @property
    def table_mb(self) -> int:
        """Megabytes of tables that help its next move; 0 where it is to play as if it had just been made."""
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

    def rank(self, position: Position, limit: Limit) -> Iterator[Ranking]:
        """All moves: what the judge knows of them where it is guarded, else what its search finds."""
        if self.guard is None:
            return self.thinker.rank(position, self.within(limit))
        return (judgement.ranking for judgement in self.guard.judge.rank(position, self.within(limit)))

    def within(self, limit: Limit) -> Limit:
        """The stricter of its own limit and another; three seconds where neither says anything."""
        both = self.limit.within(limit)
        return Limit(seconds=3.0) if both == Limit() else both

    def stop(self) -> None:
        """End its searches, from any thread."""
        if isinstance(self.thinker, CorePlayer):
            self.thinker.stop()


def random_player(setting: Setting, /, seed: int | None = None) -> Player:
    """Any legal move."""
    given = setting.seed if seed is None else seed
    return RandomPlayer(specs.written("random", random_player, seed=seed), random.Random(given))


def beam_player(
    setting: Setting,
    /,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    heuristic: str = "lines",
    width: int = 4,
    shallow: int = 2,
) -> Player:
    """A shallow look at every move, a deep one at the few best, in plain Python."""
    for key, value in (("width", width), ("shallow", shallow)):
        if value < 1:
            raise ValueError(f"{key} must be 1 or more, got {value}")
    options = {"depth": depth, "seconds": seconds, "nodes": nodes, "heuristic": heuristic}
    name = specs.written("beam", beam_player, **options, width=width, shallow=shallow)
    limit = _limit(depth, seconds, nodes, 4)
    search = partial(beam, width=width, shallow=shallow)
    return DepthPlayer(name, search, heuristics.load(heuristic, setting.rules), lambda _: limit, selective=True)


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
    """Games at random through the moves that do well (UCT), in plain Python; unit is a clear advantage."""
    if exploration < 0 or unit < 1:
        raise ValueError(f"exploration must be 0 or more and unit 1 or more, got {exploration} and {unit}")
    options = {"seconds": seconds, "nodes": nodes, "heuristic": heuristic, "exploration": exploration}
    name = specs.written("mcts", mcts_player, **options, unit=unit, seed=seed)
    guess = None if heuristic is None else heuristics.load(heuristic, setting.rules)
    generator = random.Random(setting.seed if seed is None else seed)
    limit = Limit(nodes=10_000 if seconds is nodes is None else nodes, seconds=seconds)
    return MonteCarloPlayer(name, MonteCarlo(generator, exploration, guess, unit), limit)


def engine_player(
    setting: Setting,
    /,
    level: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    threads: int = 1,
    table: int = 64,
    heuristic: str | None = None,
    guard: bool = True,
    book: str | None = None,
) -> Player:
    """The best there is; levels 1 to 10, or as far as the limits let it; guard: never leave what is proved."""
    options = {"level": level, "seconds": seconds, "nodes": nodes, "depth": depth, "heuristic": heuristic}
    name = specs.written("engine", engine_player, **options, threads=threads, table=table, guard=guard, book=book)
    guess = None if heuristic is None else heuristics.load(heuristic, setting.rules)
    limit, dice = Limit(depth, nodes, seconds), RandomPlayer(name, random.Random(setting.seed))
    if supports(setting.rules):
        search = EngineSearch(guess, threads, table)
        thinker: CorePlayer | DepthPlayer = CorePlayer(name, search)
    else:  # the same in plain Python, slower, for which threads and a table are of no use
        search = None
        own = guess or engine_heuristic(setting.rules)
        thinker = DepthPlayer(name, alpha_beta, own, lambda _: Limit(), exhaustive=True)
    asked = None if level is None else levels.level(level)
    keeps = None
    if guard and level in (None, len(levels.LEVELS)):
        keeps = Guard(thinker, judge_with(setting.rules, book, search))
    if asked is None:
        return EnginePlayer(name, thinker, limit, dice, keeps)
    return EnginePlayer(name, thinker, asked.limit.within(limit), dice, keeps, asked.slips)


def hazar_isik_player(
    setting: Setting,
    /,
    plies: int = 5,
    heuristic: Literal["completable", "centrality", "completable-centrality"] = "completable-centrality",
) -> Player:
    """Connect Four, 2021: alpha-beta, a chosen number of plies below each move, one of three heuristics."""
    name = specs.written("hazar-isik", hazar_isik_player, plies=plies, heuristic=heuristic)
    return _preset_player(name, heritage.hazar_isik(plies, heuristic), setting)


def ayoub_qabbani_player(setting: Setting, /, level: int = 2, as_: Literal["report", "program"] = "report") -> Player:
    """Polarized Ladder, 2016: alpha-beta, a line is worth what its last move changes; level 1 weighs single moves."""
    name = specs.written("ayoub-qabbani", ayoub_qabbani_player, level=level, as_=as_)
    return _preset_player(name, heritage.ayoub_qabbani(level, as_), setting)


def _preset(name: str, preset: Preset) -> Callable[[Setting], Player]:
    """What builds an old program that has no options."""

    def player(setting: Setting, /) -> Player:
        return _preset_player(name, preset, setting)

    player.__doc__ = f"{preset.about}."
    return player


def _preset_player(name: str, preset: Preset, setting: Setting) -> Player:
    preset.check(setting.rules)
    heuristic, order = preset.heuristic_for(setting.rules), preset.order(setting.rules)
    win, leaf = preset.win, preset.leaf
    every, cutting = partial(minimax, win=win), partial(alpha_beta, win=win, leaf=leaf, order=order)
    fast = supports(setting.rules)
    later = replace(win, base=win.base + win.per_ply)
    build = partial(DepthPlayer, name, heuristic=heuristic, own_limit=preset.limit, win=win, leaf=leaf, order=order)
    match preset.search:
        case "minimax":
            twin = partial(native.minimax, win=win) if fast else None
            below = partial(native.minimax if fast else minimax, win=later)
            return build(search=every, twin=twin, counterpart=cutting, below=below, exhaustive=True)
        case "alpha-beta":
            plain = native.alpha_beta if fast else alpha_beta
            twin = partial(native.alpha_beta, win=win, leaf=leaf, order=order) if fast else None
            return build(
                search=cutting,
                twin=twin,
                counterpart=every if leaf == STATIC else None,
                below=partial(plain, win=later, leaf=leaf, order=order),
                exhaustive=True,
            )
        case "beam":
            twin = partial(beam, win=win, below=native.alpha_beta) if fast else None
            return build(search=partial(beam, win=win), twin=twin, selective=True)


def _limit(depth: int | None, seconds: float | None, nodes: int | None, usual: int) -> Limit:
    """What was asked for; the usual depth when nothing was."""
    return Limit(usual if depth is seconds is nodes is None else depth, nodes, seconds)


def _deepened(
    name: str,
    search: FixedDepth,
    about: str | None,
    usual: int = 3,
    counterpart: FixedDepth | None = None,
    exhaustive: bool = False,
) -> Callable[..., Player]:
    """What builds a player from a plain search of fixed depth; `usual` is the depth when nothing is asked for."""

    def player(
        setting: Setting,
        /,
        depth: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        heuristic: str = "lines",
    ) -> Player:
        called = specs.written(name, player, depth=depth, seconds=seconds, nodes=nodes, heuristic=heuristic)
        limit = _limit(depth, seconds, nodes, usual)
        guess = heuristics.load(heuristic, setting.rules)
        return DepthPlayer(called, search, guess, lambda _: limit, counterpart=counterpart, exhaustive=exhaustive)

    player.__doc__ = about
    return player


def _of_search(name: str, offered: object) -> Callable[..., Player]:
    """What builds a player from a plug-in's search."""
    return _deepened(name, function(name, offered), inspect.getdoc(offered))


PLAYERS: Registry[Callable[..., Player]] = Registry(
    {
        "engine": engine_player,
        "random": random_player,
        "minimax": _deepened(
            "minimax", minimax, "Every line of play, ply by ply deeper, in plain Python.", 2, alpha_beta, True
        ),
        "alpha-beta": _deepened(
            "alpha-beta", alpha_beta, "Minimax without the lines that cannot matter, in plain Python.", 3, minimax, True
        ),
        "beam": beam_player,
        "mcts": mcts_player,
        "cameron-tiago": _preset("cameron-tiago", heritage.CAMERON_TIAGO),
        "team-two": _preset("team-two", heritage.TEAM_TWO),
        "lavoie": _preset("lavoie", heritage.LAVOIE),
        "hazar-isik": hazar_isik_player,
        "ayoub-qabbani": ayoub_qabbani_player,
        "turpin": _preset("turpin", heritage.TURPIN),
    },
    players=function,
    searches=_of_search,
)
"""What builds each player for a setting, by its name in specs."""


def load(spec: str, rules: Rules, seed: int | None = None) -> Player:
    """The player a spec names, ready for a game; ValueError for what does not exist or does not fit the game."""
    if bots.is_bot(spec):
        return bots.load(spec, rules)
    return specs.build("player", spec, PLAYERS, Setting(rules, seed))
