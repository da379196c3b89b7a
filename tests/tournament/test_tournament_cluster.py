from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from clusters import local_cluster
from plyground import run_tournament
from plyground.tournament import executors
from plyground.tournament.plan import plan_of
from plyground.tournament.run import run
from plyground.tournament.store import Store

distributed = pytest.importorskip("distributed", reason="needs the extra: pip install 'plyground[cluster]'")


@pytest.mark.filterwarnings("ignore")  # what the cluster's own parts warn of when a worker is killed
def test_a_tournament_on_a_cluster_survives_the_death_of_a_worker(tmp_path: Path) -> None:
    plan = plan_of(
        {
            "game": "connect-four",
            "players": ["random", "other=random:seed=3", "alpha-beta:depth=1"],
            "rounds": 6,
            "time": "none",
        }
    )
    cluster = local_cluster(3, tmp_path)
    with (
        cluster,
        distributed.Client(cluster) as client,
        executors.cluster(client.scheduler.address) as (executor, size),
    ):
        pids = client.run(os.getpid)
        assert size == 6
        assert len(set(pids.values())) == 3
        with Store.create(tmp_path / "t.db", "tournament", plan.to_json(), "test") as store:
            games = run(plan, store, executor, at_once=size)
            for number, _ in enumerate(games, start=1):
                if number == 10:
                    os.kill(next(iter(pids.values())), getattr(signal, "SIGKILL", signal.SIGTERM))
            assert len(store.scores()) == store.count() == plan.total == 36
        with Store.create(tmp_path / "again.db", "tournament", plan.to_json(), "test") as again:
            list(run(plan, again, executor, at_once=3))
            with Store.open(tmp_path / "t.db") as store:
                assert [game.moves for game in again.games()] == [game.moves for game in store.games()]


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_does_not_answer_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(OSError, match=r"no cluster at 'tcp://127\.0\.0\.1:9'"),
        executors.cluster("tcp://127.0.0.1:9"),
    ):
        pass


def test_a_tournament_is_played_by_an_executor_of_dask_that_stays_open(tmp_path: Path) -> None:
    with local_cluster(2, tmp_path) as cluster, distributed.Client(cluster) as client:
        executor = client.get_executor()
        summary = run_tournament("tic-tac-toe", ["alpha-beta:depth=2", "random"], rounds=2, executor=executor)
        assert summary.played == 4
        assert executor.submit(int, "7").result() == 7
