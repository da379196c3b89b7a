"""A grade as the `results.json` that Gradescope's autograder reads."""

from __future__ import annotations

import json

from plyground.core.notation import plural
from plyground.course.grade import CriterionMark, Grade
from plyground.course.outputs.text import to_text


def to_gradescope(grade: Grade) -> str:
    """One test per criterion, the whole feedback as output, and what a leaderboard can compare."""
    tests = [_test(mark) for mark in grade.marks]
    results = {
        "score": grade.points,
        "output": _output(grade),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "leaderboard": [
            {"name": mark.criterion.name, "value": round(100 * mark.share, 1)}
            for mark in grade.marks
            if not mark.criterion.hidden
        ],
        "extra_data": {
            "seed": grade.seed,
            "fingerprint": grade.submission.fingerprint,
            "isolation": grade.isolation,
            "imports": list(grade.imports),
            "noise": grade.noise,
        },
    }
    return json.dumps(results, ensure_ascii=False, indent=1) + "\n"


def _output(grade: Grade) -> str:
    """What students see at once: the feedback without what is hidden, which its tests show later."""
    shown = grade.without_hidden()
    later = len(grade.marks) - len(shown.marks)
    more = f"\n{plural(later, 'more result is', 'more results are')} shown after the due date.\n" if later else ""
    return to_text(shown, seed=False) + more


def _test(mark: CriterionMark) -> dict[str, object]:
    return {
        "name": mark.criterion.name,
        "score": mark.points,
        "max_score": mark.criterion.points,
        "status": "passed" if mark.passed else "failed",
        "output": "\n".join(filter(None, (mark.criterion.text, *mark.details))),
        "visibility": "after_due_date" if mark.criterion.hidden else "visible",
    }
