"""Puzzles that a submission is asked: chosen by a seed, and answered move by move."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

from plyground.core.rules import Rules
from plyground.course.exam import ExamAnswer, ExamPosition, Phase
from plyground.course.rubric import Criterion
from plyground.puzzle import shelf
from plyground.puzzle.attempt import Attempt
from plyground.puzzle.puzzle import Puzzle, Theme


@dataclass(frozen=True)
class PuzzleAnswer:
    """What a submission made of a puzzle."""

    attempt: Attempt
    """How far it came."""

    answers: tuple[ExamAnswer, ...]
    """What it said at each step; the last one was wrong or a fault where the puzzle is not solved."""

    @property
    def puzzle(self) -> Puzzle:
        """What was asked."""
        return self.attempt.puzzle

    @property
    def solved(self) -> bool:
        """Whether every move was found."""
        return self.attempt.solved

    @property
    def sentence(self) -> str:
        """What went wrong, in words; for a puzzle that is not solved."""
        position, last = self.attempt.position, self.answers[-1]
        right = " or ".join(position.write(move) for move in self.attempt.right)
        where = f"puzzle {self.puzzle.id} ({self.puzzle.theme}; {self.puzzle.task})"
        if last.move is None:
            return f"{where}: {last.fault}"
        return f"{where}: after {position.ply} moves you played {position.write(last.move)}, right was {right}"


def chosen_puzzles(rules: Rules, criterion: Criterion, seed: int) -> tuple[Puzzle, ...]:
    """The puzzles of a criterion, its themes in turn; the same again for the same seed.

    Fewer than asked for where there are not so many. ValueError where there is none of a theme.
    """
    chance = random.Random(f"puzzles {seed}")
    drawn = [_shuffled(rules, theme, criterion.hardest, chance) for theme in criterion.themes or Theme]
    for theme, names in zip(criterion.themes, drawn, strict=False):
        if not names:
            raise ValueError(
                f"there is no puzzle of {rules.name} with the theme {theme} up to level {criterion.hardest}"
            )
    names = [name for name in chain.from_iterable(zip_longest(*drawn)) if name is not None]
    if not names:
        raise ValueError(f"there are no puzzles of {rules.name}")
    return tuple(map(shelf.find, names[: criterion.count]))


def _shuffled(rules: Rules, theme: Theme, hardest: int, chance: random.Random) -> list[str]:
    names = [name for level in range(1, hardest + 1) for name in shelf.names(rules.name, theme, level)]
    chance.shuffle(names)
    return names


def solved_by(ask: Callable[[ExamPosition], ExamAnswer], puzzle: Puzzle) -> PuzzleAnswer:
    """What comes of a puzzle when each step is asked in turn, until one is wrong."""
    attempt, answers = Attempt(puzzle), list[ExamAnswer]()
    while not attempt.solved:
        answers.append(ask(_step(attempt)))
        move = answers[-1].move
        answer = None if move is None else attempt.answer(move)
        if answer is None or not answer.right:
            break
        attempt = answer.attempt
    return PuzzleAnswer(attempt, tuple(answers))


def _step(attempt: Attempt) -> ExamPosition:
    """What is asked now."""
    moves = (*attempt.puzzle.after, *attempt.moves)
    return ExamPosition(attempt.position, moves, Phase.of(len(moves), attempt.puzzle.rules.max_plies))


def by_theme(answers: list[PuzzleAnswer]) -> Iterator[tuple[Theme, int, int]]:
    """Each theme that was asked, with how many were solved, of how many."""
    for theme in Theme:
        own = [answer.solved for answer in answers if answer.puzzle.theme is theme]
        if own:
            yield theme, sum(own), len(own)
