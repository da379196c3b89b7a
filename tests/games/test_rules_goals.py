"""What a pattern may do: lose, count for one side, be exact, spell a word; full boards, ties, several moves running."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from exotic import EXOTIC, FOUR, THREE, board, lines
from plyground import native
from plyground.core.perft import perft as reference_perft
from plyground.core.position import Ending, IllegalMove, Outcome, Position
from plyground.core.rules import Effect, Pattern, Rules, Side
from plyground.heuristics.data import DataHeuristic, LiveDirections, PatternWeights, ThreatWeights
from plyground.search import twins as core_search
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort, Limit
from plyground.search.engine import EngineSearch
from plyground.solve.prover import Prover


@cache
def rules_of(name: str) -> Rules:
    return EXOTIC[name]()


def random_game(rules: Rules, seed: int) -> Iterator[Position]:
    chance, position = random.Random(seed), Position.start(rules)
    yield position
    while position.over is None:
        position = position.play(chance.choice(position.moves()))
        yield position


def value(position: Position, known: dict[Position, int]) -> int:
    """What a position is worth to the side to move by playing everything out: 1, 0 or -1."""
    if position.over is not None:
        winner = position.over.winner
        return 0 if winner is None else 1 if winner is position.to_move else -1
    if position not in known:
        known[position] = max(-value(position.play(move), known) for move in position.moves())
    return known[position]


def heuristic(rules: Rules) -> DataHeuristic:
    chance = random.Random(rules.name)
    cells = len(rules.grid.cells)
    weights = tuple(chance.randrange(1, 20) for _ in range(cells))
    row = tuple(4**n for n in range(rules.longest + 1))
    return DataHeuristic(
        "mixed", (PatternWeights((row,)), LiveDirections(weights), ThreatWeights(weights, weights[::-1], (0,) * cells))
    )


@pytest.mark.parametrize("name", EXOTIC)
def test_the_core_plays_every_kind_of_rules_as_the_reference_does(name: str) -> None:
    rules = rules_of(name)
    core = native.core_for(rules)
    for seed in range(30):
        for position in random_game(rules, seed):
            state = native.state_of(position)
            assert [tuple(move) for move in core.moves(state)] == [tuple(move) for move in position.moves()]
            ending, winner = core.outcome(state)
            assert bool(ending) is (position.over is not None)
            if position.over is not None:
                assert winner == (-1 if position.over.winner is None else position.over.winner)


@pytest.mark.parametrize("name", EXOTIC)
def test_the_core_counts_as_many_games_as_the_reference(name: str) -> None:
    start = Position.start(rules_of(name))
    assert native.perft(start, 4) == reference_perft(start, 4)


@pytest.mark.parametrize("name", EXOTIC)
def test_heuristics_and_plain_searches_have_the_same_values_in_the_core(name: str) -> None:
    rules = rules_of(name)
    mixed = heuristic(rules)
    for seed in range(6):
        for position in random_game(rules, seed):
            if position.over is not None:
                continue
            evaluator = core_search.evaluator_for(rules, mixed)
            assert native.core_for(rules).evaluate(evaluator, native.state_of(position)) == mixed(position)
            mine, theirs = Effort(Limit()), Effort(Limit())
            assert alpha_beta(position, 2, mixed, mine) == core_search.alpha_beta(position, 2, mixed, theirs)
            assert mine.nodes == theirs.nodes


SOLVED = [name for name in EXOTIC if len(rules_of(name).grid.cells) <= 9]


@pytest.mark.parametrize("name", SOLVED)
def test_engine_and_proof_search_agree_with_playing_everything_out(name: str) -> None:
    rules = rules_of(name)
    known: dict[Position, int] = {}
    prover = Prover(rules, 4)
    for seed in range(12):
        for position in random_game(rules, seed):
            if position.over is not None or (len(position.moves()) > 12 and position.ply < 3):
                continue
            truth = value(position, known)
            left = rules.max_plies - position.ply
            *_, last = EngineSearch(table_mb=1)(position, Limit())
            assert last.proved
            assert last.score is not None
            assert (last.score.won, last.score.lost) == (truth > 0, truth < 0)
            assert value(position.play(last.move), known) == -truth
            assert prover.can_win(position, position.to_move, left) is (truth > 0)
            assert prover.can_win(position, position.to_move.other, left) is (truth < 0)


def test_a_side_that_completes_a_losing_pattern_has_lost() -> None:
    position = Position(rules_of("misere"), "A1 A2 B1 B2 C1")
    assert position.over == Outcome(Side.SECOND, Ending.PATTERN, 0b111)


def test_a_winning_pattern_outweighs_a_losing_one_made_by_the_same_move() -> None:
    moves = "A1 A2 B1 B2 D1 D2 C1"
    assert Position(rules_of("squava"), moves).over == Outcome(Side.FIRST, Ending.PATTERN, 0b1111)
    strict = Position(rules_of("strict-squava"), moves).over
    assert strict is not None
    assert strict.winner is Side.SECOND


def test_whoever_completes_a_shared_line_loses_where_ties_go_to_the_opponent() -> None:
    over = Position(rules_of("notakto"), "A1 B1 C1").over
    assert over is not None
    assert over.winner is Side.SECOND
    over = Position(rules_of("shared-win"), "A1 B1 C1").over
    assert over is not None
    assert over.winner is Side.FIRST


def test_a_full_board_is_won_by_the_side_that_the_rules_name() -> None:
    rules = board("full", THREE, lines(THREE, 3), full=Side.SECOND)
    over = Position(rules, "A1 B1 C1 B2 A2 A3 B3 C2 C3").over
    assert over == Outcome(Side.SECOND, Ending.FULL)


def test_a_line_that_is_too_long_counts_for_nothing() -> None:
    rules = rules_of("exact")
    position = Position(rules, "A1 A2 B1 B2 D1 D2")
    assert position.play("C1").over is None  # four in a row where three win
    assert Position(rules, "A1 A2 B1 B2 C1").over is not None


def test_a_word_of_two_letters_counts_for_its_owner_alone() -> None:
    rules = rules_of("words")
    position = Position.start(rules)
    for place in (0, len(FOUR.cells) + 1, 2):  # x on A1, o on B1, x on C1
        position = position.play(position.moves()[[move.place for move in position.moves()].index(place)])
    assert position.over == Outcome(Side.FIRST, Ending.PATTERN, 0b111)


def test_a_side_that_may_not_move_passes_and_nobody_else_does() -> None:
    position = Position(rules_of("pairs"), "A1 B1")
    (only,) = position.moves()
    assert position.to_move is Side.FIRST
    assert position.rules.placements[Side.FIRST][only.place].name == "pass"
    assert position.play(only).to_move is Side.SECOND
    with pytest.raises(IllegalMove, match="the other side moves again: pass"):
        position.play("C1")
    with pytest.raises(IllegalMove, match="nobody passes at this point"):
        Position(rules_of("pairs"), "A1").play(only)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (Pattern(0b111, 0b1000, effect=Effect.LOSE), "a pattern that loses cannot have a neutraliser"),
        (Pattern(0b111, barred=0b1), "barred cells lie beside a pattern"),
        (Pattern(0b111, swapped=0b1), "a pattern of two layers names one of two"),
        (Pattern(0b111, layer=1, owner=Side.FIRST), "a pattern counts for nobody"),
    ],
)
def test_patterns_that_do_not_fit_the_rules_are_refused(pattern: Pattern, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(rules_of("misere"), patterns=(pattern,))


def test_rules_with_passes_need_a_placement_for_them() -> None:
    with pytest.raises(ValueError, match="a placement covers cells, but for the last one where sides pass"):
        replace(rules_of("misere"), passes=(2,))
