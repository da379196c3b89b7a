"""The learning curve of a net, as a table and as a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from plyground.heuristics.net_file import Checkpoint
from plyground.report.charts import curves
from plyground.training.known import Measured, interval_of

COLUMNS = ("net", "games", "positions", "minutes", "loss", "kept", "kept_error", "given")


def csv_of(checkpoints: Sequence[Checkpoint], others: Mapping[str, Measured], known: int) -> str:
    """A line for each checkpoint, and for each other heuristic; with the half of the 95 % interval of each share."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for number, each in enumerate(checkpoints):
        error = None if each.kept is None or not known else interval_of(each.kept, known)
        numbers = (each.seconds / 60, each.loss, each.kept, error, each.given)
        rows.writerow([number, each.games, each.positions, *map(_rounded, numbers)])
    for name, measured in others.items():
        rows.writerow([name, "", "", "", "", *map(_rounded, (measured.kept, measured.error, measured.given))])
    return text.getvalue()


def _rounded(number: float | None) -> str:
    return "" if number is None else f"{number:.4f}"


def svg_of(checkpoints: Sequence[Checkpoint], others: Mapping[str, Measured], title: str) -> str:
    """The share of moves that keep the result in %, checkpoint by checkpoint, beside what others reach."""
    shares = [100 * each.kept for each in checkpoints if each.kept is not None]
    if not shares:
        raise ValueError("there is no curve: no positions are known in this game")
    flat = [(name, [100 * measured.kept] * max(2, len(shares))) for name, measured in others.items()]
    return curves([("net", shares), *flat], title)
