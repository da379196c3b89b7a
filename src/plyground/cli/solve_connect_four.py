"""The part of `plyground solve` that is for Connect Four: exact scores, also of many positions in a row."""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING

import click

from plyground.position import Position
from plyground.search.base import Limit
from plyground.solve.connect_four import ConnectFourSolver, plies_left

if TYPE_CHECKING:
    from plyground.rules import Move


def solve_connect_four(
    position: Position, seconds: float | None, moves: bool, positions: IO[str] | None, as_json: bool
) -> None:
    """Print the score of a position, or one line for each position of a file."""
    solver, limit = ConnectFourSolver(position.rules), Limit(seconds=seconds)
    if positions is not None:
        _filter(solver, position, limit, moves, positions, as_json)
        return
    if position.outcome() is not None:
        raise ValueError(f"the game of {position.rules.name} is over: nothing is left to solve")
    found = solver.solve(position, limit)
    columns = _columns(solver, position, limit) if moves else None
    if as_json:
        click.echo(json.dumps(_told(position, found.score, columns, nodes=found.nodes, seconds=found.seconds)))
        return
    if found.score is None:
        click.echo("not decided in the time")
    else:
        mover, plies = position.to_move, plies_left(position, found.score)
        winner = mover if found.score > 0 else mover.other
        meaning = f"{winner.text} wins in {plies} plies" if found.score else "a draw"
        click.echo(f"score {found.score}: {meaning}")
    if columns is not None:
        click.echo(f"columns: {_row(columns)}")
    click.echo(f"{found.nodes} nodes, {found.seconds:.2f} s")


def _filter(
    solver: ConnectFourSolver, start: Position, limit: Limit, moves: bool, positions: IO[str], as_json: bool
) -> None:
    """One line out for each line in; exit code 1 when one of them could not be answered."""
    failed = False
    for count, line in enumerate(positions, start=1):
        text = line.strip()
        try:
            answer, answered = _answer(solver, start, text, limit, moves, as_json)
        except ValueError as error:
            answer, answered = f"error: {error}", False
            if as_json:
                answer = json.dumps({"position": text, "error": str(error)})
        failed |= not answered
        click.echo(answer if as_json else f"{text} {answer}")
        if sys.stderr.isatty():
            click.echo(f"\r{count} positions", err=True, nl=False)
    if failed:
        click.get_current_context().exit(1)


def _answer(
    solver: ConnectFourSolver, start: Position, text: str, limit: Limit, moves: bool, as_json: bool
) -> tuple[str, bool]:
    """What follows a position on its line, and whether that is an answer."""
    from plyground.notation import parse_moves

    position = parse_moves(start.rules, text, start)[1]
    score = solver.solve(position, limit).score
    if score is None:
        raise ValueError("not decided in the time")
    columns = _columns(solver, position, limit) if moves else None
    if as_json:
        return json.dumps({"position": text, **_told(position, score, columns)}), True
    return str(score) if columns is None else f"{score} {_row(columns)}", True


def _columns(solver: ConnectFourSolver, position: Position, limit: Limit) -> list[int | None]:
    """The score of every column from the left, None for a full one; ValueError when out of time."""
    scores: dict[Move, int | None] = {
        move: solution.score for move, solution in solver.solve_moves(position, limit).items()
    }
    if any(score is None for score in scores.values()):
        raise ValueError("not every column is decided in the time")
    by_name = {position.write(move): score for move, score in scores.items()}
    return [by_name.get(str(column)) for column in range(1, position.rules.grid.columns + 1)]


def _row(columns: list[int | None]) -> str:
    return " ".join("." if score is None else str(score) for score in columns)


def _told(
    position: Position, score: int | None, columns: list[int | None] | None, **effort: float
) -> dict[str, object]:
    told: dict[str, object] = {"game": position.rules.name, "score": score}
    if score is not None:
        told["plies"] = plies_left(position, score)
        winner = position.to_move if score > 0 else position.to_move.other
        told["winner"] = winner.text if score else None
    if columns is not None:
        told["moves"] = {str(column): value for column, value in enumerate(columns, start=1)}
    return {**told, **effort}
