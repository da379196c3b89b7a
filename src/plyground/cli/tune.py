"""`plyground tune`: better weights for a heuristic by self-play."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyground.cli.output import command_line, resumable, write_json
from plyground.cli.parameters import json_option, whole_number
from plyground.cli.tournament import (
    cluster_option,
    concurrency_option,
    control_option,
    opening_option,
    run_seed_option,
)

if TYPE_CHECKING:
    from plyground.tournament.store import Store
    from plyground.tuning import Tuning, TuningStep

file_type = click.Path(dir_okay=False, path_type=Path)

EXAMPLE = "alpha-beta:depth=2,heuristic=lines"
"""A player that can be tuned."""


@click.command()
@click.argument("spec", metavar="[SPEC]", required=False)
@click.option("--game", metavar="GAME", help="The game.")
@click.option(
    "--parameters",
    metavar="N,N,...",
    help="Weights to tune: N for N own cells; T.N with T poles taken.  [default: all]",
)
@click.option("--iterations", metavar="N", type=whole_number(1), help="Maximum number of steps.  [default: 60]")
@click.option("--pairs", metavar="N", type=whole_number(1), help="Pairs of games per step.  [default: 4]")
@click.option(
    "--every",
    metavar="N",
    type=whole_number(1),
    help="Steps between two tests against the initial weights.  [default: 20]",
)
@click.option("--sprt", metavar="ELO0,ELO1", help="Test that ends the tuning.  [default: 0,60]")
@control_option
@opening_option
@run_seed_option
@click.option(
    "--store",
    metavar="FILE.db",
    type=file_type,
    default=Path("tuning.db"),
    help="Save the games to this file.  [default: tuning.db]",
)
@click.option("--resume", metavar="FILE.db", type=file_type, help="Resume a tuning that was stopped.")
@click.option("--plot", metavar="FILE.svg", type=file_type, help="Plot the weights over time.")
@json_option
@concurrency_option
@cluster_option
def tune(
    spec: str | None,
    store: Path,
    resume: Path | None,
    plot: Path | None,
    as_json: bool,
    concurrency: int | None,
    cluster: str | None,
    **given: Any,
) -> None:
    """Tune the weights of a heuristic by self-play.

    SPEC is a player whose heuristic consists of pattern weights (lines, turpin, weights:0/1/4/16/64 and so on), such as
    alpha-beta:depth=2,heuristic=lines. The tuning ends when the weights found are clearly better than the initial ones,
    or after the last step; the player with the weights found is printed.
    """
    from plyground.tournament.play import SOFTWARE
    from plyground.tournament.store import Store
    from plyground.tuning import from_json

    if resume is not None:
        if spec is not None or any(value is not None for value in given.values()):
            raise click.UsageError("--resume keeps the options the tuning was started with: give no others")
        plot = None if plot is None else plot.absolute()
        with Store.open(resume) as opened, chdir(opened.origin()):
            if opened.kind != "tuning":
                raise ValueError(f"{resume} holds a {opened.kind}, not a tuning")
            _run(from_json(opened.plan), opened, plot, as_json, concurrency, cluster)
        return
    try:
        tuning = _tuning(spec, **given)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    with Store.create(store, "tuning", tuning.to_json(), SOFTWARE, [tuning.spec]) as opened:
        _run(tuning, opened, plot, as_json, concurrency, cluster)


def _tuning(spec: str | None, game: str | None, parameters: str | None, sprt: str | None, **numbers: Any) -> Tuning:
    from plyground import heuristics
    from plyground.core.specs import Spec
    from plyground.heuristics.weights import weights_of
    from plyground.ratings import Sprt
    from plyground.referee import entrants
    from plyground.tournament.plan import Terms
    from plyground.tuning import Tuning, parameters_of, parse_parameter

    if spec is None or game is None:
        raise ValueError("a tuning needs a player SPEC and --game")
    options = {key: value for key, value in numbers.items() if value is not None}
    terms = Terms(game, **{key: options.pop(key) for key in ("time", "opening") if key in options})
    entrants.load(spec, terms.rules)
    if parameters:
        chosen = tuple(parse_parameter(text) for text in parameters.split(","))
    else:
        heuristic = dict(Spec.parse(spec).options).get("heuristic", "lines")
        chosen = parameters_of(weights_of(heuristics.load(heuristic, terms.rules)))
    if sprt:
        options["sprt"] = Sprt.parse(sprt)
    tuning = Tuning(spec, terms, chosen, **options)
    try:
        entrants.load(tuning.player([0.0] * len(chosen)), terms.rules)
    except ValueError as error:
        raise ValueError(f"{spec!r} cannot be tuned: {error}; tune a player with weights, such as {EXAMPLE}") from None
    return tuning


def _run(
    tuning: Tuning, store: Store, plot: Path | None, as_json: bool, concurrency: int | None, address: str | None
) -> None:
    from plyground.core.files import write_file
    from plyground.report.of_tuning import outcome, way_chart, way_of
    from plyground.tournament import executors
    from plyground.tournament.run import run

    where = executors.wanted(address, concurrency)
    shown = 0
    again = command_line("tune", "--resume", store.path)
    with resumable(lambda: f"saved; resume with: {again}"), where as (executor, at_once):
        for number, _ in enumerate(run(tuning, store, executor, at_once), start=1):
            if number % (2 * tuning.pairs) == 0:
                way = way_of(tuning, store)
                for step in way[shown:-1]:
                    click.echo(_line(tuning, step), err=True)
                shown = max(shown, len(way) - 1)
    way = way_of(tuning, store)
    if plot is not None:
        write_file(plot, way_chart(tuning, way))
    _print(tuning, outcome(tuning, way[-1], store.count()), as_json)


def _line(tuning: Tuning, step: TuningStep) -> str:
    weights = "  ".join(f"{name}: {weight}" for name, weight in tuning.written(step.values).items())
    return weights if step.test is None else f"{weights}  against the initial weights: LLR {step.test.llr:+.2f}"


def _print(tuning: Tuning, result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        write_json(result)
        return
    from plyground.core.notation import plural
    from plyground.report.of_tuning import verdict

    click.echo(result["spec"])
    click.echo(f"after {plural(result['games'], 'game', 'games')} {verdict(tuning, result)}", err=True)
