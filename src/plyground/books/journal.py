"""What a build has found out so far, so that one that was killed goes on where it stopped."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self


class Journal:
    """Scores by key, kept in a file that grows by a line each."""

    def __init__(self, path: Path, game: str) -> None:
        """What a former build of the same game left; ValueError when the file is of another game."""
        self.path = path
        self.scores: dict[int, int] = {}
        head = f"plyground journal {game}"
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            self._read(head)
        self._file = path.open("a", encoding="ascii", newline="\n")
        if not self._file.tell():
            self._file.write(f"{head}\n")
            self._file.flush()

    def _read(self, head: str) -> None:
        """What is there; nothing is written again, so that a kill can do no harm."""
        written = self.path.read_bytes()
        # The last line is whole only if a new line follows it.
        whole = written[: written.rfind(b"\n") + 1]
        first, *lines = whole.decode("ascii").splitlines() or [head]
        if first != head:
            raise ValueError(f"{self.path} belongs to another build ({first!r}); remove it or name another book")
        for line in lines:
            key, score = line.split()
            self.scores[int(key)] = int(score)
        os.truncate(self.path, len(whole))

    def add(self, key: int, score: int) -> None:
        """Remember a score for good."""
        self.scores[key] = score
        self._file.write(f"{key} {score}\n")
        self._file.flush()

    def close(self) -> None:
        """Leave the file to the next build."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
