"""Asks a submission what a rubric wants to know, and keeps what it saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from plyground.core.rules import Move, Rules, Side
from plyground.course.exam import ExamAnswer, ExamPosition, random_positions
from plyground.course.imports import imports_of
from plyground.course.kept_positions import kept_positions
from plyground.course.opponent import Hurried, hurried, is_steady
from plyground.course.puzzle_exam import PuzzleAnswer, chosen_puzzles, solved_by
from plyground.course.rubric import WITH_WORTH, Criterion, CriterionKind, Rubric
from plyground.course.worst_moves import Blunder, worst_moves
from plyground.play.clock import Clock
from plyground.play.faults import Fault
from plyground.play.guests import Guest
from plyground.play.match import GameTerms, MatchGame, move_of, play_game
from plyground.play.openings import openings
from plyground.play.records import GameRecord
from plyground.players import Player
from plyground.puzzle.puzzle import Puzzle
from plyground.referee import bots, entrants
from plyground.referee.sandbox.view import Access
from plyground.tournament.submission import Submission

OPENING_PLIES = 2
"""Random moves from which games begin."""

FAULTS_IN_A_ROW = 3
"""After so many faults one after the other a submission is asked no more by that criterion, and by none that asks about
positions if it has never answered: the rest counts as faults too."""

Report = Callable[[str], None]
"""Called with what is being done."""


@dataclass
class Evidence:
    """Everything that was seen of a submission."""

    answers: dict[Criterion, list[ExamAnswer]] = field(default_factory=dict)
    puzzles: dict[Criterion, list[PuzzleAnswer]] = field(default_factory=dict)
    games: dict[Criterion, list[MatchGame]] = field(default_factory=dict)

    opponents: dict[str, Hurried] = field(default_factory=dict)
    """How often a time limit had a say in the moves of each opponent."""

    isolation: str = ""
    """How it was kept from the rest of the machine; empty for a player of this program."""

    imports: tuple[str, ...] = ()
    """The modules that its Python files import."""

    problem: str = ""
    """Why it could not be asked anything."""

    blunders: tuple[Blunder, ...] = ()
    """Its worst moves, the worst first."""

    def all_answers(self) -> Iterator[ExamAnswer]:
        """The answers to all single positions, those of puzzles among them."""
        for answers in self.answers.values():
            yield from answers
        for puzzles in self.puzzles.values():
            for puzzle in puzzles:
                yield from puzzle.answers

    def all_games(self) -> Iterator[MatchGame]:
        """All games; the submission is the player 0 of each."""
        for games in self.games.values():
            yield from games

    def played_games(self) -> Iterator[MatchGame]:
        """The same without those that were not played after faults in a row, which have the record of another one."""
        yield from {id(game.record): game for game in self.all_games()}.values()

    def own_seconds(self) -> Iterator[float | None]:
        """The seconds of everything the submission was to answer, in positions and games; None where it did not."""
        for answer in self.all_answers():
            yield None if answer.move is None else answer.seconds
        for game in self.all_games():
            own = game.record.moves[game.swapped :: 2]
            yield from (played.seconds for played in own if played.seconds is not None)
            if game.at_fault == 0:
                yield None


@dataclass(frozen=True)
class Questions:
    """What the criteria of a rubric ask about."""

    positions: Mapping[Criterion, tuple[ExamPosition, ...]]
    puzzles: Mapping[Criterion, tuple[Puzzle, ...]]


def questions_of(rules: Rules, rubric: Rubric, seed: int) -> Questions:
    """What a rubric asks, the same for every submission and again for the same seed; to find it may take half a minute.

    ValueError where the game has nothing of what is asked for.
    """
    positions = {}
    for criterion in rubric.criteria:
        if criterion.kind is CriterionKind.LEGALITY:
            positions[criterion] = random_positions(rules, criterion.count, seed)
        elif criterion.kind in WITH_WORTH:
            positions[criterion] = kept_positions(rules, criterion.count, seed, criterion.plies)
    puzzles = {
        criterion: chosen_puzzles(rules, criterion, seed)
        for criterion in rubric.criteria
        if criterion.kind is CriterionKind.PUZZLES
    }
    return Questions(positions, puzzles)


class Interview:
    """Positions put to one player, each by itself, so that one fault does not spoil the rest."""

    def __init__(self, player: Player, rubric: Rubric, faults: Sequence[Fault] = ()) -> None:
        """Some faults may have been made before."""
        self.player, self.rubric = player, rubric
        self.faults = list(faults)
        """The last ones, with no answer between them."""
        self.answered = False
        """Whether there ever was an answer."""

    @property
    def isolation(self) -> str:
        """How the player is kept from the rest of the machine; empty for one of this program."""
        return str(self.player.isolation) if isinstance(self.player, Guest) else ""

    def ask(self, asked: ExamPosition) -> ExamAnswer:
        """What the player says in a position; nothing any more after some faults in a row."""
        if len(self.faults) >= FAULTS_IN_A_ROW:
            return ExamAnswer(asked, fault=self.faults[-1], skipped=True)
        turn = Clock(self.rubric.control).turn(asked.position.to_move, self.rubric.limit, asked.moves)
        try:
            played = move_of(self.player, asked.position, turn)
        except Fault as fault:
            self.faults.append(fault)
            return ExamAnswer(asked, fault=fault)
        self.faults.clear()
        self.answered = True
        return ExamAnswer(asked, played.move, played.seconds or 0.0)


class Examiner:
    """Puts the questions of a rubric to one submission."""

    def __init__(
        self, rules: Rules, spec: str, rubric: Rubric, seed: int, questions: Questions, access: Access
    ) -> None:
        """`access` is what the submission is given; ValueError when the spec names no player that fits the game."""
        self.rules, self.spec, self.rubric, self.seed = rules, spec, rubric, seed
        self.questions = questions
        self.access = access
        self._hopeless: list[Fault] = []
        """The faults of a submission that has never answered."""
        self._player().close()

    def examine(self, report: Report = lambda _: None) -> Evidence:
        """What the submission does; InternalFailure where it cannot be asked by nobody's fault."""
        evidence = Evidence()
        for criterion in self.rubric.criteria:
            report(criterion.name)
            if criterion.kind is CriterionKind.GAMES:
                evidence.games[criterion] = self._games(criterion)
                for game in evidence.games[criterion]:
                    opponent = criterion.opponent_in(game.number)
                    before = evidence.opponents.get(opponent, Hurried())
                    evidence.opponents[opponent] = before + self._hurried(opponent, game)
            elif criterion in self.questions.positions or criterion in self.questions.puzzles:
                with self._interview() as interview:
                    evidence.isolation = interview.isolation
                    if criterion in self.questions.positions:
                        evidence.answers[criterion] = list(map(interview.ask, self.questions.positions[criterion]))
                    else:
                        asked = self.questions.puzzles[criterion]
                        evidence.puzzles[criterion] = [solved_by(interview.ask, puzzle) for puzzle in asked]
        report("worst moves")
        evidence.blunders = worst_moves(self.rules, evidence.answers, evidence.games)
        return evidence

    def _player(self, seed: int | None = None) -> Player:
        seed = self.seed if seed is None else seed
        budget = self.rubric.budget
        spec = self.spec if budget is None else bots.with_budget(self.spec, budget)
        return entrants.load(spec, self.rules, seed, isolated=True, access=self.access)

    @contextmanager
    def _interview(self) -> Iterator[Interview]:
        player = self._player()
        try:
            interview = Interview(player, self.rubric, self._hopeless)
            yield interview
            self._hopeless = [] if interview.answered else interview.faults
        finally:
            player.close()

    def _games(self, criterion: Criterion) -> list[MatchGame]:
        """Games in pairs from the same opening with the sides swapped; the submission begins the even ones."""
        starts = openings(self.rules, OPENING_PLIES, self.seed)
        opening, games = next(starts), list[MatchGame]()
        for number in range(criterion.count):
            if number and number % 2 == 0:
                opening = next(starts)
            last = games[-FAULTS_IN_A_ROW:]
            if len(last) == FAULTS_IN_A_ROW and all(game.at_fault == 0 for game in last):
                record = games[-2].record  # the last one with the same side
            else:
                record = self._game(criterion, opening, number)
            games.append(MatchGame(number, record))
        return games

    def _game(self, criterion: Criterion, opening: tuple[Move, ...], number: int) -> GameRecord:
        """An opponent that is limited by depth or positions keeps to these: no clock runs for it."""
        seed, own = self.seed + number, Side(number % 2)
        submission = self._player(seed)
        opponent = entrants.load(criterion.opponent_in(number), self.rules, seed, isolated=True)
        first, second = (submission, opponent) if own is Side.FIRST else (opponent, submission)
        steady = own.other if is_steady(opponent, self.rules) else None
        try:
            terms = GameTerms(self.rubric.limit, self.rubric.control, opening, seed, steady)
            return play_game(self.rules, first, second, terms)
        finally:
            for player in (submission, opponent):
                player.close()

    def _hurried(self, spec: str, game: MatchGame) -> Hurried:
        """How often time had a say in the moves of an opponent."""
        opponent = entrants.load(spec, self.rules, self.seed, isolated=True)
        try:
            return hurried(opponent, game.record, Side(1 - game.swapped), self.rubric.control)
        finally:
            opponent.close()


def examine(
    submission: Submission,
    rules: Rules,
    rubric: Rubric,
    seed: int,
    questions: Questions,
    report: Report = lambda _: None,
) -> Evidence:
    """What is seen of a submission; of one that cannot be loaded the reason, as `problem`.

    InternalFailure where it could not be examined by nobody's fault.
    """
    files = None if submission.place is None else (str(submission.place),)
    try:
        examiner = Examiner(rules, submission.spec, rubric, seed, questions, Access(files, rubric.program))
    except (ValueError, OSError) as error:
        return Evidence(problem=str(error))
    evidence = examiner.examine(report)
    evidence.imports = imports_of(submission.files)
    return evidence
