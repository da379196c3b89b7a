from __future__ import annotations

import math
import random

import pytest
from benchmarks.simulate import pair

from plyground.ratings import Sprt, expected_score
from plyground.ratings.sprt import log_likelihood_ratio


def test_bounds_come_from_the_error_rates() -> None:
    state = Sprt(0, 10).state([0] * 5)
    assert (state.llr, state.verdict) == (0, None)
    assert state.high == pytest.approx(math.log(19))
    assert state.low == pytest.approx(-math.log(19))


def test_the_ratio_is_the_one_of_the_likeliest_distributions_with_each_mean() -> None:
    """Against a search over all distributions on three results: with two of them fixed, one number is free."""
    counts = [12, 0, 30, 0, 25]
    total = sum(counts)

    def best(mean: float) -> float:
        tops = []
        for step in range(1, 100_000):
            top = step / 100_000
            middle = 2 * (mean - top)
            if middle > 0 and top + middle < 1:
                chances = (1 - top - middle, middle, top)
                tops.append(sum(n * math.log(p) for n, p in zip((12, 30, 25), chances, strict=True)))
        return max(tops)

    found = log_likelihood_ratio(counts, 0.5, 0.6)
    assert found == pytest.approx(best(0.6) - best(0.5), abs=0.02)
    assert total == 67


def test_a_sweep_is_accepted_and_a_rout_rejected() -> None:
    assert Sprt(0, 50).state([0, 0, 2, 5, 20]).verdict == "accepted"
    assert Sprt(0, 50).state([20, 5, 2, 0, 0]).verdict == "rejected"
    assert Sprt(0, 50).state([0, 0, 0, 0, 30]).verdict == "accepted"
    assert Sprt(0, 50).state([0, 0, 300, 0, 0]).verdict == "rejected"


def test_bad_tests_are_refused() -> None:
    with pytest.raises(ValueError, match="lower one first, got 10,0"):
        Sprt.parse("10,0")
    with pytest.raises(ValueError, match="sprt must be ELO0,ELO1"):
        Sprt.parse("ten")
    with pytest.raises(ValueError, match=r"between 0 and 0\.5"):
        Sprt(0, 5, alpha=0.7)
    for text in ("0,inf", "-inf,0", "0,100000"):
        with pytest.raises(ValueError, match=f"between -4000 and 4000 Elo, got {text}"):
            Sprt.parse(text)
    assert Sprt.parse("0,10,0.01,0.1") == Sprt(0, 10, 0.01, 0.1)
    assert Sprt.parse(str(Sprt(0, 10))) == Sprt(0, 10)


@pytest.mark.parametrize(("truth", "claim"), [(0.0, "accepted"), (60.0, "rejected")])
def test_errors_are_made_about_as_often_as_stated(truth: float, claim: str) -> None:
    """Each truth lies on a bound, where the wrong verdict must come 5 times in 100; checked every fourth pair."""
    generator, test, wrong, runs = random.Random(11), Sprt(0, 60), 0, 600
    for _ in range(runs):
        counts = [0] * 5
        while True:
            for _ in range(4):
                counts[round(2 * sum(pair(generator, truth, first_move=40)))] += 1
            verdict = test.state(counts).verdict
            if verdict is not None:
                wrong += verdict == claim
                break
    assert 0.02 <= wrong / runs <= 0.065, wrong / runs


def test_the_higher_the_truth_the_sooner_the_verdict() -> None:
    generator, test = random.Random(3), Sprt(0, 30)
    lengths = []
    for truth in (15.0, 150.0):
        counts = [0] * 5
        while test.state(counts).verdict is None:
            counts[round(2 * sum(pair(generator, truth)))] += 1
        lengths.append(sum(counts))
    assert lengths[0] > 2 * lengths[1]
    assert expected_score(150) > 0.7
