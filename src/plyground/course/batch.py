"""A class's submissions graded side by side, each in the sandbox, what is done kept."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

from plyground import games
from plyground.course.examiner import Questions
from plyground.course.grade import failed, grade
from plyground.course.gradebook import HandedIn, Kept
from plyground.course.outputs.html import to_html
from plyground.course.rubric import Rubric
from plyground.play.failure import InternalFailure
from plyground.tournament.desk import ATTEMPTS, error_of, killed
from plyground.tournament.download import Participant

KEPT_FORM = "2"
"""Another one with every change of what is kept of a grade."""


@dataclass(frozen=True)
class GradingTask:
    """One submission to be graded, as it is handed to another process."""

    handed_in: HandedIn
    game: str
    rubric: Rubric
    seed: int

    questions: Questions
    """What the rubric asks, found once for all."""

    @property
    def key(self) -> str:
        """What distinguishes this grading from every other: the submission, the game, the rubric and the seed."""
        submission = self.handed_in.submission
        parts = (
            KEPT_FORM,
            self.handed_in.participant.id,
            submission.fingerprint,
            self.game,
            repr(self.rubric),
            str(self.seed),
        )
        return hashlib.sha256(os.fsencode("\n".join(parts))).hexdigest()[:32]


def run(task: GradingTask) -> dict[str, Any]:
    """The grade of one submission as JSON values, with the page for its student as `feedback`.

    OSError, as InternalFailure, when that cannot be found out here, by nobody's fault.
    """
    rules, handed_in = games.load(task.game), task.handed_in
    if handed_in.problem:
        return without_points(task, handed_in.problem)
    try:
        found = grade(handed_in.submission, rules, task.rubric, task.seed, task.questions)
        return found.to_json() | {"feedback": to_html(found)}
    except OSError:
        raise
    except Exception as error:  # one submission must not end the grading of the others
        return without_points(task, f"it cannot be graded: {type(error).__name__}: {error}")


def without_points(task: GradingTask, problem: str) -> dict[str, Any]:
    """The grade of a submission that does not run at all, as JSON values."""
    rules = games.load(task.game)
    found = failed(task.handed_in.submission, rules, task.rubric, task.seed, problem)
    return found.to_json() | {"feedback": to_html(found)}


def run_all(
    tasks: Sequence[GradingTask], kept: Kept, executor: Executor
) -> Iterator[tuple[Participant, dict[str, Any]]]:
    """Every grade as it comes, those kept from before first.

    One whose process dies every time has no points. InternalFailure at the end where some could not be graded, through
    no fault of the submission; the others are kept by then.
    """
    waiting: dict[Future[dict[str, Any]], GradingTask] = {}
    for task in tasks:
        if (found := kept.find(task.key)) is not None:
            yield task.handed_in.participant, found
        else:
            waiting[executor.submit(run, task)] = task
    attempts: Counter[str] = Counter()
    troubles = []
    while waiting:
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            task = waiting.pop(future)
            error = error_of(future)
            if error is None:
                found = future.result()
            elif killed(error):
                attempts[task.key] += 1
                if attempts[task.key] < ATTEMPTS:
                    waiting[executor.submit(run, task)] = task
                    continue
                found = without_points(task, "the process that graded it died, every time")
            else:
                troubles.append(f"{task.handed_in.participant.name}: {error}")
                continue
            kept.keep(task.key, found)
            yield task.handed_in.participant, found
    if troubles:
        raise InternalFailure(
            f"{len(troubles)} could not be graded, through no fault of the submission; run again for these: "
            f"{'; '.join(troubles)}"
        )
