"""What players of known strength get by the default rubric: measured, and repeated by `benchmarks.calibration`."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from plyground.core.rules import Rules
from plyground.core.specs import Spec
from plyground.course.rubric import Rubric, usual_rubric


@cache
def measured() -> dict[str, dict[str, float]]:
    """The grades by game and player, the weakest player first; the benchmark's means."""
    text = resources.files("plyground.course").joinpath("known_grades.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, float]] = json.loads(text)
    return found


SHOWN = {
    "random": "random",
    "alpha-beta:depth=1": "one ply",
    "alpha-beta:depth=2": "depth 2",
    "alpha-beta:depth=4": "depth 4",
    "engine:level=5": "level 5",
    "engine:level=8": "level 8",
}
"""The players that feedback shows, by what they are called there."""


def known_grades(rules: Rules, rubric: Rubric) -> dict[str, float]:
    """What known players get by a rubric, by what they are called; nothing for any but the default rubric."""
    if rubric.criteria != usual_rubric(rules).criteria:
        return {}
    found = measured().get(Spec.parse(rules.name).name, {})
    return {name: found[spec] for spec, name in SHOWN.items() if spec in found}
