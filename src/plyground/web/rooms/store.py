"""Rooms in SQLite, written before a move is answered, so that a killed server has lost no finished move."""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from plyground.web.rooms.room import Room, restored
from plyground.web.security.refusal import Refused

SCHEMA = 2
"""The layout of the file; in version 1 rooms had no checksums, and it is read all the same."""

LOGGER = logging.getLogger("plyground.web")


class RoomStore:
    """The rooms of a server in one file; `:memory:` keeps none."""

    def __init__(self, path: Path | str) -> None:
        """Open or make the file.

        ValueError when it is something else or of another version, OSError when it cannot be read or written.
        """
        self.path = path
        try:
            self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            # What is no text any more is damaged, and found by its checksum.
            self.connection.text_factory = lambda data: data.decode(errors="surrogateescape")
            version = self.connection.execute("PRAGMA user_version").fetchone()[0]
            tables = self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and version not in (1, SCHEMA):
                raise ValueError(f"{path} has version {version}, this program reads versions 1 to {SCHEMA}")
            self._prepare()
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
        self.connection.execute(f"PRAGMA user_version={SCHEMA}")

    def save(self, room: Room) -> None:
        """Write a room as it is now; OSError when that is not possible, such as on a full disk."""
        text = json.dumps(room.state())
        try:
            self.connection.execute(
                "INSERT OR REPLACE INTO rooms VALUES (?, ?, ?)",
                (room.id, f"{text}\n{_checksum(room.id, text)}", room.touched),
            )
        except sqlite3.Error as error:
            raise OSError(f"a game cannot be saved in {self.path}: {error}") from None

    def load(self, room_id: str, now: float) -> Room | None:
        """A room from the file, or None; Refused when it is damaged."""
        try:
            row = self.connection.execute("SELECT state FROM rooms WHERE id = ?", (room_id,)).fetchone()
            return None if row is None else restored(room_id, json.loads(_unsealed(room_id, row[0])), now)
        except (sqlite3.Error, ValueError, LookupError, TypeError, AttributeError, Refused) as error:
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
