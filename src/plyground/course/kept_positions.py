"""Positions whose truth is known, kept in files.

To find them takes seconds, and hours without the native core. So what was found is kept in the user's cache folder,
and an autograder brings its own along. Bots do not see these files: they hold the answers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from plyground import __version__
from plyground.core.files import parse_json, write_file
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.course.exam import LOOK_PLIES, ExamPosition, Phase, known_positions, lookahead_positions
from plyground.native import rules_data
from plyground.search.score import Score
from plyground.tournament.parcel import fingerprint_of

FOLDER_VARIABLE = "PLYGROUND_EXAMS"
"""Names the folder in which positions are kept, where it is not the usual one."""


RECIPE = 3
"""Which way of looking for positions found them; one more with every change after which others are found."""


def exam_folder() -> Path:
    """Where positions are kept: `plyground/exams` in the folder for caches, `PLYGROUND_EXAMS` if that is set."""
    if named := os.environ.get(FOLDER_VARIABLE):
        return Path(named)
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "plyground" / "exams"


def exam_file(rules: Rules, count: int, seed: int, plies: int = 0) -> str:
    """The name of the file with these positions: another one for other rules, and in another version of Plyground."""
    parts = (__version__, str(RECIPE), rules.name, repr(rules_data(rules)), str(count), str(seed), str(plies))
    return f"{fingerprint_of(part.encode() for part in parts)[:32]}.json"


def kept_positions(rules: Rules, count: int, seed: int, plies: int = 0) -> tuple[ExamPosition, ...]:
    """What `known_positions` finds, or `lookahead_positions` so many plies ahead, from a file if it was found before.

    ValueError where there is none.
    """
    path = exam_folder() / exam_file(rules, count, seed, plies)
    with suppress(OSError, ValueError):  # there is none yet, or it is damaged
        return of_json(rules, parse_json(path.read_text(encoding="utf-8")))
    found = lookahead_positions(rules, plies, count, seed) if plies else known_positions(rules, count, seed)
    with suppress(OSError):  # where it cannot be kept, it is found again next time
        _keep(path, found)
    return found


def _keep(path: Path, found: Iterable[ExamPosition]) -> None:
    """Write a file that only its owner can read; it is there whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(path, json.dumps(to_json(found)), private=True)


def to_json(found: Iterable[ExamPosition]) -> list[dict[str, object]]:
    """Positions with the worth of their moves, as JSON values."""
    return [
        {
            "moves": Position.start(asked.position.rules).write_line(asked.moves),
            "phase": str(asked.phase),
            "worth": [[asked.position.write(move), score.to_json()] for move, score in asked.worth],
        }
        | ({} if asked.plies is None else {"plies": asked.plies})
        for asked in found
    ]


def of_json(rules: Rules, values: Any, complete: bool = True) -> tuple[ExamPosition, ...]:
    """The positions that `to_json` wrote; ValueError when they are no positions of this game.

    Where they are to be complete, also when it is not known of all their moves what these are worth.
    """
    try:
        found = tuple(
            _position(rules, value["moves"], value["phase"], value["worth"], value.get("plies")) for value in values
        )
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no positions with their truth: {error!r}") from None
    for asked in found if complete else ():
        proved = asked.plies is not None or all(score.proved for _, score in asked.worth)
        if {move for move, _ in asked.worth} != set(asked.position.moves()) or not proved:
            texts = Position.start(rules).write_line(asked.moves)
            raise ValueError(f"the truth of some moves after {' '.join(texts)} is missing")
    return found


def _position(rules: Rules, texts: list[str], phase: str, worth: list[Any], plies: Any) -> ExamPosition:
    position, moves = Position.start(rules), []
    for text in texts:
        moves.append(position.parse(text))
        position = position.play(moves[-1])
    known = tuple((position.parse(text), Score.from_json(score)) for text, score in worth)
    if plies is not None and plies not in LOOK_PLIES:
        raise ValueError(f"positions are decided {LOOK_PLIES[0]} to {LOOK_PLIES[-1]} plies ahead, got {plies!r}")
    return ExamPosition(position, tuple(moves), Phase(phase), known, plies)
