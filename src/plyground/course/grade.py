"""A grade: what each criterion of a rubric is worth to a submission, with what the student should know about it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from plyground.core.notation import plural
from plyground.core.position_text import write_position
from plyground.core.rules import Rules
from plyground.course.exam import ExamAnswer, Phase
from plyground.course.examiner import FAULTS_IN_A_ROW, Evidence, Questions, Report, examine, questions_of
from plyground.course.noise import noise_of
from plyground.course.puzzle_exam import by_theme
from plyground.course.rubric import COUNTED, Criterion, CriterionKind, Rubric
from plyground.course.worst_moves import SHOWN_BLUNDERS, Blunder
from plyground.play.match import MatchGame, tally_of
from plyground.ratings import GameScore, share_estimate, tally
from plyground.tournament.submission import BadSubmission, Submission

MISSED_PUZZLES = 3
"""How many puzzles that were not solved are shown."""

SHOWN_STDERR_LINES = 4
"""Of what a bot wrote when it failed: Python names a line of code in one, shows it in two, and then the error."""

STDERR = "stderr: "
"""How a line begins that a bot wrote."""

UNITS = {
    CriterionKind.LEGALITY: "legal answer",
    CriterionKind.LOOKAHEAD: "right answer",
    CriterionKind.QUALITY: "result kept",
    CriterionKind.PUZZLES: "puzzle solved",
    CriterionKind.GAMES: "point in games",
    CriterionKind.FAULTS: "game without a fault",
    CriterionKind.TIME: "answer in good time",
}
"""What a criterion counts."""

GOOD_TIME_SHARE = 0.5
"""The part of the time allowed within which an answer comes in good time."""


@dataclass(frozen=True)
class CriterionMark:
    """What one criterion is worth to a submission."""

    criterion: Criterion

    share: float
    """What was measured, from 0 to 1."""

    details: tuple[str, ...] = ()
    """What the student should know, one line each."""

    @property
    def points(self) -> float:
        """The points it is worth."""
        return self.criterion.points_for(self.share)

    @property
    def passed(self) -> bool:
        """Whether there are all points."""
        return self.points >= self.criterion.points

    @property
    def more(self) -> str:
        """What would give more points, in a sentence."""
        criterion = self.criterion
        if self.passed:
            return "Full points."
        what, gain = UNITS[criterion.kind], criterion.points / (criterion.full - criterion.start) / criterion.count
        if criterion.kind not in COUNTED:
            start, full = (f"{100 * each:.0f} %" for each in (criterion.start, criterion.full))
            return f"Points begin at {start}; all of them are there from {full} on."
        if self.share >= criterion.start:
            return f"Each further {what} gives {min(gain, criterion.points - self.points):.2g} points."
        missing = math.ceil((criterion.start - self.share) * criterion.count - 1e-9)
        return f"After {missing} more each further {what} gives {gain:.2g} points."


@dataclass(frozen=True)
class Grade:
    """All marks of a submission."""

    submission: Submission
    rules: Rules
    rubric: Rubric
    seed: int
    marks: tuple[CriterionMark, ...]

    evidence: Evidence
    """All that was seen of it."""

    noise: str = ""
    """How far the clock had a say in it, in words."""

    @property
    def problem(self) -> str:
        """Why nothing could be measured; then every mark is 0."""
        return self.evidence.problem

    @property
    def isolation(self) -> str:
        """How it was kept from the rest of the machine; empty for a player of this program."""
        return self.evidence.isolation

    @property
    def imports(self) -> tuple[str, ...]:
        """The modules that its Python files import."""
        return self.evidence.imports

    @property
    def blunders(self) -> tuple[Blunder, ...]:
        """The worst moves of what is marked here."""
        shown = {mark.criterion.name for mark in self.marks}
        return tuple(blunder for blunder in self.evidence.blunders if blunder.criterion in shown)[:SHOWN_BLUNDERS]

    @property
    def points(self) -> float:
        """The points of all marks."""
        return round(sum(mark.points for mark in self.marks), 2)

    @property
    def total(self) -> float:
        """The maximum points."""
        return sum(mark.criterion.points for mark in self.marks)

    def without_hidden(self) -> Grade:
        """The same without what students see only after the deadline."""
        return replace(self, marks=tuple(mark for mark in self.marks if not mark.criterion.hidden))

    def to_json(self) -> dict[str, object]:
        """All of it as JSON values."""
        return {
            "submission": self.submission.name,
            "fingerprint": self.submission.fingerprint,
            "game": self.rules.name,
            "rubric": self.rubric.title,
            "seed": self.seed,
            "isolation": self.isolation,
            "imports": list(self.imports),
            "noise": self.noise,
            "points": self.points,
            "of": self.total,
            "problem": self.problem,
            "marks": [
                {
                    "criterion": mark.criterion.name,
                    "points": mark.points,
                    "of": mark.criterion.points,
                    "share": round(mark.share, 4),
                    "start": mark.criterion.start,
                    "full": mark.criterion.full,
                    "text": mark.criterion.text,
                    "more": mark.more,
                    "details": list(mark.details),
                    "hidden": mark.criterion.hidden,
                }
                for mark in self.marks
            ],
            "blunders": [
                {
                    "after": [self.rules.notation.write(self.rules, move) for move in blunder.asked.moves],
                    "position": write_position(blunder.asked.position),
                    "played": blunder.asked.position.write(blunder.played),
                    "better": blunder.asked.position.write(blunder.better),
                    "text": blunder.sentence,
                    "criterion": blunder.criterion,
                    "where": blunder.where,
                }
                for blunder in self.blunders
            ],
        }


def grade(
    submission: Submission,
    rules: Rules,
    rubric: Rubric,
    seed: int = 0,
    questions: Questions | None = None,
    report: Report = lambda _: None,
) -> Grade:
    """The grade of a submission; the same again for the same seed, as far as the submission itself repeats its moves.

    The questions are those of the rubric; who grades many submissions has them found once and hands them over. A
    submission that cannot be loaded has no points, and the reason is its `problem`. InternalFailure where it could not
    be examined by nobody's fault: then there is no grade.
    """
    report("positions to ask about")
    asked = questions_of(rules, rubric, seed) if questions is None else questions
    evidence = examine(submission, rules, rubric, seed, asked, report)
    return grade_from_evidence(submission, rules, rubric, seed, evidence)


def failed(submission: Submission, rules: Rules, rubric: Rubric, seed: int, problem: str | BadSubmission) -> Grade:
    """The grade of a submission that does not run at all."""
    marks = tuple(CriterionMark(criterion, 0.0, (str(problem),)) for criterion in rubric.criteria)
    return Grade(submission, rules, rubric, seed, marks, Evidence(problem=str(problem)))


def grade_from_evidence(submission: Submission, rules: Rules, rubric: Rubric, seed: int, evidence: Evidence) -> Grade:
    """The grade that some evidence gives, which was found with a rubric that asks the same."""
    if evidence.problem:
        return failed(submission, rules, rubric, seed, evidence.problem)
    measures: dict[CriterionKind, Callable[[Criterion], CriterionMark]] = {
        CriterionKind.LEGALITY: partial(_legality, evidence),
        CriterionKind.QUALITY: partial(_quality, evidence),
        CriterionKind.LOOKAHEAD: partial(_lookahead, evidence),
        CriterionKind.PUZZLES: partial(_puzzles, evidence),
        CriterionKind.GAMES: partial(_games, evidence),
        CriterionKind.FAULTS: partial(_faults, evidence),
        CriterionKind.TIME: partial(_time, evidence, rubric),
    }
    marks = tuple(measures[criterion.kind](criterion) for criterion in rubric.criteria)
    noise = noise_of(rubric, evidence, submission.spec)
    return Grade(submission, rules, rubric, seed, marks, evidence, noise)


def _legality(evidence: Evidence, criterion: Criterion) -> CriterionMark:
    answers = evidence.answers[criterion]
    good = sum(answer.move is not None for answer in answers)
    details = [f"{good} of {len(answers)} positions answered with a legal move in time"]
    return CriterionMark(criterion, good / len(answers), (*details, *_fault_lines(answers)))


def _fault_lines(answers: list[ExamAnswer]) -> list[str]:
    """The faults in answers, each kind once, with what to do about it."""
    made = [answer.fault for answer in answers if answer.fault is not None and not answer.skipped]
    lines = []
    for kind, number in Counter(fault.kind for fault in made).most_common():
        fault = next(fault for fault in made if fault.kind is kind)
        lines.append(f"{plural(number, 'time', 'times')} {fault}")
        lines.append(" ".join(kind.advice.split()))
        lines += _last_words(fault.stderr)
    return lines + _not_asked(sum(answer.skipped for answer in answers))


def _not_asked(number: int) -> list[str]:
    """What is to be said of so many questions that were not asked, after faults in a row."""
    after = f"after {FAULTS_IN_A_ROW} faults in a row not asked any more"
    return [f"{after}: {number}, which count as faults"] if number else []


def _last_words(stderr: str) -> list[str]:
    """The last lines that a bot wrote."""
    return [f"{STDERR}{line}" for line in stderr.splitlines()[-SHOWN_STDERR_LINES:]]


def _quality(evidence: Evidence, criterion: Criterion) -> CriterionMark:
    answers = evidence.answers[criterion]
    kept = sum(map(_keeps, answers))
    details = [f"all positions: {_quality_line(answers)}", *(_phase_line(phase, answers) for phase in Phase)]
    return CriterionMark(criterion, kept / len(answers), tuple(filter(None, details)))


def _lookahead(evidence: Evidence, criterion: Criterion) -> CriterionMark:
    answers = evidence.answers[criterion]
    right = sum(map(_keeps, answers))
    details = [f"{right} of {plural(len(answers), 'position', 'positions')} answered rightly"]
    return CriterionMark(criterion, right / len(answers), (*details, *_fault_lines(answers)))


def _keeps(answer: ExamAnswer) -> bool:
    """Whether an answer is a move that gives nothing away."""
    return answer.move is not None and answer.asked.lost_by(answer.move) == 0


def _quality_line(answers: list[ExamAnswer]) -> str:
    """How many answers kept the result, and what the moves gave away; of what was not answered nothing but that."""
    lost = [answer.asked.lost_by(answer.move) for answer in answers if answer.move is not None]
    if not lost:
        return f"none of {len(answers)} answered"
    missing = len(answers) - len(lost)
    unanswered = f", {missing} not answered" if missing else ""
    kept = f"{sum(map(_keeps, answers))} of {plural(len(answers), 'result', 'results')} kept"
    return f"{kept}{unanswered}, {sum(lost) / len(lost):.2f} points given away per move"


def _phase_line(phase: Phase, answers: list[ExamAnswer]) -> str:
    own = [answer for answer in answers if answer.asked.phase is phase]
    answered = any(answer.move is not None for answer in answers)
    return f"{phase}: {_quality_line(own)}" if own and answered else ""


def _puzzles(evidence: Evidence, criterion: Criterion) -> CriterionMark:
    answers = evidence.puzzles[criterion]
    missed = [answer for answer in answers if not answer.solved]
    solved = len(answers) - len(missed)
    details = [
        f"{solved} of {len(answers)} puzzles solved",
        *(f"{t}: {n} of {m} solved" for t, n, m in by_theme(answers)),
    ]
    tried = [answer for answer in missed if not answer.answers[-1].skipped]
    details += [answer.sentence for answer in tried[:MISSED_PUZZLES]]
    details += _not_asked(len(missed) - len(tried))
    return CriterionMark(criterion, solved / len(answers), tuple(details))


def _games(evidence: Evidence, criterion: Criterion) -> CriterionMark:
    games = evidence.games[criterion]
    seats = (("submission", "opponent"), ("opponent", "submission"))
    scores = [GameScore(*seats[game.swapped], game.points, str(game.number // 2)) for game in games]
    counted = tally(scores, "submission")
    share = share_estimate(counted)
    details = [
        f"{counted.wins} won, {counted.draws} drawn, {counted.losses} lost: {100 * share.value:.0f} % of the points "
        f"(95 % interval {100 * share.low:.0f} to {100 * share.high:.0f} %)"
    ]
    if criterion.opponents:
        details += [_rung_line(criterion, spec, games) for spec in criterion.opponents]
    details += [f"{number} lost by {fault}" for fault, number in _own_faults(games).most_common()]
    if given := sum(game.at_fault == 1 for game in games):
        details.append(f"{given} won by a fault of the opponent")
    played = len({id(game.record) for game in games})  # what counts as lost has the record of another game
    if played < len(games):
        details.append(
            f"after {FAULTS_IN_A_ROW} faults in a row not played any more: {len(games) - played}, which count as lost"
        )
    return CriterionMark(criterion, share.value, tuple(details))


def _rung_line(criterion: Criterion, spec: str, games: list[MatchGame]) -> str:
    """How it did against one of several opponents."""
    own = tally_of(game for game in games if criterion.opponent_in(game.number) == spec)
    return f"against {spec}: {own.wins} won, {own.draws} drawn, {own.losses} lost"


def _own_faults(games: list[MatchGame]) -> Counter[str]:
    """The kinds of faults by which the submission lost games, and how many."""
    return Counter(filter(None, map(_own_fault, games)))


def _own_fault(game: MatchGame) -> str:
    """The kind of fault by which the submission lost a game, or nothing."""
    return game.record.fault.kind.value if game.at_fault == 0 and game.record.fault is not None else ""


def _faults(evidence: Evidence, criterion: Criterion) -> CriterionMark:
    games = list(evidence.all_games())
    lost = [game for game in games if _own_fault(game)]
    details = [f"{len(games) - len(lost)} of {plural(len(games), 'game', 'games')} without a fault"]
    for kind in _own_faults(games):
        fault = next(game.record.fault for game in lost if _own_fault(game) == kind)
        assert fault is not None
        details += [f"{kind}: {fault.why}", *_last_words(fault.stderr)]
    return CriterionMark(criterion, 1 - len(lost) / len(games), tuple(details))


def _time(evidence: Evidence, rubric: Rubric, criterion: Criterion) -> CriterionMark:
    allowed = rubric.control.move
    assert allowed is not None  # a rubric with such a criterion has one
    spent = list(evidence.own_seconds())
    answered = [seconds for seconds in spent if seconds is not None]
    if not answered:
        return CriterionMark(criterion, 0.0, ("it never answered with a legal move, so no time was measured",))
    soon = GOOD_TIME_SHARE * allowed
    good = sum(seconds <= soon for seconds in answered)
    details = [f"{good} of {plural(len(spent), 'answer', 'answers')} within {soon:g} s"]
    if good < len(answered):  # otherwise no figure that is another one each time
        details.append(f"the slowest took {max(answered):.2f} s")
    if len(answered) < len(spent):
        details.append(f"no answer or too late: {len(spent) - len(answered)}")
    return CriterionMark(criterion, good / len(spent), ("; ".join(details),))
