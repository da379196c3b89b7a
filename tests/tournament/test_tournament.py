from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from plyground import run_tournament
from plyground.core.rules import Move
from plyground.play import openings
from plyground.play.failure import InternalFailure
from plyground.play.records import Result
from plyground.ratings import GameScore, rate
from plyground.report.notes import notes
from plyground.report.summary import outline, summarise
from plyground.tournament import desk
from plyground.tournament.desk import ATTEMPTS
from plyground.tournament.lock import held, is_held
from plyground.tournament.places import given_points
from plyground.tournament.plan import Plan, entrant_of, from_json, from_toml, listed, plan_of
from plyground.tournament.play import GameTask, play
from plyground.tournament.pool import ProcessPool, WorkerDied
from plyground.tournament.run import SequentialTest, run
from plyground.tournament.schedule import Entrant
from plyground.tournament.store import Store, StoredGame, UnderWay
from waiting import eventually

QUICK = {"game": "tic-tac-toe", "players": ["random", "other=random:seed=3", "alpha-beta:depth=2"], "opening": 1}
"""A tournament without clocks that could decide a game."""


def quick(**changes: object) -> Plan:
    return plan_of({**QUICK, "time": "none", **changes})


def begun(path: Path, plan: Plan) -> Store:
    return Store.create(path, "tournament", plan.to_json(), "test")


def contents(store: Store) -> list[tuple[object, ...]]:
    """Every game but the seconds it took."""
    return [(*game[:9], game.game_record().move_texts()) for game in store.games()]


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


