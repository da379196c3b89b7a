"""Nets in files: what `plyground train` writes and `engine:net=my.net` plays, checkpoint by checkpoint.

    8 bytes     b"PLYNET", 0, 1
    4 bytes     the length of the header
    header      JSON, as `Header` has it
    weights     of one checkpoint after the other: the rows, a signed byte for each weight; what each unit is multiplied
                by, 2 bytes each, signed; the plain worth of each row, 4 bytes each, signed
    state       what a learner needs to learn on, in fractions; nothing here where it was taken out
    32 bytes    the SHA-256 of everything before

Numbers of several bytes begin with the lowest. Everything is checked before it is used: a file of a stranger is numbers
and nothing else, and no larger than it says.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from plyground.core.files import missing_file, parse_json, write_file
from plyground.core.rules import Rules, Side
from plyground.heuristics.data import CellWeights, DataHeuristic, SinglePatterns
from plyground.heuristics.net import LARGEST_OUT, LARGEST_SHIFT, MOST_LANES, Net, checked, disc_layers, row_count

MAGIC = b"PLYNET\0\1"
LENGTH = struct.Struct("<I")
DIGEST_BYTES = 32

MOST_BYTES = 1 << 28
MOST_HEADER_BYTES = 1 << 20
MOST_ROWS = 1 << 16
MOST_CHECKPOINTS = 1000

MEASURES = ("games", "positions", "seconds", "loss", "kept", "given")
"""What a checkpoint says of itself."""

LARGEST_PLAIN = 1_000_000
"""The largest worth of a row by itself."""

NAME = re.compile(r"(.+\.net)(?:@(\d{1,4}))?")
"""How a heuristic names such a file, and one of its checkpoints: `my.net`, `my.net@3`."""


@dataclass(frozen=True)
class Weights:
    """A net in whole numbers."""

    rows: bytes
    out: tuple[int, ...]
    shift: int

    plain: tuple[int, ...]
    """What each row is worth by itself, to the first side; 0 for the side to move and for threats."""


@dataclass(frozen=True)
class Checkpoint:
    """A net at some time of its learning."""

    games: int
    """Played until then."""

    positions: int
    """Learned from until then."""

    seconds: float
    """Taken until then."""

    loss: float | None
    """The mean log loss of what was learned last; None before anything was."""

    kept: float | None
    """The share of known positions in which its move keeps the result; None where none are known."""

    given: float | None
    """The points that its moves give away on average in these: 1 for a win that becomes a loss."""

    weights: Weights


@dataclass(frozen=True)
class NetFile:
    """A net, from its first checkpoint, which knows nothing, to its last."""

    game: str
    """The name of its game."""

    rules: str
    """The fingerprint of the rules."""

    checkpoints: tuple[Checkpoint, ...]

    plan: dict[str, int | float | str | None]
    """How it is learned, as `plyground train` keeps it."""

    state: bytes = b""
    """What a learner needs to learn on."""

    def heuristic(self, rules: Rules, name: str, number: int | None = None) -> DataHeuristic:
        """The last checkpoint, or that of a number, as a heuristic; ValueError where it is not for these rules."""
        if self.rules != fingerprint(rules):
            raise ValueError(f"heuristic {name!r} is a net for {self.game}, not for {rules.name}")
        if number is not None and number >= len(self.checkpoints):
            most = len(self.checkpoints) - 1
            raise ValueError(f"heuristic {name!r}: the checkpoints of this net are 0 to {most}, got {number}")
        return heuristic_of(rules, self.checkpoints[-1 if number is None else number].weights, name)

    def to_bytes(self) -> bytes:
        """The content of the file."""
        first = self.checkpoints[0].weights
        header = {
            "game": self.game,
            "rules": self.rules,
            "units": len(first.out),
            "rows": len(first.plain),
            "plan": self.plan,
            "state": len(self.state),
            "checkpoints": [
                {
                    **{
                        name: getattr(each, name) for name in ("games", "positions", "seconds", "loss", "kept", "given")
                    },
                    "shift": each.weights.shift,
                }
                for each in self.checkpoints
            ],
        }
        text = json.dumps(header, ensure_ascii=False).encode()
        pieces = [MAGIC, LENGTH.pack(len(text)), text]
        for each in self.checkpoints:
            weights = each.weights
            pieces += [
                weights.rows,
                struct.pack(f"<{len(weights.out)}h", *weights.out),
                struct.pack(f"<{len(weights.plain)}i", *weights.plain),
            ]
        content = b"".join([*pieces, self.state])
        return content + hashlib.sha256(content).digest()

    @staticmethod
    def of_bytes(content: bytes) -> NetFile:
        """The net of a file's content; ValueError for anything that is none."""
        if not content.startswith(MAGIC):
            raise ValueError("it is no net: `plyground train` writes them")
        body, digest = content[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
        if hashlib.sha256(body).digest() != digest:
            raise ValueError("it is damaged or incomplete: its checksum does not fit its content")
        start = len(MAGIC) + LENGTH.size
        if len(body) < start:
            raise ValueError("it is too short for a net")
        (length,) = LENGTH.unpack(body[len(MAGIC) : start])
        if length > MOST_HEADER_BYTES or start + length > len(body):
            raise ValueError(f"its header cannot have {length} bytes")
        header = Header(parse_json(body[start : start + length].decode("utf-8")))
        return header.net(body[start + length :])

    def write(self, path: Path) -> None:
        """Write the file; an older one is replaced only once the new one is complete."""
        write_file(path, self.to_bytes())


class Header:
    """The header of a file, each of its numbers checked when it is read; ValueError for one that none has."""

    def __init__(self, value: Any) -> None:
        if not isinstance(value, dict):
            raise ValueError("its header is no object")
        self.value: dict[str, Any] = value

    def net(self, body: bytes) -> NetFile:
        """The net with these weights and this state behind the header."""
        units, rows = self.number("units", 1, MOST_LANES), self.number("rows", 4, MOST_ROWS)
        state, each = self.number("state", 0, MOST_BYTES), units * rows + 2 * units + 4 * rows
        marks = self.value.get("checkpoints")
        if not isinstance(marks, list) or not 1 <= len(marks) <= MOST_CHECKPOINTS:
            raise ValueError(f"a net has 1 to {MOST_CHECKPOINTS} checkpoints")
        if len(body) != len(marks) * each + state:
            raise ValueError(f"its header needs {len(marks) * each + state} bytes behind it, got {len(body)}")
        checkpoints = tuple(
            Header(mark).checkpoint(body[at * each : (at + 1) * each], units, rows) for at, mark in enumerate(marks)
        )
        plan = self.value.get("plan")
        if not isinstance(plan, dict) or any(isinstance(each, dict | list) for each in plan.values()):
            raise ValueError("its plan is no object of plain values")
        return NetFile(self.text("game"), self.text("rules"), checkpoints, plan, body[len(body) - state :])

    def checkpoint(self, body: bytes, units: int, rows: int) -> Checkpoint:
        """A checkpoint with its weights."""
        out = struct.unpack_from(f"<{units}h", body, units * rows)
        plain = struct.unpack_from(f"<{rows}i", body, units * rows + 2 * units)
        if max(map(abs, out)) > LARGEST_OUT or max(map(abs, plain)) > LARGEST_PLAIN:
            raise ValueError("a weight of a checkpoint is too large")
        shift = self.number("shift", 0, LARGEST_SHIFT)
        return Checkpoint(
            games=self.number("games", 0, 1 << 53),
            positions=self.number("positions", 0, 1 << 53),
            seconds=self.fraction("seconds", 1e9) or 0.0,
            loss=self.fraction("loss", 100),
            kept=self.fraction("kept", 1),
            given=self.fraction("given", 1),
            weights=Weights(body[: units * rows], out, shift, plain),
        )

    def number(self, name: str, least: int, most: int) -> int:
        """A whole number."""
        found = self.value.get(name)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise ValueError(f"{name} must be a whole number from {least} to {most}, got {str(found)[:40]}")
        return found

    def fraction(self, name: str, most: float) -> float | None:
        """A number from 0 on, or none."""
        found = self.value.get(name)
        if found is None:
            return None
        if not isinstance(found, int | float) or isinstance(found, bool) or not 0 <= found <= most:
            raise ValueError(f"{name} must be a number from 0 to {most:g}, got {str(found)[:40]}")
        return float(found)

    def text(self, name: str) -> str:
        """A text."""
        found = self.value.get(name)
        if not isinstance(found, str) or not 1 <= len(found) <= 1000:
            raise ValueError(f"{name} must be a text")
        return found


def names_net(text: str) -> bool:
    """Whether a heuristic is the name of such a file."""
    return NAME.fullmatch(text) is not None


def load_net(text: str, rules: Rules) -> DataHeuristic:
    """The heuristic that `my.net` or `my.net@3` names; ValueError when there is none, or it is not for these rules."""
    found = NAME.fullmatch(text)
    if found is None:
        raise ValueError(f"a net is a file, such as my.net, or one of its checkpoints, such as my.net@3, got {text!r}")
    file, number = found.groups()
    return read_net(Path(file)).heuristic(rules, text, None if number is None else int(number))


def read_net(path: Path) -> NetFile:
    """The net in a file; ValueError that names the file when it is none."""
    try:
        if not path.is_file():
            raise ValueError(missing_file(str(path), "net"))
        found = path.stat()
        if found.st_size > MOST_BYTES:
            raise ValueError(f"{path} is too large for a net: {found.st_size} bytes, at most {MOST_BYTES}")
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    return _read(path.absolute(), found.st_ino, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: Path, *seen: int) -> NetFile:
    """A file that looks as it was seen."""
    try:
        return NetFile.of_bytes(path.read_bytes())
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path.name} cannot be used: {error}") from None


