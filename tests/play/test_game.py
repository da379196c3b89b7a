"""A game under way: turns, clocks, taking back, every way to end, and the record of it all."""

from __future__ import annotations

import pytest

from plyground import games
from plyground.core.position import Ending, IllegalMove
from plyground.core.rules import Side
from plyground.play.clock import TimeControl
from plyground.play.faults import Fault, FaultKind
from plyground.play.game import Game, GameOver
from plyground.play.records import NotedFault, PlayedMove, Result, from_json, to_json
from plyground.play.termination import Termination, read_termination
from plyground.search.base import Limit

RULES = games.load("tic-tac-toe")
WON = "A1 A2 B1 B2 C1"
"""The first player completes the lowest row."""

A_MINUTE = TimeControl(None, 60.0, 2.0)


def play(game: Game, texts: str, now: float | None = None, seconds: float | None = None) -> Game:
    """Play moves, all at one moment or all in the same time."""
    for text in texts.split():
        game.play(PlayedMove(game.position.parse(text), seconds=seconds), now)
    return game


def test_sides_take_turns_and_the_rules_end_the_game() -> None:
    game = Game(RULES)
    assert (game.open, game.to_move, game.result, game.termination) == (True, Side.FIRST, Result.OPEN, None)
    play(game, "A1 A2 B1 B2")
    assert game.to_move is Side.FIRST
    play(game, "C1")
    assert (game.open, game.result, game.termination) == (False, Result.FIRST, Termination.PATTERN)
    assert game.move_texts() == WON.split()


def test_a_full_board_is_a_draw() -> None:
    game = play(Game(RULES), "A1 B1 C1 A2 B2 C3 C2 A3 B3")
    assert (game.result, game.termination) == (Result.DRAW, Termination.FULL)


def test_an_illegal_move_changes_nothing() -> None:
    game = play(Game(RULES, control=A_MINUTE), "A1", seconds=1.0)
    with pytest.raises(IllegalMove, match="A1 is taken"):
        game.play(PlayedMove(game.moves[0].move, seconds=5.0))
    assert (len(game.moves), game.left(Side.SECOND)) == (1, 60.0)


def test_a_game_can_begin_with_moves_played_before() -> None:
    before = play(Game(RULES), "A1 A2").moves
    game = Game(RULES, moves=list(before))
    assert (game.position.ply, game.to_move) == (2, Side.FIRST)
    with pytest.raises(IllegalMove):
        Game(RULES, moves=[before[0], before[0]])


def test_seconds_of_a_move_are_charged_and_the_increment_added() -> None:
    game = play(Game(RULES, control=A_MINUTE), "A1", seconds=10.00049)
    assert game.left(Side.FIRST) == pytest.approx(51.99951)
    assert (game.moves[0].seconds, game.moves[0].clock) == (10.0, 52.0)  # kept in milliseconds
    assert game.turn().clocks == pytest.approx((51.99951, 60.0))
    assert game.turn().moves == (game.moves[0].move,)


def test_a_move_nobody_measured_costs_nothing() -> None:
    game = play(Game(RULES, control=A_MINUTE), "A1 A2")
    assert game.clock.left == [60.0, 60.0]
    assert [(played.seconds, played.clock) for played in game.moves] == [(None, None)] * 2


def test_without_a_time_for_the_game_nothing_is_left_or_lacking() -> None:
    game = Game(RULES, turn_started=0.0)
    play(game, "A1", now=5.0)
    assert (game.moves[0].seconds, game.moves[0].clock) == (5.0, None)
    assert game.left(Side.SECOND, 1e9) is None
    assert not game.expire(1e9)


def test_clocks_that_run_by_the_moment_start_with_the_first_move() -> None:
    game = Game(RULES, control=A_MINUTE, turn_started=100.0)
    assert game.left(Side.FIRST, 190.0) == 60.0
    play(game, "A1", now=190.0)
    assert (game.moves[0].seconds, game.moves[0].clock) == (90.0, 60.0)  # measured, not charged
    assert (game.left(Side.FIRST, 200.0), game.left(Side.SECOND, 200.0)) == (60.0, 50.0)
    play(game, "A2", now=200.0)
    assert game.clock.left == [60.0, 52.0]


def test_who_is_out_of_time_has_lost() -> None:
    game = play(Game(RULES, control=A_MINUTE, turn_started=0.0), "A1", now=0.0)
    assert not game.expire(59.9)
    assert game.expire(60.0)
    assert (game.result, game.termination, game.fault) == (Result.FIRST, Termination.TIME_EXCEEDED, None)
    assert game.left(Side.SECOND, 99.0) == 0.0
    assert not game.expire(70.0)  # once is enough


def test_a_move_that_comes_too_late_is_not_played() -> None:
    game = play(Game(RULES, control=A_MINUTE, turn_started=0.0), "A1", now=0.0)
    with pytest.raises(GameOver, match="the clock had run out"):
        play(game, "A2", now=60.5)
    assert (len(game.moves), game.termination) == (1, Termination.TIME_EXCEEDED)


def test_moves_are_taken_back_and_the_clocks_stay() -> None:
    game = play(Game(RULES, control=A_MINUTE), "A1 A2 B1", seconds=5.0)
    game.take_back(2)
    assert (game.move_texts(), game.to_move) == (["A1"], Side.SECOND)
    assert game.clock.left == [54.0, 57.0]
    play(game, "C3")
    assert game.move_texts() == ["A1", "C3"]


