"""A small load of the benchmark's: every move arrives, everybody is served, nobody starves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the benchmark pins processes and reads /proc")
def test_many_games_and_many_askers_are_served_without_errors_and_fairly() -> None:
    small = ["--games", "100", "--askers", "40", "--greedy", "100", "--seconds", "6", "--json"]
    command = [sys.executable, "-m", "benchmarks.web_load", *small]
    reported = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, check=True, timeout=120)
    found = json.loads(reported.stdout)
    human, programs = found["human games"], found["ai moves"]
    assert human["errors"] == 0
    assert human["moves"] >= 200
    assert programs["fewest"] >= 1
    assert programs["most"] <= programs["fewest"] + 2
    assert programs["pages"] > 20
    greed = found["beside greed"]
    assert greed["honest_answers"] >= 1
    assert greed["greedy_answers"] + greed["greedy_refused"] >= 1
