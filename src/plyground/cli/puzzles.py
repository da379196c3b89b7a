"""`plyground puzzles`: solve puzzles, find new ones, check them."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from plyground.cli.completing import complete_game
from plyground.cli.parameters import (
    Command,
    file_to_write,
    game_argument,
    game_value,
    json_option,
    seed_option,
    whole_number,
)

if TYPE_CHECKING:
    from plyground.core.rules import Rules
    from plyground.puzzle.puzzle import Puzzle, Theme

PUZZLE_THEMES = ("at-once", "double-threat", "forced-win", "zugzwang", "card", "poles", "only-defence", "trap")
"""As `Theme` has them; written here so that the help needs no other module."""

theme_choice = click.Choice(PUZZLE_THEMES)
file_value = click.Path(exists=True, dir_okay=False, path_type=Path)


def _one_game(game: Rules | None, old: Rules | None) -> Rules | None:
    """The game that is asked for, in either way; a usage error for two."""
    if game is not None and old is not None:
        raise click.UsageError("give the game once, without --game")
    return game or old


def _game_or_puzzles(text: str) -> Rules | Path:
    """The rules a spec names, or a file of puzzles; a usage error that says what exists otherwise."""
    path = Path(text)
    if path.is_file():
        return path
    if path.suffix in (".csv", ".json", ".jsonl"):
        raise click.BadParameter(f"{text!r} is a folder" if path.is_dir() else f"there is no file {text!r}")
    return game_value(text)


@click.group()
def puzzles() -> None:
    """Solve puzzles, find new ones, check them."""


@puzzles.command()
@game_argument
@click.option(
    "--count", metavar="N", type=whole_number(1, 1_000_000), default="10", help="Number of puzzles.", show_default=True
)
@seed_option
@click.option("--theme", "themes", type=theme_choice, multiple=True, help="Only this theme; may be repeated.")
@click.option(
    "--level",
    metavar="N",
    type=whole_number(1, 10),
    default="1",
    show_default=True,
    help="Only puzzles on which all levels of the engine below N fail.",
)
@click.option("--moves", metavar="N", type=whole_number(1, 11), help="Only wins in N moves; 1 for wins at once.")
@click.option("-o", "--output", metavar="FILE", type=file_to_write, help="File to write; default stdout.")
def make(
    game: Rules, count: int, seed: int, themes: tuple[str, ...], level: int, moves: int | None, output: Path | None
) -> None:
    """Find puzzles in games between levels of the engine.

    Every puzzle is proved by the solver or by proof search. No two are symmetric copies of each other, and the same
    seed gives the same puzzles. FILE is CSV if its name ends in .csv, otherwise one JSON object per line; after Ctrl-C
    it has the puzzles found so far.
    """
    from plyground.cli.progress import progress_bar
    from plyground.core.notation import plural
    from plyground.puzzle.files import save, to_line
    from plyground.puzzle.mine import Miner
    from plyground.puzzle.puzzle import Theme

    miner = Miner(game, seed, frozenset(map(Theme, themes or PUZZLE_THEMES)), level, moves)
    found: list[Puzzle] = []
    try:
        with progress_bar(count) as report:
            for puzzle in miner.puzzles():
                found.append(puzzle)
                report(plural(miner.games, "game", "games"))
                if output is None:
                    click.echo(to_line(puzzle))
                if len(found) == count:
                    break
    finally:  # after Ctrl-C too: what was found is kept
        if output is not None and found:
            save(found, output)
            number, games = plural(len(found), "puzzle", "puzzles"), plural(miner.games, "game", "games")
            click.echo(f"{output}: {number} from {games}", err=True)


@puzzles.command(name="check")
@click.argument("file", metavar="FILE", type=file_value)
@click.option("--sample", metavar="N", type=whole_number(1, 100_000), help="Check only N puzzles, chosen at random.")
@click.option(
    "--seed", metavar="N", type=whole_number(0, 2**31), default="0", show_default=True, help="Random seed for --sample."
)
@click.option(
    "--nodes",
    metavar="N",
    type=whole_number(1, 10**12),
    default="20000000",
    help="Maximum number of positions per question.  [default: 20 million]",
)
def check_(file: Path, sample: int | None, seed: int, nodes: int) -> int:
    """Check puzzles with a separate, plain search.

    It shares no code with the search that found them. It checks the goal, every right move at every step, and every
    reply. A puzzle that takes more than --nodes positions per question is undecided. The exit code is 1 if a puzzle is
    wrong or undecided.
    """
    import random

    from plyground.cli.progress import progress_bar
    from plyground.core.notation import plural
    from plyground.puzzle.check import check
    from plyground.puzzle.files import load

    every = load(file)
    if sample is not None:
        every = random.Random(seed).sample(every, min(sample, len(every)))
    undecided = wrong = 0
    with progress_bar(len(every)) as report:
        for puzzle in every:
            checked = check(puzzle, nodes)
            undecided += checked.undecided
            wrong += bool(checked.faults)
            report("")
            for fault in checked.faults:
                click.echo(f"{puzzle.id}: {fault}")
            if checked.undecided:
                click.echo(f"{puzzle.id}: too long to check; more --nodes may help", err=True)
    click.echo(f"{file}: {plural(len(every), 'puzzle', 'puzzles')} checked, {wrong} wrong, {undecided} undecided")
    return 1 if wrong or undecided else 0


class Wanted(NamedTuple):
    """Which puzzles are asked for; None where that does not matter."""

    game: str | None = None
    theme: Theme | None = None
    level: int | None = None
    file: Path | None = None
    """Where they are; None for those that come with Plyground."""

    def names(self) -> list[str]:
        """Those that come with Plyground."""
        from plyground.puzzle import shelf

        return shelf.names(self.game, self.theme, self.level)

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle of the file is one of them."""
        found = puzzle.rules.name, puzzle.theme, puzzle.difficulty.level
        return all(wanted is None or wanted == is_ for wanted, is_ in zip(self[:3], found, strict=True))


