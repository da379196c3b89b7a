"""Rooms in SQLite, written before a move is answered, so that a killed server has lost no finished move."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from plyground.web.rooms.room import Room, restored

SCHEMA = 1


class RoomStore:
    """The rooms of a server in one file; `:memory:` keeps none."""

    def __init__(self, path: Path | str) -> None:
        """Open or make the file; ValueError when it is something else or of another version."""
        try:
            self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self.connection.execute("PRAGMA journal_mode=WAL")
            # A crash of the process loses nothing; only a crash of the machine could lose the last moments.
            self.connection.execute("PRAGMA synchronous=NORMAL")
            version = self.connection.execute("PRAGMA user_version").fetchone()[0]
            tables = self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{path} is not a store of games: {error}") from None
        if tables and version != SCHEMA:
            raise ValueError(f"{path} has version {version}, this program reads version {SCHEMA}")
        self.connection.execute(
            "CREATE TABLE IF NOT EXISTS rooms (id TEXT PRIMARY KEY, state TEXT NOT NULL, touched REAL NOT NULL)"
        )
        self.connection.execute(f"PRAGMA user_version={SCHEMA}")

    def save(self, room: Room) -> None:
        """Write a room as it is now."""
        self.connection.execute(
            "INSERT OR REPLACE INTO rooms VALUES (?, ?, ?)", (room.id, json.dumps(room.state()), room.touched)
        )

    def load(self, room_id: str, now: float) -> Room | None:
        """A room from the file, or None."""
        row = self.connection.execute("SELECT state FROM rooms WHERE id = ?", (room_id,)).fetchone()
        return None if row is None else restored(room_id, json.loads(row[0]), now)

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
