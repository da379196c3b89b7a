"""What the default rubric gives to players of known strength, and how far the seed moves it: the table in grading.md.

`python -m benchmarks.calibration [--game connect-four] [--seeds 0 1] [--players SPEC ...]`. Every player is graded by
the rubric that `plyground grade` has where none is given. The run fails when the order of the mean grades is not the
order of the players, the weakest first, or the seeds move a grade by 5 points or more.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from statistics import mean

from benchmarks.machine import Timing, print_condition
from plyground import games
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--players", nargs="+", default=PLAYERS)
    asked = parser.parse_args()
    print_condition(Timing.CLOCK)
    rules = games.load(asked.game)
    rubric = usual_rubric(rules)
    questions = {seed: questions_of(rules, rubric, seed) for seed in asked.seeds}
    means = []
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
        if spread >= MOST_SPREAD:
            sys.exit(f"the seed moves the grade of {spec} by {spread:.1f} points")
    if any(one >= other for one, other in pairwise(means)):
        sys.exit("the order of the grades is not that of the players")


if __name__ == "__main__":
    main()
