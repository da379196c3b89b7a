"""The part of `plyground solve` that is for Connect Four: exact scores, also of many positions in a row."""

from __future__ import annotations

import codecs
import io
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, cast

import click

from plyground.books.book import BookKind
from plyground.books.shelf import books_for, exact_number, result_of
from plyground.cli.output import effort_text, write_json
from plyground.core.notation import parse_moves, plural
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.search.base import Limit
from plyground.solve.connect_four.solver import (
    EXACT_WINDOW,
    RESULT,
    ConnectFourSolver,
    SolverAnswer,
    Window,
    number_at_end,
    plies_left,
)

PIECE_SECONDS = 0.05
"""Lines of a file are handed over in pieces that take about so long: answers come as they are found."""

CHUNK_BYTES = 1 << 16


@dataclass(frozen=True)
class SolverQuestion:
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
        return RESULT if self.result else EXACT_WINDOW

    def solve(self, position: Position) -> SolverAnswer:
        """The answer, with no score when out of time; from a book without a search."""
        books = books_for(position.rules)
        if (number := exact_number(position, books)) is not None:
            return self._known(number)
        known = result_of(position, books)
        if known == 0 or (self.result and known is not None):
            return SolverAnswer(known, 0, 0.0)
        return self.solver.solve(position, self.limit, self.window)

    def solve_texts(self, start: Position, texts: list[str]) -> dict[int, int | None]:
        """Scores after the moves of texts, found all at once where books are not asked; by the number of the text."""
        if self.moves:
            return {}
        books = books_for(start.rules)
        if self.result and any(book.kind is not BookKind.SCORES for book in books):
            return {}
        known = max((book.plies for book in books if book.kind is BookKind.SCORES), default=-1)
        late = [number for number, text in enumerate(texts) if start.ply + len(text) > known]
        found = self.solver.solve_texts(start, [texts[number] for number in late], self.limit, self.window)
        return {late[at]: score for at, score in found.items()}

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


def solve_connect_four(position: Position, question: SolverQuestion, positions: IO[str] | None, as_json: bool) -> None:
    """Print the score of a position, or one line for each position of a file."""
    if positions is not None:
        _filter(question, position, positions, as_json)
        return
    if position.outcome() is not None:
        raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to solve")
    books = books_for(position.rules)
    late = not question.result and exact_number(position, books) is None
    if late and (known := result_of(position, books)):
        side = position.to_move if known > 0 else position.to_move.other
        message = f"{side.text} wins (book); finding out when may take hours (--result reports only who wins)"
        click.echo(message, err=True)
    found = question.solve(position)
    columns = question.columns(position)
    if as_json:
        effort = {"nodes": found.nodes, "seconds": found.seconds}
        write_json(question.to_json(position, found.score, columns) | effort)
        return
    click.echo(_meaning(position, found.score, question.result))
    if columns is not None:
        click.echo(f"columns: {_row(columns)}")
    click.echo(effort_text(found.nodes, found.seconds))


def _meaning(position: Position, score: int | None, result: bool) -> str:
    if score is None:
        return "not decided in the time"
    mover = position.to_move
    meaning = f"{(mover if score > 0 else mover.other).text} wins" if score else "draw"
    if result:
        return meaning
    when = f" in {plural(plies_left(position, score), 'ply', 'plies')}" if score else ""
    return f"score {score}: {meaning}{when}"


def _filter(question: SolverQuestion, start: Position, positions: IO[str], as_json: bool) -> None:
    """One line out for each line in; exit code 1 when one of them could not be answered."""
    failed, count = False, 0
    for texts in _pieces(cast(io.TextIOWrapper, positions)):
        lines: list[str] = []
        known = question.solve_texts(start, texts)
        for number, text in enumerate(texts):
            try:
                score = _score(question, start, text) if number not in known else known[number]
                answer = _answer(question, start, text, score, as_json)
            except ValueError as error:
                answer, failed = f"error: {error}", True
                if as_json:
                    answer = json.dumps({"position": text, "error": str(error)})
            lines.append(answer if as_json else f"{text} {answer}")
        click.echo("\n".join(lines))
        count += len(texts)
        if sys.stderr.isatty():
            click.echo(f"\r{plural(count, 'position', 'positions')}", err=True, nl=False)
    if failed:
        click.get_current_context().exit(1)


def _pieces(stream: io.TextIOWrapper) -> Iterator[list[str]]:
    """The lines that have come, as many at once as are answered in a moment; never waits for more than one."""
    size = 1
    for lines in _arrived(stream):
        while lines:
            piece, lines = lines[:size], lines[size:]
            started = time.perf_counter()
            yield [line.strip() for line in piece]
            size = 2 * size if time.perf_counter() - started < PIECE_SECONDS else max(1, size // 2)


def _arrived(stream: io.TextIOWrapper) -> Iterator[list[str]]:
    decoder, rest = codecs.getincrementaldecoder(stream.encoding)(), ""
    while chunk := cast(io.BufferedReader, stream.buffer).read1(CHUNK_BYTES):
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        if lines:
            yield lines
    if rest + decoder.decode(b"", final=True):
        yield [rest]


def _score(question: SolverQuestion, start: Position, text: str) -> int | None:
    return question.solve(parse_moves(start.rules, text, start)[1]).score


def _answer(question: SolverQuestion, start: Position, text: str, score: int | None, as_json: bool) -> str:
    """What follows a position on its line; ValueError when there is no answer."""
    if score is None:
        raise ValueError("not decided in the time")
    if not as_json and not question.moves:
        return str(score)
    position = parse_moves(start.rules, text, start)[1]
    columns = question.columns(position)
    if as_json:
        return json.dumps({"position": text, **question.to_json(position, score, columns)})
    return str(score) if columns is None else f"{score} {_row(columns)}"


def _row(columns: list[int | None]) -> str:
    return " ".join("." if score is None else str(score) for score in columns)
