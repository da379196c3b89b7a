"""Recipes for other people's learners: they run unchanged in an environment of their own, and learn.

The environment is made once, in build/clients, and is several gigabytes large, as torch is. PLYGROUND_CLIENTS names
another one that is there already.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import plyground
from documents import PROJECT

RECIPES = PROJECT / "examples" / "recipes"

CLIENTS = ("torch==2.15.0", "sb3-contrib==2.9.2", "tianshou==2.0.1", "open_spiel==2.0.2", "jsonschema", "ray==2.60.0")
"""Whom the recipes were tried with."""

KAGGLE = "kaggle-environments==1.33.2"
"""Without what it needs for other games than ConnectX."""

pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def python() -> Path:
    """The Python of an environment with the clients, which finds this program where it is."""
    if given := os.environ.get("PLYGROUND_CLIENTS"):
        return Path(given) / "bin" / "python"
    home = PROJECT / "build" / "clients"
    found = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (home / ".installed").exists():
        venv.create(home, with_pip=True, clear=True)
        done = subprocess.run([found, "-m", "pip", "install", "--quiet", *CLIENTS], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"the clients cannot be installed here: {done.stderr.strip().splitlines()[-1]}")
        subprocess.run([found, "-m", "pip", "install", "--quiet", "--no-deps", KAGGLE], check=True)
        (home / ".installed").touch()
    return found


def run(python: Path, code: str) -> str:
    """What a program prints; the clients' own packages come first, those of this environment behind them."""
    here = [str(Path(plyground.__file__).parents[1]), *(path for path in sys.path if path.endswith("site-packages"))]
    first = f"import sys, site; [site.addsitedir(each) for each in {here!r}]; sys.path.insert(0, {str(RECIPES)!r})\n"
    found = os.pathsep.join([str(RECIPES), *here])  # by processes that a client starts itself
    done = subprocess.run(
        [python, "-c", first + code],
        capture_output=True,
        text=True,
        cwd=RECIPES,
        check=False,
        env=os.environ | {"PLYGROUND_FOUND": found},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recipe", "count", "least"),
    [("maskable_ppo.py", 20_000, 0.1), ("tianshou_dqn.py", 12_000, 0.05), ("open_spiel_q_learning.py", 12_000, 0.1)],
)
def test_a_foreign_learner_gives_away_less_the_more_it_has_learned(
    python: Path, recipe: str, count: int, least: float
) -> None:
    code = f"import runpy; sys.argv = [{recipe!r}, '{count}']; runpy.run_path({recipe!r}, run_name='__main__')"
    curve = [float(found) for found in re.findall(r"exact regret ([\d.]+)", run(python, code))]
    assert len(curve) == 5
    assert min(curve[-2:]) < curve[0] - least, curve


@pytest.mark.slow
def test_a_tournament_is_played_on_the_workers_of_ray(python: Path) -> None:
    code = """
import os, ray, ray_tournament
ray.init(runtime_env={"env_vars": {"PYTHONPATH": os.environ["PLYGROUND_FOUND"]}}, include_dashboard=False)
ray_tournament.main(None)
"""
    printed = run(python, code)
    assert re.search(r"12 games on [0-9]+ workers; first is alpha-beta:depth=4", printed)


@pytest.mark.slow
def test_a_player_wins_in_kaggles_own_connectx_from_both_sides(python: Path) -> None:
    code = """
from kaggle_environments import make
from plyground.integrations.kaggle import connectx_agent
game, ours = make("connectx"), connectx_agent("engine:level=6")
for agents in ([ours, "negamax"], ["negamax", ours]):
    game.run(agents)
    print([state.reward for state in game.steps[-1]], {state.status for state in game.steps[-1]})
"""
    assert run(python, code).splitlines()[-2:] == ["[1, -1] {'DONE'}", "[-1, 1] {'DONE'}"]
