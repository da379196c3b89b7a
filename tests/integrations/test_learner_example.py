"""The learning example: it soon beats random clearly, and plays as a bot."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy")
from plyground import play_match

EXAMPLE = Path(__file__).parents[2] / "examples" / "learner"
GAME = "connect-four:rows=5,columns=6"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a bot that has learned for a few rounds, and what was reported about it."""
    folder = shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("learner"), dirs_exist_ok=True)
    command = [sys.executable, "train.py", "--game", GAME, "--rounds", "120", "--seconds", "60"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=True)
    return folder, done.stdout


def test_it_beats_random_clearly(trained: tuple[Path, str]) -> None:
    won = re.search(r"against random: ([\d.]+)% of 2000 games won", trained[1])
    assert won is not None
    assert float(won[1]) > 80


def test_it_plays_as_a_bot(trained: tuple[Path, str]) -> None:
    match = play_match(GAME, f"py:{trained[0] / 'agent.py'}", "random", games=6)
    assert match.tally.points >= 4
    assert not any(record.fault for record in match.records)
