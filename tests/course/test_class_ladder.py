"""The ladder of a class: who plays next, what is rated how, and that no game is lost or played twice."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from classes import SETTINGS, new_class, ready
from plyground.course.checking import CheckTask
from plyground.course.choice import Knowledge, knowledge_of, next_pair
from plyground.course.classroom import Classroom
from plyground.course.ladder import Checked, Ladder
from plyground.course.version import State
from plyground.ratings import GameScore, elo_between, expected_score, rate, tally
from plyground.ratings.anchored import rate_anchored
from plyground.tournament import executors
from plyground.tournament.pool import InProcess, WorkerDied
from plyground.tournament.store import StoredGame

ANCHORS = {"low": 1000.0, "middle": 1400.0, "high": 1800.0}


def pair(one: str, other: str, strength: dict[str, float], number: int, chance: random.Random) -> list[GameScore]:
    """Two games of players of known strength."""
    share = expected_score(strength[one] - strength[other])
    points = [float(chance.random() < share), float(chance.random() < share)]
    return [GameScore(one, other, points[0], str(number)), GameScore(other, one, 1 - points[1], str(number))]


def simulated(strength: dict[str, float], pairs: int, seed: int = 1) -> tuple[list[GameScore], Knowledge]:
    """A ladder of players of known strength, rated anew every ten pairs."""
    chance, games, values = random.Random(seed), list[GameScore](), dict(ANCHORS)
    players = [name for name in strength if name not in ANCHORS]
    known = knowledge_of([], values, tuple(ANCHORS), {})
    for number in range(pairs):
        chosen = next_pair(known, players, 0)
        assert chosen is not None
        known.add(*chosen)
        games += pair(*chosen, strength, number, chance)
        if number % 10 == 0:
            values = dict(rate_anchored(games, ANCHORS, {}, [], values).values)
            known = knowledge_of(games, values, tuple(ANCHORS), {})
    return games, known


# Ratings


def test_one_player_and_one_anchor_are_rated_like_two_players() -> None:
    chance = random.Random(3)
    games = [game for n in range(20) for game in pair("ada", "x", {"ada": 100, "x": 0}, n, chance)]
    alone = elo_between(tally(games, "ada"))
    found = rate_anchored(games, {"x": 700.0}, {}, ["ada"]).estimates["ada"]
    assert [value - 700 for value in found] == pytest.approx(list(alone))
    assert list(rate(games).difference("ada", "x")) == pytest.approx(list(alone))


def test_an_anchor_keeps_its_rating_whatever_happens() -> None:
    games = [GameScore("ada", "low", 1.0, str(n)) for n in range(50)]
    found = rate_anchored(games, ANCHORS, {}, ["ada", "low"])
    assert {name: found.values[name] for name in ANCHORS} == ANCHORS
    assert set(found.estimates) == {"ada"}
    assert found.values["ada"] > 1200


def test_who_has_not_met_an_anchor_over_any_way_is_not_rated() -> None:
    games = [GameScore("ada", "low", 1.0, "1"), GameScore("ben", "ada", 1.0, "2"), GameScore("cleo", "dan", 1.0, "3")]
    found = rate_anchored(games, ANCHORS, {}, ["ada", "ben", "cleo", "dan"])
    assert set(found.estimates) == {"ada", "ben"}


def test_a_new_version_begins_at_the_old_one_and_then_its_own_games_count() -> None:
    chance = random.Random(5)
    strength = {"ada#1": 1200.0, "ada#2": 1700.0, **ANCHORS}
    old = [game for n in range(200) for game in pair("ada#1", "middle", strength, n, chance)]
    before = {"ada#2": "ada#1"}
    first = rate_anchored(old, ANCHORS, before, ["ada#1", "ada#2"]).estimates
    assert first["ada#2"].value == pytest.approx(first["ada#1"].value)
    assert first["ada#2"].error > 3 * first["ada#1"].error
    new = [game for n in range(200, 400) for game in pair("ada#2", "middle", strength, n, chance)]
    found = rate_anchored(old + new, ANCHORS, before, ["ada#1", "ada#2"])
    assert found.estimates["ada#2"].low < 1700 < found.estimates["ada#2"].high
    # What was before weighs half a pair: two hundred of its own pairs move by less than three Elo.
    alone = rate_anchored(new, ANCHORS, {}, ["ada#2"]).estimates["ada#2"]
    assert abs(alone.value - found.values["ada#2"]) < 3
    assert abs(found.values["ada#1"] - first["ada#1"].value) < 3


def test_ratings_are_finite_whoever_lost_everything_to_whom() -> None:
    lost = [GameScore("ada#1", "ben#1", 0.0, "1"), GameScore("ada#3", "low", 0.0, "2")]
    before = {"ada#2": "ada#1", "ada#3": "ada#2", "cleo#2": "cleo#1"}
    found = rate_anchored([*lost, GameScore("cleo#2", "high", 1.0, "3")], ANCHORS, before, ["ada#3", "ben#1", "cleo#2"])
    assert all(-1000 < value < 4000 for value in found.values.values())
    assert set(found.estimates) == {"ada#3", "ben#1", "cleo#2"}


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    held = total = 0
    for seed in range(20):
        strength = {f"s{n}": 1000.0 + 60 * n for n in range(12)} | ANCHORS
        games, _ = simulated(strength, 150, seed)
        for name, estimate in rate_anchored(games, ANCHORS, {}, list(strength)).estimates.items():
            held += estimate.low <= strength[name] <= estimate.high
            total += 1
    assert held / total > 0.88


# Who plays next


def test_everybodys_interval_shrinks_alike() -> None:
    strength = {f"s{n}": 900.0 + 80 * n for n in range(14)} | ANCHORS
    games, _ = simulated(strength, 400)
    errors = [estimate.error for estimate in rate_anchored(games, ANCHORS, {}, list(strength)).estimates.values()]
    assert max(errors) < 1.6 * min(errors)
    assert max(errors) < 150


def test_a_new_version_plays_before_all_others_and_an_anchor_first() -> None:
    strength = {f"s{n}": 1000.0 + 80 * n for n in range(8)} | ANCHORS
    _, known = simulated(strength, 100)
    chosen = next_pair(known, [*(name for name in strength if name not in ANCHORS), "new#1"], 0)
    assert chosen is not None
    assert chosen[0] == "new#1"
    assert chosen[1] in ANCHORS


def test_a_bot_that_always_loses_does_not_take_the_games_of_others() -> None:
    strength = {f"s{n}": 1300.0 + 30 * n for n in range(9)} | {"hopeless": -2000.0} | ANCHORS
    games, _ = simulated(strength, 300)
    counts = Counter(name for game in games for name in (game.first, game.second))
    assert counts["hopeless"] < 3 * min(counts[f"s{n}"] for n in range(9))


def test_a_quarter_of_the_pairs_is_against_anchors_and_opponents_are_near_in_strength() -> None:
    strength = {f"s{n}": 900.0 + 80 * n for n in range(14)} | ANCHORS
    games, known = simulated(strength, 400)
    for name in strength:
        if name not in ANCHORS:
            assert known.anchored[name] >= 0.2 * known.pairs[name]
    late = games[400:]
    gaps = [abs(strength[game.first] - strength[game.second]) for game in late]
    assert sum(gaps) / len(gaps) < 300


def test_who_is_known_well_enough_plays_no_more() -> None:
    strength = {"ada": 1400.0, "ben": 1500.0} | ANCHORS
    _, known = simulated(strength, 200)
    assert next_pair(known, ["ada", "ben"], 60) is None
    assert next_pair(known, ["ada", "ben"], 10) is not None
    assert next_pair(known, [], 10) is None


# The run


def climb(room: Classroom, games: int, **options: object) -> list[StoredGame]:
    """So many games of a ladder in this process."""
    played: list[StoredGame] = []
    with executors.in_process() as (executor, at_once):
        ladder = Ladder(room, executor, at_once, **options)  # type: ignore[arg-type]
        for event in ladder.run(lambda: len(played) >= games):
            if isinstance(event, StoredGame):
                played.append(event)
            assert event is not None, "nothing to do"
    return played


@pytest.fixture
def room(tmp_path: Path) -> Classroom:
    opened = Classroom.open(new_class(tmp_path / "class", "ada", "ben", "cleo"))
    for student, spec in (("ada", "random"), ("ben", "alpha-beta:depth=1"), ("cleo", "engine:level=1")):
        ready(opened, student, spec)
    return opened


def pairs_and_games(room: Classroom) -> None:
    """Every game belongs to a pair, and every pair that was not dropped has both its games, from one opening."""
    games = {game.id: game for game in room.store.games()}
    expected = {key: pair for pair in room.ledger.pairs() for key in pair.games}
    assert games.keys() <= expected.keys()
    for pair in room.ledger.pairs(open_only=True):
        one, other = (games[key] for key in pair.games)
        assert (one.first, one.second) == (other.second, other.first) == (pair.one, pair.other)
        assert one.move_list[:2] == other.move_list[:2]


def test_games_come_in_pairs_with_the_same_opening_and_swapped_sides(room: Classroom) -> None:
    climb(room, 24)
    pairs_and_games(room)
    lines = {line.student: line for line in room.standings().lines if line.student}
    assert set(lines) == {"ada", "ben", "cleo"}
    assert all(line.games >= 8 for line in lines.values())
    assert sum(line.games for line in room.standings().lines) == 2 * room.store.count()


def test_the_table_is_what_the_games_say(room: Classroom) -> None:
    climb(room, 20)
    fixed = {anchor.name: anchor.rating for anchor in room.settings.anchors}
    mine = [f"{line.student}#{line.version}" for line in room.standings().lines if line.student]
    assert mine
    again = rate_anchored(room.store.scores().values(), fixed, {}, mine).estimates
    for line in room.standings().lines:
        if line.student:
            estimate = again[f"{line.student}#{line.version}"]
            assert (line.rating, line.low, line.high) == pytest.approx(tuple(estimate))


def test_a_new_version_replaces_the_old_one_from_its_next_game(room: Classroom) -> None:
    climb(room, 12)
    ready(room, "ada", "alpha-beta:depth=2")
    later = climb(room, 8)
    names = {name for game in later for name in (game.first, game.second)}
    assert "ada#2" in names
    assert "ada#1" not in names
    table = {line.student: line for line in room.standings().lines}
    assert table["ada"].version == 2
    assert {point.player for point in room.history("ada")} == {"ada#1", "ada#2"}


def test_who_is_withdrawn_or_paused_plays_no_game(room: Classroom) -> None:
    room.withdraw("ada")
    room.pause_student("ben")
    games = climb(room, 6)
    assert {game.first.partition("#")[0] for game in games} <= {"cleo", "level 1", "random"}
    states = {line.student: line.state for line in room.standings().lines if line.student}
    assert states == {"ada": "withdrawn", "ben": "paused", "cleo": "plays"}
    room.readmit("ada")
    room.pause_student("ben", False)
    assert any("ada#1" in (game.first, game.second) for game in climb(room, 6))


def test_a_pair_whose_bot_was_replaced_half_way_is_not_finished(room: Classroom) -> None:
    with executors.in_process() as (executor, at_once):
        for event in Ladder(room, executor, at_once).run():
            assert isinstance(event, StoredGame)
            break
    (pair,) = room.ledger.pairs(open_only=True)
    student = pair.one.partition("#")[0]
    ready(room, student, "random:seed=9")
    climb(room, 4)
    assert pair not in room.ledger.pairs(open_only=True)
    assert [key for key in pair.games if key in room.store.ids()] == [pair.games[0]]
    pairs_and_games(room)


def test_what_a_killed_run_left_is_played_first_and_nothing_twice(room: Classroom) -> None:
    climb(room, 10)
    with closing(sqlite3.connect(room.store.path)) as connection, connection:
        connection.execute("DELETE FROM games WHERE id IN ('2-b', '4-a')")
    again = climb(room, 4)
    assert {game.id for game in again[:2]} == {"2-b", "4-a"}
    pairs_and_games(room)


def test_a_damaged_game_is_played_again(room: Classroom) -> None:
    climb(room, 6)
    with closing(sqlite3.connect(room.store.path)) as connection, connection:
        connection.execute("UPDATE games SET moves = '[0]' WHERE id = '1-a'")
    with Classroom.open(room.folder) as fresh:
        assert climb(fresh, 1)[0].id == "1-a"
        pairs_and_games(fresh)


def test_two_runs_of_one_class_are_refused(room: Classroom) -> None:
    with executors.in_process() as (executor, at_once), Classroom.open(room.folder) as other:
        run = Ladder(room, executor, at_once).run()
        next(run)
        with pytest.raises(BlockingIOError, match="already being played"):
            next(Ladder(other, executor, at_once).run())
        assert other.live().running
        run.close()
    assert not room.live().running


@pytest.mark.parametrize("how", ["paused", "quiet", "nobody"])
def test_no_game_is_begun_while_the_ladder_rests(tmp_path: Path, how: str) -> None:
    quiet = SETTINGS + 'quiet = ["Mon-Fri 08:00-18:00"]\n'
    with Classroom.open(new_class(tmp_path / "class", "ada", settings=quiet)) as room:
        if how != "nobody":
            ready(room, "ada", "random")
        room.pause(how == "paused")
        moment = datetime(2026, 11, 16, 9) if how == "quiet" else datetime(2026, 11, 15, 9)
        with executors.in_process() as (executor, at_once):
            run = Ladder(room, executor, at_once, lambda: moment).run()
            assert [next(run), next(run)] == [None, None]
            run.close()
        assert room.live(moment).quiet == (how == "quiet")
        assert room.store.count() == 0
        if how != "nobody":
            room.pause(False)
            assert climb(room, 1, now=lambda: datetime(2026, 11, 15, 9))


def test_what_is_handed_in_while_it_runs_is_checked_and_plays(room: Classroom) -> None:
    from classes import CRASH, FIRST, bot

    good = room.hand_in("ada", "bot.py", bot(FIRST))
    bad = room.hand_in("ben", "bot.py", bot(CRASH))
    checked: dict[str, State] = {}
    with executors.in_process() as (executor, at_once):
        for event in Ladder(room, executor, at_once).run(lambda: room.store.count() >= 6):
            if isinstance(event, Checked):
                checked[event.version.player] = event.version.state
    assert checked == {good.player: State.ACCEPTED, bad.player: State.REFUSED}
    names = {name for game in room.store.games() for name in (game.first, game.second)}
    assert good.player in names
    assert bad.player not in names


class Deadly(InProcess):
    """An executor whose process dies of every check."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future = super().submit(fn, *args, **kwargs)
        if isinstance(args[0], CheckTask):
            future = type(future)()
            future.set_exception(WorkerDied("a worker process ended with code -9"))
        return future


