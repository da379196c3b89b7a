"""Functions that start processes work in a plain script, without a guard around what it does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import plyground
print("the script runs")
summary = plyground.run_tournament("tic-tac-toe", {players}, rounds=3, processes={processes})
print(summary.played, "games")
"""


def ran(folder: Path, players: list[str], processes: int) -> subprocess.CompletedProcess[str]:
    """A plain script that plays a tournament."""
    path = folder / "script.py"
    path.write_text(SCRIPT.format(players=players, processes=processes))
    return subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120, cwd=folder)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_plain_script_plays_a_tournament_and_is_not_run_again_by_its_workers(tmp_path: Path, processes: int) -> None:
    done = ran(tmp_path, ["alpha-beta:depth=2", "random"], processes)
    assert done.stdout.splitlines() == ["the script runs", "6 games"]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("processes", [1, 2])
def test_a_game_that_cannot_be_played_is_an_error_and_no_result(tmp_path: Path, processes: int) -> None:
    (tmp_path / "moody.py").write_text("import os\ndef moody(position):\n    os._exit(7)\n")
    if processes == 1:
        (tmp_path / "moody.py").write_text("def moody(position):\n    raise SystemError('never')\n")
    done = ran(tmp_path, ["alpha-beta:depth=2,heuristic=moody.py:moody,isolated=no", "random"], processes)
    if processes == 2:
        assert done.returncode == 1
        assert "could not be played: WorkerDied: a worker process ended with code 7" in done.stderr
    else:  # a player that fails has lost its games, which were played
        assert done.stdout.splitlines()[-1] == "6 games"
