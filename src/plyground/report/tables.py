"""The tables of a report: numbers until they are written."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyground.core.notation import plural
from plyground.ratings import Estimate, Tally, elo_between, elo_of
from plyground.report.summary import Summary
from plyground.tournament.parcel import without_folders

CLEARLY_APART_ELO = 10
"""From this difference on, a reader wonders why an Elo number does not fit its percentage."""


class Column(NamedTuple):
    """One column of a table."""

    name: str

    show: Callable[[Any], str] = str
    """A value as text."""

    right: bool = True
    """Whether values are set to the right, as numbers are."""

    header: str = ""
    """Its name in a spreadsheet, where it stands alone."""

    digits: int = 4
    """How many digits after the point a spreadsheet gets."""

    spare: bool = False
    """Whether it is left out where there is no room for the whole table."""


@dataclass(frozen=True)
class Table:
    """A title, columns, and a row of values for each line."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]

    def texts(self) -> list[list[str]]:
        """Every value as its column shows it."""
        return [[column.show(value) for column, value in zip(self.columns, row, strict=True)] for row in self.rows]


def points(value: float) -> str:
    """`12` or `12.5`."""
    return f"{value:g}"


def percent(value: float) -> str:
    """`62.5 %`."""
    return f"{100 * value:.1f} %"


def seconds(value: float) -> str:
    """Seconds to the millisecond."""
    return f"{value:.3f}"


def whole(value: float) -> str:
    """`12,345`."""
    return f"{value:,.0f}"


def if_known(show: Callable[[float], str]) -> Callable[[float | None], str]:
    """The same for numbers that may be missing."""
    return lambda value: "" if value is None else show(value)


def signed(value: float) -> str:
    """`+35`, without fractions."""
    return "0" if abs(value) < 0.5 else f"{value:+.0f}"


def with_interval(estimate: Estimate) -> str:
    """`+35 (95 %: -20 to +90)`."""
    return f"{signed(estimate.value)} (95 %: {signed(estimate.low)} to {signed(estimate.high)})"


def elo_sentence(tally: Tally) -> str:
    """The Elo difference that games show, and how it goes together with their percentage.

    `Elo +89 (95 %: -112 to +377), a cautious estimate from 4 games; 75.0 % of many games would be +191`
    """
    elo, plain = elo_between(tally), elo_of(tally.share)
    sentence = f"Elo {with_interval(elo)}"
    if abs(plain - elo.value) < CLEARLY_APART_ELO:
        return sentence
    games = plural(tally.games, "game", "games")
    many = "has no Elo number" if math.isinf(plain) else f"of many games would be {signed(plain)}"
    return f"{sentence}, a cautious estimate from {games}; {percent(tally.share)} {many}"


def standings_table(summary: Summary) -> Table:
    """Who stands where."""
    columns = [
        Column("#", header="place"),
        Column("player", right=False),
        Column("elo", signed, digits=1),
        Column("low", signed, header="elo low", digits=1),
        Column("high", signed, header="elo high", digits=1),
        Column("points", points),
        Column("games"),
        Column("score", percent),
        Column("won", spare=True),
        Column("drawn", spare=True),
        Column("lost", spare=True),
        Column("better than next", lambda chance: "" if chance is None else percent(chance), spare=True),
        Column("buchholz", points, spare=True),
        Column("faults"),
    ]
    rows = []
    for line in summary.standings:
        tally = line.tally
        row = [line.place, line.name, *line.elo, line.points, tally.games, tally.share]
        row += [tally.wins, tally.draws, tally.losses, line.better_than_next, line.buchholz]
        rows.append([*row, summary.faults_of(line.name)])
    return Table("Standings", columns, rows)


def crosstable(summary: Summary) -> Table:
    """Points of each player against each other one, `made/games`."""
    columns = [Column("#", header="place"), Column("player", right=False)]
    columns += [Column(str(n + 1)) for n in range(len(summary.names))]
    rows = []
    for place, name in enumerate(summary.names, start=1):
        row: list[str] = []
        for other in summary.names:
            tally = summary.head_to_head.get((name, other))
            row.append(f"{points(tally.points)}/{tally.games}" if tally else "·" if name == other else "")
        rows.append([place, name, *row])
    return Table("Head to head", columns, rows)


def endings_table(summary: Summary) -> Table:
    """How games ended."""
    total = sum(summary.endings.values())
    rows = [[ending, count, count / total] for ending, count in summary.endings.most_common()]
    return Table("How games ended", [Column("ending", right=False), Column("games"), Column("share", percent)], rows)


def times_table(summary: Summary) -> Table:
    """How long each player thought."""
    columns = [
        Column("player", right=False),
        Column("moves"),
        Column("seconds per move", seconds),
        Column("longest", seconds),
        Column("total", seconds),
        Column("depth", if_known(lambda depth: f"{depth:.1f}"), digits=1),
        Column("nodes per move", if_known(whole), digits=0),
        Column("nodes per second", if_known(whole), digits=0),
    ]
    times = ((name, summary.times[name]) for name in summary.names)
    rows = [
        [name, use.moves, use.average, use.longest, use.seconds, use.depth, use.nodes_per_move, use.nodes_per_second]
        for name, use in times
    ]
    shown = len(columns) if any(row[5:] != [None] * 3 for row in rows) else 5
    return Table("Time", columns[:shown], [row[:shown] for row in rows])


def faults_table(summary: Summary) -> Table:
    """Games lost by a fault, and why."""
    columns = [Column(name, right=False) for name in ("game", "player", "fault", "why", "last on stderr")]
    ordered = sorted(summary.faults, key=lambda note: note.player)  # those of one player together
    rows = [[*note[:-1], (note.stderr.splitlines() or [""])[-1]] for note in ordered]
    return Table("Faults", columns, rows)


def faulty_players_table(summary: Summary) -> Table:
    """Who lost games by faults, by which, and how often."""
    columns = [Column("player", right=False), Column("faults"), Column("games"), Column("which", right=False)]
    games = {line.name: line.tally.games for line in summary.standings}
    rows = []
    for name in summary.names:
        kinds = Counter(note.verdict for note in summary.faults if note.player == name)
        if kinds:
            which = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
            rows.append([name, kinds.total(), games[name], which])
    return Table("Faults by player", columns, rows)


def players_table(summary: Summary) -> Table:
    """What the players are, with the fingerprints of their files; empty where nobody has any."""
    names = ("player", "spec", "SHA-256 of its files", "state")
    columns = [Column(name, right=False, spare=name.startswith("SHA")) for name in names]
    rows = [
        [
            entrant.name,
            without_folders(entrant.spec),
            summary.fingerprints.get(entrant.name, ""),
            "withdrawn" if entrant.name in summary.plan.withdrawn else "",
        ]
        for entrant in summary.plan.entrants
    ]
    return Table("Players", columns, rows if summary.fingerprints or summary.plan.withdrawn else [])


def warnings_table(summary: Summary) -> Table:
    """What bots were forgiven in practice games."""
    return Table("Warnings", [Column(name, right=False) for name in ("game", "player", "why")], summary.warnings)


TABLES: dict[str, Callable[[Summary], Table]] = {
    "standings": standings_table,
    "crosstable": crosstable,
    "endings": endings_table,
    "time": times_table,
    "faulty-players": faulty_players_table,
    "faults": faults_table,
    "warnings": warnings_table,
    "players": players_table,
}
"""The tables of a tournament by name, in the order of its report."""
