"""A term of a class: new versions every day, vicious ones among them, a runner that is killed every hour."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from classes import CRASH, FIRST, SETTINGS, bot, new_class, ready
from plyground.course.classroom import Classroom
from plyground.course.version import State
from term import VICIOUS, Term, TermPlan

SHORT = TermPlan(students=5, days=2, hours=2, games=6, cluster_every=0)


def test_a_short_term_with_a_runner_killed_every_hour_loses_and_doubles_no_game(tmp_path: Path) -> None:
    term = Term.begin(tmp_path / "class", SHORT)
    assert not term.live(SHORT, end=0.0)
    again = Term.resume(tmp_path / "class")
    assert again.students == term.students
    assert again.chance.getstate() == term.chance.getstate()
    assert again.live(SHORT)
    assert again.kills == 4
    assert again.seen


def test_none_of_the_vicious_ones_passes_the_check(tmp_path: Path) -> None:
    folder = new_class(tmp_path / "class", "eve", settings=SETTINGS.replace("time = 20", "time = 2"))
    with Classroom.open(folder) as room:
        for text in VICIOUS:
            version = room.check(room.hand_in("eve", "bot.py", bot(text)))
            assert version.state is State.REFUSED, text
            assert version.problem


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # what the cluster's own parts warn of when a worker is killed
def test_a_whole_term_of_sixty_students_loses_and_doubles_no_game(tmp_path: Path) -> None:
    lived = Term.begin(tmp_path / "class", TermPlan())
    assert lived.live(TermPlan())
    assert lived.kills == 30 * 24 + 3
    with Classroom.open(lived.folder) as room:
        assert len(room.ledger.versions()) > 300
        assert any(version.state is State.REFUSED for version in room.ledger.versions())
        assert len(lived.seen) > 3000


@pytest.mark.filterwarnings("ignore")  # what the cluster's own parts warn of when a worker is killed
def test_a_ladder_on_a_cluster_needs_no_shared_folder_and_survives_a_killed_worker(tmp_path: Path) -> None:
    folder = new_class(tmp_path / "class", "ada", "ben", "cleo")
    lived = Term(folder, ["ada", "ben"], random.Random(0))
    with Classroom.open(folder) as room:
        ready(room, "ada", "random")
        room.hand_in("ben", "bot.py", bot(FIRST))
        room.hand_in("cleo", "bot.py", bot(CRASH))
    lived.on_cluster(10)
    with Classroom.open(folder) as room:
        names = {name for game in room.store.games() for name in (game.first, game.second)}
        assert "ben#1" in names
        assert "cleo#1" not in names
        assert {game.termination for game in room.store.games()} <= {"pattern", "full"}
    lived.end()
    lived.audit()
