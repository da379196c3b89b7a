"""A tournament goes on with other players: from a folder, added, replaced, withdrawn; and reports over several."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from classes import CRASH, FIRST, LAST
from command import run
from plyground.report.summary import summarise
from plyground.tournament.executors import in_process
from plyground.tournament.plan import Plan, from_json, plan_of
from plyground.tournament.run import run as play
from plyground.tournament.schedule import Entrant
from plyground.tournament.several import Several
from plyground.tournament.store import Store

QUICK = ("--game", "tic-tac-toe", "--time", "20", "--concurrency", "1", "--opening", "0")


def played(path: Path, players: dict[str, str], seed: int = 0) -> Store:
    """A store with a tournament of players of this program, played to its end."""
    plan = plan_of({"game": "tic-tac-toe", "players": players, "time": "none", "opening": 2, "seed": seed})
    store = Store.create(path, "tournament", plan.to_json(), "test")
    with in_process() as (executor, at_once):
        list(play(plan, store, executor, at_once))
    return store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bots" / "ben").mkdir(parents=True)
    (tmp_path / "bots" / "ada.py").write_text(FIRST)
    (tmp_path / "bots" / "ben" / "bot.py").write_text("from rest import choose\n")
    (tmp_path / "bots" / "ben" / "rest.py").write_text(LAST)
    (tmp_path / "bots" / "ben" / "bot.py").write_text(
        "import rest\n\n\ndef choose(position, limit):\n    return rest.choose(position, limit)\n"
    )
    (tmp_path / "new.py").write_text(FIRST + "# better\n")
    return tmp_path


def ids(plan: Plan) -> dict[str, tuple[str, str]]:
    return {f.id: (f.first.name, f.second.name) for fixtures in plan.schedule({}) for f in fixtures}


@pytest.mark.parametrize("form", ["round-robin", "gauntlet"])
def test_who_comes_later_changes_no_game_that_was_scheduled(form: str) -> None:
    plan = plan_of(
        {"game": "tic-tac-toe", "players": ["a=random", "b=random", "c=random"], "format": form, "rounds": 2}
    )
    larger = plan.with_entrant(Entrant("d", "random")).with_entrant(Entrant("e", "random"))
    before, after = ids(plan), ids(larger)
    assert before.items() <= after.items()
    new = {frozenset(names) for key, names in after.items() if key not in before}
    expected = {frozenset("ad"), frozenset("ae")}
    if form == "round-robin":
        expected |= {frozenset(pair) for pair in ("bd", "cd", "be", "ce", "de")}
    assert new == expected
    assert ids(from_json(larger.to_json())) == after
    assert larger.total == len(after)


def test_who_is_withdrawn_begins_no_more_games_and_keeps_those_played() -> None:
    plan = plan_of({"game": "tic-tac-toe", "players": ["a=random", "b=random", "c=random"]}).without("b")
    assert {name for names in ids(plan).values() for name in names} == {"a", "c"}
    ((*_, last),) = plan.schedule({"1.1.1-a": 1.0})
    kept = [f.id for fixtures in plan.schedule({"1.1.1-a": 1.0}) for f in fixtures]
    assert "1.1.1-a" in kept
    assert "1.1.1-b" not in kept
    assert plan.total is None
    assert from_json(plan.to_json()) == plan
    assert last.id == "1.2.1-b"


@pytest.mark.parametrize(
    ("described", "change", "reason"),
    [
        (
            {"format": "swiss"},
            lambda plan: plan.with_entrant(Entrant("c", "random")),
            "a swiss that has begun has no place for a new player",
        ),
        (
            {"format": "knockout"},
            lambda plan: plan.without("a"),
            "a knockout that has begun has no place for a player who leaves",
        ),
        (
            {"sprt": "0,5"},
            lambda plan: plan.with_entrant(Entrant("c", "random")),
            "a sequential test of two players has no place",
        ),
        ({}, lambda plan: plan.without("nobody"), "unknown player 'nobody'"),
        ({}, lambda plan: plan.with_entrant(Entrant("a", "random")), "two players are called 'a'"),
    ],
)
def test_changes_that_make_no_sense_are_refused(
    described: dict[str, str], change: Callable[[Plan], Plan], reason: str
) -> None:
    plan = plan_of({"game": "tic-tac-toe", "players": ["a=random", "b=random"], **described})
    with pytest.raises(ValueError, match=reason):
        change(plan)


def test_entrants_from_a_folder_are_copied_and_the_tournament_goes_on_without_it(folder: Path) -> None:
    done = run(
        "tournament", "run", *QUICK, "--entrants", "bots", "--players", "random", "--store", "t.db", where=folder
    )
    assert done.returncode == 0, done.stderr
    shutil.rmtree(folder / "bots")
    added = run("tournament", "add", "t.db", "cleo=new.py", where=folder)
    assert added.returncode == 0, added.stderr
    assert "resume t.db" in added.stdout
    (folder / "new.py").unlink()
    replaced = run("tournament", "replace", "t.db", "random", "alpha-beta:depth=1", where=folder)
    assert replaced.stdout.startswith("random is now random v2;")
    (folder / "elsewhere").mkdir()
    resumed = run("tournament", "resume", "../t.db", where=folder / "elsewhere")
    assert resumed.returncode == 0, resumed.stderr
    with Store.open(folder / "t.db") as store:
        summary = summarise(store)
        met = {frozenset(key) for key in summary.head_to_head}
        assert set(summary.endings) <= {"pattern", "full"}
    assert frozenset(("ada", "cleo")) in met
    assert frozenset(("ben", "random v2")) in met
    assert frozenset(("cleo", "random")) not in met
    assert len(summary.fingerprints["ada"]) == 64
    report = run("report", "t.db", where=folder).stdout
    assert summary.fingerprints["ben"] in report
    assert "py:bot.py" in report
    assert "withdrawn" in report


def test_a_folder_with_something_that_cannot_be_run_is_refused_before_anything_is_played(folder: Path) -> None:
    (folder / "bots" / "eve.py").write_text("def one(a, b):\n    pass\n")
    done = run("tournament", "run", *QUICK, "--entrants", "bots", "--store", "t.db", where=folder)
    assert done.returncode == 2
    assert "eve.py: expected choose" in " ".join(done.stderr.split()).replace("eve.py: eve.py", "eve.py")
    assert not (folder / "t.db").exists()
    (folder / "t.toml").write_text('game = "tic-tac-toe"\n[players]\na = "random"\n')
    both = run("tournament", "run", "t.toml", "--entrants", "bots", where=folder)
    assert both.returncode == 2
    assert "give --entrants or [players]" in " ".join(both.stderr.split())


def test_a_player_that_does_not_exist_is_not_added(folder: Path) -> None:
    played(folder / "t.db", {"a": "random", "b": "random"}).close()
    for words, reason in (
        (("add", "t.db", "c=nobody"), "unknown player 'nobody'"),
        (("add", "t.db", "c=py:none.py"), "there is no file 'none.py'"),
        (("withdraw", "t.db", "c"), "unknown player 'c'"),
        (("replace", "t.db", "c", "random"), "unknown player 'c'"),
    ):
        done = run("tournament", *words, where=folder)
        assert done.returncode == 1
        assert reason in done.stderr
    with Store.open(folder / "t.db") as store:
        assert [entrant.name for entrant in from_json(store.plan).entrants] == ["a", "b"]


def test_a_damaged_parcel_is_an_error_of_the_run_and_no_lost_game(folder: Path) -> None:
    assert run("tournament", "run", *QUICK, "--entrants", "bots", "--store", "t.db", where=folder).returncode == 0
    assert run("tournament", "add", "t.db", "cleo=new.py", where=folder).returncode == 0
    with Store.open(folder / "t.db") as store, store._connection:
        store._connection.execute("UPDATE parcels SET archive = X'00'")
        before = store.count()
    done = run("tournament", "resume", "t.db", where=folder)
    assert done.returncode == 1
    assert "are damaged" in done.stderr
    with Store.open(folder / "t.db") as store:
        assert store.count() == before


def test_several_tournaments_are_reported_on_together(tmp_path: Path) -> None:
    one = played(tmp_path / "week 1.db", {"ann": "alpha-beta:depth=1", "ben": "random"})
    two = played(tmp_path / "week 2.db", {"ann": "alpha-beta:depth=2", "ben": "random", "cleo": "random:seed=1"}, 7)
    with one, two:
        summary = summarise(Several([one, two]))
        assert set(summary.names) == {"ann (week 1)", "ann (week 2)", "ben", "cleo"}
        assert summary.played == one.count() + two.count() == 8
        assert summary.head_to_head["ben", "ann (week 1)"].games == 2
        assert {game.id for game in Several([one, two]).games()} >= {"1.1.1.1-a", "2.1.1.1-a"}
    text = run("report", "week 1.db", "week 2.db", where=tmp_path).stdout
    assert "Tic-tac-toe, 2 tournaments (week 1, week 2), 4 players, 8 games." in text
    page = run("report", "week 1.db", "week 2.db", "-o", "both.html", where=tmp_path)
    assert page.returncode == 0, page.stderr
    assert "ann (week 2)" in (tmp_path / "both.html").read_text()


def test_tournaments_of_different_games_are_not_mixed(tmp_path: Path) -> None:
    played(tmp_path / "one.db", {"a": "random", "b": "random"}).close()
    plan = plan_of({"game": "mnk:columns=4,rows=3,line=3", "players": ["random", "b=random"]})
    Store.create(tmp_path / "two.db", "tournament", plan.to_json(), "test").close()
    done = run("report", "one.db", "two.db", where=tmp_path)
    assert done.returncode == 1
    assert "report on them apart" in done.stderr


def test_faults_are_grouped_by_player(tmp_path: Path) -> None:
    (tmp_path / "crash.py").write_text(CRASH)
    done = run(
        "tournament",
        "run",
        *QUICK,
        "--players",
        "a=random;crash=py:crash.py;b=random",
        "--store",
        "t.db",
        where=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    text = run("report", "t.db", where=tmp_path).stdout
    lines = text[text.index("Faults by player") :].splitlines()
    assert lines[2].split() == ["crash", "4", "4", "crash", "4"]
    data = json.loads(run("report", "t.db", "--format", "json", where=tmp_path).stdout)
    assert len(data["fingerprints"]["crash"]) == 64
