"""Asks the core in WebAssembly, run by node, about positions."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plyground.core.position import Position
from plyground.games import load
from plyground.web.core_data import core_data, position_data
from plyground.web.wasm import HOW_TO_BUILD, modules

STATIC = Path(__file__).parent.parent / "src" / "plyground" / "web" / "static"
NODE = shutil.which("node")

NEEDS_WASM: list[pytest.MarkDecorator] = [
    pytest.mark.skipif(len(modules()) < 2, reason=f"no core for the browser here: {HOW_TO_BUILD}"),
    pytest.mark.skipif(NODE is None, reason="node is missing: install the package nodejs"),
]

SECONDS = 7200
"""The longest that node may take for a file of questions."""

Json = dict[str, Any]


class Question(NamedTuple):
    """What is asked about a position."""

    position: Position

    ask: list[list[Any]]
    """Methods of a game in `core.js`, with what they take after the position."""

    moves: Sequence[tuple[int, int | None]] | None = None
    """The moves that lead there, where the core is to play them itself."""

    def to_json(self) -> Json:
        where: Json = {"position": position_data(self.position)} if self.moves is None else {"moves": list(self.moves)}
        return {"game": self.position.rules.name, "ask": self.ask, **where}


def questions_file(folder: Path, questions: Sequence[Question], heuristics: dict[str, list[str]]) -> Path:
    """A file with questions and the games that they are about."""
    names = dict.fromkeys(question.position.rules.name for question in questions)
    games = {name: core_data(load(name), heuristics.get(name, ["engine"])) for name in names}
    file = folder / "questions.json"
    file.write_text(json.dumps({"games": games, "questions": [question.to_json() for question in questions]}))
    return file


def ask_node(file: Path) -> list[Json]:
    """What the core in WebAssembly answers to a file of questions."""
    assert NODE is not None
    script = Path(__file__).parent / "wasm_twin.mjs"
    done = subprocess.run(
        [NODE, str(script), str(STATIC), str(file)], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[Json] = json.loads(done.stdout)
    return found
