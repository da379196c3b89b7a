"""The games of a tournament as a file for other programs, in the form that its name says.

PGN and JSON lines have the whole games; CSV and Parquet have a row a game, without what was noted about each move.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from plyground.core.files import replace_file
from plyground.core.installation import install_command
from plyground.core.specs import unknown
from plyground.play.records import GameRecord, to_json, to_pgn

FORMS = {".pgn": "pgn", ".json": "jsonl", ".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet"}
"""The form of a file, by the end of its name."""

Row = dict[str, str | int | float | None]


def form_of(path: Path | None, form: str | None) -> str:
    """The form that is wanted, else that of a file's name, else PGN; ValueError for a name that says none."""
    if form is not None:
        return form
    if path is None:
        return "pgn"
    if path.suffix.lower() not in FORMS:
        raise unknown("ending of a file", path.suffix, FORMS)
    return FORMS[path.suffix.lower()]


def row_of(record: GameRecord) -> Row:
    """A game as a row; each column has one type."""
    seconds = [[move.seconds for move in record.moves[side::2] if move.seconds is not None] for side in (0, 1)]
    return {
        "game": record.rules.name,
        "round": record.tags.get("Round"),
        "first": record.first,
        "second": record.second,
        "result": record.result.value,
        "termination": str(record.termination),
        "fault": None if record.fault is None else str(record.fault),
        "plies": len(record.moves),
        "seconds_first": round(sum(seconds[0]), 4) if seconds[0] else None,
        "seconds_second": round(sum(seconds[1]), 4) if seconds[1] else None,
        "seed": record.seed,
        "time_control": record.time_control or None,
        "moves": record.rules.notation.join(record.rules, record.move_texts()),
    }


def as_text(records: Iterable[GameRecord], form: str) -> Iterator[str]:
    """The games as text, piece by piece: PGN, JSON lines or CSV."""
    if form == "csv":
        yield from _csv(map(row_of, records))
    else:
        write = to_json if form == "jsonl" else to_pgn
        for record in records:
            yield f"{write(record)}\n"


def _csv(rows: Iterable[Row]) -> Iterator[str]:
    for number, row in enumerate(rows):
        line = io.StringIO()
        writer = csv.DictWriter(line, row, lineterminator="\n")
        if number == 0:
            writer.writeheader()
        writer.writerow(row)
        yield line.getvalue()


def save_parquet(records: Iterable[GameRecord], path: Path) -> None:
    """Write the games as a table; ValueError where pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ValueError(f"Parquet needs pyarrow: {install_command('data')}") from None
    types: dict[str, Any] = dict.fromkeys(("plies", "seed"), pyarrow.int64())
    types |= dict.fromkeys(("seconds_first", "seconds_second"), pyarrow.float64())
    rows = [row_of(record) for record in records]
    schema = pyarrow.schema([(name, types.get(name, pyarrow.string())) for name in COLUMNS])
    with replace_file(path) as file:
        parquet.write_table(pyarrow.Table.from_pylist(rows, schema), file)


COLUMNS = (
    *("game", "round", "first", "second", "result", "termination", "fault", "plies"),
    *("seconds_first", "seconds_second", "seed", "time_control", "moves"),
)
"""The columns of a table of games."""
