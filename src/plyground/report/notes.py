"""What the tables of a tournament do not show, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.notation import plural
from plyground.games import title
from plyground.play.isolation import Isolation
from plyground.ratings.sprt import sentence
from plyground.report.summary import Summary
from plyground.report.tables import percent, with_interval

LISTED_GAMES = 5
"""So many damaged games are named."""


def notes(summary: Summary) -> list[str]:
    """What was played, what came of it, how bots were kept, and what to be careful about."""
    return [_played(summary), *_found(summary), *_kept(summary), *_cautions(summary)]


def _played(summary: Summary) -> str:
    plan, sources = summary.plan, summary.sources
    game, players = title(plan.terms.game), f"{len(plan.entrants)} players"
    if len(sources) > 1:
        games = plural(summary.played, "game", "games")
        return f"{game}, {len(sources)} tournaments ({', '.join(sources)}), {players}, {games}."
    total = plan.total if plan.total is not None else "an open number of"
    return f"{game}, {plan.format}, {players}, {summary.played} of {total} games, seed {plan.seed}."


def _found(summary: Summary) -> Iterator[str]:
    """Who has won, what the first move is worth, and how the test stands."""
    plan = summary.plan
    if (won := summary.champion) is not None:
        drawn = f": the last match, against {won.other}, was drawn, and the better seeded wins"
        yield f"{won.name} has won{drawn if won.drawn else f' the last match, against {won.other}'}."
    if summary.first.games:
        yield (
            f"Moving first: {percent(summary.first.share)} of the points in games decided on the board, worth "
            f"{with_interval(summary.ratings.first_move)} Elo. Drawn: {percent(summary.ratings.draws)}."
        )
    if summary.sprt is not None:
        assert plan.sprt is not None
        yield sentence(plan.sprt, summary.sprt, *(entrant.name for entrant in plan.entrants))


def _kept(summary: Summary) -> Iterator[str]:
    """How bots were isolated, and what they were forgiven."""
    if summary.isolation:
        counts = [(Isolation.parse(text), count) for text, count in summary.isolation.most_common()]
        kinds = " and ".join(f"{kept.mode} ({plural(count, 'game', 'games')})" for kept, count in counts)
        yield f"Bots in other processes were isolated by {kinds}."
        yield from (f"What {kept.mode} held there: {kept.text}." for kept, _ in counts if kept.claims)
    if summary.plan.terms.lenient or summary.warnings:
        times = plural(len(summary.warnings), "time", "times")
        yield f"Practice: bots were warned about a fault and asked again {times}."


def _cautions(summary: Summary) -> Iterator[str]:
    """Why the figures may show less than they seem to."""
    if summary.played and not summary.ratings.bounded:
        yield (
            "Too few or too one-sided games to rate everybody by games alone: the intervals, low to high, show more "
            "than the ratings."
        )
    if summary.repeated:
        yield (
            f"Warning: {plural(summary.repeated, 'game', 'games')} repeated another one move for move and added no "
            "information; use longer openings."
        )
    if unplayed := sum(not note.player for note in summary.faults):
        yield f"Warning: {plural(unplayed, 'game', 'games')} could not be played; resume tries again."
    if damaged := summary.damaged:
        listed = ", ".join(map(ascii, damaged[:LISTED_GAMES])) + (", ..." if len(damaged) > LISTED_GAMES else "")
        yield (
            f"Warning: {plural(len(damaged), 'game is', 'games are')} damaged in the store and left out "
            f"({listed}); resume plays what is missing again."
        )
