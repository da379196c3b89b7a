"""What a class knows of one student: handed out, or forgotten."""

from __future__ import annotations

import csv
import io
import json
import time
import zipfile
from itertools import count
from pathlib import Path
from typing import Any

from plyground.core.files import parse_json, replace_file, write_file
from plyground.core.rules import Side
from plyground.course import roster
from plyground.course.classroom import GRADES_FOLDER, Classroom
from plyground.course.version import Version, findings_to_json, player_name, student_of
from plyground.play.records import to_pgn
from plyground.tournament.lock import held
from plyground.tournament.stored_game import StoredGame

EVERYTHING = 1_000_000
"""More games than a student plays."""

FORGOTTEN = "forgotten-"
"""How the names of those begin who were forgotten."""


def export_student(room: Classroom, student: str, path: Path) -> None:
    """Write a zip archive with all that the class knows of a student; nothing that other students' bots wrote.

    OSError when it cannot be written.
    """
    member, state = room.member(student), room.state(student)
    known: dict[str, Any] = {
        "id": student,
        "name": member.name,
        "shown as": room.shown(student),
        "withdrawn": state.withdrawn,
        "paused": state.paused,
        "versions": [_version_to_json(version) for version in room.versions(student)],
        "ratings": [point._asdict() for point in room.history(student)],
        "games": [line._asdict() for line in room.games(student, EVERYTHING)],
        "grade": room.feedback(student),
    }
    with replace_file(path, private=True) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("student.json", json.dumps(known, ensure_ascii=False, indent=1) + "\n")
        games = [room.game(student, line["id"]) for line in known["games"]]
        archive.writestr("games.pgn", "\n".join(map(to_pgn, games)))
        for version in room.versions(student):
            for name, data in room.store.parcel(version.sha256).files:
                archive.writestr(f"versions/{version.number}/{name}", data)


def _version_to_json(version: Version) -> dict[str, Any]:
    return vars(version) | {
        "state": version.state.value,
        "findings": parse_json(findings_to_json(version.findings)),
    }


def forget_student(room: Classroom, student: str) -> str:
    """Remove a student from a class: roster, code, checks, links, grade and evidence; what the games are called now.

    The games stay under that name, without what the student's bot wrote, so the ratings of everybody else are what they
    were. BlockingIOError while the ladder runs.
    """
    room.member(student)
    with held(room.store.path):
        known = {version.student for version in room.ledger.versions()}
        name = next(f"{FORGOTTEN}{number}" for number in count(1) if f"{FORGOTTEN}{number}" not in known)
        room.store.change_games(lambda game: _without(game, student, name))
        for key in room.forget_evidence(student):
            (room.folder / GRADES_FOLDER / f"{key}.json").unlink(missing_ok=True)
        left = room.ledger.forget(student, name)
        room.store.drop_parcels(left)
        _strike(room.folder / roster.FILE, student)
        room.roster = roster.read_roster(room.folder / roster.FILE)
        room.renew_standings(time.time())
    return name


def _without(game: StoredGame, student: str, name: str) -> StoredGame | None:
    """A game of a student under another name, without what the bot wrote; None for a game of others."""
    sides = [side for side, player in enumerate((game.first, game.second)) if student_of(player)[0] == student]
    if not sides:
        return None
    first, second = (_renamed(player, student, name) for player in (game.first, game.second))
    record = parse_json(game.record) | {"first": first, "second": second, "comment": ""}
    fault = record.get("fault")
    if fault and SIDES.index(fault["side"]) in sides:
        record["fault"] = fault | {"why": "", "stderr": ""}
    record.pop("warnings", None)
    return game._replace(first=first, second=second, record=json.dumps(record, ensure_ascii=False))


def _renamed(player: str, student: str, name: str) -> str:
    whose, number = student_of(player)
    return player_name(name, number) if whose == student else player


SIDES = tuple(side.text for side in Side)


def _strike(path: Path, student: str) -> None:
    """Remove the line of a student from the roster, and leave the others as they are."""
    text, kept = roster.decoded(path.read_bytes()), list[str]()
    for line in io.StringIO(text, newline=""):
        (cells,) = csv.reader([line], delimiter=roster.delimiter_of(text)) if line.strip() else ([],)
        if student not in [cell.strip() for cell in cells]:
            kept.append(line)
    write_file(path, "".join(kept), private=True)
