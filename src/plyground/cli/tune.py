"""`plyground tune`: better weights for a heuristic by self-play."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyground.cli.parameters import json_option
from plyground.cli.tournament import cluster_option, concurrency_option

if TYPE_CHECKING:
    from plyground.tournament.store import Store
    from plyground.tuning import Step, Tuning

file_type = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("spec", metavar="[SPEC]", required=False)
@click.option("--game", metavar="GAME", help="The game.")
@click.option(
    "--parameters", metavar="N,N,...", help="Weights to tune: for N own cells; T.N with T poles taken.  [default: all]"
)
@click.option("--iterations", metavar="N", type=int, help="Steps at the most.  [default: 60]")
@click.option("--pairs", metavar="N", type=int, help="Pairs of games for each step.  [default: 4]")
@click.option("--every", metavar="N", type=int, help="Steps between two tests against the start.  [default: 20]")
@click.option("--sprt", metavar="ELO0,ELO1", help="The test that ends it.  [default: 0,60]")
@click.option(
    "--time", metavar="TIME", help="Seconds a move (3), a game with increment (300+2), or none.  [default: 3]"
)
@click.option("--opening", metavar="N", type=int, help="Random moves each pair of games begins with.  [default: 4]")
@click.option("--seed", metavar="N", type=int, help="Makes chance repeatable.  [default: 0]")
@click.option(
    "--store",
    metavar="FILE.db",
    type=file_type,
    default=Path("tuning.db"),
    help="Keep games there.  [default: tuning.db]",
)
@click.option("--resume", metavar="FILE.db", type=file_type, help="Go on with a tuning that was stopped.")
@click.option("--plot", metavar="FILE.svg", type=file_type, help="Draw the way of the weights.")
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
    """Improve the weights of the player SPEC by self-play, and print the player that was found.

    The heuristic of SPEC must be made of weights of patterns: lines, turpin, weights:0/1/4/16/64 and so on. It ends
    when the weights found are clearly better than those it started from, or when all steps are done.
    """
    from plyground.tournament.play import SOFTWARE
    from plyground.tournament.store import Store
    from plyground.tuning import from_json

    if resume is not None:
        if spec is not None or any(value is not None for value in given.values()):
            raise click.UsageError("--resume goes on as it was begun: give it no other option")
        with Store.open(resume) as opened:
            if opened.kind != "tuning":
                raise ValueError(f"{resume} holds a {opened.kind}, not a tuning")
            _run(from_json(opened.plan), opened, plot, as_json, concurrency, cluster)
        return
    try:
        tuning = _tuning(spec, **given)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    with Store.create(store, "tuning", tuning.to_json(), SOFTWARE) as opened:
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
    told = {key: value for key, value in numbers.items() if value is not None}
    terms = Terms(game, **{key: told.pop(key) for key in ("time", "opening") if key in told})
    entrants.load(spec, terms.rules)
    if parameters:
        chosen = tuple(parse_parameter(text) for text in parameters.split(","))
    else:
        heuristic = dict(Spec.parse(spec).options).get("heuristic", "lines")
        chosen = parameters_of(weights_of(heuristics.load(heuristic, terms.rules)))
    if sprt:
        told["sprt"] = Sprt.parse(sprt)
    return Tuning(spec, terms, chosen, **told)


def _run(
    tuning: Tuning, store: Store, plot: Path | None, as_json: bool, concurrency: int | None, address: str | None
) -> None:
    from plyground.report.of_tuning import outcome, way_chart, way_of
    from plyground.tournament import executors
    from plyground.tournament.run import run

    where = executors.cluster(address, concurrency) if address else executors.local(concurrency)
    told = 0
    try:
        with where as (executor, at_once):
            for number, _ in enumerate(run(tuning, store, executor, at_once), start=1):
                if number % (2 * tuning.pairs) == 0:
                    way = way_of(tuning, store)
                    for step in way[told:-1]:
                        click.echo(_line(tuning, step), err=True)
                    told = max(told, len(way) - 1)
    except KeyboardInterrupt:
        click.echo(f"saved; go on with: plyground tune --resume {shlex.quote(str(store.path))}", err=True)
        raise
    way = way_of(tuning, store)
    if plot is not None:
        plot.write_text(way_chart(tuning, way), encoding="utf-8")
    _tell(tuning, outcome(tuning, way[-1], store.count()), as_json)


def _line(tuning: Tuning, step: Step) -> str:
    weights = "  ".join(f"{name}: {weight}" for name, weight in tuning.written(step.values).items())
    return weights if step.test is None else f"{weights}  against the start: LLR {step.test.llr:+.2f}"


def _tell(tuning: Tuning, result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        import json

        click.echo(json.dumps(result, ensure_ascii=False))
        return
    click.echo(result["spec"])
    verdict = "clearly better than the start" if result["better"] else "not shown to be better than the start"
    click.echo(f"{verdict} after {result['games']} games (SPRT {tuning.sprt})", err=True)
