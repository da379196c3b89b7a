"""What the store of a class keeps besides games: versions, members, pairs of games, and the history of ratings."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from plyground.course.version import State, Version, findings_of_json, findings_to_json
from plyground.tournament.database import connect, rows_of

TABLES = """
CREATE TABLE IF NOT EXISTS versions (
    student TEXT NOT NULL,     -- the id of the roster
    number INTEGER NOT NULL,   -- from 1 on
    sha256 TEXT NOT NULL,      -- which parcel it is
    spec TEXT NOT NULL,        -- the player to load; empty where there is nothing to run
    file TEXT NOT NULL,        -- what was handed in was called
    handed_in REAL NOT NULL,   -- seconds since 1970
    via TEXT NOT NULL,         -- link, teacher or import
    state TEXT NOT NULL,       -- waiting, accepted or refused
    checked REAL,              -- seconds since 1970
    problem TEXT NOT NULL,     -- why it was refused
    findings TEXT NOT NULL,    -- what the check saw, as JSON
    isolation TEXT NOT NULL,   -- how it was kept from the machine in the check
    PRIMARY KEY (student, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS uploads (      -- by links, within the last hour
    student TEXT NOT NULL,
    moment REAL NOT NULL                  -- seconds since 1970
);
CREATE TABLE IF NOT EXISTS members (
    student TEXT PRIMARY KEY,
    pseudonym TEXT NOT NULL DEFAULT '',   -- what others see, by the student's own wish
    withdrawn INTEGER NOT NULL DEFAULT 0,
    paused INTEGER NOT NULL DEFAULT 0,
    serial INTEGER NOT NULL DEFAULT 1     -- of the personal link; a link with another one is refused
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pairs (
    number INTEGER PRIMARY KEY,           -- its games are NUMBER-a and NUMBER-b; also which opening they begin with
    one TEXT NOT NULL,                    -- who moves first in game a
    other TEXT NOT NULL,
    decided REAL NOT NULL,                -- when it was decided to play them, in seconds since 1970
    dropped TEXT NOT NULL DEFAULT ''      -- why the games of it that are missing will not be played
);
CREATE TABLE IF NOT EXISTS history (
    moment REAL NOT NULL,                 -- seconds since 1970
    played INTEGER NOT NULL,              -- how many games of the class it rests on
    player TEXT NOT NULL,                 -- a version
    rating REAL NOT NULL,
    low REAL NOT NULL,
    high REAL NOT NULL,
    games INTEGER NOT NULL                -- how many of them are its own
);
CREATE INDEX IF NOT EXISTS history_of_player ON history (player, moment);
CREATE INDEX IF NOT EXISTS games_by_first ON games (first);
CREATE INDEX IF NOT EXISTS games_by_second ON games (second);
CREATE TABLE IF NOT EXISTS notes (
    key TEXT PRIMARY KEY,                 -- secret, paused, standings, grade of a student
    value TEXT NOT NULL
) WITHOUT ROWID;
"""


class MemberState(NamedTuple):
    """What a class knows about a student besides the roster."""

    pseudonym: str = ""
    withdrawn: bool = False
    paused: bool = False
    serial: int = 1


class Pair(NamedTuple):
    """Two games to be played from one opening, with sides swapped."""

    number: int
    one: str
    """The name of the version, or of the anchor, that moves first in the first game."""
    other: str
    decided: float
    """In seconds since 1970."""

    @property
    def games(self) -> tuple[str, str]:
        """The ids of its two games."""
        return f"{self.number}-a", f"{self.number}-b"


class HistoryPoint(NamedTuple):
    """What a version was rated at a moment."""

    moment: float
    """In seconds since 1970."""
    played: int
    player: str
    rating: float
    low: float
    high: float
    games: int


class Ledger:
    """An open connection to the tables of a class; for one thread."""

    def __init__(self, path: Path) -> None:
        """OSError when the file cannot be written."""
        self.path = path
        self._connection = connect(path)
        with self._writing():
            if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'uploads'"):
                for statement in filter(str.strip, TABLES.split(";\n")):
                    self._connection.execute(statement)
            self._connection.execute("INSERT OR IGNORE INTO notes VALUES ('secret', ?)", (secrets.token_hex(32),))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _rows(self, query: str, values: Iterable[object] = ()) -> list[Any]:
        return rows_of(self._connection, self.path, query, values)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All of it is written, or nothing; meanwhile nobody else writes."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:
                yield
        except sqlite3.Error as error:
            raise OSError(f"{self.path} cannot be written: {error}") from None

    def _write(self, query: str, values: Iterable[object]) -> None:
        with self._writing():
            self._connection.execute(query, tuple(values))

    # Versions

    def count_upload(self, student: str, moment: float, since: float, most: int) -> bool:
        """Count something that a student hands in; False, and nothing counted, after so many since a moment."""
        with self._writing():
            self._connection.execute("DELETE FROM uploads WHERE moment < ?", (since,))
            ((recent,),) = self._rows("SELECT count(*) FROM uploads WHERE student = ?", (student,))
            if recent < most:
                self._connection.execute("INSERT INTO uploads VALUES (?, ?)", (student, moment))
        return bool(recent < most)

    def forget_upload(self, student: str, moment: float) -> None:
        """Do not count something that a student handed in at a moment."""
        last = "SELECT max(rowid) FROM uploads WHERE student = ? AND moment = ?"
        self._write(f"DELETE FROM uploads WHERE rowid = ({last})", (student, moment))

    def add_version(self, version: Version) -> Version:
        """Keep a new version, and give it its number."""
        with self._writing():
            query = "SELECT CAST(coalesce(max(number), 0) AS INTEGER) FROM versions WHERE student = ?"
            ((last,),) = self._rows(query, (version.student,))
            numbered = replace(version, number=last + 1)
            self._connection.execute(f"INSERT INTO versions VALUES ({', '.join('?' * 12)})", _row(numbered))
            self._connection.execute("INSERT OR IGNORE INTO members (student) VALUES (?)", (version.student,))
        return numbered

    def settle(self, version: Version) -> Version:
        """Note what the check of a waiting version found; the first to say so is right. The version as it then is."""
        changed = "state = ?, checked = ?, problem = ?, findings = ?, isolation = ?"
        *values, findings, isolation = _row(version)[7:]
        key = (version.student, version.number)
        self._write(
            f"UPDATE versions SET {changed} WHERE student = ? AND number = ? AND state = 'waiting'",
            (*values, findings, isolation, *key),
        )
        return self.version(*key)

    def version(self, student: str, number: int) -> Version:
        """A version; LookupError when there is none."""
        rows = self._rows("SELECT * FROM versions WHERE student = ? AND number = ?", (student, number))
        if not rows:
            raise LookupError(f"{student} has no version {number}")
        return _version(rows[0])

    def versions(self, student: str | None = None) -> list[Version]:
        """All versions, or those of a student, the oldest first."""
        condition, values = ("WHERE student = ?", (student,)) if student is not None else ("", ())
        rows = self._rows(f"SELECT * FROM versions {condition} ORDER BY handed_in, student, number", values)
        return [_version(row) for row in rows]

    def waiting(self) -> list[Version]:
        """The versions that have not been checked, the oldest first."""
        rows = self._rows("SELECT * FROM versions WHERE state = 'waiting' ORDER BY handed_in, student, number")
        return [_version(row) for row in rows]

    def current(self) -> dict[str, Version]:
        """The newest accepted version of each student, withdrawn ones included."""
        newest = "SELECT student, max(number) FROM versions WHERE state = 'accepted' GROUP BY student"
        rows = self._rows(f"SELECT * FROM versions WHERE (student, number) IN ({newest}) ORDER BY student")
        return {version.student: version for version in map(_version, rows)}

    # Members

    def states(self) -> dict[str, MemberState]:
        """What is known about students, those of whom there is nothing left out."""
        rows = self._rows("SELECT student, pseudonym, withdrawn, paused, serial FROM members")
        if not all(isinstance(student, str) and isinstance(pseudonym, str) for student, pseudonym, *_ in rows):
            raise ValueError("somebody's state in the store of the class is damaged")
        return {row[0]: MemberState(row[1], bool(row[2]), bool(row[3]), row[4]) for row in rows}

    def set_state(self, student: str, state: MemberState) -> None:
        """Note something about a student."""
        self._write("INSERT OR REPLACE INTO members VALUES (?, ?, ?, ?, ?)", (student, *state))

    def forget(self, student: str, name: str) -> set[str]:
        """Remove what is known about a student, whose versions and games go on under another name without their files.

        The fingerprints of files that nobody else handed in are returned.
        """
        others = "SELECT sha256 FROM versions WHERE student != ?"
        query = f"SELECT DISTINCT sha256 FROM versions WHERE student = ? AND sha256 NOT IN ({others})"
        rows = self._rows(query, (student, student))
        like, cut = f"{student}#", len(student) + 1
        with self._writing():
            execute = self._connection.execute
            execute(
                "UPDATE versions SET student = ?, sha256 = '', spec = '', file = '', problem = '', findings = '[]', "
                "state = iif(state = 'waiting', 'refused', state) WHERE student = ?",
                (name, student),
            )
            for table, columns in (("pairs", ("one", "other")), ("history", ("player",))):
                for column in columns:
                    execute(
                        f"UPDATE {table} SET {column} = ? || substr({column}, ?) WHERE substr({column}, 1, ?) = ?",
                        (f"{name}#", cut + 1, cut, like),
                    )
            for table in ("members", "uploads"):
                execute(f"DELETE FROM {table} WHERE student = ?", (student,))
            execute("INSERT INTO members (student, withdrawn) VALUES (?, 1)", (name,))
            keys = [f"{kind}/{student}" for kind in ("grade", "graded", "evidence", "page")]
            execute(f"DELETE FROM notes WHERE key IN ({', '.join('?' * len(keys))}) OR key = 'standings'", keys)
        return {row[0] for row in rows if row[0]}

    # Pairs

    def add_pair(self, one: str, other: str, moment: float) -> Pair:
        """A new pair with the next number."""
        with self._writing():
            ((last,),) = self._rows("SELECT CAST(coalesce(max(number), 0) AS INTEGER) FROM pairs")
            pair = Pair(last + 1, one, other, moment)
            self._connection.execute("INSERT INTO pairs VALUES (?, ?, ?, ?, '')", pair)
        return pair

    def pairs(self, open_only: bool = False) -> list[Pair]:
        """All pairs, or those whose missing games will be played, by number."""
        condition = "WHERE dropped = ''" if open_only else ""
        return [
            Pair(*row) for row in self._rows(f"SELECT number, one, other, decided FROM pairs {condition} ORDER BY 1")
        ]

    def drop(self, number: int, why: str) -> None:
        """Note that what is missing of a pair will not be played."""
        self._write("UPDATE pairs SET dropped = ? WHERE number = ?", (why, number))

    # History and notes

    def add_history(self, points: Iterable[HistoryPoint]) -> None:
        """Keep what versions are rated now."""
        with self._writing():
            self._connection.executemany("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?)", points)

    def last_history(self) -> dict[str, int]:
        """How many games each version had played when it was last noted."""
        return dict(self._rows("SELECT player, max(games) FROM history GROUP BY player"))

    def history(self, student: str) -> list[HistoryPoint]:
        """What the versions of a student were rated, the oldest first."""
        query = "SELECT * FROM history WHERE substr(player, 1, ?) = ? ORDER BY moment"
        return [HistoryPoint(*row) for row in self._rows(query, (len(student) + 1, f"{student}#"))]

    def note(self, key: str) -> str:
        """What is noted under a key; empty where nothing is."""
        rows = self._rows("SELECT value FROM notes WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else ""

    def set_note(self, key: str, value: str) -> None:
        """Note something under a key."""
        self._write("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value))


def _row(version: Version) -> tuple[object, ...]:
    values = vars(version) | {"state": version.state.value, "findings": findings_to_json(version.findings)}
    return tuple(values.values())


def _version(row: tuple[Any, ...]) -> Version:
    values: list[Any] = list(row)
    try:
        if not isinstance(values[0], str) or not isinstance(values[1], int):
            raise ValueError(f"it is version {values[1]!r} of {values[0]!r}")
        values[7], values[10] = State(values[7]), findings_of_json(values[10])
        return Version(*values)
    except (ValueError, TypeError, LookupError) as error:
        raise ValueError(f"a version in the store of the class is damaged: {error}") from None
