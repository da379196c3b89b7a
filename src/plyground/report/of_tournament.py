"""The report on a tournament."""

from __future__ import annotations

from plyground.report.charts import bars, error_bars
from plyground.report.contents import Contents, Section
from plyground.report.notes import notes
from plyground.report.summary import Summary, summarise
from plyground.report.tables import (
    crosstable,
    endings_table,
    faults_table,
    faulty_players_table,
    players_table,
    seconds,
    standings_table,
    times_table,
    warnings_table,
)
from plyground.report.tournament_data import tournament_data
from plyground.tournament.several import Results


def tournament_report(store: Results) -> Contents:
    """What a store shows of its tournament, or several of theirs."""
    summary = summarise(store)
    sections = [
        Section(standings_table(summary), elo_chart(summary)),
        Section(crosstable(summary)),
        Section(endings_table(summary), _endings_chart(summary)),
        Section(times_table(summary), _times_chart(summary)),
        Section(faulty_players_table(summary)),
        Section(faults_table(summary)),
        Section(warnings_table(summary)),
        Section(players_table(summary)),
    ]
    return Contents("Tournament", summary.plan.terms.rules, notes(summary), sections, tournament_data(summary))


def elo_chart(summary: Summary) -> str:
    """The ratings with their intervals."""
    return error_bars([(line.name, line.elo) for line in summary.standings], "Elo with 95 % intervals")


def _endings_chart(summary: Summary) -> str:
    return bars([(ending, count, str(count)) for ending, count in summary.endings.most_common()], "How games ended")


def _times_chart(summary: Summary) -> str:
    times = [(name, summary.times[name]) for name in summary.names]
    return bars([(name, use.average, f"{seconds(use.average)} s") for name, use in times], "Seconds per move")
