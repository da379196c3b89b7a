"""What a build has found out so far, so that one that was killed goes on where it stopped."""

from __future__ import annotations

from pathlib import Path


class Journal:
    """Scores by key, kept in a file that grows by a line each."""

    def __init__(self, path: Path, game: str) -> None:
        """What a former build of the same game left; ValueError when the file is of another game."""
        self.path = path
        self.scores: dict[int, int] = {}
        head = f"plyground journal {game}"
        if path.exists():
            first, *lines = path.read_text(encoding="ascii").split("\n")
            if first != head:
                raise ValueError(f"{path} belongs to another build ({first!r}); remove it or name another book")
            # The last line is whole only if a new line follows it.
            for line in lines[:-1]:
                key, score = line.split()
                self.scores[int(key)] = int(score)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{key} {score}\n" for key, score in self.scores.items())
        path.write_text(f"{head}\n{text}", encoding="ascii")
        self._file = path.open("a", encoding="ascii")

    def add(self, key: int, score: int) -> None:
        """Remember a score for good."""
        self.scores[key] = score
        self._file.write(f"{key} {score}\n")
        self._file.flush()

    def close(self) -> None:
        """Leave the file to the next build."""
        self._file.close()
