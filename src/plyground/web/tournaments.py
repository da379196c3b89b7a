"""The tournament stores of a folder, as the page shows them; running ones as far as they have come."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plyground.core.rules import Rules
from plyground.games import title
from plyground.play.records import to_pgn
from plyground.report.summary import summarise
from plyground.report.tournament_data import tournament_data
from plyground.report.write import FORMS, write_report
from plyground.tournament.live import moves_of
from plyground.tournament.lock import is_held
from plyground.tournament.plan import from_json
from plyground.tournament.store import Store, UnderWay
from plyground.web.security.refusal import Refused, not_found
from plyground.web.views import board_after, record_view

GAMES_SHOWN = 500
"""How many games a page lists at once."""


SEEN_GAMES = 4
"""Games that must have been seen to end before the time left is taken from that."""


class Tournaments:
    """What a folder holds. A name from outside is only ever compared with the names that are there."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.summaries: dict[str, tuple[int, dict[str, Any]]] = {}
        self.seen: dict[str, tuple[float, int]] = {}
        """When each running tournament was first looked at, and how many games it had then."""

    def list(self) -> list[dict[str, object]]:
        """The stores, each with how far it has come."""
        found = []
        for name, path in sorted(self._paths().items()):
            try:
                with Store.open(path) as store:
                    if store.kind != "tournament":
                        continue
                    plan = from_json(store.plan)
                    game, count = plan.terms.game, store.count()
                    listed = {"name": name, "game": game, "title": title(game), "played": count, "total": plan.total}
                    found.append(listed | {"running": is_held(path)})
            except (ValueError, OSError):
                continue  # some other file that ends in .db
        return found

    def summary(self, name: str) -> dict[str, Any]:
        """Standings, crosstable and all that, made anew only when games have been added; and the games under way."""
        with self._open(name) as store:
            count = store.count()
            known = self.summaries.get(name)
            if known is None or known[0] != count:
                data = tournament_data(summarise(store))
                self.summaries[name] = known = (count, data | {"title": title(data["plan"]["game"])})
            running = is_held(store.path)
            rules = from_json(store.plan).terms.rules
            games = [_described(game, store.path, rules) for game in store.under_way()] if running else []
            return known[1] | {
                "running": running,
                "under_way": games,
                "seconds_left": self._seconds_left(name, known[1], len(games)) if running else None,
            }

    def _seconds_left(self, name: str, summary: dict[str, Any], at_once: int) -> float | None:
        """How long the rest will take if it goes on as it has been seen to, or else as the games' thinking says."""
        total, played, now = summary["total"], summary["played"], time.monotonic()
        since, before = self.seen.setdefault(name, (now, played))
        if total is None or played - before < SEEN_GAMES:
            return thinking_left(summary, at_once)
        return float(round((total - played) * (now - since) / (played - before), 1))

    def games(self, name: str, page: int, wanted: str, players: frozenset[str] = frozenset()) -> dict[str, object]:
        """The games of certain players in which a text occurs, a page of them."""
        with self._open(name) as store:
            rows = [
                {
                    "id": g.id,
                    "first": g.first,
                    "second": g.second,
                    "result": g.result,
                    "termination": g.termination,
                    "plies": len(g.move_list),
                }
                for g in store.games()
                if players <= {g.first, g.second}
                and wanted.lower() in f"{g.id} {g.first} {g.second} {g.result} {g.termination}".lower()
            ]
        start = page * GAMES_SHOWN
        return {"count": len(rows), "games": rows[start : start + GAMES_SHOWN]}

    def game(self, name: str, key: str) -> dict[str, object]:
        """One game, to be replayed."""
        with self._open(name) as store:
            try:
                record = store.game(key).game_record()
            except (KeyError, ValueError):
                raise not_found("game", key[:60]) from None
        return record_view(record)

    def report(self, name: str, form: str) -> str:
        """The report in one of its forms, or all records."""
        if form == "pgn":
            with self._open(name) as store:
                return "\n".join(to_pgn(game.game_record()) for game in store.games())
        if form not in FORMS:
            raise Refused(422, "bad-form", f"a report is one of {', '.join([*FORMS, 'pgn'])}, got {form!r}")
        with self._open(name) as store:
            text = io.StringIO()
            write_report(store, form, text)
            return text.getvalue()

    def _paths(self) -> dict[str, Path]:
        if self.folder is None:
            return {}
        return {path.stem: path for path in self.folder.glob("*.db") if re.fullmatch(r"[\w .+-]+", path.stem)}

    @contextmanager
    def _open(self, name: str) -> Iterator[Store]:
        path = self._paths().get(name)
        if path is None:
            raise not_found("tournament", name[:60])
        try:
            with Store.open(path) as store:
                yield store
        except (ValueError, OSError) as error:
            raise Refused(422, "bad-store", f"tournament {name!r} cannot be read: {error}") from None


def thinking_left(summary: dict[str, Any], at_once: int) -> float | None:
    """How long the rest will take if players think as long as they did; None where nothing is known of that."""
    total, played = summary["total"], summary["played"]
    if total is None or not played:
        return None
    thought = sum(use["total"] for use in summary["times"].values())
    return float(round((total - played) * thought / played / max(1, at_once), 1))


def _described(game: UnderWay, store: Path, rules: Rules) -> dict[str, object]:
    """A game under way, as the page shows it: rounds and openings counted from 1, and its age by this clock."""
    moves = moves_of(store, game.id)
    return {
        "board": board_after(rules, moves),
        "plies": len(moves),
        "id": game.id,
        "round": int(game.id.partition(".")[0]),
        "opening": game.opening + 1,
        "first": game.first,
        "second": game.second,
        "seconds": max(0.0, round(time.time() - game.since, 1)),
    }
