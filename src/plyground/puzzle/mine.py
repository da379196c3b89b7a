"""Puzzles found in games between levels of the engine: positions in which few moves keep a proved result."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from plyground import native
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.core.symmetry import canonical
from plyground.judge.explain import explained
from plyground.judge.judge import judge_of
from plyground.judge.oracle import Aim, ProofOracle
from plyground.judge.tempo import passed, wins_at_once
from plyground.players import levels, registry
from plyground.players.base import choose
from plyground.puzzle.puzzle import Difficulty, Puzzle, Theme, level_by_need
from plyground.puzzle.solution import NoPuzzleError, Solver, obvious
from plyground.puzzle.themes import theme_of
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch
from plyground.search.score import ProvedResult, Score

PLAYING = (2, 3, 4, 5, 6)
"""The levels whose games are looked through."""

OPENING_PLIES = 4
"""The most random moves at the start of a game, before the levels play."""

HIGHEST_TRIED_LEVEL = 8
"""The highest level that is tried on a puzzle; higher ones take too long."""

EFFORT_NODES = 10_000
"""Positions for one question of a proof."""

DEEPEST_PLIES = 9
"""The longest win, in plies, that is looked for in games without a solver."""

LONGEST_PLIES = 21
"""The longest win that is a puzzle."""

PUZZLES_PER_GAME = 3
"""The most puzzles from one game."""

MOST_FIRST_MOVES = 3
"""The most right first moves of a puzzle."""

TABLE_MB = 1
"""The table of the engine that is tried on a puzzle: a level forgets between puzzles."""

UNRATED = Difficulty(1, (), 0)
"""The difficulty of a puzzle that no level has tried yet."""


@dataclass
class Miner:
    """Looks for puzzles of one game."""

    rules: Rules
    seed: int = 0
    themes: frozenset[Theme] = frozenset(Theme)
    level: int = 1
    """All levels of the engine below it must fail."""
    moves: int | None = None
    """Only wins in so many moves, if given."""
    games: int = 0
    """Games looked through so far."""
    seen: set[bytes] = field(default_factory=set)
    """The positions found so far, each described as the least of its images."""

    def __post_init__(self) -> None:
        native.core_for(self.rules)  # proves them, so it must have room for the game
        self.oracle = ProofOracle(judge_of(self.rules), EFFORT_NODES)
        self.chance = random.Random(self.seed)

    def puzzles(self) -> Iterator[Puzzle]:
        """Puzzles without end, no two of them symmetric to each other; the same for the same seed."""
        while True:
            self.games += 1
            yield from islice(self._of_game(), PUZZLES_PER_GAME)

    def _of_game(self) -> Iterator[Puzzle]:
        """The puzzles of a game, from its end back to where the solver, if there is one, needs too long."""
        solver = self.oracle.judge.solver
        for moves, position in self._game():
            if solver is not None and self.oracle.score(position, 0) is None:
                return
            puzzle = self._puzzle(moves, position)
            if puzzle is not None:
                yield puzzle

    def _game(self) -> list[tuple[tuple[Move, ...], Position]]:
        """The positions of a game between two levels, the last first, each with the moves that led to it."""
        names = [f"engine:level={self.chance.choice(PLAYING)}" for _ in range(2)]
        players = [registry.load(name, self.rules, self.chance.randrange(1 << 30)) for name in names]
        position, moves = Position.start(self.rules), list[Move]()
        visited: list[tuple[tuple[Move, ...], Position]] = []
        opening = self.chance.randrange(OPENING_PLIES + 1)
        while position.outcome() is None:
            visited.append((tuple(moves), position))
            if position.ply < opening:
                move = self.chance.choice(position.moves())
            else:
                move = choose(players[position.to_move], position, Limit())
            moves.append(move)
            position = position.play(move)
        return visited[:0:-1]

    def _puzzle(self, moves: tuple[Move, ...], position: Position) -> Puzzle | None:
        """The puzzle of a position; None if it makes none, or not one that is wanted."""
        if len(position.moves()) < 4 or position.recycling or self._known(position):
            return None
        goal = self._goal(position)
        puzzle = None if goal is None else self._solved(moves, position, goal)
        if puzzle is None or puzzle.theme not in self.themes:
            return None
        chosen = ((level.number, wrong(puzzle, level)) for level in levels.LEVELS[:HIGHEST_TRIED_LEVEL])
        failing = {number: move for number, move in chosen if move is not None}
        if puzzle.theme is Theme.TRAP and not any(self._loses(position, move) for move in failing.values()):
            return None
        if not all(number in failing for number in range(1, min(self.level, HIGHEST_TRIED_LEVEL + 1))):
            return None
        self.seen.add(canonical(position)[0])
        return self._explained(replace(puzzle, difficulty=_difficulty(puzzle, tuple(failing))))

    def _solved(self, moves: tuple[Move, ...], position: Position, goal: Score) -> Puzzle | None:
        """The puzzle with its solution, not rated yet; None if too many moves are right, or not all is proved."""
        aim = Aim.of(position, goal)
        solver = Solver(self.oracle, aim)
        try:
            right = solver.right(position)
            if not 0 < len(right) <= MOST_FIRST_MOVES or obvious(position, right) or self._dull(position, goal, right):
                return None
            tree = solver.tree(position)
        except NoPuzzleError:
            return None
        line = self.oracle.play(position, aim.side, goal.number, goal.number) if goal.won else ()
        return Puzzle(self.rules, moves, goal, tree, theme_of(position, goal, tree, line), UNRATED)

    def _explained(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle with the reasons of its first right move."""
        position = puzzle.position
        why = explained(self.oracle.judge, position, puzzle.answers[0], puzzle.goal, self.oracle)
        return replace(puzzle, explanation=why.text, claims=tuple(claim.to_json(position) for claim in why.claims))

    def _known(self, position: Position) -> bool:
        return canonical(position)[0] in self.seen

    def _goal(self, position: Position) -> Score | None:
        """The exact score of a position; None if it was not found, or makes no puzzle."""
        solver = self.oracle.judge.solver
        score = self._searched(position) if solver is None else self.oracle.score(position, 0)
        if score is None or (score.won and score.number > LONGEST_PLIES) or (score.lost and score.number < 6):
            return None
        if not self._wanted(score):
            return None
        change = self.rules.recycle_from
        if change is not None and position.ply + score.number > change:
            return None  # cards would be lifted on the way
        return None if score.lost and solver is not None else score

    def _wanted(self, score: Score) -> bool:
        """Whether a win takes as many moves as asked for; one at once is no puzzle unless it is asked for."""
        if self.moves is None:
            return not score.won or score.number >= 3
        return score.won and (score.number + 1) // 2 == self.moves

    def _searched(self, position: Position) -> Score | None:
        """A win or a loss that proof search finds, or a draw if it finds neither in the rest of the game."""
        if self.moves is not None and self.moves <= 2:
            return self.oracle.score(position, 2 * self.moves - 1)
        lines = [position.lines(side) for side in (position.to_move, position.to_move.other)]
        if max(sum(line[-3:]) for line in lines) < 2:
            return None  # neither side has threats to force something with
        score = self.oracle.score(position, DEEPEST_PLIES)
        if score is not None or self.rules.recycle_from is not None:
            return score
        left, mover = self.rules.max_plies - position.ply, position.to_move
        turned = passed(position)
        if turned is None or not self.oracle.wins(turned, mover.other, DEEPEST_PLIES):
            return None  # there is nothing to defend against
        drawn = all(self.oracle.wins(position, side, left) is False for side in (mover, mover.other))
        return Score.draw() if drawn else None

    def _dull(self, position: Position, goal: Score, right: list[Move]) -> bool:
        """Whether the right move is obvious, or a wrong one wins as well, only later."""
        if goal.won and goal.number == 1:
            return False
        if any(wins_at_once(position, side) for side in Side):
            return True
        if not goal.won or self.oracle.judge.solver is None:
            return False
        later = Aim(position.to_move, ProvedResult.WIN, self.rules.max_plies)
        return any(self.oracle.keeps(position.play(m), later) is not False for m in position.moves() if m not in right)

    def _loses(self, position: Position, move: Move) -> bool:
        after = position.play(move)
        return self.oracle.wins(after, after.to_move, self.rules.max_plies - after.ply) is True


def _difficulty(puzzle: Puzzle, failing: tuple[int, ...]) -> Difficulty:
    """The difficulty of a puzzle on which these levels fail."""
    level = level_by_need(puzzle.goal, failing, is_quiet(puzzle))
    return Difficulty(level, failing, puzzle.goal.plies or len(puzzle.line))


def is_quiet(puzzle: Puzzle) -> bool:
    """Whether no right first move ends the game or threatens to win with the next one."""
    side, afters = puzzle.side, [puzzle.position.play(move) for move in puzzle.answers]
    return not any(after.outcome() or wins_at_once(after, side) for after in afters)


def wrong(puzzle: Puzzle, level: levels.Level) -> Move | None:
    """The wrong move that a level's search chooses when it does not slip; None when it finds a right one."""
    search = EngineSearch(table_mb=TABLE_MB)
    *_, analysis = search(puzzle.position, Limit(level.limit.depth, level.limit.nodes))
    return None if analysis.move in puzzle.tree else analysis.move
