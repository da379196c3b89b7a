"""The SQLite file of a store: its layout, and how it is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

VERSION = 3
"""The layout of the file; one of a later version is refused.

In version 1 the record of a game held its moves once more, and up to version 2 games had no checksum. Such games are
read as they are; with the first game that is added the file is one of version 3.
"""

APPLICATION = 0x506C7967
"""Distinguishes a store from any other SQLite file: "Plyg"."""

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
    record TEXT NOT NULL,      -- all the rest as JSON: a record with notes, one for each move, for its moves
    checksum TEXT NOT NULL DEFAULT ''  -- of all columns before; empty for a game of an older version
) WITHOUT ROWID;
"""

ORIGIN = """
CREATE TABLE IF NOT EXISTS origin (
    folder TEXT NOT NULL,      -- where it was begun, from the folder of the store; paths of players count from there
    absolute TEXT NOT NULL     -- the same from the root, for a store that was moved alone
);
CREATE TABLE IF NOT EXISTS files (
    spec TEXT NOT NULL,        -- a player
    path TEXT NOT NULL,        -- a file that it names
    sha256 TEXT NOT NULL       -- what was in it when the first game was played
);
"""
"""What the players of a store are made of; a store of an older version is without it."""

PARCELS = """
CREATE TABLE IF NOT EXISTS parcels (
    sha256 TEXT PRIMARY KEY,   -- the fingerprint of the files, by which specs name them
    archive BLOB NOT NULL      -- the files as a zip archive
) WITHOUT ROWID;
"""
"""The files of players that were copied into the store; a store without such players may be without it."""

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

OPENINGS = """
CREATE TABLE IF NOT EXISTS openings (
    number INTEGER PRIMARY KEY,  -- counted from 0
    moves TEXT NOT NULL          -- as in games
);
"""
"""What the games begin with, so that nobody has to look for it again: a store of the same version may be without it."""


def opened(path: Path) -> tuple[sqlite3.Connection, tuple[int, int]]:
    """A connection to a file, with its application id and version: 0, 0 for what is not an SQLite file.

    A store in a folder that cannot be written is opened as one that nobody changes, if it is complete without its log.
    OSError when it cannot be read.
    """
    log = path.with_name(f"{path.name}-wal")
    ways = (False,) if log.exists() and log.stat().st_size else (False, True)
    for immutable in ways:
        try:
            connection = connect(path, immutable)
            return connection, _identity(connection)
        except sqlite3.OperationalError as error:
            problem = error
        except sqlite3.DatabaseError:
            return connection, (0, 0)
    raise OSError(f"the store {path} cannot be read: {problem}; copy it to a folder of your own")


def _identity(connection: sqlite3.Connection) -> tuple[int, int]:
    application, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    )
    return application, version


def connect(path: Path, immutable: bool = False) -> sqlite3.Connection:
    """A connection to a file, or to one that nobody changes meanwhile."""
    if immutable:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)
    else:
        connection = sqlite3.connect(path, timeout=30)
    # What is not text any more is damaged, and found by its checksum.
    connection.text_factory = lambda data: data.decode(errors="surrogateescape")
    return connection


def rows_of(connection: sqlite3.Connection, path: Path, query: str, values: Iterable[object] = ()) -> list[Any]:
    """What the file answers; OSError when it is damaged or cannot be read."""
    try:
        return connection.execute(query, tuple(values)).fetchall()
    except sqlite3.Error as error:
        raise OSError(f"{path} is damaged or cannot be read: {error}") from None
