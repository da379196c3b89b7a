"""`plyground book`: make, describe and check books."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.parameters import game_argument, json_option, seconds_value, whole_number

if TYPE_CHECKING:
    from plyground.books.book import Book
    from plyground.rules import Rules
    from plyground.solve.best_first import BestFirst


@click.group()
def book() -> None:
    """Books: files that know the right move in many positions."""


file_argument = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


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
    limit: float | None,
) -> None:
    """Make a book: of Connect Four the exact scores of all positions up to a ply, else a strategy that wins by it.

    Where scores would take too long, --wins with a --side makes a book of the moves with which that side wins Connect
    Four, up to a ply. With --side first a game other than Connect Four gets a defence: moves with which a lost side
    lasts until the ply.

    It is written to the user's folder of books, where the engine finds it, unless another file is named. A build that
    was interrupted goes on where it stopped.
    """
    from plyground.books import build as making
    from plyground.books.shelf import SUFFIX, user_folder
    from plyground.cli.progress import status
    from plyground.rules import Side

    who = None if side is None else Side[side.upper()]
    path = output or user_folder() / f"{game.name.replace(':', '-').replace(',', '-')}{SUFFIX}"
    if wins and (who is None or game.name.partition(":")[0] != "connect-four"):
        raise click.UsageError("--wins is for Connect Four, with --side first or --side second")
    if wins and who is not None:
        with status() as tell:
            made = making.build_wins(game, who, plies, path, workers, table << 20, _proof_teller(tell))
        _print(made, path)
        return
    if game.name.partition(":")[0] != "connect-four":
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
    """What a book is about."""
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
def check(file: Path, sample: int, seed: int) -> None:
    """Check a book: its checksum, then its strategy against every move, its defence, or a sample of its scores."""
    from plyground.books.book import Book
    from plyground.books.check import check as checked

    count = checked(Book.load(file), sample, seed)
    click.echo(f"{file}: {count} positions checked, all right")


def _teller(tell: Callable[[str], None]) -> Callable[[int, int], None]:
    return lambda done, total: tell(f"{done} of {total} positions solved")


def _proof_teller(tell: Callable[[str], None]) -> Callable[[BestFirst], None]:
    def told(proof: BestFirst) -> None:
        tell(f"{proof.visited:,} positions visited; proof number {proof.root.proof}, disproof {proof.root.disproof}")

    return told


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