def test_a_game_that_is_over_goes_on_when_the_last_move_is_taken_back() -> None:
    game = play(Game(RULES), WON)
    game.take_back(1)
    assert (game.open, game.result, game.termination) == (True, Result.OPEN, None)
    game.resign(Side.FIRST)
    game.take_back(0)
    assert game.open


def test_the_time_of_a_turn_that_comes_again_begins_when_it_is_taken_back() -> None:
    game = play(Game(RULES, control=A_MINUTE, turn_started=0.0), "A1 A2 B1", now=0.0)
    game.take_back(1, now=30.0)
    assert game.left(Side.FIRST, 31.0) == 61.0  # 60 with the increment of the move taken back, 1 s gone


def test_nothing_more_than_was_played_is_taken_back() -> None:
    game = play(Game(RULES), "A1")
    for count in (2, -1):
        with pytest.raises(ValueError, match=f"1 move was played, so {count} cannot be taken back"):
            game.take_back(count)


def test_it_is_known_how_far_back_a_side_s_last_turn_is() -> None:
    game = Game(RULES)
    assert game.since_turn_of(Side.FIRST) == 0
    play(game, "A1")
    assert (game.since_turn_of(Side.FIRST), game.since_turn_of(Side.SECOND)) == (1, 0)
    play(game, "A2 B1")
    assert (game.since_turn_of(Side.FIRST), game.since_turn_of(Side.SECOND)) == (1, 2)


@pytest.mark.parametrize("side", Side)
def test_who_resigns_has_lost_whoever_s_turn_it_is(side: Side) -> None:
    game = play(Game(RULES), "A1")
    game.resign(side)
    assert (game.result, game.termination) == (Result.won_by(side.other), Termination.RESIGNATION)


def test_a_fault_loses_and_is_noted_in_one_line() -> None:
    game = play(Game(RULES), "A1")
    game.forfeit(Side.SECOND, Fault(FaultKind.CRASH, "it died\nof hunger", "Traceback\n..."))
    assert (game.result, game.termination) == (Result.FIRST, Termination.CRASH)
    assert game.fault == NotedFault(Side.SECOND, FaultKind.CRASH, "it died of hunger", "Traceback\n...")


def test_nothing_happens_after_the_end() -> None:
    resigned = Game(RULES)
    resigned.resign(Side.FIRST)
    for game in (resigned, play(Game(RULES), WON)):
        result = game.result
        with pytest.raises(GameOver, match=f"the game is over: {result.value} by {game.termination}"):
            game.resign(Side.SECOND)
        with pytest.raises(GameOver):
            game.forfeit(Side.SECOND, Fault(FaultKind.EXIT, "it ended"))
        with pytest.raises(ValueError, match="over"):
            play(game, "C3")
        assert game.result is result


def test_the_record_shows_it_all_and_reads_back() -> None:
    game = Game(RULES, ("Ada", "bot"), A_MINUTE, seed=7, comment="at the fair", tags={"Event": "fair"})
    game.isolation = "group"
    play(game, "A1 A2", seconds=1.5)
    game.warn(Side.SECOND, ["move 2: exit:\nit ended"])
    game.warn(Side.SECOND, ["move 4: crash: it died"])
    game.forfeit(Side.FIRST, Fault(FaultKind.ILLEGAL_MOVE, "A1 is taken"))
    record = game.record()
    assert (record.first, record.second, record.seed, record.comment) == ("Ada", "bot", 7, "at the fair")
    assert (record.result, record.termination, record.time_control) == (Result.SECOND, "illegal move", "60+2")
    assert record.fault == NotedFault(Side.FIRST, FaultKind.ILLEGAL_MOVE, "A1 is taken")
    assert record.warnings == ((), ("move 2: exit: it ended", "move 4: crash: it died"))
    assert (record.isolation, dict(record.tags)) == ("group", {"Event": "fair"})
    assert [played.clock for played in record.moves] == [60.5, 60.5]
    assert from_json(to_json(record)) == record


def test_a_record_of_a_game_under_way_is_open_and_can_be_continued() -> None:
    game = play(Game(RULES, ("Ada", "Eva"), limit=Limit(seconds=0.5), comment="first half"), "A1 A2")
    game.warn(Side.FIRST, ["move 1: exit: it ended"])
    record = game.record()
    assert (record.result, record.termination, record.time_control) == (Result.OPEN, "", "0.5")
    again = Game.continued(record, ("Ada", "Grace"), TimeControl(3), seed=4)
    assert (again.move_texts(), again.names, again.comment) == (["A1", "A2"], ("Ada", "Grace"), "first half")
    assert (again.warnings, again.record().time_control) == (record.warnings, "3")
    play(again, "B1 B2 C1")
    assert again.result is Result.FIRST


def test_every_ending_and_every_fault_is_a_termination() -> None:
    assert {ending.value for ending in Ending} == {way.value for way in Termination if way.by_rules}
    others = {way.value for way in Termination if not way.by_rules}
    assert others == {verdict.value for verdict in FaultKind} | {"resignation", "failed", "internal error"}


def test_older_names_of_terminations_are_read() -> None:
    assert read_termination("time") == "time exceeded"
    assert read_termination("adjudication") == "adjudication"
