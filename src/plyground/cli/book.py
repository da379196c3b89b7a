"""`plyground book`: make, describe and check books."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.parameters import game_argument, json_option, seconds_value, whole_number

if TYPE_CHECKING:
    from plyground.books.book import Book
    from plyground.core.rules import Rules


@click.group()
def book() -> None:
    """Books: files that know the right move in many positions."""


def _book_value(text: str) -> Path:
    from plyground.books.shelf import file_of

    try:
        return file_of(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


file_argument = click.argument("file", type=_book_value)


@book.command()
@game_argument
@click.option("--plies", metavar="N", type=whole_number(1, 1000), required=True, help="How far the book goes.")
@click.option("--side", type=click.Choice(["first", "second"]), help="Only what arises when that side plays best.")
@click.option("--wins", is_flag=True, help="Connect Four: only the side's winning first moves, not their scores.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
@click.option(
    "--workers", metavar="N", type=whole_number(1, 1024), default="1", help="Processes that solve; of --wins threads."
)
@click.option("--table", metavar="MB", type=whole_number(16, 1 << 20), default="1024", help="Of --wins: its memory.")
@click.option(
    "--follow",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Of --wins: lines whose moves the side shall make.",
)
@click.option(
    "--limit", metavar="SECONDS", type=seconds_value, help="For a strategy or defence: give up after that time."
)
def build(
    game: Rules,
    plies: int,
    side: str | None,
    wins: bool,
    output: Path | None,
    workers: int,
    table: int,
    follow: Path | None,
    limit: float | None,
) -> None:
    """Make a book: of Connect Four the exact scores of all positions up to a ply, else a strategy that wins by it.

    Where scores would take too long, --wins with a --side makes a book of the moves with which that side wins Connect
    Four, up to a ply. It looks for them itself, which takes long on a large board, or follows the lines of a file, one
    row of moves each: where they end the solver must agree that the side wins.

    With --side first a game other than Connect Four gets a defence: moves with which a lost side lasts until the ply.

    It is written to the user's folder of books, where the engine finds it, unless another file is named. A build that
    was interrupted goes on where it stopped.
    """
    from plyground.books import build as making
    from plyground.books.shelf import SUFFIX, user_folder
    from plyground.cli.progress import status
    from plyground.core.rules import Side
    from plyground.solve.door import solver_for

    who = None if side is None else Side[side.upper()]
    path = output or user_folder() / f"{game.name.replace(':', '-').replace(',', '-')}{SUFFIX}"
    if wins and (who is None or solver_for(game) is None):
        raise click.UsageError("--wins is for Connect Four, with --side first or --side second")
    if follow is not None and not wins:
        raise click.UsageError("--follow is for --wins")
    if wins and who is not None:
        from plyground.books.wins import build_wins

        with status() as tell:
            made = build_wins(game, who, plies, path, workers, table << 20, follow, tell)
        _print(made, path)
        return
    if solver_for(game) is None:
        match who:
            case None:
                _print(making.build_strategy(game, plies, path, limit), path)
            case Side.FIRST:
                with status() as tell:
                    _print(making.build_defence(game, plies, path, limit, _teller(tell)), path)
            case Side.SECOND:
                raise click.UsageError("--side second is for Connect Four; a strategy is of whoever wins")
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(workers) as executor, status() as tell:
        made = making.build_scores(game, plies, path, executor, who, _teller(tell))
    _print(made, path)


@book.command()
@file_argument
@json_option
def info(file: Path, as_json: bool) -> None:
    """What a book is about; the FILE of one that came with the program is its name, such as double-card."""
    from plyground.books.book import Book

    known = Book.load(file)
    if as_json:
        import json

        told = {"game": known.game, "kind": known.kind, "plies": known.plies, "entries": len(known)}
        click.echo(json.dumps(told | ({} if known.side is None else {"side": known.side.text})))
    else:
        _print(known, file)


@book.command()
@file_argument
@click.option("--sample", metavar="N", type=whole_number(1, 100_000), default="20", help="Scores to solve again.")
@click.option("--seed", metavar="N", type=whole_number(0, 1 << 30), default="1", help="Which ones.")
@click.option("--plies", metavar="N", type=whole_number(1, 1000), help="Of winning moves: only up to there.")
@click.option("--threads", metavar="N", type=whole_number(1, 1024), default="1", help="Threads that solve.")
@click.option("--table", metavar="MB", type=whole_number(16, 1 << 20), default="256", help="Memory of the solver.")
def check(file: Path, sample: int, seed: int, plies: int | None, threads: int, table: int) -> None:
    """Check a book: its checksum, then its strategy against every move, its defence, or a sample of its scores.

    Of winning moves all answers are walked, and a sample of the positions where the book ends is solved. Walking only
    the first --plies with a large --sample solves everything that follows: a proof of the whole.
    """
    from plyground.books.book import Book, Kind
    from plyground.books.check import check as checked
    from plyground.cli.progress import status
    from plyground.solve.connect_four.solver import ConnectFourSolver

    known = Book.load(file)
    asks = known.kind in (Kind.SCORES, Kind.WINS)
    solver = ConnectFourSolver(known.rules, table << 20, threads) if asks else None
    with status() as tell:
        count = checked(known, sample, seed, plies, solver, _teller(tell))
    click.echo(f"{file}: {count} positions checked, all right")


def _teller(tell: Callable[[str], None]) -> Callable[[int, int], None]:
    return lambda done, total: tell(f"{done} of {total} positions solved")


def _side(known: Book) -> str:
    return "" if known.side is None else known.side.text


def _print(known: Book, path: Path) -> None:
    match known.kind.value:
        case "strategy":
            what = f"{_side(known)} wins by ply {known.plies}"
        case "wins":
            what = f"{_side(known)} wins, answers up to ply {known.plies}"
        case "defence":
            what = f"{_side(known)} lasts until ply {known.plies}"
        case _:
            what = f"{known.kind} up to ply {known.plies}"
    click.echo(f"{path}: {known.game}, {what}, {len(known)} positions, {path.stat().st_size} bytes")
