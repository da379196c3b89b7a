"""`plyground train`: a net that learns a game from nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyground.cli.output import command_line, resumable, write_json, write_message
from plyground.cli.parameters import file_to_write, game_argument, json_option, minutes_value, whole_number

if TYPE_CHECKING:
    from plyground.core.rules import Rules
    from plyground.heuristics.net_file import Checkpoint
    from plyground.ratings import Tally
    from plyground.training import Exam, Measured, Training

SAVE_SECONDS = 30
"""How much may be lost when the machine goes down."""

OPPONENTS = ("lines", 3, 5, 6)
"""Whom a net plays when it is done: the engine with another heuristic, and levels."""

NODES = 2500
"""Positions that the net searches for a move then: as many as level 5."""

BAR_CELLS = 30


def curve_file(text: str) -> Path:
    """A file for a curve; a usage error for a name that says no form."""
    if Path(text).suffix.lower() not in (".csv", ".svg"):
        raise click.BadParameter(f"the name must end in .csv or .svg, got {text!r}")
    return file_to_write(text)


def net_file(text: str) -> Path:
    """A file for a net; a usage error for a name by which no player would find it."""
    if not text.endswith(".net") or "@" in Path(text).name:
        raise click.BadParameter(f"the name of a net ends in .net, such as my.net, got {text!r}")
    return file_to_write(text)


@click.command()
@game_argument
@click.option(
    "-o", "--output", metavar="FILE.net", type=net_file, required=True, help="The net; resumed if it is there."
)
@click.option("--minutes", metavar="MINUTES", type=minutes_value, help="How long it learns.  [default: 60]")
@click.option("--games", metavar="N", type=whole_number(0, 10**12), help="Learn from N games instead.")
@click.option("--from", "begin", metavar="FILE.net", type=Path, help="Begin with another net, not from nothing.")
@click.option("--seed", metavar="N", type=whole_number(0, 2**63), help="Random seed.  [default: 0]")
@click.option(
    "--threads", metavar="N", type=whole_number(1, 256), default="1", show_default=True, help="Threads that play."
)
@click.option("--nodes", metavar="N", type=whole_number(1, 10**9), help="Positions per search.  [default: 400]")
@click.option("--units", metavar="N", type=whole_number(1, 128), help="Size of the net.  [default: up to 64]")
@click.option(
    "--curve", "curves", metavar="FILE", type=curve_file, multiple=True, help="Write the learning curve: .csv or .svg."
)
@click.option(
    "--match",
    "match_games",
    metavar="N",
    type=whole_number(0, 10**6),
    default="40",
    show_default=True,
    help="Games against each of some levels at the end.",
)
@json_option
def train(
    game: Rules,
    output: Path,
    begin: Path | None,
    threads: int,
    curves: tuple[Path, ...],
    match_games: int,
    as_json: bool,
    **given: Any,
) -> None:
    """Let a net learn a game from nothing, by games with itself.

    The engine plays itself with the net; nobody shows it how to play. Twenty times the net is kept in the file and
    measured: the share of its moves that keep the result, in positions whose exact results are known. Any player can
    use the file: engine:net=my.net, alpha-beta:heuristic=my.net, and my.net@3 for its third checkpoint.

    If FILE.net is there and not done, its training is resumed. With --games the same seed makes the same file, byte by
    byte. The JSON output is one object with file, game, known, checkpoints, others and matches.
    """
    from plyground.training import Exam, known_positions

    training_of = _resumed if output.exists() else _begun
    wanted = {name: value for name, value in given.items() if value is not None}
    training = training_of(game, output, begin, wanted, threads)
    with _looking() as report:
        training.exam = Exam(game, known_positions(game, report))
    others = _others(game, training.exam)
    _learn(training, output, others, curves, as_json)
    matches = _matches(game, output, match_games) if match_games else {}
    if as_json:
        write_json(_to_json(training, output, others, matches))
    else:
        _print(output, matches)


def _begun(rules: Rules, output: Path, begin: Path | None, wanted: dict[str, Any], threads: int) -> Training:
    """A new training; a usage error where it cannot be."""
    from plyground.heuristics.net_file import read_net
    from plyground.training import Plan, Training

    if "games" in wanted and "minutes" in wanted:
        raise click.UsageError("give --minutes or --games, one of the two")
    if "games" in wanted:
        wanted["minutes"] = None
    try:
        start = None if begin is None else read_net(begin)
        if start is not None and "units" not in wanted:
            wanted["units"] = len(start.checkpoints[-1].weights.out)
        training = Training(rules, Plan.usual(rules, **wanted), threads)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if start is not None:
        try:
            training.take_up(start)
        except ValueError as error:
            raise click.BadParameter(f"{begin}: {error}", param_hint="'--from'") from None
    return training


def _resumed(rules: Rules, output: Path, begin: Path | None, wanted: dict[str, Any], threads: int) -> Training:
    """The training of a file that is there; a usage error where it cannot go on, or not like that."""
    from plyground.heuristics.net_file import read_net
    from plyground.training import Training

    try:
        file = read_net(output)
        training = Training.resume(rules, file, threads)
    except ValueError as error:
        raise click.BadParameter(f"{output} is there and cannot be resumed: {error}", param_hint="'-o'") from None
    other = [name for name, value in wanted.items() if getattr(training.plan, name) != value]
    if begin is not None or other:
        option = "from" if begin is not None else other[0]
        raise click.UsageError(f"{output} was begun without this --{option}: leave it out, or choose another file")
    if training.share >= 1:
        more = command_line("train", rules.name, "-o", "more.net", "--from", output)
        raise click.UsageError(f"{output} is done; to learn on: {more}")
    return training


@contextmanager
def _looking() -> Iterator[Any]:
    """Shows how many known positions have been found."""
    from plyground.cli.progress import status

    with status() as show:
        yield lambda found: show(f"looking for positions whose results can be proved: {found}")


def _others(rules: Rules, exam: Exam) -> dict[str, Measured]:
    """What other heuristics reach."""
    from plyground.heuristics.engine import level_heuristic
    from plyground.heuristics.named import lines

    measured = {"lines": exam(lines(rules)), "levels": exam(level_heuristic(rules))}
    return {name: each for name, each in measured.items() if each is not None}


def _learn(
    training: Training, output: Path, others: dict[str, Measured], curves: tuple[Path, ...], as_json: bool
) -> None:
    """Learn, show how it goes, and keep what is learned."""
    from plyground.cli.progress import share_bar

    again = command_line("train", training.rules.name, "-o", output)
    saved = time.monotonic()

    def kept() -> str:
        _save(training, output)
        return f"saved after {training.games} games; continue with: {again}"

    if not as_json:
        _head(others, len(training.exam))
        for number, checkpoint in enumerate(training.checkpoints):
            click.echo(_line(number, checkpoint))
    with resumable(kept), share_bar() as bar:
        for step in training.run():
            bar.show(step.share, f"{step.games} games")
            if step.checkpoint is not None and not as_json:
                bar.write(_line(len(training.checkpoints) - 1, step.checkpoint))
            if step.checkpoint is not None or time.monotonic() - saved > SAVE_SECONDS:
                _save(training, output)
                _write_curves(training, others, curves)
                saved = time.monotonic()
    _save(training, output)
    _write_curves(training, others, curves)


def _save(training: Training, output: Path) -> None:
    """Write the net; OSError that says what to do when there is no room for it."""
    try:
        training.file().write(output)
    except OSError as error:
        held = "what was saved before is as it was" if output.exists() else "nothing is saved"
        again = command_line("train", training.rules.name, "-o", output)
        raise OSError(
            f"{output} cannot be written: {error.strerror}; {held}: make room, and continue with: {again}"
        ) from None


def _write_curves(training: Training, others: dict[str, Measured], curves: tuple[Path, ...]) -> None:
    from plyground.core.files import write_file
    from plyground.games import title
    from plyground.training import csv_of, svg_of

    for path in curves:
        if path.suffix.lower() == ".csv":
            write_file(path, csv_of(training.checkpoints, others, len(training.exam)))
        elif len(training.exam):
            write_file(
                path,
                svg_of(training.checkpoints, others, f"Moves that keep the result, in %: {title(training.rules.name)}"),
            )


def _head(others: dict[str, Measured], known: int) -> None:
    """What the lines that follow are compared with."""
    if not known:
        write_message("no position with a known result was found in this game, so the net is not measured")
        return
    click.echo(f"moves that keep the result in {known} positions whose exact results are known, and points given away")
    for name, measured in others.items():
        click.echo(f"{name:>8} {'':29} {_bar(measured.kept, measured.given)} ± {measured.error:.1%}")


def _line(number: int, checkpoint: Checkpoint) -> str:
    """A checkpoint: its line is one more point of the curve."""
    minutes = f"{checkpoint.seconds / 60:.1f} min" if checkpoint.seconds else ""
    text = f"{number:>8} {checkpoint.games:>12} games {minutes:>10}"
    if checkpoint.kept is not None and checkpoint.given is not None:
        text += f" {_bar(checkpoint.kept, checkpoint.given)}"
    return text


def _bar(kept: float, given: float) -> str:
    """A share from a half to all as a bar, with the numbers behind it."""
    filled = round(BAR_CELLS * max(0.0, 2 * kept - 1))
    return f"{'#' * filled}{'.' * (BAR_CELLS - filled)} {kept:6.1%}  {given:.3f}"


def _matches(rules: Rules, output: Path, games: int) -> dict[str, Tally]:
    """How the net does in games against the opponents."""
    from plyground.cli.progress import progress_bar
    from plyground.play.match import tally_of
    from plyground.tournament import executors
    from plyground.tournament.match import MatchTerms, play_match

    found = {}
    terms = MatchTerms(rules, opening=min(4, rules.max_plies - 1))
    with progress_bar(games * len(OPPONENTS)) as advance, executors.in_process() as (executor, at_once):
        for opponent in OPPONENTS:
            spec = (
                f"engine:level={opponent}"
                if isinstance(opponent, int)
                else f"engine:nodes={NODES},heuristic={opponent},guard=no"
            )
            played = []
            me = f"engine:nodes={NODES},guard=no,net={output}"
            for each in play_match(terms, me, spec, games, executor, at_once):
                played.append(each)
                advance(spec)
            found[spec] = tally_of(played)
    return found


def _print(output: Path, matches: dict[str, Tally]) -> None:
    from plyground.ratings import in_words

    for opponent, tally in matches.items():
        click.echo(f"against {opponent}: {in_words(tally)}")
    click.echo(f"written: {output}; play it: engine:net={output}")


def _to_json(
    training: Training, output: Path, others: dict[str, Measured], matches: dict[str, Tally]
) -> dict[str, Any]:
    from plyground.heuristics.net_file import MEASURES

    return {
        "file": str(output),
        "game": training.rules.name,
        "known": len(training.exam),
        "checkpoints": [{name: getattr(each, name) for name in MEASURES} for each in training.checkpoints],
        "others": {name: {"kept": each.kept, "given": each.given} for name, each in others.items()},
        "matches": {
            name: {"wins": each.wins, "draws": each.draws, "losses": each.losses} for name, each in matches.items()
        },
    }
