"""Time controls as text, and what a clock allows."""

from __future__ import annotations

import pytest

from plyground.core.rules import Side
from plyground.play.clock import GRACE_SECONDS, UNLIMITED, Clock, TimeControl
from plyground.search.base import Limit


@pytest.mark.parametrize("text", ["3", "0.5", "300+2", "60+0", "none"])
def test_a_time_control_is_written_as_it_is_read(text: str) -> None:
    assert str(TimeControl.parse(text)) == text


@pytest.mark.parametrize("text", ["", "x", "-3", "3+", "+2", "0", "0+1", "1e9", "3 s"])
def test_other_texts_are_no_time_control(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected seconds per move|above 0"):
        TimeControl.parse(text)


def test_an_increment_needs_a_time_for_the_game() -> None:
    with pytest.raises(ValueError, match=r"such as 300\+2"):
        TimeControl(3, None, 1)


def test_seconds_a_move_are_the_same_for_every_move() -> None:
    clock = Clock(TimeControl(3))
    assert clock.charge(Side.FIRST, 2.9) is None
    turn = clock.turn(Side.FIRST)
    assert (turn.limit.seconds, turn.allowed, turn.clocks) == (3, 3 + GRACE_SECONDS, None)


def test_a_game_clock_runs_down_and_gets_its_increment() -> None:
    clock = Clock(TimeControl.parse("60+1"))
    assert clock.charge(Side.FIRST, 10) == 51
    turn = clock.turn(Side.FIRST)
    assert turn.clocks == (51, 60)
    assert turn.increment == 1
    assert turn.allowed == 51 + GRACE_SECONDS
    assert turn.limit.seconds is not None
    assert 0 < turn.limit.seconds < 10


def test_with_no_time_left_there_is_still_a_moment_to_think() -> None:
    clock = Clock(TimeControl.parse("1+0"))
    clock.charge(Side.SECOND, 5)
    turn = clock.turn(Side.SECOND)
    assert turn.clocks == (1, 0)
    assert turn.allowed == GRACE_SECONDS
    assert turn.limit.seconds is not None
    assert turn.limit.seconds > 0


def test_a_limit_of_the_game_counts_besides_the_clock() -> None:
    turn = Clock(TimeControl(3)).turn(Side.FIRST, Limit(depth=4, seconds=1))
    assert (turn.limit.depth, turn.limit.seconds, turn.allowed) == (4, 1, 3 + GRACE_SECONDS)


def test_without_a_control_nothing_is_ever_late() -> None:
    turn = Clock(UNLIMITED).turn(Side.FIRST)
    assert (turn.limit.seconds, turn.allowed, turn.clocks) == (None, None, None)
