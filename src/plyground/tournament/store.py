"""A tournament in one SQLite file: its plan and every game, each safe on the disk as soon as it is over."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from plyground import games
from plyground.core.grid import Mask
from plyground.core.rules import Move, Rules
from plyground.play.records import GameRecord, Result
from plyground.play.records.conduct import Conduct
from plyground.play.records.json_line import conduct_of, from_data, head_to_data, notes_to_data
from plyground.ratings.scores import GameScore

VERSION = 2
"""The layout of the file; one of a later version is refused.

In version 1 the record of a game held its moves once more. Its games are read as they are; with the first game that
is added the file is one of version 2.
"""

APPLICATION = 0x506C7967
"""Tells a store from any other SQLite file: "Plyg"."""

POINTS = {Result.FIRST: 1.0, Result.DRAW: 0.5, Result.SECOND: 0.0}

SCHEMA = """
CREATE TABLE plan (
    kind TEXT NOT NULL,        -- what was run: tournament or tuning
    text TEXT NOT NULL,        -- everything needed to run it again, as JSON
    software TEXT NOT NULL     -- the versions it was begun with
);
CREATE TABLE games (
    id TEXT PRIMARY KEY,       -- which game of the schedule it is
    pair TEXT NOT NULL,        -- the same for the two games from one opening
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    result TEXT NOT NULL,      -- 1-0, 0-1, 1/2-1/2, or * for a game that could not be played
    termination TEXT NOT NULL,
    moves TEXT NOT NULL,       -- [place, ...] as JSON; [place, lift] for a move that lifts a placement first
    cells TEXT NOT NULL,       -- the winning cells, as a hexadecimal mask
    seed INTEGER NOT NULL,
    software TEXT NOT NULL,    -- the versions it was played with
    record TEXT NOT NULL       -- all the rest as JSON: a record with notes, one for each move, for its moves
) WITHOUT ROWID;
"""

UNDER_WAY = """
CREATE TABLE IF NOT EXISTS under_way (
    id TEXT PRIMARY KEY,       -- as in games
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    opening INTEGER NOT NULL,  -- which of the tournament's openings it begins with, counted from 0
    since REAL NOT NULL        -- when it was handed out, in seconds since 1970
) WITHOUT ROWID;
"""
"""A note for those who watch, not needed to go on: a store of the same version may be without it."""


class StoredGame(NamedTuple):
    """A game as it is kept; texts and numbers only, so that it can be sent between processes."""

    id: str
    pair: str
    first: str
    second: str
    result: str
    termination: str

    moves: str
    """As in the table: what was laid and lifted, so that a game can be shown without being played again."""

    cells: str
    seed: int
    software: str
    record: str

    @staticmethod
    def of(record: GameRecord, key: str, pair: str, software: str) -> StoredGame:
        """A game from its record."""
        outcome = record.final.outcome()
        return StoredGame(
            key,
            pair,
            record.first,
            record.second,
            record.result.value,
            record.termination,
            json.dumps(
                [p.move.place if p.move.lift is None else list(p.move) for p in record.moves], separators=(",", ":")
            ),
            f"{outcome.cells if outcome else 0:x}",
            record.seed or 0,
            software,
            json.dumps(head_to_data(record) | {"notes": notes_to_data(record)}, ensure_ascii=False),
        )

    @property
    def played(self) -> bool:
        """Whether there is a result."""
        return self.result != Result.OPEN.value

    @property
    def score(self) -> GameScore:
        """The game as the ratings see it; ValueError when it was not played."""
        if not self.played:
            raise ValueError(f"game {self.id} between {self.first!r} and {self.second!r} has no result")
        return GameScore(self.first, self.second, POINTS[Result(self.result)], self.pair)

    @property
    def move_list(self) -> list[Move]:
        """The moves."""
        return [Move(*entry) if isinstance(entry, list) else Move(entry) for entry in json.loads(self.moves)]

    @property
    def winning_cells(self) -> Mask:
        """The cells that won."""
        return int(self.cells, 16)

    def notes(self) -> Notes:
        """What was noted about the game and its moves."""
        found = json.loads(self.record)
        return Notes(found, found["notes"] if "notes" in found else found["moves"])

    def game_record(self) -> GameRecord:
        """The whole game."""
        notes = self.notes()
        return from_data(notes.head, games.load(notes.head["game"]), self.move_list, notes.moves)


class Notes(NamedTuple):
    """A record without its moves, read without playing the game again."""

    head: dict[str, Any]
    """The game as in a JSON record."""

    moves: list[dict[str, Any]]
    """Score, depth, seconds, clock and comment of each move, as far as they are known, as in a JSON record."""

    @property
    def comment(self) -> str:
        """What was said about the game."""
        return str(self.head.get("comment", ""))

    def conduct(self, rules: Rules) -> Conduct:
        """Faults, warnings and isolation."""
        return conduct_of(self.head, rules)


class UnderWay(NamedTuple):
    """A game that has been handed to a worker and has not come back."""

    id: str
    first: str
    second: str

    opening: int
    """Which of the tournament's openings it begins with, counted from 0."""

    since: float
    """When it was handed out, in seconds since 1970."""


