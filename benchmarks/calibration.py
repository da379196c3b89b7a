"""What the default rubric gives to players of known strength, and how far the seed moves it: the table in grading.md.

`python -m benchmarks.calibration [--game connect-four] [--seeds 0 1] [--players SPEC ...] [--write]`. Every player is
graded by the rubric that `plyground grade` has where none is given. With --write the means become those that feedback
shows (`course/known_grades.json`). The run fails when the order of the mean grades is not the order of the players, the
weakest first, or the seeds move a grade by 5 points or more.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import pairwise
from pathlib import Path
from statistics import mean

import plyground
from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.files import write_file
from plyground.course.examiner import questions_of
from plyground.course.grade import grade
from plyground.course.rubric import usual_rubric
from plyground.tournament.submission import read_submission

PLAYERS = (
    "random",
    "engine:level=1",
    "alpha-beta:depth=1",
    "alpha-beta:depth=2",
    "alpha-beta:depth=3",
    "alpha-beta:depth=4",
    "engine:level=5",
    "engine:level=6",
    "engine:level=7",
    "engine:level=8",
)
"""From the weakest on; limited by depth or positions, so that a table comes again."""

MOST_SPREAD = 5.0
"""Points by which the seed may move a grade, at the most."""


KNOWN = Path(plyground.__file__).parent / "course" / "known_grades.json"
"""What feedback shows."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--players", nargs="+", default=PLAYERS)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    print_condition(Timing.CLOCK)
    rules = games.load(asked.game)
    rubric = usual_rubric(rules)
    questions = {seed: questions_of(rules, rubric, seed) for seed in asked.seeds}
    means = []
    wide: list[str] = []
    print(
        f"| {rules.name} | " + " | ".join(f"{each.name} ({each.points:g})" for each in rubric.criteria) + " | grade |"
    )
    for spec in asked.players:
        graded = [grade(read_submission(spec), rules, rubric, seed, questions[seed]) for seed in asked.seeds]
        points = [each.points for each in graded]
        marks = [mean(each.marks[i].points for each in graded) for i in range(len(rubric.criteria))]
        spread = max(points) - min(points)
        means.append(mean(points))
        shown = " | ".join(f"{mark:.1f}" for mark in marks)
        print(f"| {spec} | {shown} | {means[-1]:.1f} ({min(points):.1f} to {max(points):.1f}) |", flush=True)
        if asked.write:
            write(asked.game, spec, means[-1])
        if spread >= MOST_SPREAD:
            wide.append(f"the seed moves the grade of {spec} by {spread:.1f} points")
    if wide:
        sys.exit("; ".join(wide))
    if any(one >= other for one, other in pairwise(means)):
        sys.exit("the order of the grades is not that of the players")


def write(game: str, spec: str, points: float) -> None:
    """Keep what a player gets, in the order of the players."""
    known = json.loads(KNOWN.read_text(encoding="utf-8"))
    found = known.get(game, {}) | {spec: round(points, 1)}
    known[game] = {each: found[each] for each in sorted(found, key=PLAYERS.index)}
    write_file(KNOWN, json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
