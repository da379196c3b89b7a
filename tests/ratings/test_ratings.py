from __future__ import annotations

import math
import random

import pytest
from benchmarks.simulate import pair, tournament

from plyground.ratings import (
    GameScore,
    Tally,
    elo_between,
    elo_of,
    expected_score,
    first_movers,
    rate,
    share_estimate,
    standings,
    tallies,
    tally,
)
from plyground.ratings.beta import Beta
from plyground.ratings.elo import LOG_ODDS_PER_ELO, TAIL_SHARE
from plyground.ratings.table import by_points


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
    assert tally(games, "a").pairs_played == 1.5
    assert tally(games, "c").games == 0


def test_openings_that_decide_the_game_leave_little_doubt_about_equal_players() -> None:
    swapped = Tally(50, 0, 50, (0, 0, 50, 0, 0))
    lucky = Tally(50, 0, 50, (25, 0, 0, 0, 25))
    assert 5 < elo_between(swapped).error < 15
    assert elo_between(lucky).error > 60


@pytest.mark.parametrize("tally", [Tally(), Tally(1, singles=(0, 0, 1)), Tally(4, pairs=(0, 0, 0, 0, 2))])
def test_few_games_leave_wide_intervals_that_never_shrink_to_a_point(tally: Tally) -> None:
    share, elo = share_estimate(tally), elo_between(tally)
    assert 0 < share.low < 0.5 < share.high <= 1
    assert share.low <= share.value <= share.high
    assert elo.low < 0 < elo.high
    assert math.isfinite(elo.value)
    assert elo.error > 200
    assert elo_between(tally.reversed).high == pytest.approx(-elo.low)


def test_the_beta_distribution_has_its_known_quantiles() -> None:
    """Of a uniform one the quantile is the probability itself; of Beta(2, 1) its root."""
    for probability in (0.025, 0.3, 0.975):
        assert 1 / (1 + math.exp(-Beta(1, 1).log_odds(probability))) == pytest.approx(probability)
        assert 1 / (1 + math.exp(-Beta(2, 1).log_odds(probability))) == pytest.approx(math.sqrt(probability))
    narrow = Beta.of(0.3, 1e-6)
    assert narrow.mean == pytest.approx(0.3)
    assert narrow.below(LOG_ODDS_PER_ELO * elo_of(0.3)) == pytest.approx(0.5, abs=0.01)
    assert Beta.of(0.3, math.inf).won == 0.3


@pytest.mark.parametrize("pairs", [2, 5, 20, 200])
def test_the_true_difference_lies_in_the_95_percent_interval_of_93_to_97_in_100_matches(pairs: int) -> None:
    """`benchmarks.intervals` has more cases."""
    generator = random.Random(pairs)
    inside, matches = 0, 0
    for draws in (0.0, 0.4, 0.8):
        for opening in (0.0, 0.7):
            for _ in range(250):
                truth = generator.uniform(-400, 400)
                counts = [0] * 5
                for _ in range(pairs):
                    counts[round(2 * sum(pair(generator, truth, draws=draws, opening=opening)))] += 1
                halves = sum(result * count for result, count in enumerate(counts))
                match = Tally(0, halves, 2 * pairs - halves, tuple(counts))  # which games were drawn is no matter
                inside += TAIL_SHARE <= match.known.below(LOG_ODDS_PER_ELO * truth) <= 1 - TAIL_SHARE
                matches += 1
    assert 0.93 * matches <= inside <= 0.97 * matches, inside / matches


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
    difference = elo_between(tally(games, "a"))
    assert difference.value == pytest.approx(elo_of(0.625), abs=4)  # an imaginary pair pulls a little
    assert [2 * value for value in ratings.elo[0]] == pytest.approx(list(difference))
    assert ratings.superiority("a", "b") == pytest.approx(1 - tally(games, "a").known.below(0))
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
    assert ratings.elo[0].value - ratings.elo[2].value == pytest.approx(2 * elo_of(0.75), abs=12)
    assert sum(estimate.value for estimate in ratings.elo) == pytest.approx(0, abs=1e-6)


def test_moving_first_is_separated_from_being_strong() -> None:
    games = []
    for i in range(400):
        games += [GameScore("a", "b", float(i % 4 != 0), str(i)), GameScore("b", "a", float(i % 4 != 0), str(i))]
    ratings = rate(games)
    assert ratings.first_move.value == pytest.approx(elo_of(0.75), abs=1)
    assert 10 < ratings.first_move.error < 40
    assert ratings.elo[0].value == pytest.approx(0, abs=1e-6)


def test_a_forfeited_game_shows_nothing_about_the_first_move() -> None:
    games = [GameScore("a", "b", 1, "1"), GameScore("b", "a", 0, "1")]
    forfeits = [GameScore("a", "b", 1, str(i), forfeited=True) for i in range(2, 30)]
    assert rate(games + forfeits).first_move.value == pytest.approx(0, abs=3)
    assert first_movers(games + forfeits) == first_movers(games) == Tally(1, 0, 1, (0, 0, 1, 0, 0))


def test_a_clean_sweep_has_finite_numbers_and_says_that_games_alone_do_not_give_them() -> None:
    games = [GameScore("a", "b", 1, str(i)) for i in range(10)] + [GameScore("b", "a", 0, str(i)) for i in range(10)]
    ratings = rate(games)
    assert not ratings.bounded
    assert 100 < ratings.elo[0].value < 1000
    assert ratings.elo[0].error > 50
    assert ratings.superiority("a", "b") > 0.95
    assert elo_between(tally(games, "a")).low > 100


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
    alone = rate([], ["a"]).elo[0]
    assert (alone.low, alone.high) == (-math.inf, math.inf)
    nothing = rate([], ["a", "b"])
    assert [estimate.value for estimate in nothing.elo] == [0, 0]
    assert not nothing.bounded
    assert rate([]).names == ()


def test_superiority_is_even_for_equals_and_sure_for_the_far_better() -> None:
    games = [GameScore("a", "b", 0.5, str(i)) for i in range(9)]
    assert rate(games).superiority("a", "b") == pytest.approx(0.5)
    wins = [GameScore("a", "b", 1, str(i)) for i in range(30)]
    assert rate(wins).superiority("a", "b") > 0.999 > 0.001 > rate(wins).superiority("b", "a")


def test_equals_share_a_place() -> None:
    games = [GameScore("a", "b", 0.5, "1"), GameScore("b", "c", 1, "2"), GameScore("a", "c", 1, "3")]
    assert [line.place for line in standings(games, rate(games))] == [1, 1, 3]
    assert [line.name for line in standings(games, rate(games))] == ["a", "b", "c"]


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
    for _ in range(500):
        ratings = rate(tournament(generator, truth, pairs=20, first_move=35))
        for name, estimate in zip(ratings.names, ratings.elo, strict=True):
            inside[name] += estimate.low <= truth[name] <= estimate.high
        inside["first move"] += ratings.first_move.low <= 35 <= ratings.first_move.high
        difference = ratings.difference("a", "b")
        inside["a - b"] += difference.low <= 90 <= difference.high
    assert all(460 <= count <= 490 for count in inside.values()), inside


def test_somebody_who_is_not_rated_is_named_with_those_who_are() -> None:
    ratings = rate([GameScore("anna", "bert", 1.0, "1")])
    with pytest.raises(ValueError, match="unknown player 'ana'; did you mean 'anna'\\? known: anna, bert"):
        ratings.superiority("ana", "bert")
