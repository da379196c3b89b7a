"""A class's submissions examined side by side, each in the sandbox, what was seen of each kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from functools import cache

from plyground import games
from plyground.course.examiner import Evidence, Questions, Report, examine, questions_of
from plyground.course.grade import Grade, grade_from_evidence
from plyground.course.gradebook import HandedIn
from plyground.course.kept_evidence import Json, Kept, evidence_key, of_json, to_json
from plyground.course.rubric import Rubric
from plyground.play.failure import InternalFailure
from plyground.tournament.desk import ATTEMPTS, error_of, killed
from plyground.tournament.download import Participant


@dataclass(frozen=True)
class GradingTask:
    """One submission to be graded."""

    handed_in: HandedIn
    game: str
    rubric: Rubric
    seed: int

    @property
    def key(self) -> str:
        """What distinguishes this examination from every other."""
        return evidence_key(self.handed_in.submission.fingerprint, games.load(self.game), self.rubric, self.seed)

    def grade(self, evidence: Evidence) -> Grade:
        """The grade that some evidence gives."""
        submission = self.handed_in.submission
        return grade_from_evidence(submission, games.load(self.game), self.rubric, self.seed, evidence)


def run(task: GradingTask, questions: Questions) -> Json:
    """What is seen of one submission, as JSON values.

    OSError, as InternalFailure, when that cannot be found out here, by nobody's fault.
    """
    try:
        found = examine(task.handed_in.submission, games.load(task.game), task.rubric, task.seed, questions)
    except OSError:
        raise
    except Exception as error:  # one submission must not end the grading of the others
        found = Evidence(problem=f"it cannot be graded: {type(error).__name__}: {error}")
    return to_json(found, task.rubric)


def run_all(
    tasks: Sequence[GradingTask], kept: Kept, executor: Executor, report: Report = lambda _: None
) -> Iterator[tuple[Participant, Grade]]:
    """Every grade as it comes, those of submissions that were examined before first; all tasks ask the same.

    What is asked is found when it is first needed. One whose process dies every time has no points. InternalFailure at
    the end where some could not be graded, through no fault of the submission; what was seen of the others is kept.
    """
    waiting: dict[Future[Json], GradingTask] = {}

    @cache
    def questions() -> Questions:
        report("finding positions to ask about")
        return questions_of(games.load(tasks[0].game), tasks[0].rubric, tasks[0].seed)

    for task in tasks:
        who, rules = task.handed_in.participant, games.load(task.game)
        if task.handed_in.problem:
            yield who, task.grade(Evidence(problem=task.handed_in.problem))
        elif (found := kept.find(task.key, rules, task.rubric)) is not None:
            yield who, task.grade(found)
        else:
            waiting[executor.submit(run, task, questions())] = task
    attempts: Counter[str] = Counter()
    troubles = []
    while waiting:
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            task = waiting.pop(future)
            error = error_of(future)
            if error is None:
                seen = future.result()
            elif killed(error):
                attempts[task.key] += 1
                if attempts[task.key] < ATTEMPTS:
                    waiting[executor.submit(run, task, questions())] = task
                    continue
                seen = to_json(Evidence(problem="the process that graded it died, every time"), task.rubric)
            else:
                troubles.append(f"{task.handed_in.participant.name}: {error}")
                continue
            kept.keep(task.key, seen)
            yield task.handed_in.participant, task.grade(of_json(seen, games.load(task.game), task.rubric))
    if troubles:
        raise InternalFailure(
            f"{len(troubles)} could not be graded, through no fault of the submission; run again for these: "
            f"{'; '.join(troubles)}"
        )
