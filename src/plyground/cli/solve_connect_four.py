"""The part of `plyground solve` that is for Connect Four: exact scores, also of many positions in a row."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import IO

import click

from plyground.books.shelf import books_for, exact_number, winner
from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.search.base import Limit
from plyground.solve.connect_four.solver import (
    EXACT,
    RESULT,
    ConnectFourSolver,
    SolverAnswer,
    Window,
    number_at_end,
    plies_left,
)


@dataclass(frozen=True)
class Question:
    """What to find out about each position."""

    solver: ConnectFourSolver
    limit: Limit
    moves: bool
    """Whether the columns are scored too."""
    result: bool
    """Whether only who wins is wanted, not when."""

    @property
    def window(self) -> Window:
        """The scores that matter."""
        return RESULT if self.result else EXACT

    def solve(self, position: Position) -> SolverAnswer:
        """The answer, with no score when out of time; from a book without a search."""
        books = books_for(position.rules)
        if (number := exact_number(position, books)) is not None:
            return self._known(number)
        if self.result and (known := winner(position, books)) is not None:
            return SolverAnswer(1 if known is position.to_move else -1, 0, 0.0)
        return self.solver.solve(position, self.limit, self.window)

    def columns(self, position: Position) -> list[int | None] | None:
        """The score of every column from the left, None for a full one; ValueError when out of time."""
        if not self.moves:
            return None
        solutions = self._by_book(position) or self.solver.solve_moves(position, self.limit, self.window)
        if any(solution.score is None for solution in solutions.values()):
            raise ValueError("not every column was decided in the time")
        by_name = {position.write(move): solution.score for move, solution in solutions.items()}
        return [by_name.get(str(column)) for column in range(1, position.rules.grid.columns + 1)]

    def _by_book(self, position: Position) -> dict[Move, SolverAnswer] | None:
        """The score of every legal move where books and the rules know all of them."""
        found: dict[Move, SolverAnswer] = {}
        for move in position.moves():
            after = position.play(move)
            score = number_at_end(position, after)
            if score is None and (number := exact_number(after, books_for(position.rules))) is not None:
                score = -number
            if score is None:
                return None
            found[move] = self._known(score)
        return found

    def _known(self, score: int) -> SolverAnswer:
        """An answer without a search."""
        return SolverAnswer(min(max(score, self.window.lower), self.window.upper), 0, 0.0)

    def to_json(self, position: Position, score: int | None, columns: list[int | None] | None) -> dict[str, object]:
        """An answer as JSON values."""
        answer: dict[str, object] = {"game": position.rules.name, "result" if self.result else "score": score}
        if score is not None:
            if not self.result:
                answer["plies"] = plies_left(position, score)
            winner = position.to_move if score > 0 else position.to_move.other
            answer["winner"] = winner.text if score else None
        if columns is not None:
            answer["moves"] = {str(column): value for column, value in enumerate(columns, start=1)}
        return answer


def solve_connect_four(position: Position, question: Question, positions: IO[str] | None, as_json: bool) -> None:
    """Print the score of a position, or one line for each position of a file."""
    if positions is not None:
        _filter(question, position, positions, as_json)
        return
    if position.outcome() is not None:
        raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to solve")
    books = books_for(position.rules)
    late = not question.result and exact_number(position, books) is None
    if late and (known := winner(position, books)) is not None:
        message = f"{known.text} wins (book); finding out when may take hours (--result reports only who wins)"
        click.echo(message, err=True)
    found = question.solve(position)
    columns = question.columns(position)
    if as_json:
        effort = {"nodes": found.nodes, "seconds": found.seconds}
        click.echo(json.dumps(question.to_json(position, found.score, columns) | effort))
        return
    click.echo(_meaning(position, found.score, question.result))
    if columns is not None:
        click.echo(f"columns: {_row(columns)}")
    click.echo(f"{found.nodes} nodes, {found.seconds:.2f} s")


def _meaning(position: Position, score: int | None, result: bool) -> str:
    if score is None:
        return "not decided in the time"
    mover = position.to_move
    meaning = f"{(mover if score > 0 else mover.other).text} wins" if score else "draw"
    if result:
        return meaning
    when = f" in {plural(plies_left(position, score), 'ply', 'plies')}" if score else ""
    return f"score {score}: {meaning}{when}"


def _filter(question: Question, start: Position, positions: IO[str], as_json: bool) -> None:
    """One line out for each line in; exit code 1 when one of them could not be answered."""
    failed = False
    for count, line in enumerate(positions, start=1):
        text = line.strip()
        try:
            answer = _answer(question, start, text, as_json)
        except ValueError as error:
            answer, failed = f"error: {error}", True
            if as_json:
                answer = json.dumps({"position": text, "error": str(error)})
        click.echo(answer if as_json else f"{text} {answer}")
        if sys.stderr.isatty():
            click.echo(f"\r{count} positions", err=True, nl=False)
    if failed:
        click.get_current_context().exit(1)


def _answer(question: Question, start: Position, text: str, as_json: bool) -> str:
    """What follows a position on its line; ValueError when there is no answer."""
    from plyground.core.notation import parse_moves

    position = parse_moves(start.rules, text, start)[1]
    score = question.solve(position).score
    if score is None:
        raise ValueError("not decided in the time")
    columns = question.columns(position)
    if as_json:
        return json.dumps({"position": text, **question.to_json(position, score, columns)})
    return str(score) if columns is None else f"{score} {_row(columns)}"


def _row(columns: list[int | None]) -> str:
    return " ".join("." if score is None else str(score) for score in columns)
