from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from plyground.tournament.schedule import Entrant, Fixture, Round, gauntlet, knockout, round_robin, swiss


def entrants(count: int) -> list[Entrant]:
    """p0, p1, ...: the lower the number, the stronger in these tests."""
    return [Entrant(f"p{number}", "random") for number in range(count)]


def strength(entrant: Entrant) -> int:
    return -int(entrant.name[1:])


def stronger_wins(fixture: Fixture) -> float:
    return float(strength(fixture.first) > strength(fixture.second))


def played(rounds: Iterator[Round], points: dict[str, float]) -> list[Round]:
    """Every round, the stronger player winning each game."""
    seen = []
    for fixtures in rounds:
        seen.append(fixtures)
        points.update((fixture.id, stronger_wins(fixture)) for fixture in fixtures)
    return seen


def meetings(fixtures: Round) -> Counter[tuple[str, str]]:
    return Counter((fixture.first.name, fixture.second.name) for fixture in fixtures)


def test_a_round_robin_has_every_ordered_pair_once_a_round() -> None:
    (fixtures,) = round_robin(entrants(5), 3, seed=1)
    found = meetings(fixtures)
    assert len(fixtures) == 3 * 5 * 4
    assert set(found.values()) == {3}


def test_a_gauntlet_has_the_first_player_in_every_game() -> None:
    (fixtures,) = gauntlet(entrants(5), 2, seed=1)
    assert len(fixtures) == 16
    assert all("p0" in (fixture.first.name, fixture.second.name) for fixture in fixtures)


def test_the_two_games_of_a_pair_share_the_opening_and_swap_the_sides() -> None:
    (fixtures,) = round_robin(entrants(4), 2, seed=1)
    for one, other in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert one.pair == other.pair
        assert one.opening == other.opening
        assert one.seed != other.seed
        assert (one.first, one.second) == (other.second, other.first)
    for names in (("p0", "p1"), ("p2", "p3")):
        met = [fixture for fixture in fixtures if (fixture.first.name, fixture.second.name) == names]
        assert [fixture.opening for fixture in met] == [0, 1]  # never the same twice for the same two
    assert len({fixture.id for fixture in fixtures}) == len(fixtures)


def test_the_same_seed_gives_the_same_fixtures_and_another_seed_others() -> None:
    assert list(round_robin(entrants(4), 2, 7)) == list(round_robin(entrants(4), 2, 7))
    (one,), (other,) = round_robin(entrants(4), 2, 7), round_robin(entrants(4), 2, 8)
    assert not {fixture.seed for fixture in one} & {fixture.seed for fixture in other}


@pytest.mark.parametrize("count", [4, 7, 8, 33, 40])
def test_in_a_swiss_nobody_meets_anybody_twice_and_the_strongest_wins(count: int) -> None:
    points: dict[str, float] = {}
    rounds = played(swiss(entrants(count), min(6, count - 1), 1, points), points)
    for fixtures in rounds:
        assert len(fixtures) == count // 2 * 2
        busy = Counter(fixture.first.name for fixture in fixtures)
        assert set(busy.values()) == {1}
    everything = [fixture for fixtures in rounds for fixture in fixtures]
    assert set(meetings(everything).values()) == {1}
    total: Counter[str] = Counter()
    for fixture in everything:
        total[fixture.first.name] += int(points[fixture.id])
        total[fixture.second.name] += 1 - int(points[fixture.id])
    assert total.most_common(1)[0][0] == "p0"


def test_in_an_odd_swiss_everybody_is_free_at_most_once() -> None:
    points: dict[str, float] = {}
    rounds = played(swiss(entrants(5), 4, 1, points), points)
    free = [({e.name for e in entrants(5)} - {f.first.name for f in fixtures}).pop() for fixtures in rounds]
    assert len(set(free)) == 4


def test_a_swiss_that_must_repeat_a_meeting_still_plays_all_rounds() -> None:
    points: dict[str, float] = {}
    rounds = played(swiss(entrants(3), 5, 1, points), points)
    assert [len(fixtures) for fixtures in rounds] == [2] * 5


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13])
def test_a_knockout_ends_with_the_strongest_after_every_other_has_lost_one_match(count: int) -> None:
    points: dict[str, float] = {}
    rounds = played(knockout(entrants(count), 2, 1, points), points)
    assert len(rounds) == (count - 1).bit_length()
    losers = {min(f.first, f.second, key=strength).name for fixtures in rounds for f in fixtures}
    assert losers == {f"p{number}" for number in range(1, count)}
    assert sum(len(fixtures) for fixtures in rounds) == 4 * (count - 1)


def test_a_drawn_knockout_match_is_prolonged_and_then_goes_to_the_better_seeded() -> None:
    points: dict[str, float] = {}
    rounds = list[Round]()
    for fixtures in knockout(entrants(4), 1, 1, points):
        rounds.append(fixtures)
        points.update((fixture.id, 0.5) for fixture in fixtures)
    assert [len(fixtures) for fixtures in rounds] == [4, 4, 4, 4, 2, 2, 2, 2]
    assert meetings(rounds[-1]) == Counter([("p0", "p1"), ("p1", "p0")])


def test_a_game_without_a_result_counts_half() -> None:
    points: dict[str, float] = {}
    schedule = knockout(entrants(2), 1, 1, points)
    (one, other) = next(schedule)
    points[other.id] = 1.0  # p1 won as the first player; the other game could not be played
    assert one.id not in points
    assert list(schedule) == []
