from __future__ import annotations

import math
import random

import pytest

from plyground.ratings import GameScore, Tally, elo_of, expected_score, rate, standings, superiority, tallies, tally
from plyground.ratings.elo import Z95, elo_between
from plyground.ratings.table import by_points
from simulate import tournament


def test_four_hundred_points_are_ten_to_one() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(1.0) == math.inf
    assert elo_of(0.0) == -math.inf


def test_a_tally_adds_up_and_turns_round() -> None:
    tally = Tally(3, 2, 1, (0, 0, 1, 1, 1)) + Tally(0, 0, 1, singles=(1, 0, 0))
    assert (tally.games, tally.points) == (7, 4.0)
    assert tally.reversed == Tally(2, 2, 3, (1, 1, 1, 0, 0), (0, 0, 1))
    assert tally.reversed.reversed == tally


def test_games_of_a_pair_are_one_observation() -> None:
    games = [GameScore("a", "b", 1, "p"), GameScore("b", "a", 1, "p"), GameScore("a", "b", 0.5, "q")]
    assert tally(games, "a") == Tally(1, 1, 1, (0, 0, 1, 0, 0), (0, 1, 0))
    assert tally(games, "a").deviation == 0  # every observation went half and half
    assert tally(games, "c").games == 0


def test_openings_that_decide_the_game_leave_no_doubt_about_equal_players() -> None:
    swapped = Tally(50, 0, 50, (0, 0, 50, 0, 0))
    lucky = Tally(50, 0, 50, (25, 0, 0, 0, 25))
    assert elo_between(swapped).error == 0
    assert elo_between(lucky).error > 60


def test_head_to_head_is_seen_from_both_sides() -> None:
    table = tallies([GameScore("a", "b", 1, "1"), GameScore("c", "a", 0.5, "2")])
    assert table["a", "b"].wins == table["b", "a"].losses == 1
    assert table["a", "c"].draws == table["c", "a"].draws == 1
    assert ("b", "c") not in table


def test_two_players_get_the_elo_of_their_score() -> None:
    games = [GameScore("a", "b", s, str(i)) for i, s in enumerate([1, 1, 0, 0.5] * 10)]
    games += [GameScore("b", "a", 1 - s, str(i)) for i, s in enumerate([1, 1, 0, 0.5] * 10)]
    ratings = rate(games)
    assert ratings.bounded
    assert ratings.elo[0].value - ratings.elo[1].value == pytest.approx(elo_of(0.625))
    assert ratings.first_move.value == pytest.approx(0, abs=1e-6)
    assert ratings.draws == 0.25


def test_strength_carries_over_to_players_that_never_met() -> None:
    games = []
    for strong, weak in (("a", "b"), ("b", "c")):
        for i, points in enumerate([1, 1, 1, 0] * 10):
            games += [
                GameScore(strong, weak, points, f"{strong}{i}"),
                GameScore(weak, strong, 1 - points, f"{strong}{i}"),
            ]
    ratings = rate(games)
    assert ratings.elo[0].value - ratings.elo[2].value == pytest.approx(2 * elo_of(0.75))
    assert sum(estimate.value for estimate in ratings.elo) == pytest.approx(0, abs=1e-6)


def test_moving_first_is_told_from_being_strong() -> None:
    games = []
    for i in range(400):
        games += [GameScore("a", "b", float(i % 4 != 0), str(i)), GameScore("b", "a", float(i % 4 != 0), str(i))]
    ratings = rate(games)
    assert ratings.first_move.value == pytest.approx(elo_of(0.75))
    assert ratings.elo[0].value == pytest.approx(0, abs=1e-6)


def test_a_clean_sweep_has_finite_numbers_and_says_that_they_are_limits() -> None:
    games = [GameScore("a", "b", 1, str(i)) for i in range(10)] + [GameScore("b", "a", 0, str(i)) for i in range(10)]
    ratings = rate(games)
    assert not ratings.bounded
    assert 100 < ratings.elo[0].value < 1000
    assert ratings.elo[0].error > 50
    assert ratings.superiority("a", "b") > 0.95
    assert elo_between(tally(games, "a")).value == math.inf


def test_any_set_of_results_has_ratings() -> None:
    generator = random.Random(4)
    for _ in range(300):
        names = "abcdef"[: generator.randint(2, 6)]
        chances = [generator.choice((0.0, 0.5, 1.0)) for _ in range(3)]
        games = []
        for number in range(generator.choice((1, 3, 10, 60))):
            first, second = generator.sample(names, 2)
            games.append(GameScore(first, second, generator.choice(chances), str(number // 2)))
        ratings = rate(games)
        assert all(math.isfinite(estimate.value) and math.isfinite(estimate.error) for estimate in ratings.elo)
        assert sum(estimate.value for estimate in ratings.elo) == pytest.approx(0, abs=1e-6)


def test_one_game_two_groups_that_never_met_and_no_game_at_all_are_rated_with_a_warning() -> None:
    assert not rate([GameScore("a", "b", 1, "1")]).bounded
    assert not rate([GameScore("a", "b", 0.5, "1"), GameScore("c", "d", 0.5, "2")]).bounded
    nothing = rate([], ["a", "b"])
    assert [estimate.value for estimate in nothing.elo] == [0, 0]
    assert not nothing.bounded
    assert rate([]).names == ()


def test_superiority_is_even_for_equals_and_sure_for_the_far_better() -> None:
    assert superiority(0, 10) == 0.5
    assert superiority(19.6, 10) == pytest.approx(0.975, abs=1e-3)
    assert superiority(1, 0) == 1


def test_the_table_ranks_by_elo_or_by_points_and_buchholz() -> None:
    games = [
        GameScore("a", "b", 1, "1"),
        GameScore("c", "d", 1, "2"),
        GameScore("b", "d", 1, "3"),
        GameScore("a", "c", 0.5, "4"),
    ]
    ranked = standings(games, rate(games), by_points)
    assert [line.name for line in ranked] == ["a", "c", "b", "d"]
    assert [line.buchholz for line in ranked] == [2.5, 1.5, 1.5, 2.5]
    assert ranked[-1].better_than_next is None
    with_a_gift = standings(games, rate(games), by_points, {"d": 9.0})
    assert (with_a_gift[0].name, with_a_gift[0].points) == ("d", 9.0)
    assert standings([], rate([])) == []
    by_elo = standings(games, rate(games))
    assert [line.elo.value for line in by_elo] == sorted((line.elo.value for line in by_elo), reverse=True)
    assert all(line.better_than_next and line.better_than_next >= 0.5 for line in by_elo[:-1])


def test_the_true_strength_lies_in_the_95_percent_interval_of_95_in_100_simulated_tournaments() -> None:
    generator = random.Random(5)
    truth = {"a": 120.0, "b": 30.0, "c": -40.0, "d": -110.0}
    inside = dict.fromkeys([*truth, "first move", "a - b"], 0)
    for _ in range(1000):
        ratings = rate(tournament(generator, truth, pairs=20, first_move=35))
        for name, estimate in zip(ratings.names, ratings.elo, strict=True):
            inside[name] += estimate.low <= truth[name] <= estimate.high
        inside["first move"] += ratings.first_move.low <= 35 <= ratings.first_move.high
        variance = ratings.covariance[0][0] + ratings.covariance[1][1] - 2 * ratings.covariance[0][1]
        difference = ratings.elo[0].value - ratings.elo[1].value
        inside["a - b"] += abs(difference - 90) <= Z95 * math.sqrt(variance)
    assert all(930 <= count <= 970 for count in inside.values()), inside
