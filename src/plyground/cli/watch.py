"""Standings while a tournament runs: a table on a terminal, a line now and then elsewhere; both on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from plyground.cli.progress import duration
from plyground.core.notation import plural
from plyground.terminal.console import able

if TYPE_CHECKING:
    from rich.console import RenderableType

    from plyground.ratings import GameScore
    from plyground.report.summary import Summary
    from plyground.tournament.plan import Plan
    from plyground.tournament.store import Store, StoredGame

REFRESH_SECONDS = 0.5
"""Seconds between two pictures on a terminal."""

QUIET_SECONDS = 30.0
"""Seconds between two lines where there is no terminal."""


class Watch:
    """What is known of a running tournament."""

    def __init__(self, plan: Plan, store: Store) -> None:
        from plyground.report.summary import ENDINGS

        self.plan = plan
        self.scores: dict[str, GameScore] = store.scores()
        self.before = len(self.scores)
        self.faults = sum(count for ending, count in store.endings().items() if ending not in ENDINGS)
        self.started = time.monotonic()

    def see(self, game: StoredGame) -> None:
        """Count a game."""
        from plyground.report.summary import ENDINGS

        if game.played:
            self.scores[game.id] = game.score
        self.faults += game.termination not in ENDINGS

    @property
    def speed(self) -> float:
        """Games per second since it was started."""
        return (len(self.scores) - self.before) / max(1e-9, time.monotonic() - self.started)

    @property
    def left(self) -> float | None:
        """Seconds it will still take; None where that is not known."""
        if self.plan.total is None or not self.speed:
            return None
        return (self.plan.total - len(self.scores)) / self.speed

    def line(self) -> str:
        """Everything in one line."""
        played, total = len(self.scores), self.plan.total
        games = plural(played, "game", "games") if total is None else f"{played}/{total} games"
        left = "" if self.left is None else f", {duration(self.left)} left"
        faults = plural(self.faults, "fault", "faults")
        return f"{games}, {self.speed:.1f} per second{left}, {faults}"

    def summary(self) -> Summary:
        """The standings."""
        from plyground.report.summary import outline

        return outline(self.plan, self.scores)


@contextmanager
def watched(watch: Watch) -> Iterator[Callable[[StoredGame], None]]:
    """Show a tournament as it goes; to be called with each game."""
    if able(sys.stderr):
        with _on_terminal(watch) as show:
            yield show
        return
    last = time.monotonic()

    def report(game: StoredGame) -> None:
        nonlocal last
        watch.see(game)
        if time.monotonic() - last >= QUIET_SECONDS:
            last = time.monotonic()
            click.echo(watch.line(), err=True)

    yield report
    click.echo(watch.line(), err=True)


@contextmanager
def _on_terminal(watch: Watch) -> Iterator[Callable[[StoredGame], None]]:
    from rich.console import Console
    from rich.live import Live

    last = 0.0
    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:

        def show(game: StoredGame) -> None:
            nonlocal last
            watch.see(game)
            if time.monotonic() - last >= REFRESH_SECONDS:
                last = time.monotonic()
                live.update(_picture(watch), refresh=True)

        yield show


def _picture(watch: Watch) -> RenderableType:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    from plyground.report.tables import points, signed

    table = Table(box=None)
    for name in ("player", "score", "games", "elo", "low", "high"):
        table.add_column(name, justify="left" if name == "player" else "right")
    for line in watch.summary().standings:
        numbers = points(line.points), str(line.tally.games), *map(signed, line.elo)
        table.add_row(Text(line.name), *numbers)
    bar = Table.grid()  # a bar alone does not end its line
    bar.add_row(ProgressBar(total=watch.plan.total, completed=len(watch.scores), width=60))
    return Group(table, bar, Text(watch.line()))
