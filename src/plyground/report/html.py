"""One HTML page that holds a whole report: tables, charts, and every game to be replayed. It needs no network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from importlib import resources
from typing import Any

from plyground.core.rules import Move, Rules, Side
from plyground.games import title
from plyground.render.svg import empty_board, mark, piece
from plyground.report.contents import Contents
from plyground.report.tables import Table
from plyground.tournament.several import Results

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
"""The page may run and look as it is written here and load nothing at all."""


def write_html(report: Contents, store: Results) -> Iterator[str]:
    """The page in pieces, so that a large tournament need not be in memory at once."""
    heading = f"{report.title}: {title(report.rules.name)}"
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(heading)}</title><style>{_static('page.css')}</style></head><body><main>"
        f"<h1>{escape(heading)}</h1>"
    )
    yield "".join(f"<p>{escape(note)}</p>" for note in report.notes)
    for table, chart, _ in report.sections:
        yield section(table, chart)
    yield _replay(report.rules)
    yield '<script type="application/json" id="data">'
    yield from _data(report.rules, store)
    yield f"</script><script>{_static('page.js')}</script></main></body></html>\n"


def _static(name: str) -> str:
    return resources.files("plyground.report").joinpath(name).read_text(encoding="utf-8")


def section(table: Table, chart: str = "") -> str:
    """A table with its title, and a chart above it; nothing for one without rows."""
    if not table.rows:
        return ""
    head = "".join(f'<th scope="col"{_side(column.right)}>{escape(column.name)}</th>' for column in table.columns)
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td{_side(column.right)}>{escape(text)}</td>" for column, text in zip(table.columns, row, strict=True)
        )
        + "</tr>"
        for row in table.texts()
    )
    return (
        f"<section><h2>{escape(table.title)}</h2>{chart}<div class='wide'><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _side(right: bool) -> str:
    return ' class="right"' if right else ""


def _replay(rules: Rules) -> str:
    return _static("replay.html").replace("BOARD", empty_board(rules), 1)


def _data(rules: Rules, store: Results) -> Iterator[str]:
    """The games for the page: what each move lays and lifts, ready drawn, so that the page needs no rules."""
    names, seen = _Numbers(), DrawnMoves(rules)
    yield '{"games":['
    for number, game in enumerate(store.games()):
        notes = game.notes()
        fault = notes.conduct(rules).fault
        line = [
            game.id,
            names[game.first],
            names[game.second],
            game.result,
            names[game.termination],
            [seen.number(ply & 1, move) for ply, move in enumerate(game.move_list)],
            [note.get("score") for note in notes.moves],
            [note.get("seconds") for note in notes.moves],
            mark(rules, game.winning_cells, "win") if game.winning_cells else "",
            notes.comment if fault is None else fault.text(rules),
        ]
        yield ("," if number else "") + safe_json(line)
    yield f'],"texts":{safe_json(list(names.numbers))},"moves":{safe_json(seen.moves)}'
    yield f',"pieces":{safe_json(seen.pieces)}}}'


def safe_json(value: Any) -> str:
    """JSON that can stand inside a script element: no text in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


class _Numbers:
    """Texts that occur often, as numbers."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __getitem__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


class DrawnMoves:
    """Every different move, once: its text, the piece it lays, the one it lifts, how it is marked."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.moves: list[list[Any]] = []
        self.pieces: dict[str, str] = {}
        self._numbers: dict[tuple[int, Move], int] = {}

    def number(self, side: int, move: Move) -> int:
        """Which move it is."""
        key = side, move
        if key not in self._numbers:
            self._numbers[key] = len(self.moves)
            laid, lifted = self._piece(side, move.place), None if move.lift is None else self._piece(side, move.lift)
            last = mark(self.rules, self.rules.placements[side][move.place].cells, "last")
            self.moves.append([self.rules.notation.write(self.rules, move), laid, lifted, last])
        return self._numbers[key]

    def _piece(self, side: int, place: int) -> str:
        # Where pieces are lifted again both sides lay the same ones, and one may lift the other's.
        name = str(place) if self.rules.recycle_from is not None else f"{side}.{place}"
        if name not in self.pieces:
            self.pieces[name] = piece(self.rules, Side(side), place)
        return name
