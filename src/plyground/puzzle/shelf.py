"""The puzzles that come with the program: by game, by theme, by name, and one for every day."""

from __future__ import annotations

import datetime
import json
import math
from functools import lru_cache
from pathlib import Path

from plyground import games
from plyground.puzzle.files import Json, from_json
from plyground.puzzle.puzzle import Puzzle, Theme

SHIPPED = Path(__file__).parent / "shipped"
"""Their files, one for each game."""

SUFFIX = ".jsonl"

STRIDE = 0.618
"""The step from one day's puzzle to the next, as a share of the pack: neighbours often come from the same game."""


@lru_cache(maxsize=1)
def entries() -> dict[str, Json]:
    """Every puzzle as its file has it, by its name, in the order of the files."""
    lines = (line for path in sorted(SHIPPED.glob(f"*{SUFFIX}")) for line in path.read_text("utf-8").splitlines())
    return {str(entry["id"]): entry for entry in map(json.loads, lines)}


def find(name: str) -> Puzzle:
    """The puzzle of a name; ValueError if there is none."""
    if name not in entries():
        raise ValueError(f"there is no puzzle {name!r}; `plyground puzzles list` shows those there are")
    return _built(name)


def names(game: str | None = None, theme: Theme | None = None, level: int | None = None) -> list[str]:
    """The names of the puzzles of a game, a theme and a level of difficulty, or of any; the easiest first."""
    rules = None if game is None else games.load(game).name
    found = [
        name
        for name, entry in entries().items()
        if (rules is None or entry["game"] == rules)
        and (theme is None or entry["theme"] == theme)
        and (level is None or _level(entry) == level)
    ]
    return sorted(found, key=lambda name: _level(entries()[name]))


def daily_name(day: datetime.date, game: str | None = None) -> str:
    """The name of a day's puzzle, by default of a different game each day; none repeats before all were used."""
    number = day.toordinal()
    if game is None:
        packs = sorted({str(entry["game"]) for entry in entries().values()})
        game, number = packs[number % len(packs)], number // len(packs)
    known = names(game)
    if not known:
        raise ValueError(f"there are no puzzles of {game}; `plyground puzzles make` finds some")
    return known[number * stride(len(known)) % len(known)]


def stride(count: int) -> int:
    """The step from one day's puzzle to the next in a pack of this size, such that every puzzle has its turn."""
    found = max(1, int(count * STRIDE))
    while math.gcd(found, count) != 1:
        found += 1
    return found


def _level(entry: Json) -> int:
    match entry["difficulty"]:
        case {"level": int(level)}:
            return level
    raise ValueError(f"the puzzle {entry['id']} has no level")


@lru_cache(maxsize=1024)
def _built(name: str) -> Puzzle:
    return from_json(entries()[name])