@lru_cache(maxsize=64)
def fingerprint(rules: Rules) -> str:
    """What rules share that are the same in all but their name and their texts."""
    patterns = [
        (
            *(each.cells, each.neutraliser, each.barred, each.swapped),
            [sorted(rules.layers_for(side, each)) for side in Side],
        )
        for each in rules.patterns
    ]
    placements = [[(each.adds, each.rests_on) for each in of_side] for of_side in rules.placements]
    symmetries = [(list(each.cells), list(each.layers)) for each in rules.symmetries]
    ends = (rules.max_plies, rules.recycle_from, rules.mover_wins_ties, rules.full_winner, sorted(rules.passes))
    facts = (len(rules.grid.cells), rules.goal_layers, patterns, placements, symmetries, ends)
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def heuristic_of(rules: Rules, weights: Weights, name: str) -> DataHeuristic:
    """Weights as a heuristic; ValueError where they do not fit the rules."""
    net = checked(rules, Net(weights.rows, weights.out, weights.shift))
    if len(weights.plain) != row_count(rules):
        raise ValueError(f"{rules.name}: a net has {row_count(rules)} rows, got {len(weights.plain)}")
    cells, held = len(rules.grid.cells), rules.longest - 1
    first, second = (
        tuple(_of_patterns(weights.plain, 2 + 4 * cells + side * len(rules.patterns) * held, held, rules, 1 - 2 * side))
        for side in Side
    )
    kinds = tuple(
        (1 << disc_layers(rules)[side], weights.plain[2 + side * cells : 2 + (side + 1) * cells]) for side in Side
    )
    return DataHeuristic(name, (SinglePatterns(first, second), CellWeights(kinds), net))


def _of_patterns(plain: tuple[int, ...], start: int, held: int, rules: Rules, sign: int) -> Iterator[tuple[int, ...]]:
    """The worth of each pattern to its side, by cells held."""
    for at in range(start, start + len(rules.patterns) * held, held):
        yield 0, *(sign * worth for worth in plain[at : at + held]), 0
