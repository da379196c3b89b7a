"""A game as a store keeps it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from plyground import games
from plyground.core.files import parse_json
from plyground.core.grid import Mask
from plyground.core.rules import Move, Rules
from plyground.play.faults import FaultKind
from plyground.play.records import GameRecord, Result
from plyground.play.records.conduct import Conduct
from plyground.play.records.json_line import conduct_of, from_data, head_to_data, notes_to_data
from plyground.ratings.scores import GameScore

POINTS = {Result.FIRST: 1.0, Result.DRAW: 0.5, Result.SECOND: 0.0}


FAULTS = {kind.value for kind in FaultKind}


def game_score(pair: str, first: str, second: str, result: str, termination: str) -> GameScore:
    """A game as the ratings see it."""
    return GameScore(first, second, POINTS[Result(result)], pair, termination in FAULTS)


def text_of(moves: Iterable[Move]) -> str:
    """Moves as a store keeps them: what was laid and lifted."""
    return json.dumps([move.place if move.lift is None else list(move) for move in moves], separators=(",", ":"))


def moves_of(text: str) -> list[Move]:
    """The moves that a store keeps as this text."""
    return [Move(*entry) if isinstance(entry, list) else Move(entry) for entry in parse_json(text)]


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
            text_of(p.move for p in record.moves),
            f"{outcome.cells if outcome else 0:x}",
            record.seed or 0,
            software,
            json.dumps(head_to_data(record) | {"notes": notes_to_data(record)}, ensure_ascii=False),
        )

    @property
    def checksum(self) -> str:
        """What shows whether a bit of it has changed since."""
        return hashlib.blake2b(json.dumps(self, default=repr).encode(), digest_size=16).hexdigest()

    @property
    def readable(self) -> bool:
        """Whether it is a game at all, as far as can be seen without its checksum."""
        try:
            _ = Result(self.result), self.move_list, self.winning_cells, self.notes()
        except (ValueError, TypeError, KeyError):
            return False
        return isinstance(self.termination, str)

    @property
    def played(self) -> bool:
        """Whether there is a result."""
        return self.result != Result.OPEN.value

    @property
    def score(self) -> GameScore:
        """The game as the ratings see it; ValueError when it was not played."""
        if not self.played:
            raise ValueError(f"game {self.id} between {self.first!r} and {self.second!r} has no result")
        return game_score(self.pair, self.first, self.second, self.result, self.termination)

    @property
    def move_list(self) -> list[Move]:
        """The moves."""
        return moves_of(self.moves)

    @property
    def winning_cells(self) -> Mask:
        """The cells that won."""
        return int(self.cells, 16)

    def notes(self) -> Notes:
        """What was noted about the game and its moves."""
        found = parse_json(self.record)
        return Notes(found, found["notes"] if "notes" in found else found["moves"])

    def game_record(self, rules: Rules | None = None) -> GameRecord:
        """The whole game, by these rules or those of its name."""
        notes = self.notes()
        return from_data(notes.head, rules or games.load(notes.head["game"]), self.move_list, notes.moves)


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
