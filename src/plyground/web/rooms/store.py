"""Rooms in SQLite, written before a move is answered, so that a killed server has lost no finished move."""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from plyground.core.files import make_private
from plyground.web.rooms.room import Room, lock_of, restored
from plyground.web.security.refusal import Refused

SCHEMA = 3
"""The layout of the file; in version 1 rooms had no checksums, and it is read all the same.

Up to version 2 the tokens of seats were in it as they are; they are replaced when such a file is opened.
"""

BROKEN = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What a room may raise whose state is not what this program wrote."""

LOGGER = logging.getLogger("plyground.web")


class RoomStore:
    """The rooms of a server in one file; `:memory:` keeps none."""

    def __init__(self, path: Path | str) -> None:
        """Open or make the file.

        ValueError when it is something else or of another version, OSError when it cannot be read or written.
        """
        self.path = path
        try:
            if str(path) != ":memory:" and not Path(path).exists():
                with suppress(OSError):  # SQLite says why
                    make_private(Path(path))
            self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            # What is no text any more is damaged, and found by its checksum.
            self.connection.text_factory = lambda data: data.decode(errors="surrogateescape")
            version = self.connection.execute("PRAGMA user_version").fetchone()[0]
            tables = self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and not 1 <= version <= SCHEMA:
                raise ValueError(f"{path} has version {version}, this program reads versions 1 to {SCHEMA}")
            self._prepare()
            if tables and version < SCHEMA:
                self._lock_seats()
            self.connection.execute(f"PRAGMA user_version={SCHEMA}")
            if str(path) != ":memory:":
                with suppress(OSError):  # somebody else's
                    make_private(Path(path))  # also one of an older program
        except sqlite3.OperationalError as error:
            raise OSError(f"the store {path} cannot be used: {error}; it must be a file that can be written") from None
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{path} is not a store of games: {error}") from None

    def _prepare(self) -> None:
        self.connection.execute("PRAGMA journal_mode=WAL")
        # A crash of the process loses nothing; only a crash of the machine could lose the last moments.
        self.connection.execute("PRAGMA synchronous=NORMAL")
        self.connection.execute(
            "CREATE TABLE IF NOT EXISTS rooms (id TEXT PRIMARY KEY, state TEXT NOT NULL, touched REAL NOT NULL)"
        )

    def _lock_seats(self) -> None:
        """Replace the tokens of an older file by their locks, and leave no trace of them."""
        self.connection.execute("PRAGMA secure_delete=ON")
        self.connection.execute("BEGIN IMMEDIATE")
        for room_id, kept, touched in self.connection.execute("SELECT id, state, touched FROM rooms").fetchall():
            try:
                state = json.loads(_unsealed(room_id, kept))
                seats = [[name, player, lock_of(token), taken] for name, player, token, taken in state["seats"]]
            except BROKEN:
                continue  # damaged, and found so when it is asked for
            self._write(room_id, json.dumps(state | {"seats": seats}), touched)
        self.connection.execute("COMMIT")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _write(self, room_id: str, text: str, touched: float) -> None:
        row = room_id, f"{text}\n{_checksum(room_id, text)}", touched
        self.connection.execute("INSERT OR REPLACE INTO rooms VALUES (?, ?, ?)", row)

    def save(self, room: Room) -> None:
        """Write a room as it is now; OSError when that is not possible, such as on a full disk."""
        try:
            self._write(room.id, json.dumps(room.state()), room.touched)
        except sqlite3.Error as error:
            raise OSError(f"a game cannot be saved in {self.path}: {error}") from None

    def load(self, room_id: str, now: float) -> Room | None:
        """A room from the file, or None; Refused when it is damaged."""
        try:
            row = self.connection.execute("SELECT state FROM rooms WHERE id = ?", (room_id,)).fetchone()
            return None if row is None else restored(room_id, json.loads(_unsealed(room_id, row[0])), now)
        except (sqlite3.Error, Refused, *BROKEN) as error:
            LOGGER.error("the game %r in %s is damaged: %s", room_id, self.path, error)
            raise Refused(500, "damaged", "this game is damaged in the server's store and cannot be shown") from None

    def touch(self, rooms: Iterable[tuple[str, float]]) -> None:
        """Note when rooms were last touched."""
        self.connection.execute("BEGIN")
        self.connection.executemany("UPDATE rooms SET touched = ?2 WHERE id = ?1 AND touched < ?2", rooms)
        self.connection.execute("COMMIT")

    def forget_before(self, moment: float) -> int:
        """Remove rooms nobody has touched since; how many."""
        return self.connection.execute("DELETE FROM rooms WHERE touched < ?", (moment,)).rowcount

    def close(self) -> None:
        """Close the file."""
        self.connection.close()


def _checksum(room_id: str, text: str) -> str:
    return hashlib.blake2b(f"{room_id}\n{text}".encode(errors="surrogateescape"), digest_size=16).hexdigest()


def _unsealed(room_id: str, kept: str) -> str:
    """The state of a room without the checksum behind it; ValueError when that does not fit."""
    text, line_end, checksum = kept.partition("\n")
    if line_end and _checksum(room_id, text) != checksum:
        raise ValueError("its checksum does not fit")
    return text
