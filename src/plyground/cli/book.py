"""`plyground book`: make, describe and check books."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from plyground.cli.output import write_json
from plyground.cli.parameters import (
    file_to_write,
    game_argument,
    json_option,
    seconds_value,
    table_option,
    threads_option,
    whole_number,
)

if TYPE_CHECKING:
    from plyground.books.book import Book
    from plyground.books.proving import Proving
    from plyground.core.rules import Rules, Side


@click.group()
def book() -> None:
    """Build and check books of solved positions."""


def _book_value(text: str) -> Path:
    from plyground.books.shelf import file_of

    try:
        return file_of(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


file_argument = click.argument("file", type=_book_value)


@book.command()
@game_argument
@click.option("--plies", metavar="N", type=whole_number(1, 1000), required=True, help="Last ply the book covers.")
@click.option(
    "--side",
    type=click.Choice(["first", "second"]),
    help="Only positions that occur when this side plays its best moves.",
)
@click.option("--wins", is_flag=True, help="Connect Four: only winning moves for --side, without scores.")
@click.option("--results", is_flag=True, help="Connect Four: only who wins, as far as it can be proved.")
@click.option(
    "--hard",
    metavar="NODES",
    type=whole_number(1, 1 << 40),
    help="Connect Four scores: also positions one ply further that take the solver at least this many nodes.",
)
@click.option("-o", "--output", metavar="FILE", type=file_to_write, help="File to write.")
@click.option(
    "--workers",
    metavar="N",
    type=whole_number(1, 1024),
    default="1",
    show_default=True,
    help="Number of processes; threads with --wins.",
)
@table_option(1024, "Memory for the Connect Four solver, for each process.")
@click.option(
    "--follow",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With --wins: file of lines whose moves the side plays.",
)
@click.option(
    "--limit",
    metavar="SECONDS",
    type=seconds_value,
    help="Strategy or defence: give up after this time. --results: write what is proved by then.",
)
def build(
    game: Rules,
    plies: int,
    side: str | None,
    wins: bool,
    results: bool,
    hard: int | None,
    output: Path | None,
    workers: int,
    table: int,
    follow: Path | None,
    limit: float | None,
) -> None:
    """Build a book of solved positions.

    For Connect Four the book holds the exact scores of all positions up to a ply, and with --hard those of the next ply
    that take longest to solve. For any other game it holds a strategy that wins by that ply.

    If scores would take too long, --wins with --side builds a book of the moves with which that side wins Connect Four.
    The solver finds these moves, which takes long on a large board, or --follow reads them from a file with one line of
    moves per row; the solver must confirm that the side wins where each line ends.

    --results asks who wins after that many moves. Unlike the other books it need not be complete: with --limit it holds
    what was proved by then, and the same command continues from there.

    With --side first a game other than Connect Four gets a defence: moves with which the losing side survives until
    the given ply.

    The book is written to the user's book folder, where the engine finds it, unless --output names a file. Scores of
    many positions take hours; an estimate is printed first. An interrupted build continues where it stopped.
    """
    from plyground.core.rules import Side

    who = None if side is None else Side[side.upper()]
    path = output or _usual_path(game)
    order = _Order(game, plies, who, path, workers, table << 20, limit)
    if follow is not None and not wins:
        raise click.UsageError("--follow is for --wins")
    if hard is not None:
        made = _hard(order, hard, wins or results)
    elif results:
        made = _results(order, wins)
    elif wins:
        made = _wins(order, follow)
    else:
        made = _scores(order) if order.connect_four else _strategy(order)
    _print(made, path)


def _usual_path(game: Rules) -> Path:
    from plyground.books.shelf import SUFFIX, user_folder

    return user_folder() / f"{game.name.replace(':', '-').replace(',', '-')}{SUFFIX}"


class _Order(NamedTuple):
    """The book that is wanted."""

    rules: Rules
    plies: int
    side: Side | None
    path: Path
    workers: int
    table_bytes: int
    seconds: float | None

    @property
    def connect_four(self) -> bool:
        from plyground.solve.door import solver_for

        return solver_for(self.rules) is not None

    def proving(self, report: Callable[[str], None]) -> Proving:
        from plyground.books.proving import Proving

        return Proving(self.workers, self.table_bytes, report)


def _results(order: _Order, wins: bool) -> Book:
    from plyground.books.results import build_results
    from plyground.cli.progress import status

    if order.side is not None or wins or not order.connect_four:
        raise click.UsageError("--results is for Connect Four, without --side and --wins")
    with status() as report:
        return build_results(order.rules, order.plies, order.path, order.proving(report), order.seconds)


def _wins(order: _Order, follow: Path | None) -> Book:
    from plyground.books.wins import build_wins
    from plyground.cli.progress import status

    if order.side is None or not order.connect_four:
        raise click.UsageError("--wins is for Connect Four, with --side first or --side second")
    with status() as report:
        return build_wins(order.rules, order.side, order.plies, order.path, order.proving(report), follow)


def _hard(order: _Order, hard: int, otherwise: bool) -> Book:
    if otherwise or order.side is not None or not order.connect_four:
        raise click.UsageError("--hard is for Connect Four scores, without --side, --wins and --results")
    return _scores(order, hard)


def _scores(order: _Order, hard: int | None = None) -> Book:
    from plyground.books.scores import Build
    from plyground.cli.progress import Countdown, status
    from plyground.tournament.pool import ProcessPool

    with ProcessPool(order.workers) as executor, status() as report:
        building = Build(order.rules, order.plies, executor, order.table_bytes, Countdown(report), _announce, hard)
        return building.scores(order.path) if order.side is None else building.scores_along(order.side, order.path)


def _strategy(order: _Order) -> Book:
    from plyground.books.build import build_defence, build_strategy
    from plyground.cli.progress import status

    if order.side is None:
        return build_strategy(order.rules, order.plies, order.path, order.seconds)
    if order.side:
        raise click.UsageError("--side second is for Connect Four; a strategy is always for the winning side")
    with status() as report:
        return build_defence(order.rules, order.plies, order.path, order.seconds, _counter(report))


@book.command()
@file_argument
@json_option
def info(file: Path, as_json: bool) -> None:
    """Describe a book.

    FILE is a file, or the name of a book that comes with Plyground, such as double-card.
    """
    from plyground.books.book import Book

    known = Book.load(file)
    if as_json:
        described = {"game": known.game, "kind": known.kind, "plies": known.plies, "entries": len(known)}
        write_json(described | ({} if known.side is None else {"side": known.side.text}))
    else:
        _print(known, file)


@book.command()
@file_argument
@click.option(
    "--sample",
    metavar="N",
    type=whole_number(1, 100_000),
    default="20",
    show_default=True,
    help="Number of positions to solve again.",
)
@click.option(
    "--seed",
    metavar="N",
    type=whole_number(0, 1 << 30),
    default="1",
    show_default=True,
    help="Random seed for --sample.",
)
@click.option("--plies", metavar="N", type=whole_number(1, 1000), help="Book of winning moves: check only this far.")
@threads_option("Number of solver threads.")
@table_option(256, "Memory for the solver.")
def check(file: Path, sample: int, seed: int, plies: int | None, threads: int, table: int) -> None:
    """Check the checksum and the contents of a book.

    A strategy or a defence is checked against every move, a book of scores by a sample: those of the last ply are
    solved again, earlier ones must follow from their moves. In a book of winning moves every answer is followed, and a
    sample of the positions where the book ends is solved. A small --plies with a large --sample solves everything after
    these plies, which proves the whole book. Results are followed to the positions they depend on, and a sample of
    these is solved.
    """
    from plyground.books.book import Book, BookKind
    from plyground.books.check import check as checked
    from plyground.cli.progress import status
    from plyground.core.notation import plural
    from plyground.solve.connect_four.solver import ConnectFourSolver

    known = Book.load(file)
    asks = known.kind in (BookKind.SCORES, BookKind.RESULTS, BookKind.WINS)
    solver = ConnectFourSolver(known.rules, table << 20, threads) if asks else None
    with status() as report:
        count = checked(known, sample, seed, plies, solver, _counter(report))
    click.echo(f"{file}: {plural(count, 'position', 'positions')} checked, all correct")


def _announce(positions: int, seconds: float) -> None:
    """Say beforehand how long a build takes."""
    from plyground.cli.progress import duration
    from plyground.core.notation import plural

    count = plural(positions, "position", "positions")
    click.echo(f"{count} to solve, about {duration(seconds)} at most; you can interrupt and continue it", err=True)


def _counter(report: Callable[[str], None]) -> Callable[[int, int], None]:
    return lambda done, total: report(f"{done} of {total} positions solved")


def _side(known: Book) -> str:
    return "" if known.side is None else known.side.text


def _print(known: Book, path: Path) -> None:
    from plyground.books.book import BookKind
    from plyground.core.notation import plural

    match known.kind:
        case BookKind.STRATEGY:
            what = f"{_side(known)} wins by ply {known.plies}"
        case BookKind.WINS:
            what = f"{_side(known)} wins, answers up to ply {known.plies}"
        case BookKind.RESULTS:
            what = f"who wins up to ply {known.plies}, as far as it is proved"
        case BookKind.DEFENCE:
            what = f"{_side(known)} lasts until ply {known.plies}"
        case _:
            beyond = ", hard positions of the next ply" if known.last_ply > known.plies else ""
            what = f"{known.kind} up to ply {known.plies}{beyond}"
    count = plural(len(known), "position", "positions")
    click.echo(f"{path}: {known.game}, {what}, {count}, {path.stat().st_size} bytes")
