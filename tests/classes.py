"""Classes for tests: a folder with a class of tic-tac-toe, quick to check and to play."""

from __future__ import annotations

from pathlib import Path

from plyground.course.checking import CheckResult
from plyground.course.classroom import Classroom
from plyground.course.version import State, Version
from plyground.tournament.parcel import Parcel

FIRST = "def choose(position, limit):\n    return position.moves()[0]\n"
LAST = "def choose(position, limit):\n    return position.moves()[-1]\n"
CRASH = "def choose(position, limit):\n    return 1 / 0\n"

SETTINGS = """\
title = "Games"
game = "tic-tac-toe"
time = 20
opening = 2

[anchors]
"level 1" = { player = "engine:level=1", rating = 800 }
random = { player = "random", rating = 600 }

[ladder]
workers = 1
nice = 0
"""
"""Twenty seconds per move: nothing is lost on time on a busy machine."""


def new_class(folder: Path, *students: str, settings: str = SETTINGS) -> Path:
    """The folder of a new class with these students, named like their ids."""
    Classroom.create(folder, "tic-tac-toe")
    (folder / "class.toml").write_text(settings, encoding="utf-8")
    lines = "".join(f"{student},{student.title()} Smith\n" for student in students)
    (folder / "roster.csv").write_text(f"id,name\n{lines}", encoding="utf-8")
    return folder


def bot(text: str, name: str = "bot.py") -> Parcel:
    """A bot of one file."""
    return Parcel(((name, text.encode()),))


def accepted(room: Classroom, student: str, text: str) -> Version:
    """A version that is taken to have passed its check, which these tests are not about."""
    version = room.hand_in(student, "bot.py", bot(text))
    return room.settle(version, CheckResult((), None))


def ready(room: Classroom, student: str, spec: str) -> Version:
    """A version that is a player of this program, which plays at once and needs no process."""
    version = Version(student, 0, "0" * 64, spec, spec, 0.0, "teacher", State.ACCEPTED, 0.0)
    return room.ledger.add_version(version)
