"""The moves of games under way, for those who watch: a small file per game in a folder beside the store.

Nothing depends on them. They are written by the processes that play, as far as these share the disk with the store.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from plyground.core.files import parse_json, write_file
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.play.records import PlayedMove

INTERVAL_SECONDS = 0.25
"""How often the moves of a game are written down at most: nobody sees more, and quick games are not held up."""


def folder_of(store: Path) -> Path:
    """Where the moves of the games of a store are."""
    return store.with_name(f".{store.name}.live")


@contextmanager
def published(store: Path) -> Iterator[Path]:
    """The folder, there for as long as games are played; one that a killed run has left is emptied."""
    folder = folder_of(store)
    shutil.rmtree(folder, ignore_errors=True)
    if folder.is_symlink():  # which would lead to a folder of somebody else
        folder.unlink()
    with suppress(OSError):  # without it nobody can watch, and the games are played all the same
        folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class LiveGame:
    """A game that is written down while it is played: what `play_game` calls after each move."""

    def __init__(self, folder: str, key: str, opening: Sequence[Move]) -> None:
        self._path = Path(folder) / f"{key}.json"
        self._moves = list(opening)
        self._written = time.monotonic()

    def __call__(self, position: Position, played: PlayedMove) -> None:
        """Note a move, and write all of them down now and then."""
        self._moves.append(played.move)
        now = time.monotonic()
        if now - self._written >= INTERVAL_SECONDS:
            self._written = now
            self._write()

    def _write(self) -> None:
        with suppress(OSError):  # the folder is on another machine, or gone
            write_file(self._path, json.dumps([[*move] for move in self._moves]))

    def close(self) -> None:
        """The game is over."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def moves_of(store: Path, key: str) -> list[Move]:
    """The moves of a game under way as far as they have been written down; none where they have not."""
    try:
        found = parse_json((folder_of(store) / f"{key}.json").read_text(encoding="utf-8"))
        return [Move(*entry) for entry in found]
    except (OSError, ValueError, TypeError):
        return []
