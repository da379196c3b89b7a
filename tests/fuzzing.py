"""Inputs that nobody meant: texts and files with a few places changed, and what a program may raise for them.

A parser answers or raises what is listed here, and nothing else. Bytes are changed by a generator with a seed, so that
what was found is found again; texts by hypothesis, which also makes them small.
"""

from __future__ import annotations

import random
import sqlite3
import struct
import traceback
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

ALLOWED: dict[str, tuple[type[BaseException], ...]] = {
    "text": (ValueError,),
    "file": (ValueError, OSError),
    "store": (ValueError, OSError),
    "game of a store": (ValueError, OSError, KeyError),
    "core": (ValueError, TypeError, MemoryError),
}
"""What may be raised for a bad input: of a parser of texts, of a file, of a store, for a game asked for by name, and of
the core, in whose calls a number that no C type holds is a TypeError."""

INTERESTING = (b"\x00", b"\xff", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"[" * 3000, b"-1", b"1e999", b"9" * 400)
"""What programs trip over: ends of texts, signs, sizes, nesting, numbers that are too large."""


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Some bytes with bits turned over, pieces cut out, put in, doubled or the end missing."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(changed)) if changed else 0
        match chance.randrange(7):
            case 0 | 1 if changed:
                changed[at] ^= 1 << chance.randrange(8)
            case 2 if changed:
                changed[at] = chance.randrange(256)
            case 3:
                changed[at:at] = chance.choice(INTERESTING)
            case 4:
                del changed[at : at + chance.randrange(1, 40)]
            case 5:
                del changed[at:]
            case _:
                changed[at:at] = changed[at : at + chance.randrange(1, 200)]
    return bytes(changed)


def overwritten(data: bytes, chance: random.Random) -> bytes:
    """Bytes of a file of fixed pages: the same length, or cut off."""
    changed = bytearray(data)
    if chance.random() < 0.1:
        return bytes(changed[: chance.randrange(len(changed))])
    for _ in range(chance.choice((1, 2, 8, 64))):
        at = chance.randrange(len(changed))
        piece = chance.randbytes(chance.choice((1, 1, 4, 32)))
        changed[at : at + len(piece)] = piece[: len(changed) - at]
    return bytes(changed)


def with_other_texts(path: Path, chance: random.Random) -> None:
    """Change a value of an SQLite file so that SQLite itself sees nothing wrong."""
    with sqlite3.connect(path) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = chance.choice(tables)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = chance.choice(columns)
        values = [value for (value,) in connection.execute(f"SELECT {column} FROM {table}")]
        value = chance.choice(values) if values else ""
        raw = value if isinstance(value, bytes) else str(value).encode(errors="surrogateescape")
        other: object = damaged(raw, chance)
        if chance.random() < 0.2:
            other = chance.choice((None, 7, -1, 2**62, 1.5, float("inf"), "", b"\xff"))
        elif not isinstance(value, bytes):
            other = bytes(other).decode(errors="replace")  # type: ignore[call-overload]
        try:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (other,))
        except sqlite3.Error:
            connection.rollback()
    connection.close()


def hostile_archive(data: bytes, chance: random.Random) -> bytes:
    """A zip archive whose headers say something else: encrypted, another method, other sizes."""
    changed = bytearray(data)
    place = changed.find(b"PK\x01\x02")
    local = changed.find(b"PK\x03\x04")
    match chance.randrange(5):
        case 0:
            changed[place + 8] |= 1
            changed[local + 6] |= 1
        case 1:
            method = struct.pack("<H", chance.choice((1, 6, 9, 12, 14, 93, 95, 98, 99)))
            changed[place + 10 : place + 12] = changed[local + 8 : local + 10] = method
        case 2:
            changed[place + 24 : place + 28] = struct.pack("<I", chance.choice((0, 1, 10**6, 2**32 - 1)))
        case 3:
            changed[local + 40 : local + 60] = chance.randbytes(20)
        case _:
            return damaged(data, chance)
    return bytes(changed)


def wrong(work: Callable[[], object], allowed: tuple[type[BaseException], ...]) -> str:
    """How a program fails on an input in a way it must not; empty where it does not."""
    try:
        work()
    except allowed:
        return ""
    except (Exception, zipfile.LargeZipFile, zlib.error) as error:
        return "".join(traceback.format_exception(error)[-3:])
    return ""
