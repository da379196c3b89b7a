"""A class's submissions graded side by side, each in the sandbox, what is done kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass
from typing import Any

from plyground import games
from plyground.course.download import Participant
from plyground.course.examiner import Questions
from plyground.course.grade import failed, grade
from plyground.course.gradebook import HandedIn, Kept
from plyground.course.rubric import Rubric


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
        parts = (self.handed_in.participant.id, submission.fingerprint, self.game, repr(self.rubric), str(self.seed))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def run(task: GradingTask) -> dict[str, Any]:
    """The grade of one submission as JSON values."""
    rules, handed_in = games.load(task.game), task.handed_in
    if handed_in.problem:
        return failed(handed_in.submission, rules, task.rubric, task.seed, handed_in.problem).to_json()
    return grade(handed_in.submission, rules, task.rubric, task.seed, task.questions).to_json()


def run_all(
    tasks: Sequence[GradingTask], kept: Kept, executor: Executor
) -> Iterator[tuple[Participant, dict[str, Any]]]:
    """Every grade as it comes, those kept from before first.

    RuntimeError at the end where some could not be graded by nobody's fault; the others are kept by then.
    """
    waiting = {}
    for task in tasks:
        if (found := kept.find(task.key)) is not None:
            yield task.handed_in.participant, found
        else:
            waiting[executor.submit(run, task)] = task
    troubles = []
    for future in as_completed(waiting):
        task = waiting[future]
        if (error := future.exception()) is not None:
            troubles.append(f"{task.handed_in.participant.name}: {error}")
            continue
        kept.keep(task.key, future.result())
        yield task.handed_in.participant, future.result()
    if troubles:
        raise RuntimeError(f"{len(troubles)} could not be graded, run again for these: {'; '.join(troubles)}")
