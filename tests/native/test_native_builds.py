"""Two builds of the core on x86-64: each processor gets one it can run, and both answer the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from command import environment
from plyground import native
from plyground.native import _core, builds

needs_both = pytest.mark.skipif(native.build == "baseline", reason="one build of the core here")

ANSWERS = """
import random
from plyground import Limit, Position, load_game, native
from plyground.search.engine import EngineSearch
from plyground.solve.connect_four.solver import ConnectFourSolver

def after(rules, plies, generator):
    position = Position.start(rules)
    while position.ply < plies:
        position = position.play(generator.choice(position.moves()))
        if position.outcome():
            position = Position.start(rules)
    return position

for size in ("rows=6,columns=7", "rows=7,columns=8", "rows=5,columns=6", "rows=8,columns=9"):
    rules, generator = load_game(f"connect-four:{size}"), random.Random(size)
    positions = [after(rules, 10 + at % 12, generator) for at in range(60)]
    answers = ConnectFourSolver(rules).solve_many(positions, Limit(nodes=2000))
    print(size, answers.scores, answers.nodes)

for game in ("connect-four", "polarized-ladder", "double-card", "gomoku"):
    for found in EngineSearch()(after(load_game(game), 4, random.Random(game)), Limit(nodes=5000)):
        print(game, found.line, found.score, found.depth, found.nodes)
"""


def python(code: str, **variables: str) -> str:
    """What a program prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(**variables), check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_both
def test_both_builds_give_the_same_moves_scores_and_node_counts() -> None:
    which = "from plyground import native; print(native.build)\n"
    build, newer = python(which + ANSWERS).split("\n", 1)
    assert build == "x86-64-v3"
    build, baseline = python(which + ANSWERS, PLYGROUND_CORE="baseline").split("\n", 1)
    assert build == "baseline"
    assert newer == baseline
    assert len(newer.splitlines()) > 20


@needs_both
def test_the_build_for_newer_processors_is_the_core_for_everyone() -> None:
    assert _core.__name__ == "plyground.native._core"
    assert Path(str(_core.__file__)).parent.name == "x86-64-v3"
    assert vars(native)["_core"] is _core


@needs_both
def test_an_older_processor_loads_the_baseline_and_none_of_the_newer_build() -> None:
    code = """
import sys, types
sys.modules["plyground.native._processor"] = types.SimpleNamespace(has_v3=lambda: False)
from plyground import native
from plyground.native import _core
files = [str(getattr(module, "__file__", "")) for module in sys.modules.values()]
print(native.build, "x86-64-v3" in _core.__file__, any("x86-64-v3" in file for file in files))
"""
    assert python(code) == "baseline False False\n"


def test_without_a_core_there_is_no_build_and_whoever_asks_it_is_answered_what_is_missing() -> None:
    code = """
import sys
sys.modules["plyground.native._core"] = None
from plyground import Limit, Position, load_game, load_player, native
position = Position.start(load_game("tic-tac-toe"))
for spec in ("minimax:depth=2", "alpha-beta", "beam", "mcts:nodes=50", "random"):
    *_, found = load_player(spec, position.rules).think(position, Limit(depth=2))
    assert found.move in position.moves()
try:
    native.perft(position, 2)
except ImportError as error:
    print(native.build, str(error).partition(",")[0])
"""
    assert python(code) == "None this needs the native core\n"


def test_an_unknown_build_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYGROUND_CORE", "fastest")
    with pytest.raises(ValueError, match="PLYGROUND_CORE must be 'baseline' or not set, got 'fastest'"):
        builds.choose()
