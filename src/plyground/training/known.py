"""Positions whose every move is known to win, draw or lose, and how a heuristic does in them.

Some games come with a file of them, made by `benchmarks/known_positions.py`: a line is the position, and for each legal
move in the order of the rules 2 for a win of its mover, 1 for a draw, 0 for a loss. In other games the judge finds
some.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from typing import NamedTuple

from plyground.core.position import Position
from plyground.core.position_text import parse_position
from plyground.core.rules import Move, Rules
from plyground.heuristics.data import NO_OPINION, DataHeuristic
from plyground.judge.judge import Judge
from plyground.native import _core, core_for, state_of
from plyground.search.base import NEAREST, Limit
from plyground.search.engine import EngineSearch
from plyground.search.twins import new_evaluator

PLIES = 2
"""How far a heuristic looks ahead here: its move and the answer, so that nobody is asked to see what is plain."""

USUAL_COUNT, TRIES_PER_POSITION = 200, 3
"""Positions that are looked for where no file has any, and how many are looked at for each."""

HOPELESS_TRIES = 20
"""Where none of so many is settled, as in gomoku, nobody waits for more."""

EFFORT = Limit(nodes=30_000)
"""Of the judge, for a position that is looked at."""

QUICK = Limit(nodes=200)
"""Of the engine that plays the games of which they are positions."""

CHANCE = 0.3
"""How often any other move is played there."""

NORMAL_95 = 1.96


class KnownPosition(NamedTuple):
    """A position in which one can err."""

    position: Position

    worth: dict[Move, int]
    """Of each legal move, to its mover: 2 a win, 1 a draw, 0 a loss."""


class Measured(NamedTuple):
    """How the moves of a heuristic do in known positions."""

    kept: float
    """The share of them that keep the result."""

    given: float
    """The points that they give away on average: 1 for a win turned into a loss, a half for one turned into a draw."""

    positions: int

    @property
    def error(self) -> float:
        """Half of the 95 % interval of the share."""
        return interval_of(self.kept, self.positions)


def interval_of(share: float, count: int) -> float:
    """Half of the 95 % interval of a share of so many."""
    return NORMAL_95 * math.sqrt(share * (1 - share) / count)


class Exam:
    """Known positions, asked of one heuristic after the other."""

    def __init__(self, rules: Rules, known: Sequence[KnownPosition]) -> None:
        self.rules = rules
        self._asked = [(state_of(position), worth) for position, worth in known]

    def __len__(self) -> int:
        return len(self._asked)

    def __call__(self, heuristic: DataHeuristic) -> Measured | None:
        """How a heuristic does; None where no position is known."""
        if not self._asked:
            return None
        evaluator, core = new_evaluator(self.rules, heuristic), core_for(self.rules)
        kept = given = 0
        for state, worth in self._asked:
            lost = max(worth.values()) - worth[_chosen(core, evaluator, state)]
            kept += lost == 0
            given += lost
        return Measured(kept / len(self), given / 2 / len(self), len(self))


def _chosen(core: _core.Core, evaluator: _core.Evaluator, state: _core.State) -> Move:
    win = (NEAREST.base, NEAREST.per_ply, NEAREST.per_empty)
    _, _, line, _, _ = core.plain(evaluator, state, PLIES, win, (1, 0), True, (), None, None)
    return Move(*line[0])


def known_positions(rules: Rules, report: Callable[[int], None] = lambda found: None) -> list[KnownPosition]:
    """Those that come with a game, or the few that the judge finds; `report` is called with how many it has found."""
    file = files("plyground.training").joinpath("known", f"{_file_name(rules)}.txt")
    if file.is_file():
        return [_parse(rules, line) for line in file.read_text(encoding="ascii").splitlines()]
    found = []
    for known in _found(rules):
        found.append(known)
        report(len(found))
        if len(found) == USUAL_COUNT:
            break
    return found


def _file_name(rules: Rules) -> str:
    return re.sub(r"[^a-z0-9]+", "-", rules.name)


def _parse(rules: Rules, line: str) -> KnownPosition:
    text, _, worth = line.rpartition(" ")
    position = parse_position(rules, text)
    return KnownPosition(position, dict(zip(position.moves(), map(int, worth), strict=True)))


def _found(rules: Rules) -> Iterator[KnownPosition]:
    """Positions of games of a quick engine and chance, all of whose moves the judge can settle; the same each time."""
    generator, judge = random.Random(rules.name), Judge(rules, books=())
    search, seen = EngineSearch(NO_OPINION, table_mb=1), set()
    settled = 0
    for tries in range(TRIES_PER_POSITION * USUAL_COUNT):
        if tries == HOPELESS_TRIES and not settled:
            return
        game = _random_game(rules, search, generator)
        position = generator.choice(game[len(game) // 3 :])
        if position in seen:
            continue
        seen.add(position)
        worth = {}
        for analysis in judge.judge(position, EFFORT).moves:
            if not analysis.proved or analysis.score is None:
                break
            worth[analysis.move] = 1 + analysis.score.won - analysis.score.lost
        else:
            settled += 1
            if len(set(worth.values())) > 1:
                yield KnownPosition(position, worth)


def _random_game(rules: Rules, search: EngineSearch, generator: random.Random) -> list[Position]:
    """The positions of a game that go on."""
    position, path = Position.start(rules), list[Position]()
    while not position.over:
        path.append(position)
        if generator.random() < CHANCE or len(path) <= PLIES:
            move = generator.choice(position.moves())
        else:
            *_, found = search(position, QUICK)
            move = found.move
        position = position.play(move)
    return path
