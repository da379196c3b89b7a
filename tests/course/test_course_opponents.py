"""Opponents in a grade: no clock has a say in their moves, or the grade says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plyground import games, players
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.course.examiner import Evidence
from plyground.course.noise import noise_of
from plyground.course.opponent import Hurried, hurried, is_steady
from plyground.course.rubric import Rubric
from plyground.play.clock import TimeControl
from plyground.play.faults import FaultKind
from plyground.play.match import GameTerms, play_game
from plyground.play.records import GameRecord, NotedFault
from plyground.players.base import NeedsNoClosing
from plyground.referee import entrants
from plyground.search.base import NO_LIMIT, Analysis, Limit, unsearched

RULES = games.load("tic-tac-toe")


class Watched(NeedsNoClosing):
    """Notes the limits that it gets."""

    name = "watched"

    def __init__(self) -> None:
        self.limits: list[Limit] = []

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        self.limits.append(limit)
        yield unsearched(position.moves()[0])


def played(*seconds: float) -> GameRecord:
    """A game whose moves took so long."""
    record = play_game(RULES, Watched(), Watched())
    return replace(record, moves=tuple(replace(m, seconds=s) for m, s in zip(record.moves, seconds, strict=False)))


def test_a_side_off_the_clock_has_no_limit_and_is_never_late() -> None:
    first, second = Watched(), Watched()
    terms = GameTerms(Limit(nodes=5), TimeControl(60), off_the_clock=Side.SECOND)
    play_game(RULES, first, second, terms)
    assert set(first.limits) == {Limit(nodes=5, seconds=60)}
    assert set(second.limits) == {NO_LIMIT}


@pytest.mark.parametrize(
    ("spec", "steady"),
    [
        ("random", True),
        ("engine:level=1", True),
        ("engine:level=9", True),
        ("alpha-beta:depth=2", True),
        ("mcts", True),
        ("engine:level=10", False),
        ("engine:seconds=0.2", False),
        ("mcts:seconds=0.2", False),
    ],
)
def test_who_is_limited_by_depth_or_positions_needs_no_clock(spec: str, steady: bool) -> None:
    assert is_steady(players.load(spec, RULES), RULES) is steady


def test_a_bot_as_opponent_stays_on_the_clock(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(position, limit):\n    return position.moves()[0]\n")
    bot = entrants.load(f"py:{tmp_path}/bot.py", RULES)
    assert not is_steady(bot, RULES)
    assert hurried(bot, played(0.9, 0.1, 0.4), Side.FIRST, TimeControl(1)) == Hurried(1, 2)
    bot.close()


def test_moves_near_the_limit_of_an_opponent_are_counted_and_those_near_another_are_not() -> None:
    level = players.load("engine:level=4", RULES)  # 2.5 seconds at the most, for slow machines
    record = played(2.0, 2.0, 0.9, 0.9)
    assert hurried(level, record, Side.FIRST, TimeControl(1)) == Hurried(1, 2)
    best = players.load("engine:level=10", RULES)
    assert hurried(best, record, Side.SECOND, TimeControl(1)) == Hurried(2, 2)


def test_an_opponent_that_was_late_was_hurried() -> None:
    fault = NotedFault(Side.SECOND, FaultKind.TIME_EXCEEDED, "late", "")
    late = replace(played(0.1), fault=fault, termination=fault.kind.value)
    assert hurried(players.load("engine:level=10", RULES), late, Side.SECOND, TimeControl(9)) == Hurried(1, 1)


def test_a_grade_says_which_opponents_were_hurried() -> None:
    rubric = Rubric.parse('[[criterion]]\nkind = "games"\nopponent = "engine:level=10"\ncount = 2\npoints = 1\n')
    steady = noise_of(rubric, Evidence(opponents={"engine:level=10": Hurried(0, 9)}), "random")
    assert steady == "It never answered with a legal move: time made no difference to the grade."
    noise = noise_of(rubric, Evidence(opponents={"engine:level=10": Hurried(3, 9)}), "random")
    assert noise == (
        f"{steady} 3 of 9 moves of the opponent engine:level=10 came near its time limit: "
        "games against it may differ in the same way."
    )
