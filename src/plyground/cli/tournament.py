"""`plyground tournament`: many players, every game saved, and a result with its error bars."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyground.cli.report import output_option, report, store_argument

if TYPE_CHECKING:
    from plyground.tournament.plan import Plan
    from plyground.tournament.store import Store

concurrency_option = click.option(
    "--concurrency", metavar="N", type=click.IntRange(1), help="Games at the same time.  [default: one per core]"
)
cluster_option = click.option("--cluster", metavar="ADDRESS", help="Play on the workers of a dask scheduler.")


@click.group()
def tournament() -> None:
    """Run a tournament.

    Every game is saved, and a run that was stopped can be resumed.
    """


@tournament.command()
@click.argument("file", metavar="[FILE.toml]", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--players", metavar="SPECS", multiple=True, help="Players, SPEC or NAME=SPEC, separated by , or ;.")
@click.option("--game", metavar="GAME", help="The game.")
@click.option("--format", "form", metavar="FORMAT", help="round-robin (the default), gauntlet, swiss or knockout.")
@click.option("--rounds", metavar="N", type=int, help="Pairs of games per pairing; rounds of a swiss.  [default: 1]")
@click.option(
    "--time", metavar="TIME", help="Seconds per move (3), per game with increment (300+2), or none.  [default: 3]"
)
@click.option("--depth", metavar="N", type=int, help="Maximum search depth in plies.")
@click.option("--nodes", metavar="N", type=int, help="Maximum number of positions searched per move.")
@click.option("--opening", metavar="N", type=int, help="Random moves at the start of each pair of games.  [default: 4]")
@click.option("--seed", metavar="N", type=int, help="Random seed.  [default: 0]")
@click.option("--lenient", is_flag=True, default=None, help="Practice: warn a bot about a fault and ask it again.")
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop as soon as one of these two Elo differences is established.")
@click.option(
    "--store",
    metavar="FILE.db",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the games to this file.  [default: FILE.db or tournament.db]",
)
@concurrency_option
@cluster_option
def run(
    file: Path | None,
    players: tuple[str, ...],
    form: str | None,
    store: Path | None,
    concurrency: int | None,
    cluster: str | None,
    **others: Any,
) -> None:
    """Play a new tournament and print the standings.

    It is described in FILE.toml, by options, or by both. Games come in pairs: the same random opening with sides
    swapped. FILE.toml has the keys game, format, rounds, time, depth, nodes, opening, seed, lenient, sprt, and a table
    [players] of names and specs.
    """
    from plyground.tournament.plan import from_toml, listed, plan_of
    from plyground.tournament.play import SOFTWARE
    from plyground.tournament.store import Store

    given = {key: value for key, value in {**others, "format": form}.items() if value is not None}
    if players:
        given["players"] = [spec for text in players for spec in listed(text)]
    try:
        plan = from_toml(file, **given) if file else plan_of(given)
        plan.check_players()
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    path = store or (file.with_suffix(".db") if file else Path("tournament.db"))
    specs = [entrant.spec for entrant in plan.entrants]
    with Store.create(path, "tournament", plan.to_json(), SOFTWARE, specs) as opened:
        _play(plan, opened, concurrency, cluster)


@tournament.command()
@store_argument
@concurrency_option
@cluster_option
def resume(store: Path, concurrency: int | None, cluster: str | None) -> None:
    """Play the missing games of a tournament that was stopped.

    The files of its players must be what they were; they are looked for where the tournament was started.
    """
    from contextlib import chdir

    from plyground.tournament.store import Store

    with Store.open(store) as opened:
        plan = _plan(opened)
        with chdir(opened.origin()):
            plan.check_players()
            _play(plan, opened, concurrency, cluster)


@tournament.command()
@store_argument
def status(store: Path) -> None:
    """Show the progress and standings of a tournament."""
    from plyground.tournament.store import Store

    with Store.open(store) as opened:
        _print(opened)


tournament.add_command(report)


@tournament.command()
@store_argument
@click.option(
    "--format", "form", type=click.Choice(["pgn", "jsonl"]), help="Output format.  [default: by the name of FILE]"
)
@output_option
def export(store: Path, form: str | None, output: Path | None) -> None:
    """Write the records of all games as PGN or JSON lines."""
    from plyground.play.records import to_json, to_pgn
    from plyground.tournament.store import Store

    as_lines = form == "jsonl" or (form is None and output is not None and output.suffix in (".json", ".jsonl"))
    write = to_json if as_lines else to_pgn
    with Store.open(store) as opened, click.open_file(str(output or "-"), "w", encoding="utf-8", lazy=False) as out:
        for game in opened.games():
            out.write(f"{write(game.game_record())}\n")


def _plan(store: Store) -> Plan:
    from plyground.tournament.plan import from_json

    if store.kind != "tournament":
        raise ValueError(f"{store.path} holds a {store.kind}, not a tournament; resume it with plyground tune --resume")
    return from_json(store.plan)


def _play(plan: Plan, store: Store, concurrency: int | None, address: str | None) -> None:
    from plyground.cli.watch import Watch, watched
    from plyground.tournament import executors
    from plyground.tournament.run import SequentialTest, run

    where = executors.cluster(address, concurrency) if address else executors.local(concurrency)
    enough = SequentialTest(plan).decided if plan.sprt else lambda _: False
    try:
        with where as (executor, at_once), watched(Watch(plan, store)) as show:
            for game in run(plan, store, executor, at_once, enough):
                show(game)
    except KeyboardInterrupt:
        click.echo(
            f"{store.count()} games saved; resume with: plyground tournament resume {shlex.quote(str(store.path))}",
            err=True,
        )
        raise
    _print(store)


def _print(store: Store) -> None:
    from plyground.report.plain import columns_text
    from plyground.report.summary import summarise
    from plyground.report.tables import notes, standings_table

    summary = summarise(store)
    click.echo("\n".join(notes(summary)))
    click.echo()
    click.echo(columns_text(standings_table(summary)))
