"""The modules of the core for the browser, where they were built."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from plyground.core.rules import Rules

ENGINES = {"engine": 64, "engine-256": 256, "engine-768": 768}
"""The engines, each with as many placements as a side of a game may have in it."""

PLAYING_ONLY = {"engine": "engine-play"}
"""What is enough of an engine to play against a level, where that was built apart: no proofs, no searches to read."""

NAMES = (*ENGINES, *PLAYING_ONLY.values(), "solver")
"""A game needs one of the engines; the solver is for exact scores of Connect Four."""

HOW_TO_BUILD = "in a clone of plyground run `make wasm`, which needs the package ziglang"
"""What to do where they are missing."""


def engine_for(rules: Rules) -> str:
    """The smallest engine with room for a game."""
    most = max(map(len, rules.placements))
    return next(name for name, room in ENGINES.items() if most <= room)


def player_for(rules: Rules) -> str:
    """What is enough to play a game against a level."""
    return PLAYING_ONLY.get(engine_for(rules), engine_for(rules))


def modules() -> dict[str, Path]:
    """The modules by name; empty where they were not built."""
    folder = Path(str(resources.files("plyground.web"))) / "static" / "wasm"
    found = {name: folder / f"{name}.wasm" for name in NAMES}
    return found if all(path.is_file() for path in found.values()) else {}
