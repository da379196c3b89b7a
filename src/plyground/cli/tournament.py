"""`plyground tournament`: many players, every game saved, and a result with its error bars."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyground.cli.output import command_line, resumable, text_output
from plyground.cli.parameters import TIME_HELP, whole_number
from plyground.cli.report import output_option, report, store_argument

if TYPE_CHECKING:
    from collections.abc import Callable

    from plyground.tournament.parcel import Parcel
    from plyground.tournament.plan import Plan
    from plyground.tournament.schedule import Entrant
    from plyground.tournament.store import Store

concurrency_option = click.option(
    "--concurrency", metavar="N", type=whole_number(1), help="Games at the same time.  [default: one per core]"
)
control_option = click.option("--time", metavar="TIME", help=f"{TIME_HELP}  [default: 3]")
opening_option = click.option(
    "--openings",
    "--opening",
    "opening",
    metavar="N",
    type=whole_number(0),
    help="Random moves at the start of each pair of games.  [default: 4]",
)
balanced_option = click.option(
    "--balanced",
    is_flag=True,
    default=None,
    help="Choose the most even of several openings each, as the engine sees them.",
)
run_seed_option = click.option("--seed", metavar="N", type=whole_number(0), help="Random seed.  [default: 0]")
cluster_option = click.option("--cluster", metavar="ADDRESS", help="Play on the workers of a dask scheduler.")


@click.group()
def tournament() -> None:
    """Run a tournament.

    Every game is saved, and a run that was stopped can be resumed.
    """


@tournament.command()
@click.argument("file", metavar="[FILE.toml]", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--players", metavar="SPECS", multiple=True, help="Players, SPEC or NAME=SPEC, separated by , or ;.")
@click.option(
    "--entrants",
    "folder",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of bots, a file or folder each; they are copied into the store.",
)
@click.option("--game", metavar="GAME", help="The game.")
@click.option("--format", "form", metavar="FORMAT", help="round-robin (the default), gauntlet, swiss or knockout.")
@click.option(
    "--rounds", metavar="N", type=whole_number(1), help="Pairs of games per pairing; rounds of a swiss.  [default: 1]"
)
@control_option
@click.option("--depth", metavar="N", type=whole_number(1), help="Maximum search depth in plies.")
@click.option("--nodes", metavar="N", type=whole_number(1), help="Maximum number of positions searched per move.")
@opening_option
@balanced_option
@run_seed_option
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
    folder: Path | None,
    form: str | None,
    store: Path | None,
    concurrency: int | None,
    cluster: str | None,
    **others: Any,
) -> None:
    """Play a new tournament and print the standings.

    It is described in FILE.toml, by options, or by both. Games come in pairs: the same random opening with sides
    swapped. FILE.toml has the keys game, format, rounds, time, depth, nodes, opening, balanced, seed, lenient, program,
    sprt, and
    a table [players] of names and specs.
    """
    from plyground.tournament.plan import from_toml, listed, plan_of
    from plyground.tournament.play import SOFTWARE
    from plyground.tournament.store import Store

    given = {key: value for key, value in {**others, "format": form}.items() if value is not None}
    if players:
        given["players"] = [spec for text in players for spec in listed(text)]
    path = store or (file.with_suffix(".db") if file else Path("tournament.db"))
    try:
        parcels = _take_in(folder, file, given) if folder else []
        plan = from_toml(file, **given) if file else plan_of(given)
        plan.check_players(path, parcels)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    specs = [entrant.spec for entrant in plan.entrants]
    with Store.create(path, "tournament", plan.to_json(), SOFTWARE, specs) as opened:
        for parcel in parcels:
            opened.keep(parcel)
        play_plan(plan, opened, concurrency, cluster)


@tournament.command()
@store_argument
@concurrency_option
@cluster_option
def resume(store: Path, concurrency: int | None, cluster: str | None) -> None:
    """Play the missing games of a tournament that was stopped.

    The players' files must be unchanged. They are looked for in the folder where the tournament was started.
    """
    from contextlib import chdir

    from plyground.tournament.store import Store

    with Store.open(store) as opened:
        plan = _plan(opened)
        specs = [entrant.spec for entrant in plan.entrants if entrant.name not in plan.withdrawn]
        with chdir(opened.origin(specs)):
            plan.check_players(opened.path, opened.parcels(specs))
            play_plan(plan, opened, concurrency, cluster)


@tournament.command()
@store_argument
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
def add(store: Path, players: tuple[str, ...]) -> None:
    """Add players to a round-robin or gauntlet that has started.

    PLAYER is NAME=SPEC, or NAME=FILE for a bot as a file or folder, which is copied into the store. `resume` then
    plays its games against everybody.
    """
    found = [_entrant(text) for text in players]

    def changed(plan: Plan) -> Plan:
        for entrant, _ in found:
            plan = plan.with_entrant(entrant)
        return plan

    _change(store, changed, [parcel for _, parcel in found if parcel])
    click.echo(f"added {', '.join(entrant.name for entrant, _ in found)}; {_how_to_resume(store)}")


@tournament.command("replace")
@store_argument
@click.argument("name", metavar="NAME")
@click.argument("player", metavar="PLAYER")
def replace_(store: Path, name: str, player: str) -> None:
    """Replace a player by a new version.

    It plays against everybody. PLAYER is a spec, or a bot as a file or folder, which is copied into the store. The new
    version is called NAME v2, the next one NAME v3; the old one is withdrawn, and its games stay.
    """
    from plyground.tournament.schedule import Entrant

    entrant, parcel = _entrant(player)
    made: list[str] = []

    def changed(plan: Plan) -> Plan:
        names = {entrant.name for entrant in plan.entrants}
        last = next(n for n in range(len(names), 0, -1) if n == 1 or f"{name} v{n}" in names)
        newest = name if last == 1 else f"{name} v{last}"
        made.append(f"{name} v{last + 1}")
        return plan.without(newest).with_entrant(Entrant(made[0], entrant.spec))

    _change(store, changed, [parcel] if parcel else [])
    click.echo(f"{name} is now {made[0]}; {_how_to_resume(store)}")


@tournament.command()
@store_argument
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
def withdraw(store: Path, names: tuple[str, ...]) -> None:
    """Withdraw players from a round-robin or gauntlet.

    They start no new games; their finished games stay.
    """

    def changed(plan: Plan) -> Plan:
        for name in names:
            plan = plan.without(name)
        return plan

    _change(store, changed, [])
    click.echo(f"withdrawn: {', '.join(names)}")


def _take_in(folder: Path, file: Path | None, given: dict[str, Any]) -> list[Parcel]:
    """The bots of a folder, put among the players that are given; ValueError when one cannot be run."""
    import tempfile

    from plyground.core.files import parse_toml
    from plyground.tournament.download import pieces_in
    from plyground.tournament.plan import entrants_of

    if file is not None and "players" in parse_toml(file.read_text(encoding="utf-8")):
        raise ValueError(f"{file} has [players] already: give --entrants or [players]")
    players = {entrant.name: entrant.spec for entrant in entrants_of(given.get("players", []))}
    parcels = []
    with tempfile.TemporaryDirectory() as scratch:
        for who, path, problem in pieces_in(folder, Path(scratch)):
            if problem:
                raise ValueError(f"{path}: {problem}")
            if who.name in players:
                raise ValueError(f"two players are called {who.name!r}; rename one in {folder}")
            players[who.name], parcel = _packed(path)
            parcels.append(parcel)
    given["players"] = players
    return parcels


def _entrant(text: str) -> tuple[Entrant, Parcel | None]:
    """A player written as a spec or as a file, with its files if they are to be copied."""
    from plyground.tournament.plan import entrant_of
    from plyground.tournament.schedule import Entrant

    entrant = entrant_of(text)
    path = Path(entrant.spec)
    if not path.exists():
        return entrant, None
    spec, parcel = _packed(path)
    return Entrant(path.stem if entrant.name == text.strip() else entrant.name, spec), parcel


def _packed(path: Path) -> tuple[str, Parcel]:
    """The player that a file or folder is, whatever it is called, and its files; ValueError when it is none."""
    from plyground.tournament.parcel import Parcel
    from plyground.tournament.submission import spec_of

    parcel = Parcel.of_path(path)
    try:
        return spec_of(parcel), parcel
    except ValueError as error:
        raise ValueError(f"{path}: {str(error).removeprefix('submission: ')}") from None


def _change(path: Path, change: Callable[[Plan], Plan], parcels: list[Parcel]) -> None:
    """Change the plan of a tournament that nobody plays just now."""
    from contextlib import chdir

    from plyground.tournament.lock import held
    from plyground.tournament.store import Store

    with Store.open(path) as opened, held(opened.path):
        before = _plan(opened)
        plan = change(before)
        specs = [entrant.spec for entrant in plan.entrants if entrant.name not in plan.withdrawn]
        known = {entrant.spec for entrant in before.entrants}
        with chdir(opened.origin(known.intersection(specs))):
            for parcel in parcels:
                opened.keep(parcel)
            plan.check_players(opened.path, opened.parcels(specs))
            opened.change_plan(plan.to_json(), specs)


def _how_to_resume(store: Path) -> str:
    return f"play its games with: {command_line('tournament', 'resume', store)}"


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
    "--format",
    "form",
    type=click.Choice(["pgn", "jsonl", "csv", "parquet"]),
    help="Output format.  [default: by the name of FILE, else pgn]",
)
@output_option
def export(store: Path, form: str | None, output: Path | None) -> None:
    """Write all games as PGN, JSON lines, CSV or Parquet.

    CSV and Parquet have a row for each game; Parquet needs pyarrow, the extra data.
    """
    from plyground.tournament.export import as_text, form_of, save_parquet
    from plyground.tournament.store import Store

    try:
        chosen = form_of(output, form)
        if chosen == "parquet" and output is None:
            raise ValueError("Parquet is not text: name a file, -o games.parquet")
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--output'") from None
    with Store.open(store) as opened:
        records = (game.game_record() for game in opened.games())
        if chosen == "parquet" and output is not None:
            save_parquet(records, output)
            return
        with text_output(output) as out:
            out.writelines(as_text(records, chosen))


def _plan(store: Store) -> Plan:
    from plyground.tournament.plan import from_json

    if store.kind != "tournament":
        raise ValueError(f"{store.path} holds a {store.kind}, not a tournament; resume it with plyground tune --resume")
    return from_json(store.plan)


def play_plan(plan: Plan, store: Store, concurrency: int | None, address: str | None) -> None:
    """Play what is missing of a tournament, and print the standings."""
    from plyground.cli.watch import Watch, watched
    from plyground.core.notation import plural
    from plyground.tournament import executors
    from plyground.tournament.run import SequentialTest, run

    where = executors.wanted(address, concurrency)
    enough = SequentialTest(plan).decided if plan.sprt else lambda _: False
    again = command_line("tournament", "resume", store.path)
    with (
        resumable(lambda: f"{plural(store.count(), 'game', 'games')} saved; resume with: {again}"),
        where as (executor, at_once),
        watched(Watch(plan, store)) as show,
    ):
        for game in run(plan, store, executor, at_once, enough):
            show(game)
    _print(store)


def _print(store: Store) -> None:
    from plyground.report.notes import notes
    from plyground.report.plain import columns_text, notes_text, width_of
    from plyground.report.summary import summarise
    from plyground.report.tables import standings_table

    summary, width = summarise(store), width_of(sys.stdout)
    click.echo(notes_text(notes(summary), width))
    click.echo()
    click.echo(columns_text(standings_table(summary), width))
