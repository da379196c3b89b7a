"""Tournaments kept as packed lines of JSON (the plan, then one line per game), and their reports for the documentation.

`keep` packs a store; `write_reports` makes the HTML report and the tables of every kept tournament.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import tempfile
from pathlib import Path

from plyground.play.records import from_json, to_json
from plyground.report.write import write_report
from plyground.tournament.store import Store
from plyground.tournament.stored_game import StoredGame

SUFFIX = ".jsonl.gz"


def keep(store: Store, path: Path) -> None:
    """Pack a tournament; the same games give the same bytes."""
    games = list(store.games())
    head = {"plan": json.loads(store.plan), "software": games[0].software}
    lines = [head, *({"id": game.id, "record": json.loads(to_json(game.game_record()))} for game in games)]
    text = "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def restored(path: Path, folder: Path) -> Store:
    """The store of a kept tournament, made again in a folder."""
    head, *games = map(json.loads, gzip.decompress(path.read_bytes()).decode().split("\n"))
    store = Store.create(folder / f"{path.name}.db", "tournament", json.dumps(head["plan"]), head["software"])
    for game in games:
        record = from_json(json.dumps(game["record"]))
        store.save(StoredGame.of(record, game["id"], game["id"].rpartition("-")[0], head["software"]))
    return store


def write_reports(source: Path, pages: Path, tables: Path) -> None:
    """The report of every kept tournament as a page in one folder, and its standings as Markdown in another."""
    pages.mkdir(parents=True, exist_ok=True)
    tables.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob(f"*{SUFFIX}")):
        name = path.name.removesuffix(SUFFIX)
        with tempfile.TemporaryDirectory() as folder, restored(path, Path(folder)) as store:
            with (pages / f"{name}.html").open("w", encoding="utf-8") as page:
                write_report(store, "html", page)
            written = io.StringIO()
            write_report(store, "markdown", written)
        sections = re.findall(r"(?ms)^## (?:Standings|Head to head)\n.*?(?=^## |\Z)", written.getvalue())
        (tables / f"{name}.md").write_text("".join(sections), encoding="utf-8")
