"""The report on a tuning: its progress, and how the weights changed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Any, NamedTuple

from plyground.core.notation import plural
from plyground.games import title
from plyground.ratings import SprtState
from plyground.report.charts import curves
from plyground.report.contents import Contents, Section
from plyground.report.tables import Column, Table
from plyground.tournament.store import Store
from plyground.tuning import Tuning, TuningStep, from_json


class Stage(NamedTuple):
    """A step of the search, or a test after it, as a line of a table."""

    number: int
    """Of the step, counted from 1."""

    weights: dict[str, int]
    """What it began with, by the name of the parameter."""

    test: SprtState | None
    """How these weights did against the initial ones, if that was tested."""


def tuning_report(store: Store) -> Contents:
    """What a store shows of its tuning."""
    tuning = from_json(store.plan)
    way = way_of(tuning, store)
    stages, result = _stages(tuning, way), outcome(tuning, way[-1], store.count())
    sections = [Section(_table(tuning, stages), way_chart(tuning, way))]
    data = {
        "plan": json.loads(store.plan),
        "finished": not way[-1].fixtures,
        **result,
        "way": [stage._asdict() | {"test": _to_json(stage.test)} for stage in stages],
    }
    return Contents("Tuning", tuning.terms.rules, _notes(tuning, store, way[-1], result), sections, data)


def way_of(tuning: Tuning, store: Store) -> list[TuningStep]:
    """The steps of a tuning so far."""
    return tuning.course({key: score.points for key, score in store.scores().items()}, store.ids())


def way_chart(tuning: Tuning, way: Sequence[TuningStep]) -> str:
    """How the weights changed, as a picture."""
    steps = [step.values for step in way if step.test is None] + [way[-1].values]
    lines = [(f"weight {parameter}", [values[i] for values in steps]) for i, parameter in enumerate(tuning.parameters)]
    return curves(lines, f"The weights of {tuning.spec} by step (each as asinh)")


def outcome(tuning: Tuning, last: TuningStep, games: int) -> dict[str, Any]:
    """What was found, as JSON takes it: the player, and whether it is better than the one at the start."""
    return {
        "spec": tuning.player(last.values),
        "better": last.test is not None and last.test.verdict == "accepted",
        "test": _to_json(last.test),
        "games": games,
        "weights": tuning.written(last.values),
    }


def verdict(tuning: Tuning, result: dict[str, Any]) -> str:
    """`clearly better than the initial weights (SPRT 0,60,0.05,0.05)`."""
    better = "clearly better" if result["better"] else "not shown to be better"
    return f"{better} than the initial weights (SPRT {tuning.sprt})"


def _stages(tuning: Tuning, way: Sequence[TuningStep]) -> list[Stage]:
    stages: list[Stage] = []
    for step in way:
        number = (stages[-1].number if stages else 0) + (step.test is None)
        if stages and step.test is not None and stages[-1].test is not None:
            stages.pop()  # the same test, some games earlier
        stages.append(Stage(number, tuning.written(step.values), step.test))
    return stages


def _table(tuning: Tuning, stages: Sequence[Stage]) -> Table:
    columns = [
        Column("step"),
        *(Column(f"weight {parameter}") for parameter in tuning.parameters),
        Column("LLR against the initial weights", lambda llr: "" if llr is None else f"{llr:+.2f}"),
        Column("test", right=False),
    ]
    rows: list[list[object]] = []
    for stage in stages:
        tested = [None, ""] if stage.test is None else [stage.test.llr, stage.test.verdict or "undecided"]
        rows.append([stage.number, *stage.weights.values(), *tested])
    return Table("The weights by step", columns, rows)


def _notes(tuning: Tuning, store: Store, last: TuningStep, result: dict[str, Any]) -> list[str]:
    notes = [
        f"{title(tuning.terms.game)}, weights of {tuning.spec}, "
        f"at most {plural(tuning.iterations, 'step', 'steps')} of {plural(tuning.pairs, 'pair', 'pairs')}, "
        f"seed {tuning.seed}.",
        f"Found after {plural(result['games'], 'game', 'games')}, {verdict(tuning, result)}: {result['spec']}",
    ]
    if last.fixtures:
        notes.append(f"Not finished; resume with: plyground tune --resume {shlex.quote(str(store.path))}")
    return notes


def _to_json(test: SprtState | None) -> dict[str, Any] | None:
    return None if test is None else test._asdict()
