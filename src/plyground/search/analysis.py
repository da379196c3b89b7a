"""What a search has found, and where its score comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from plyground.core.display import drawn
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.search.score import Score


class Source(StrEnum):
    """Where a score comes from."""

    BOOK = "book"
    SOLVER = "solver"
    PAIRING = "pairing"
    PROOF_SEARCH = "proof search"
    SEARCH = "search"
    CLAIM = "claim"
    """A score that a bot reports, which is not checked."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search has found so far."""

    line: tuple[Move, ...]
    """The best play for both sides, the move to choose first."""

    score: Score | None
    """What the position is worth to the side to move; None from a player without an opinion."""

    depth: int
    """Plies that were searched completely."""

    nodes: int
    """Positions visited since the search started, the root included each time."""

    seconds: float
    """Time since the search started."""

    points: int | None = None
    """The score in the search's own numbers, in which some searches also count wins; None if it has none."""

    source: Source = Source.SEARCH

    note: str = ""
    """A remark, such as `cannot lose`."""

    position: Position | None = field(default=None, repr=False, compare=False)
    """The position that was searched, so that moves can be written; None if it is not needed."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The line as the game writes it; empty without the position."""
        return () if self.position is None else tuple(self.position.write_line(self.line))

    @property
    def move(self) -> Move:
        """The move to choose."""
        return self.line[0]

    @property
    def proved(self) -> bool:
        """Whether the score is proved, so that no deeper search changes it; what a bot claims is not."""
        return self.score is not None and self.score.proved and self.source is not Source.CLAIM

    @property
    def text(self) -> str:
        """The score in words, `win in 5`, `loss in 4`, `draw`, `+12`, followed by the note."""
        words = "no score" if self.score is None else str(self.score)
        return f"{words}, {self.note}" if self.note else words

    @property
    def brief(self) -> str:
        """The same without a note that repeats the score, as a book's `wins by move 55 at the latest` does."""
        repeated = self.score is not None and self.score.at_most and self.source is Source.BOOK
        return str(self.score) if repeated else self.text

    def to_json(self, position: Position) -> dict[str, object]:
        """All of it as JSON values: the score in the search's own numbers, the verdict apart from it."""
        return {
            "move": position.write(self.move),
            "score": self.points,
            "verdict": self.score.to_json() if self.score is not None and self.proved else None,
            "proved": self.proved,
            "source": str(self.source) if self.score is not None else None,
            "text": self.text,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "line": position.write_line(self.line),
        }

    def __str__(self) -> str:
        """`4 4 3: +12 (depth 3, 420 positions)`; without its position the score alone."""
        line = f"{' '.join(self.moves)}: " if self.moves else ""
        looked = [f"depth {self.depth}"] if self.depth else []
        looked += [f"{self.nodes:,} {'position' if self.nodes == 1 else 'positions'}"] if self.nodes else []
        return line + self.text + (f" ({', '.join(looked)})" if looked else "")

    def _repr_html_(self) -> str | None:
        """The table a notebook shows."""
        return drawn(self)


def unsearched(move: Move) -> Analysis:
    """The analysis of a move that was not searched: nothing is known about it."""
    return Analysis((move,), None, 0, 0, 0.0)
