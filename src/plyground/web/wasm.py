"""The modules of the core for the browser, where they were built."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

NAMES = ("engine", "solver")
"""The engine's module is needed for every game, the solver's for exact scores of Connect Four."""

HOW_TO_BUILD = "in a clone of plyground run `make wasm`, which needs the package ziglang"
"""What to do where they are missing."""


def modules() -> dict[str, Path]:
    """The modules by name; empty where they were not built."""
    folder = Path(str(resources.files("plyground.web"))) / "static" / "wasm"
    found = {name: folder / f"{name}.wasm" for name in NAMES}
    return found if all(path.is_file() for path in found.values()) else {}
