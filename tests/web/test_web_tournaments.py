"""Tournaments on the server: running and finished ones, their games and reports."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command import COMMAND, environment, run
from plyground.web.tournaments import thinking_left
from serving import Serving, serving
from waiting import eventually


def arguments(store: Path, rounds: int) -> list[str]:
    options = ["--game", "tic-tac-toe", "--players", "random;alpha-beta:depth=1", "--rounds", str(rounds)]
    return ["tournament", "run", *options, "--store", str(store), "--concurrency", "1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tournaments")
    done = run(*arguments(made / "club night.db", 2))
    assert done.returncode == 0, done.stderr
    (made / "secret.txt").write_text("secret")
    (made / "broken.db").write_text("no database, and long enough to be read as one " * 30)
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Serving]:
    with serving(tournaments=folder) as running:
        yield running


def test_a_folder_s_tournaments_are_listed_and_other_files_are_not(server: Serving) -> None:
    (reported,) = server.client().get("/api/tournaments").json()
    assert (reported["name"], reported["game"]) == ("club night", "tic-tac-toe")
    assert reported["played"] == reported["total"] > 0
    assert not reported["running"]


def test_a_tournament_has_standings_with_error_bars_and_a_crosstable(server: Serving) -> None:
    reported = server.client().get("/api/tournaments/club night").json()
    assert {line["name"] for line in reported["standings"]} == {"random", "alpha-beta:depth=1"}
    assert all("error" in line for line in reported["standings"])
    assert reported["head_to_head"]
    assert (reported["running"], reported["under_way"]) == (False, [])


def test_its_games_can_be_found_replayed_and_downloaded(server: Serving) -> None:
    client = server.client()
    path = "/api/tournaments/club night"
    games = client.get(f"{path}/games").json()
    assert games["count"] == len(games["games"])
    one = client.get(f"{path}/games/{games['games'][0]['id']}").json()
    replayed = client.post("/api/positions", json={"game": one["game"], "moves": one["moves"]}).json()
    assert replayed["positions"][-1]["outcome"] is not None
    assert client.get(f"{path}/games", params={"wanted": "nobody at all"}).json()["games"] == []
    for form in ("text", "markdown", "html", "csv", "json", "pgn"):
        report = client.get(f"{path}/report", params={"form": form})
        assert report.status_code == 200, form
        assert "alpha-beta" in report.text
        assert report.headers["content-disposition"].startswith("attachment")
    assert client.get(f"{path}/report", params={"form": "exe"}).status_code == 422


@pytest.mark.parametrize("name", ["nothing", "secret", "secret.txt", "..%2Fclub night", "%2e%2e", "club%20night.db"])
def test_only_tournaments_of_the_folder_can_be_named(server: Serving, name: str) -> None:
    client = server.client()
    for path in ("", "/games", "/games/1", "/report"):
        assert client.get(f"/api/tournaments/{name}{path}").status_code in (404, 405), path


def test_a_broken_store_is_said_to_be_one(server: Serving) -> None:
    answer = server.client().get("/api/tournaments/broken")
    assert (answer.status_code, answer.json()["error"]) == (422, "bad-store")


def test_an_unknown_game_of_a_tournament_is_not_found(server: Serving) -> None:
    assert server.client().get("/api/tournaments/club night/games/nothing").status_code == 404


def test_a_running_tournament_is_shown_as_far_as_it_has_come(tmp_path: Path) -> None:
    command = [*COMMAND, *arguments(tmp_path / "running.db", 5000)]
    nowhere = subprocess.DEVNULL
    with (
        subprocess.Popen(command, env=environment(), stdout=nowhere, stderr=nowhere) as process,
        serving(tournaments=tmp_path) as server,
    ):
        client = server.client()
        try:
            eventually(lambda: any(reported["played"] for reported in client.get("/api/tournaments").json()))
            before = client.get("/api/tournaments/running").json()
            assert 0 < before["played"] < before["total"]
            assert len(before["standings"]) == 2
            eventually(lambda: client.get("/api/tournaments/running").json()["played"] > before["played"])
            seen: list[dict[str, Any]] = []  # what is under way may be over when asked once more

            def under_way() -> bool:
                seen[:] = client.get("/api/tournaments/running").json()["under_way"]
                return bool(seen)

            eventually(under_way)
            (listed,) = client.get("/api/tournaments").json()
            assert listed["running"]
            game = seen[0]
            assert {game["first"], game["second"]} == {"random", "alpha-beta:depth=1"}
            assert game["opening"] == game["round"] > 0  # in a round-robin every round has its opening
            assert game["seconds"] < 60
        finally:
            process.kill()
            process.wait()
        after = client.get("/api/tournaments/running").json()
        assert (after["running"], after["under_way"]) == (False, [])


def test_the_boards_of_games_under_way_can_be_watched_and_leave_nothing_behind(tmp_path: Path) -> None:
    slow = ["--game", "connect-four", "--players", "alpha-beta:seconds=0.3;minimax:seconds=0.3", "--rounds", "3"]
    command = [*COMMAND, "tournament", "run", *slow, "--store", str(tmp_path / "slow.db"), "--concurrency", "1"]
    nowhere = subprocess.DEVNULL
    with (
        subprocess.Popen(command, env=environment(), stdout=nowhere, stderr=nowhere) as process,
        serving(tournaments=tmp_path) as server,
    ):
        client = server.client()

        def under_way() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = client.get("/api/tournaments/slow").json().get("under_way", [])
            return found

        seen: list[dict[str, Any]] = []

        def advanced() -> bool:
            seen[:] = [game for game in under_way() if game["plies"] > 5]
            return bool(seen)

        try:
            eventually(advanced)
            assert len(seen[0]["board"]["pieces"]) == seen[0]["plies"] == seen[0]["board"]["ply"]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()
        assert under_way() == []
        assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".live")] == []


def test_the_time_left_follows_from_the_games_played_so_far() -> None:
    times = {"a": {"total": 30.0}, "b": {"total": 10.0}}
    assert thinking_left({"total": 30, "played": 10, "times": times}, 4) == 20.0
    assert thinking_left({"total": 30, "played": 0, "times": {}}, 4) is None
    assert thinking_left({"total": None, "played": 3, "times": times}, 1) is None


def test_games_are_found_by_who_played_them(server: Serving) -> None:
    client, path = server.client(), "/api/tournaments/club night/games"
    both = client.get(path, params={"player": ["random", "alpha-beta:depth=1"]}).json()
    assert both["count"] == client.get(path).json()["count"] > 0
    assert all(game["plies"] for game in both["games"])
    assert client.get(path, params={"player": ["random", "nobody"]}).json()["count"] == 0


def test_a_server_without_a_folder_shows_none() -> None:
    with serving() as server:
        assert server.client().get("/api/tournaments").json() == []
        assert server.client().get("/api/tournaments/x").status_code == 404
