"""The report on a tournament."""

from __future__ import annotations

from plyground.report.charts import bars, error_bars, grid
from plyground.report.contents import Contents, Section
from plyground.report.notes import notes
from plyground.report.summary import Summary, summarise
from plyground.report.tables import TABLES, points, seconds
from plyground.report.tournament_data import tournament_data
from plyground.tournament.several import Results


def tournament_report(store: Results) -> Contents:
    """What a store shows of its tournament, or several of theirs."""
    summary = summarise(store)
    charts = {
        "standings": elo_chart,
        "crosstable": crosstable_chart,
        "endings": _endings_chart,
        "time": _times_chart,
    }
    sections = [
        Section(table(summary), charts[name](summary) if name in charts else "", name) for name, table in TABLES.items()
    ]
    return Contents("Tournament", summary.plan.terms.rules, notes(summary), sections, tournament_data(summary))


def elo_chart(summary: Summary) -> str:
    """The ratings with their intervals."""
    return error_bars([(line.name, line.elo) for line in summary.standings], "Elo with 95 % intervals")


def crosstable_chart(summary: Summary) -> str:
    """The points of each against each other, the better the greener."""
    cells = {
        (name, other): (tally.share, f"{points(tally.points)}/{tally.games}")
        for (name, other), tally in summary.head_to_head.items()
    }
    return grid(summary.names, cells, "Points of the players in the rows against those in the columns")


def _endings_chart(summary: Summary) -> str:
    return bars([(ending, count, str(count)) for ending, count in summary.endings.most_common()], "How games ended")


def _times_chart(summary: Summary) -> str:
    times = [(name, summary.times[name]) for name in summary.names]
    return bars([(name, use.average, f"{seconds(use.average)} s") for name, use in times], "Seconds per move")