class Store:
    """An open store. Use it in a `with` block; what is saved stays even if the process is killed."""

    def __init__(self, path: Path, connection: sqlite3.Connection, version: int = VERSION) -> None:
        self.path = path
        self._connection = connection
        self._renewed = version == VERSION

    @staticmethod
    def create(path: Path, kind: str, plan: str, software: str) -> Store:
        """A new store for a plan; FileExistsError when something of that name is there already."""
        if path.exists():
            raise FileExistsError(f"{path} exists already: continue it with resume, or choose another --store")
        if not path.parent.is_dir():
            raise FileNotFoundError(f"there is no folder {path.parent} for the store {path.name}")
        # Complete under another name first: killed in between, there is no half-made store in the way.
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        unfinished.unlink(missing_ok=True)
        with closing(_connect(unfinished)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(SCHEMA + UNDER_WAY)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("INSERT INTO plan VALUES (?, ?, ?)", (kind, plan, software))
            connection.commit()
        unfinished.replace(path)
        return Store.open(path)

    @staticmethod
    def open(path: Path) -> Store:
        """An existing store; FileNotFoundError or ValueError when it is none, or one of a later version."""
        if not path.is_file():
            raise FileNotFoundError(f"there is no store {path}")
        connection = _connect(path)
        try:
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError:
            application, version = 0, 0
        if application != APPLICATION or not 1 <= version <= VERSION:
            connection.close()
            if application == APPLICATION:
                raise ValueError(f"{path} is a store of version {version}; this program reads versions 1 to {VERSION}")
            raise ValueError(f"{path} is not a store of games")
        # With the log, a commit survives the death of the process; of the power supply, the last few may not.
        connection.execute("PRAGMA synchronous = NORMAL")
        return Store(path, connection, version)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the log beside it is folded in."""
        self._connection.close()

    @property
    def kind(self) -> str:
        """What was run: `tournament` or `tuning`."""
        return str(self._connection.execute("SELECT kind FROM plan").fetchone()[0])

    @property
    def plan(self) -> str:
        """The plan, as it was given."""
        return str(self._connection.execute("SELECT text FROM plan").fetchone()[0])

    def save(self, game: StoredGame) -> bool:
        """Keep a game; False, and nothing changed, when it was played before. On the disk when this returns.

        OSError when it cannot be written, such as to a disk that is full.
        """
        try:
            self._renew()
            with self._connection:
                done = self._connection.execute(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                    "ON CONFLICT (id) DO UPDATE SET result = excluded.result, termination = excluded.termination, "
                    "moves = excluded.moves, cells = excluded.cells, seed = excluded.seed, "
                    "software = excluded.software, record = excluded.record WHERE games.result = '*'",
                    game,
                )
        except sqlite3.OperationalError as error:
            raise OSError(f"game {game.id} cannot be saved in {self.path}: {error}") from None
        return done.rowcount > 0

    def _renew(self) -> None:
        """Mark a file of an older version as one of this version, so that an older program does not misread it."""
        if not self._renewed:
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
            self._renewed = True

    def note(self, begun: Iterable[UnderWay], back: Iterable[str]) -> None:
        """Note which games have been given to workers, and which have come back; OSError when it cannot be written."""
        try:
            with self._connection:
                self._connection.executemany("DELETE FROM under_way WHERE id = ?", [(key,) for key in back])
                self._connection.executemany("INSERT OR REPLACE INTO under_way VALUES (?, ?, ?, ?, ?)", begun)
        except sqlite3.Error as error:
            raise OSError(f"the running games cannot be saved in {self.path}: {error}") from None

    def note_none(self) -> None:
        """Note that no game is with a worker; OSError when it cannot be written."""
        try:
            with self._connection:
                self._connection.execute(UNDER_WAY)
                self._connection.execute("DELETE FROM under_way")
        except sqlite3.Error as error:
            raise OSError(f"the running games cannot be saved in {self.path}: {error}") from None

    def under_way(self) -> list[UnderWay]:
        """The games that were handed out and have not come back, the longest first.

        After a run that was killed these are the games it was at, until the next run begins.
        """
        if not self._connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'under_way'").fetchone():
            return []
        rows = self._connection.execute(
            "SELECT * FROM under_way WHERE id NOT IN (SELECT id FROM games WHERE result <> '*') ORDER BY since, id"
        )
        return [UnderWay(*row) for row in rows]

    def games(self) -> Iterator[StoredGame]:
        """Every game, in the order of the schedule."""
        for key in sorted(self.ids(), key=_natural):
            yield self.game(key)

    def game(self, key: str) -> StoredGame:
        """One game; KeyError when it has not been played."""
        row = self._connection.execute("SELECT * FROM games WHERE id = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        return StoredGame(*row)

    def scores(self) -> dict[str, GameScore]:
        """What the ratings need of every finished game, by its id."""
        rows = self._connection.execute("SELECT id, pair, first, second, result FROM games WHERE result <> '*'")
        return {
            key: GameScore(first, second, POINTS[Result(result)], pair) for key, pair, first, second, result in rows
        }

    def ids(self) -> set[str]:
        """Which games there are, those that could not be played included."""
        return {key for (key,) in self._connection.execute("SELECT id FROM games")}

    def endings(self) -> Counter[str]:
        """How many games ended in which way."""
        return Counter(dict(self._connection.execute("SELECT termination, count(*) FROM games GROUP BY 1")))

    def count(self) -> int:
        """How many games there are."""
        return int(self._connection.execute("SELECT count(*) FROM games").fetchone()[0])

    def repeated(self) -> int:
        """How many games are move for move the same as another between the same two, in the same order."""
        row = self._connection.execute(
            "SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM games WHERE result <> '*' "
            "GROUP BY first, second, moves)"
        )
        return int(row.fetchone()[0])


def _natural(text: str) -> list[tuple[int, str]]:
    """A key that sorts `2.1` before `10.1`."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", text)]


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=30)