class Here(Executor):
    """Calls at once, in this thread; on request it fails the tasks of one game as if their worker had died."""

    def __init__(self, deaths: dict[str, int] | None = None) -> None:
        self.deaths = deaths or {}
        self.begun: list[str] = []

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[StoredGame] = Future()
        key = args[0].fixture.id
        self.begun.append(key)
        if self.deaths.get(key, 0) > 0:
            self.deaths[key] -= 1
            future.set_exception(WorkerDied("a worker process ended with code -9"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_every_game_is_played_once_and_stored(tmp_path: Path, threads: Executor) -> None:
    plan = quick(rounds=3)
    with begun(tmp_path / "t.db", plan) as store:
        reported = list(run(plan, store, threads, at_once=4))
        assert len(reported) == store.count() == plan.total == 18
        (fixtures,) = plan.schedule({})
        assert {game.id for game in store.games()} == {fixture.id for fixture in fixtures}
        assert not list(run(plan, store, threads, at_once=4))


def test_both_games_of_a_pair_begin_with_the_same_moves(tmp_path: Path) -> None:
    plan = quick(game="connect-four", rounds=4, opening=5)
    with begun(tmp_path / "t.db", plan) as store:
        pairs: dict[str, list[list[str]]] = {}
        for game in run(plan, store, Here(), at_once=1):
            pairs.setdefault(game.pair, []).append(game.game_record().move_texts()[:5])
        assert all(one == other for one, other in pairs.values())
        assert len({tuple(one) for one, _ in pairs.values()}) == 4


def test_what_is_stored_does_not_depend_on_how_many_games_run_at_once(tmp_path: Path, threads: Executor) -> None:
    plan = quick(rounds=2)
    with begun(tmp_path / "one.db", plan) as one, begun(tmp_path / "two.db", plan) as two:
        list(run(plan, one, Here(), at_once=1))
        list(run(plan, two, threads, at_once=7))
        assert contents(one) == contents(two)


def test_a_run_that_is_broken_off_is_gone_on_with_where_it_was(tmp_path: Path) -> None:
    plan = quick(rounds=2)
    with begun(tmp_path / "t.db", plan) as store:
        games = run(plan, store, Here(), at_once=1)
        first = [next(games).id for _ in range(5)]
        games.close()
        again = Here()
        assert len(list(run(plan, store, again, at_once=1))) == 12 - 5
        assert not set(first) & set(again.begun)


def test_a_store_shows_the_games_under_way_while_a_run_lasts(tmp_path: Path) -> None:
    plan = quick(rounds=2)
    (fixtures,) = plan.schedule({})
    with begun(tmp_path / "t.db", plan) as store, Store.open(tmp_path / "t.db") as watching:
        games = run(plan, store, Here(), at_once=3)
        assert not is_held(store.path)
        done = {next(games).id}
        assert is_held(store.path)
        reported = watching.under_way()
        assert {game.id for game in reported} == {fixture.id for fixture in fixtures[:3]} - done
        by_id = {fixture.id: fixture for fixture in fixtures}
        for game in reported:
            fixture = by_id[game.id]
            assert game[1:4] == (fixture.first.name, fixture.second.name, fixture.opening)
            assert 0 <= time.time() - game.since < 600
        games.close()
        assert not is_held(store.path)
        assert watching.under_way() == []
        assert len(list(run(plan, store, Here(), at_once=3))) == len(fixtures) - 1
        assert watching.under_way() == []


def test_what_a_killed_run_was_at_is_forgotten_by_the_next_and_a_store_without_the_note_gets_one(
    tmp_path: Path,
) -> None:
    plan = quick(rounds=1)
    with begun(tmp_path / "t.db", plan) as store:
        store.note([UnderWay("9.9.9-a", "random", "other", 0, 0.0)], [])
        games = run(plan, store, Here(), at_once=1)
        next(games)
        assert store.under_way() == []
        games.close()
        store._connection.execute("DROP TABLE under_way")
        assert store.under_way() == []
        assert len(list(run(plan, store, Here(), at_once=2))) == plan.total - 1  # type: ignore[operator]


def test_a_store_is_played_by_one_run_at_a_time(tmp_path: Path) -> None:
    plan = quick()
    with begun(tmp_path / "t.db", plan) as store:
        games = run(plan, store, Here(), at_once=1)
        next(games)
        with pytest.raises(BlockingIOError, match=f"already being played by process {os.getpid()} on "):
            next(run(plan, store, Here(), at_once=1))
        games.close()
        assert len(list(run(plan, store, Here(), at_once=1))) == 5
    assert [path.name for path in tmp_path.iterdir()] == ["t.db"]


def test_who_only_asks_whether_a_store_is_played_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl", reason="on Windows nobody shares a lock")
    monkeypatch.setattr("plyground.tournament.lock.LOCK_WAIT_SECONDS", 10)
    left = tmp_path / "t.db-lock"
    left.write_text("process 1 on nowhere")  # of one that was killed
    with left.open() as asked:
        fcntl.flock(asked, fcntl.LOCK_SH)
        threading.Timer(0.1, asked.close).start()
        with held(tmp_path / "t.db"):
            assert asked.closed
    assert not is_held(tmp_path / "t.db")


def test_a_game_whose_worker_dies_is_played_again(tmp_path: Path) -> None:
    plan = quick()
    with begun(tmp_path / "t.db", plan) as store:
        list(run(plan, store, Here({"1.1.1-a": ATTEMPTS - 1}), at_once=3))
        assert len(store.scores()) == 6


def test_a_game_that_kills_every_worker_is_noted_left_out_and_tried_again_by_resume(tmp_path: Path) -> None:
    plan = quick()
    with begun(tmp_path / "t.db", plan) as store:
        list(run(plan, store, Here({"1.1.1-a": ATTEMPTS}), at_once=3))
        assert len(store.scores()) == 5
        failed = store.game("1.1.1-a")
        assert (failed.result, failed.termination) == (Result.OPEN.value, "failed")
        assert "ended with code -9" in failed.game_record().comment
        again = Here()
        list(run(plan, store, again, at_once=3))
        assert again.begun == ["1.1.1-a"]
        assert len(store.scores()) == store.count() == 6


class Failing(Here):
    """Fails one game as a machine without processes would, so many times."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        key = args[0].fixture.id
        if self.deaths.get(key, 0) <= 0:
            return super().submit(fn, *args, **kwargs)  # type: ignore[no-untyped-call]
        self.deaths[key] -= 1
        self.begun.append(key)
        future: Future[StoredGame] = Future()
        future.set_exception(InternalFailure("no process is left"))
        return future


def test_a_game_that_fails_by_nobodys_fault_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "PAUSE_SECONDS", 0)
    plan = quick()
    with begun(tmp_path / "t.db", plan) as store:
        list(run(plan, store, Failing({"1.1.1-a": ATTEMPTS - 1}), at_once=3))
        assert len(store.scores()) == 6


def test_a_game_that_cannot_be_played_stops_the_run_and_counts_for_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "PAUSE_SECONDS", 0)
    plan = quick()
    with begun(tmp_path / "t.db", plan) as store:
        with pytest.raises(InternalFailure, match=r"game 1\.1\.1-a .* through no player's fault: no process is left"):
            list(run(plan, store, Failing({"1.1.1-a": 99}), at_once=1))
        noted = store.game("1.1.1-a")
        assert (noted.result, noted.termination) == ("*", "internal error")
        assert "1.1.1-a" not in store.scores()
        summary = summarise(store)
        assert [(fault.player, fault.verdict) for fault in summary.faults] == [("", "internal error")]
        assert all(summary.faults_of(name) == 0 for name in summary.names)
        list(run(plan, store, Here(), at_once=1))
        assert len(store.scores()) == store.count() == 6


def test_a_full_disk_stops_the_run_and_decides_nothing(tmp_path: Path) -> None:
    plan = quick(rounds=20)
    with begun(tmp_path / "t.db", plan) as store:
        store._connection.execute("PRAGMA max_page_count = 1")  # as if the disk were full
        with pytest.raises(OSError, match=r"game .* cannot be saved in .*full"):
            list(run(plan, store, Here(), at_once=1))
        assert store.count() == len(store.scores()) < 120
        store._connection.execute("PRAGMA max_page_count = 4294967294")
        list(run(plan, store, Here(), at_once=1))
        with begun(tmp_path / "unbroken.db", plan) as unbroken:
            list(run(plan, unbroken, Here(), at_once=1))
            assert contents(store) == contents(unbroken)


def test_workers_that_take_their_tasks_back_stop_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(Executor):
        def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            future: Future[StoredGame] = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    monkeypatch.setattr(desk, "PAUSE_SECONDS", 0)
    plan = quick()
    with begun(tmp_path / "t.db", plan) as store:
        with pytest.raises(InternalFailure, match="the workers cannot be reached"):
            list(run(plan, store, Gone(), at_once=2))
        assert store.scores() == {}


def test_a_pool_that_gets_no_process_says_so_and_goes_on_when_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    pool = ProcessPool(1)
    try:
        with monkeypatch.context() as changed:
            changed.setattr("plyground.tournament.pool.subprocess.Popen", refused)
            with pytest.raises(InternalFailure, match=r"no worker process can be started: .*unavailable"):
                pool.submit(abs, -3).result(60)
        assert pool.submit(abs, -3).result(60) == 3
    finally:
        pool.shutdown()


@pytest.mark.parametrize("form", ["swiss", "knockout", "gauntlet"])
def test_every_format_can_be_broken_off_after_each_game(tmp_path: Path, form: str) -> None:
    plan = quick(players=[f"p{n}=random" for n in range(5)], format=form, rounds=2)
    with begun(tmp_path / "whole.db", plan) as whole, begun(tmp_path / "bits.db", plan) as bits:
        total = len(list(run(plan, whole, Here(), at_once=1)))
        for _ in range(total):
            games = run(plan, bits, Here(), at_once=1)
            next(games)
            games.close()
        assert not list(run(plan, bits, Here(), at_once=1))
        assert contents(whole) == contents(bits)
        assert plan.total in (None, total)


def test_a_sequential_test_ends_the_tournament_and_gives_the_same_verdict_in_any_order(tmp_path: Path) -> None:
    plan = quick(
        game="connect-four:rows=4,columns=4,line=3", players=["alpha-beta:depth=3", "random"], rounds=200, sprt="0,150"
    )
    verdicts = []
    for at_once in (1, 6):
        test = SequentialTest(plan)
        with begun(tmp_path / f"{at_once}.db", plan) as store:
            count = len(list(run(plan, store, Here(), at_once, test.decided)))
        assert 10 < count < 200
        verdicts.append((test.state, tuple(test.counts)))
    assert verdicts[0] == verdicts[1]
    assert verdicts[0][0].verdict == "accepted"


def test_games_by_lot_are_rated_even_and_a_search_above_them(tmp_path: Path) -> None:
    plan = quick(players=["random", "other=random", "alpha-beta:depth=3"], rounds=12)
    with begun(tmp_path / "t.db", plan) as store:
        list(run(plan, store, Here(), at_once=1))
        ratings = rate(store.scores().values(), [entrant.name for entrant in plan.entrants])
    elo = dict(zip(ratings.names, ratings.elo, strict=True))
    assert elo["alpha-beta:depth=3"].low > max(elo["random"].value, elo["other"].value)


def test_a_faulty_player_loses_its_games_and_nothing_else_changes(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def values(position):\n    raise RuntimeError('oops')\n")
    plan = quick(players=["random", f"broken=alpha-beta:depth=1,heuristic={broken}:values"])
    with begun(tmp_path / "t.db", plan) as store:
        games = list(run(plan, store, Here(), at_once=1))
    assert {game.termination for game in games} == {"crash"}
    assert {game.first: game.result for game in games} == {"random": "1-0", "broken": "0-1"}


def test_a_free_round_of_a_swiss_counts_in_the_table() -> None:
    plan = quick(players=[f"p{n}=random" for n in range(5)], format="swiss", rounds=3)
    scores: dict[str, GameScore] = {}
    points: dict[str, float] = {}
    for fixtures in plan.schedule(points):
        for fixture in fixtures:
            scores[fixture.id] = GameScore(fixture.first.name, fixture.second.name, 0.5, fixture.pair)
            points[fixture.id] = 0.5
    lines = outline(plan, scores).standings
    assert sorted(line.points for line in lines) == [3, 3, 4, 4, 4]  # who was free has two instead of one
    assert given_points(plan, {}) == {}


def test_the_winner_of_a_knockout_stands_first_whatever_its_points() -> None:
    plan = quick(players=["a=random", "b=random", "c=random", "d=random"], format="knockout", rounds=2)
    scores: dict[str, GameScore] = {}
    points: dict[str, float] = {}
    for number, fixtures in enumerate(plan.schedule(points)):
        for fixture in fixtures:
            names = {fixture.first.name, fixture.second.name}
            favourite = "b" if "b" in names else "a"
            made = float(fixture.first.name == favourite)
            if number == 1 and fixture.id.endswith("2-a"):
                made = 1 - made  # b wins the final by less than everything
            scores[fixture.id] = GameScore(fixture.first.name, fixture.second.name, made, fixture.pair)
            points[fixture.id] = made
    summary = outline(plan, scores)
    assert [line.name for line in summary.standings][:2] == ["b", "a"]
    assert summary.champion == ("b", "a", False)
    assert "b has won the last match, against a." in notes(summary)


def test_a_knockout_drawn_to_the_end_is_won_by_the_better_seeded_and_the_report_says_so() -> None:
    plan = quick(players=["a=random", "b=random", "c=random", "d=random"], format="knockout", rounds=1)
    scores: dict[str, GameScore] = {}
    points: dict[str, float] = {}
    for fixtures in plan.schedule(points):
        assert outline(plan, scores).champion is None
        for fixture in fixtures:
            scores[fixture.id] = GameScore(fixture.first.name, fixture.second.name, 0.5, fixture.pair)
            points[fixture.id] = 0.5
    summary = outline(plan, scores)
    assert [(line.place, line.name) for line in summary.standings][:2] == [(1, "a"), (2, "b")]
    assert "a has won: the last match, against b, was drawn, and the better seeded wins." in notes(summary)


# The plan


def test_a_plan_is_read_back_from_its_store_as_it_was() -> None:
    plan = quick(rounds=4, seed=9, depth=3, players={"a": "random", "b": "minimax:depth=1"}, sprt="0,5")
    assert from_json(plan.to_json()) == plan


def test_a_plan_may_be_lenient(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text('game = "tic-tac-toe"\nlenient = true\nplayers = ["random", "minimax"]\n')
    plan = from_toml(path)
    assert plan.terms.lenient
    assert from_json(plan.to_json()) == plan
    assert not from_toml(path, lenient=False).terms.lenient


def test_a_plan_comes_from_a_toml_file_and_options_change_it(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(
        'game = "connect-four"\nrounds = 2\ntime = 0.5\n[players]\nAda = "random"\nBob = "minimax:depth=1"\n'
    )
    plan = from_toml(path, rounds=7)
    assert plan.entrants == (Entrant("Ada", "random"), Entrant("Bob", "minimax:depth=1"))
    assert (plan.rounds, plan.terms.time, plan.terms.game) == (7, "0.5", "connect-four")


@pytest.mark.parametrize(
    ("text", "name", "spec"),
    [
        ("random", "random", "random"),
        ("Ada=random", "Ada", "random"),
        ("alpha-beta:depth=3", "alpha-beta:depth=3", "alpha-beta:depth=3"),
        ("deep = alpha-beta:depth=3,heuristic=mine.py:f", "deep", "alpha-beta:depth=3,heuristic=mine.py:f"),
    ],
)
def test_a_player_may_have_a_name_of_its_own(text: str, name: str, spec: str) -> None:
    assert entrant_of(text) == Entrant(name, spec)


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("minimax;random", ["minimax", "random"]),
        (
            "minimax, random,alpha-beta:depth=3,heuristic=lines,mcts",
            ["minimax", "random", "alpha-beta:depth=3,heuristic=lines", "mcts"],
        ),
        ("A=minimax; B=alpha-beta:depth=2,heuristic=lines;", ["A=minimax", "B=alpha-beta:depth=2,heuristic=lines"]),
        ("cmd:./bot one,two", ["cmd:./bot one,two"]),
        ("cmd:./bot,protocol=json;random", ["cmd:./bot,protocol=json", "random"]),
    ],
)
def test_players_stand_in_a_line_with_commas_or_semicolons_between_them(text: str, specs: list[str]) -> None:
    assert listed(text) == specs


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": ["random"]}, "at least two players, got random; separate them by"),
        ({"players": ["random", "random"]}, "two players are called 'random'"),
        ({"players": "random"}, "players must be a list"),
        ({"players": {"a": 3, "b": "random"}}, "player 'a' must have a spec, got 3"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": None}, "needs 'game'"),
        ({"rounds": 0}, "rounds must be at least 1, got 0"),
        ({"rounds": "3"}, "rounds must be a whole number, got '3'"),
        ({"format": "swis"}, "did you mean 'swiss'"),
        ({"format": "swiss", "rounds": 3}, "at most 2 rounds, got 3"),
        ({"sprt": "0,10"}, "sprt is for two players"),
        ({"time": "soon"}, "bad time control 'soon'"),
        ({"time": []}, r"time must be a text, got \[\]"),
        ({"lenient": "yes"}, "lenient must be true or false, got 'yes'"),
        ({"opening": 9}, "opening must be 0 to 8 moves, got 9"),
        ({"depth": -1}, "depth must be above 0"),
        ({"colour": "red"}, "unknown key of a tournament 'colour'"),
    ],
)
def test_a_bad_plan_is_refused_with_the_reason(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        quick(**changes)


def test_players_that_do_not_exist_are_found_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown player 'radom'; did you mean 'random'"):
        quick(players=["radom", "minimax"]).check_players()
    path = tmp_path / "broken.toml"
    path.write_text("game = ")
    with pytest.raises(ValueError, match=r"broken\.toml: "):
        from_toml(path)


# The pool


def die(number: int) -> int:
    """Ends the worker at number 0."""
    if number == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    raise ValueError(f"no {number}")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a signal that kills")
def test_a_worker_that_dies_fails_its_own_task_only() -> None:
    with ProcessPool(2) as pool:
        futures = [pool.submit(die, number) for number in (1, 0, 2, 3, 0, 4)]
        with pytest.raises(WorkerDied, match="code -9"):
            futures[1].result()
        with pytest.raises(WorkerDied):
            futures[4].result()
        assert [futures[n].result() for n in (0, 2, 3, 5)] == [1, 2, 3, 4]
        with pytest.raises(ValueError, match="no 5"):
            pool.submit(refuse, 5).result()
        with pytest.raises(Exception, match="pickle"):
            pool.submit(lambda: 1).result()
        processes = pool.pids
        assert processes
    assert not pool.pids
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(die, 1)


def test_a_pool_can_be_left_at_once() -> None:
    pool = ProcessPool(1)
    running, waiting = pool.submit(time.sleep, 600), pool.submit(time.sleep, 600)
    eventually(lambda: running.running() and bool(pool.pids))
    pool.shutdown(cancel_futures=True)
    assert waiting.cancelled()
    assert isinstance(running.exception(), WorkerDied)
    with pytest.raises(ValueError, match="at least one process"):
        ProcessPool(0)


def test_a_tournament_on_processes_equals_one_in_a_single_thread(tmp_path: Path) -> None:
    plan = quick(rounds=2)
    with begun(tmp_path / "one.db", plan) as one, begun(tmp_path / "two.db", plan) as two:
        list(run(plan, one, Here(), at_once=1))
        with ProcessPool(2) as pool:
            list(run(plan, two, pool, at_once=4))
        assert contents(one) == contents(two)


def test_a_game_is_the_same_wherever_it_is_played() -> None:
    plan = quick()
    (fixtures,) = plan.schedule({})
    task = GameTask(fixtures[-1], plan.terms, (Move(4),))
    assert play(task).moves == play(task).moves


def test_a_resumed_tournament_looks_for_no_opening_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = quick(game="connect-four", players={"a": "random", "b": "random:seed=1"}, rounds=4, opening=3)
    with begun(tmp_path / "one.db", plan) as one, begun(tmp_path / "two.db", plan) as two:
        list(run(plan, one, Here(), at_once=1))
        stopped = run(plan, two, Here(), at_once=1)
        for _ in range(5):
            next(stopped)
        stopped.close()
        assert two.openings() == one.openings()[:3]
        looked: list[object] = []
        monkeypatch.setattr(openings, "plies_to_end", lambda position, look: looked.append(position))
        list(run(plan, two, Here(), at_once=1))
        assert len(looked) == 1
        assert two.openings()[:3] == one.openings()[:3]


def test_a_store_that_cannot_keep_openings_says_so(tmp_path: Path) -> None:
    with begun(tmp_path / "one.db", quick()) as store:
        store.keep_openings(0, [(Move(4),)])
        with pytest.raises(OSError, match="the openings cannot be saved in"):
            store.keep_openings(0, [(Move(4),)])


def test_any_executor_of_concurrent_futures_plays_a_tournament_and_stays_open() -> None:
    with ThreadPoolExecutor(2) as executor:
        summary = run_tournament(
            "tic-tac-toe", ["alpha-beta:depth=2", "random"], rounds=2, executor=executor, processes=2
        )
        assert summary.played == 4
        assert executor.submit(int, "7").result() == 7
