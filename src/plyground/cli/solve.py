"""`plyground solve`: the proved result of a position."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import click

from plyground.cli.output import effort_text, write_json
from plyground.cli.parameters import (
    json_option,
    position_arguments,
    seconds_value,
    table_option,
    threads_option,
    whole_number,
)

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.solve.proof import Solution

SHORTENING_NOTICE_SECONDS = 2.0
"""After this time a proved win is reported on stderr while a shorter one is still looked for."""


@click.command()
@position_arguments
@click.option(
    "--within", metavar="PLIES", type=whole_number(1, 10_000), help="Look only for wins within this many plies."
)
@click.option("--limit", metavar="SECONDS", type=seconds_value, help="Stop after this time.")
@click.option("--moves", is_flag=True, help="Connect Four: also the score of every column.")
@click.option("--result", is_flag=True, help="Connect Four: only who wins, not when; faster.")
@click.option(
    "--positions",
    metavar="FILE",
    type=click.File("r", encoding="utf-8"),
    help="Connect Four: solve the positions in a file (- is stdin), one per line.",
)
@threads_option("Connect Four: number of solver threads.")
@table_option(256, "Connect Four: memory for the solver.")
@json_option
def solve(
    position: Position,
    within: int | None,
    limit: float | None,
    moves: bool,
    result: bool,
    positions: IO[str] | None,
    threads: int,
    table: int,
    as_json: bool,
) -> None:
    """Prove who wins a position, and in how many plies.

    The answer is proved, never estimated: a forced win, or that there is none. Connect Four has its own solver, which
    reports the exact score: 0 is a draw, n > 0 a win for the side to move with its n-th disc counted from its last one,
    -n a loss. With --positions each line is answered by POSITION SCORE. With --result scores are only 1, 0 and -1, and
    may come from a book. The JSON output is one object with winner, plies, shortest, decided, source (book or proof
    search), line, nodes and seconds, or with score (or result) and moves for Connect Four.
    """
    from plyground.solve.connect_four.solver import too_large
    from plyground.solve.door import solver_for

    solver = solver_for(position.rules, table << 20, threads) if within is None else None
    if within is None and solver is None and (reason := too_large(position.rules)) is not None:
        raise ValueError(f"{position.rules.name} is {reason}; --within PLIES looks at the next moves only")
    if solver is not None:
        from plyground.cli.solve_connect_four import SolverQuestion, solve_connect_four
        from plyground.search.base import Limit

        solve_connect_four(position, SolverQuestion(solver, Limit(seconds=limit), moves, result), positions, as_json)
        return
    if moves or result or positions is not None:
        raise click.UsageError("--moves, --result and --positions are for Connect Four without --within")
    known = _in_books(position) if within is None else None
    _print(known or _proved(position, within, limit), as_json, by_book=known is not None)


def _in_books(position: Position) -> Solution | None:
    """What books prove of a position without a search; None where they do not."""
    from plyground.judge.judge import judge_of
    from plyground.search.base import Source
    from plyground.solve.proof import Solution

    if position.outcome() is not None:
        return None
    judgement = next(judge_of(position.rules).prove(position))
    score, mover = judgement.score, position.to_move
    if score is None or score.plies is None or judgement.source is not Source.BOOK:
        return None
    winner = mover if score.won else mover.other
    left = position.rules.max_plies - position.ply
    excluded = [left, left]  # both sides cannot have a forced win
    excluded[winner] = 0 if score.at_most else score.plies - 1
    first = judgement.best.move if score.won else None
    return Solution(position, left, winner, score.plies, (excluded[0], excluded[1]), first)


def _proved(position: Position, within: int | None, seconds: float | None) -> Solution:
    """What proof search finds, with news while it goes on."""
    from plyground.cli.progress import status
    from plyground.solve import proof

    solution: Solution | None = None
    reported = False
    with status() as report:
        for solution in proof.solve(position, within, seconds):
            report(f"{solution.verdict}, {solution.nodes:,} nodes")
            # Who waits for the shortest win knows at once that there is one.
            if solution.winner is not None and not reported and solution.seconds > SHORTENING_NOTICE_SECONDS:
                reported = True
                message = f"proved after {solution.seconds:.0f} s: {solution.verdict}; looking for a shorter win"
                click.echo(message, err=True)
    assert solution is not None
    return solution


def _print(solution: Solution, as_json: bool, by_book: bool) -> None:
    if as_json:
        write_json(to_json(solution) | {"source": "book" if by_book else "proof search"})
        return
    from plyground.core.notation import write_moves

    click.echo(f"{solution.verdict} (book)" if by_book else solution.verdict)
    if solution.line:
        click.echo(f"line: {write_moves(solution.position.rules, solution.line)}")
    click.echo(effort_text(solution.nodes, solution.seconds))


def to_json(solution: Solution) -> dict[str, object]:
    """A solution as JSON values."""
    position = solution.position
    return {
        "game": position.rules.name,
        "verdict": solution.verdict,
        "decided": solution.decided,
        "winner": None if solution.winner is None else solution.winner.text,
        "plies": solution.plies,
        "shortest": solution.shortest,
        "no_win_within": {"first": solution.excluded[0], "second": solution.excluded[1]},
        "line": [position.rules.notation.write(position.rules, move) for move in solution.line],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 3),
    }
