"""Scores as values: order, negation, distance, text and JSON."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Score
from plyground.search.score import MAX_HEURISTIC, WIN

FROM_BEST_TO_WORST = [
    Score.win(1),
    Score.win(2),
    Score.win(55),
    Score.points(MAX_HEURISTIC),
    Score.points(12),
    Score.points(1),
    Score.draw(),
    Score.points(-1),
    Score.points(-MAX_HEURISTIC),
    Score.loss(54),
    Score.loss(2),
    Score.loss(0),
]

plies = st.integers(0, 300)
scores = st.one_of(
    st.builds(Score.win, plies, st.booleans()),
    st.builds(Score.loss, plies, st.booleans()),
    st.just(Score.draw()),
    st.builds(Score.points, st.integers(-MAX_HEURISTIC, MAX_HEURISTIC)),
)


def test_sooner_wins_come_first_and_later_losses_and_opinions_lie_between() -> None:
    shuffled = FROM_BEST_TO_WORST.copy()
    random.Random(1).shuffle(shuffled)
    assert sorted(shuffled, reverse=True) == FROM_BEST_TO_WORST
    for better, worse in pairwise(FROM_BEST_TO_WORST):
        assert better > worse
        assert better >= worse
        assert worse < better
        assert worse <= better
        assert -better < -worse


def test_a_draw_is_as_good_as_an_opinion_of_nothing_but_not_the_same() -> None:
    draw, nothing = Score.draw(), Score.points(0)
    assert draw != nothing
    assert draw >= nothing
    assert draw <= nothing
    assert not draw > nothing
    assert not draw < nothing


@given(scores, scores)
def test_the_order_is_total_and_turns_round_with_the_side(one: Score, other: Score) -> None:
    assert (one < other) + (one > other) + (one <= other and one >= other) == 1
    assert (one < other) == (-other < -one)


@given(scores)
def test_the_worth_of_a_move_and_of_what_it_leads_to_belong_together(score: Score) -> None:
    turned = -score
    assert -turned == score
    assert score.before_move().after_move() == score
    assert score.before_move().result == (-score).result
    if score.plies is not None:
        assert score.before_move().plies == score.plies + 1


@given(scores)
def test_a_score_reads_back_from_its_json(score: Score) -> None:
    assert Score.from_json(score.to_json()) == score


def test_the_texts_are_words_for_verdicts_and_signed_numbers_for_opinions() -> None:
    texts = [str(score) for score in (Score.win(5), Score.loss(4), Score.draw(), Score.points(12), Score.points(-3))]
    assert texts == ["win in 5", "loss in 4", "draw", "+12", "-3"]
    assert str(Score.win(47, at_most=True)) == "win in at most 47"


def test_the_json_is_a_result_with_its_plies_or_points() -> None:
    assert Score.win(5).to_json() == {"result": "win", "plies": 5}
    assert Score.draw().to_json() == {"result": "draw", "plies": None}
    assert Score.loss(4, at_most=True).to_json() == {"result": "loss", "plies": 4, "at_most": True}
    assert Score.points(-12).to_json() == {"points": -12}


@pytest.mark.parametrize(
    "reported",
    [
        None,
        5,
        {},
        {"points": 1.5},
        {"points": True},
        {"points": 1, "result": "win"},
        {"result": "win"},
        {"result": "won", "plies": 1},
        {"result": "win", "plies": -1},
        {"result": "draw", "plies": 3},
    ],
)
def test_what_is_no_score_is_refused(reported: object) -> None:
    with pytest.raises(ValueError, match="a score is"):
        Score.from_json(reported)


def test_plies_below_zero_are_refused() -> None:
    with pytest.raises(ValueError, match="must not be below 0, got -1"):
        Score.win(-1)


@given(scores)
def test_the_numbers_of_searches_stand_for_scores(score: Score) -> None:
    again = Score.of_value(score.value)
    assert again.rank == score.rank
    assert again.plies == score.plies


def test_only_numbers_beyond_all_heuristics_are_verdicts() -> None:
    assert Score.of_value(WIN - 3) == Score.win(3)
    assert Score.of_value(4 - WIN) == Score.loss(4)
    assert Score.of_value(MAX_HEURISTIC) == Score.points(MAX_HEURISTIC)
