"""The modules of the core for the browser, where they were built."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from plyground.core.rules import Rules
from plyground.solve.connect_four.solver import objection

ENGINES = {"engine": 64, "engine-256": 256, "engine-768": 768}
"""The engines with the judge, each with as many placements as a side of a game may have in it."""

PLAYING, SOLVING = "-play", "-four"
"""What is enough of an engine to play against a level: no judge, no searches to read; and one with a solver too."""

WITH_SOLVER = ("engine", "engine-256")
"""Those that are built with the exact solver of Connect Four too, whose boards have no more placements."""

TEXT = "text"
"""What compiles a game as text."""

NAMES = (*ENGINES, *(name + PLAYING for name in ENGINES), *(name + SOLVING for name in WITH_SOLVER), TEXT)
"""All of them; a game needs one to be played and one to be looked into."""

HOW_TO_BUILD = "in a clone of plyground run `make wasm`, which needs the package ziglang"
"""What to do where they are missing."""


def engine_for(rules: Rules) -> str:
    """The smallest engine with room for a game, and with the solver where it has one."""
    return _roomy(rules) + ("" if objection(rules) else SOLVING)


def _roomy(rules: Rules) -> str:
    most = max(map(len, rules.placements))
    return next(name for name, room in ENGINES.items() if most <= room)


def player_for(rules: Rules) -> str:
    """What is enough to play a game against a level."""
    return _roomy(rules) + PLAYING


def modules() -> dict[str, Path]:
    """The modules by name; empty where they were not built."""
    folder = Path(str(resources.files("plyground.web"))) / "static" / "wasm"
    found = {name: folder / f"{name}.wasm" for name in NAMES}
    return found if all(path.is_file() for path in found.values()) else {}