def test_a_version_that_kills_whoever_checks_it_is_refused_and_the_rest_goes_on(room: Classroom) -> None:
    from classes import FIRST, bot

    room.hand_in("ada", "bot.py", bot(FIRST))
    assert len(list(Ladder(room, Deadly(), 1).run(lambda: room.store.count() >= 6))) >= 6
    (version, *_) = room.versions("ada")
    assert version.state is State.REFUSED
    assert "the process that checked it died" in version.problem


def test_students_see_their_own_games_and_faults_and_nothing_that_others_wrote(room: Classroom) -> None:
    from classes import CRASH, FIRST, accepted

    accepted(room, "ada", CRASH)
    accepted(room, "ben", FIRST)
    room.withdraw("cleo")
    climb(room, 14)
    mine = room.games("ada")
    assert all(game.result == "lost" and game.own_fault for game in mine if game.version == 2)
    faults = room.faults("ada")
    assert faults[0].verdict == "crash"
    assert "ZeroDivisionError" in faults[0].stderr
    assert "stderr usually name the line" in faults[0].advice
    met = next(game for game in mine if game.opponent == "Ben Smith")
    theirs = room.game("ben", met.id)
    assert {theirs.first, theirs.second} == {"Ada Smith", "Ben Smith"}
    assert theirs.fault is not None
    assert (theirs.fault.why, theirs.fault.stderr) == ("", "")
    assert room.game("ada", met.id).fault is not None
    with pytest.raises(LookupError, match="is not one of 'cleo'"):
        room.game("cleo", met.id)
    with pytest.raises(LookupError, match="there is no game"):
        room.game("ada", "77-a")
    assert room.faults("ben") == []