def wanted_options(command: Command) -> Command:
    """Give a command --theme and --level; it is called with what is `wanted`, its `source` included."""

    @functools.wraps(command)
    def called(
        source: Rules | Path | None, old_game: Rules | None, theme: str | None, level: int | None, **others: Any
    ) -> Any:
        from plyground.puzzle.puzzle import Theme

        file = source if isinstance(source, Path) else None
        game = _one_game(None if isinstance(source, Path) else source, old_game)
        wanted = Wanted(None if game is None else game.name, None if theme is None else Theme(theme), level, file)
        return command(wanted=wanted, **others)

    for option in (
        click.option(
            "--level",
            metavar="N",
            type=whole_number(1, 10),
            help="Only this difficulty, 1 to 10, the hardest.",
        ),
        click.option("--theme", type=theme_choice, help="Only this theme."),
        click.option("--game", "old_game", type=game_value, metavar="GAME", hidden=True),  # before GAME was an argument
    ):
        called = option(called)
    return called  # type: ignore[return-value]


@puzzles.command(name="list")
@click.argument("source", metavar="[GAME]", type=game_value, required=False, shell_complete=complete_game)
@wanted_options
@json_option
def list_(wanted: Wanted, as_json: bool) -> None:
    """List the puzzles that come with Plyground, or those of GAME."""
    from plyground.puzzle import shelf
    from plyground.puzzle.files import to_line

    for name in wanted.names():
        puzzle = shelf.find(name)
        if as_json:
            click.echo(to_line(puzzle))
        else:
            click.echo(f"{name}  {puzzle.rules.name}  {puzzle.theme}  level {puzzle.difficulty.level}  {puzzle.task}")


@puzzles.command()
@click.argument("source", metavar="[GAME|FILE]", type=_game_or_puzzles, required=False, shell_complete=complete_game)
@wanted_options
@click.option("--daily", is_flag=True, help="The puzzle of the day.")
@click.option("--id", "name", metavar="ID", help="The puzzle of this name.")
@click.option("--seed", metavar="N", type=whole_number(0, 2**31), help="Random seed for the order within a level.")
def play(wanted: Wanted, daily: bool, name: str | None, seed: int | None) -> int:
    """Solve puzzles in the terminal.

    The puzzles are those that come with Plyground, those of GAME, or those in FILE, the easiest first. Type a move;
    every right move is accepted, and the reply is the longest defence. Other commands: hint, rules, board, skip, help,
    quit.
    """
    import datetime
    import random

    from plyground.puzzle import shelf
    from plyground.puzzle.files import load
    from plyground.terminal.console import Console
    from plyground.terminal.puzzle import run

    if name is not None:
        if daily or wanted != Wanted():
            raise click.UsageError("--id names one puzzle: give no GAME, FILE, --daily, --theme or --level")
        chosen = [shelf.find(name)]
    elif daily:
        if wanted != Wanted(wanted.game):
            raise click.UsageError("--daily is the puzzle of the day: give no FILE, --theme or --level")
        chosen = [shelf.find(shelf.daily_name(datetime.datetime.now(datetime.UTC).date(), wanted.game))]
    else:
        every = map(shelf.find, wanted.names()) if wanted.file is None else filter(wanted.fits, load(wanted.file))
        chosen = list(every)
        random.Random(seed).shuffle(chosen)
        chosen.sort(key=lambda puzzle: puzzle.difficulty.level)
    if not chosen:
        raise ValueError(
            "there is no such puzzle; `plyground puzzles list` lists all puzzles"
            if wanted.file is None
            else f"there is no such puzzle in {wanted.file}"
        )
    return run(chosen, Console())
