"""Asks a submission what a rubric wants to know, and keeps what it saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from plyground.core.rules import Move, Rules
from plyground.course.exam import ExamPosition, known_positions, random_positions
from plyground.course.rubric import Criterion, CriterionKind, Rubric
from plyground.play.clock import Clock
from plyground.play.faults import Fault
from plyground.play.guests import Guest
from plyground.play.match import GameTerms, MatchGame, move_of, play_game
from plyground.play.openings import openings
from plyground.play.records import GameRecord
from plyground.players import Player
from plyground.referee import entrants

OPENING_PLIES = 2
"""Random moves from which games begin."""

FAULTS_IN_A_ROW = 3
"""After so many faults one after the other a submission is asked no more: the rest counts as faults too."""

Report = Callable[[str], None]
"""Called with what is being done."""


@dataclass(frozen=True)
class ExamAnswer:
    """What a submission said in a position."""

    asked: ExamPosition

    move: Move | None = None
    """None where it was at fault."""

    seconds: float = 0.0
    fault: Fault | None = None


@dataclass
class Evidence:
    """Everything that was seen of a submission."""

    answers: dict[Criterion, list[ExamAnswer]] = field(default_factory=dict)
    games: dict[Criterion, list[MatchGame]] = field(default_factory=dict)

    isolation: str = ""
    """How it was kept from the rest of the machine; empty for a player of this program."""

    def all_answers(self) -> Iterator[ExamAnswer]:
        """The answers to all single positions."""
        for answers in self.answers.values():
            yield from answers

    def all_games(self) -> Iterator[MatchGame]:
        """All games; the submission is the player 0 of each."""
        for games in self.games.values():
            yield from games


Questions = dict[Criterion, tuple[ExamPosition, ...]]
"""The positions that each criterion asks about."""


def questions_of(rules: Rules, rubric: Rubric, seed: int) -> Questions:
    """What a rubric asks, the same for every submission and again for the same seed; to find it may take a minute."""
    ways = {CriterionKind.LEGALITY: random_positions, CriterionKind.QUALITY: known_positions}
    return {
        criterion: ways[criterion.kind](rules, criterion.count, seed)
        for criterion in rubric.criteria
        if criterion.kind in ways
    }


class Examiner:
    """Puts the questions of a rubric to one submission."""

    def __init__(self, rules: Rules, spec: str, rubric: Rubric, seed: int, questions: Questions) -> None:
        """ValueError when the spec names no player that fits the game."""
        self.rules, self.spec, self.rubric, self.seed = rules, spec, rubric, seed
        self.questions = questions
        self._player().close()

    def examine(self, report: Report = lambda _: None) -> Evidence:
        """What the submission does; InternalFailure where it cannot be asked by nobody's fault."""
        evidence = Evidence()
        for criterion in self.rubric.criteria:
            report(criterion.name)
            if criterion in self.questions:
                evidence.answers[criterion] = self._answers(self.questions[criterion], evidence)
            elif criterion.kind is CriterionKind.GAMES:
                evidence.games[criterion] = list(self._games(criterion))
        return evidence

    def _player(self) -> Player:
        return entrants.load(self.spec, self.rules, self.seed, isolated=True)

    def _answers(self, asked: tuple[ExamPosition, ...], evidence: Evidence) -> list[ExamAnswer]:
        """Answers to positions, each asked by itself, so that one fault does not spoil the rest."""
        player, answers, faults = self._player(), list[ExamAnswer](), 0
        evidence.isolation = str(player.isolation) if isinstance(player, Guest) else ""
        try:
            for each in asked:
                if faults >= FAULTS_IN_A_ROW:
                    answers.append(ExamAnswer(each, fault=answers[-1].fault))
                    continue
                answers.append(self._answer(player, each))
                faults = faults + 1 if answers[-1].fault else 0
        finally:
            player.close()
        return answers

    def _answer(self, player: Player, asked: ExamPosition) -> ExamAnswer:
        turn = Clock(self.rubric.control).turn(asked.position.to_move, self.rubric.limit, asked.moves)
        try:
            played = move_of(player, asked.position, turn)
        except Fault as fault:
            return ExamAnswer(asked, fault=fault)
        return ExamAnswer(asked, played.move, played.seconds or 0.0)

    def _games(self, criterion: Criterion) -> Iterator[MatchGame]:
        """Games in pairs from the same opening with the sides swapped; the submission begins the even ones."""
        starts = openings(self.rules, OPENING_PLIES, self.seed)
        opening = next(starts)
        for number in range(criterion.count):
            if number and number % 2 == 0:
                opening = next(starts)
            yield MatchGame(number, self._game(criterion, opening, number))

    def _game(self, criterion: Criterion, opening: tuple[Move, ...], number: int) -> GameRecord:
        seed = self.seed + number
        both = (self.spec, criterion.opponent)
        seated = [entrants.load(spec, self.rules, seed, isolated=True) for spec in both]
        first, second = reversed(seated) if number % 2 else seated
        try:
            terms = GameTerms(self.rubric.limit, self.rubric.control, opening, seed)
            return play_game(self.rules, first, second, terms)
        finally:
            for player in seated:
                player.close()
