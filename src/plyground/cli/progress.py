"""Progress on stderr, where that is a terminal that can show it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from plyground.terminal.console import able

LEAST_SOLVED_POSITIONS = 100
"""Positions that must be solved before the time that is left is worth showing."""


def duration(seconds: float) -> str:
    """Hours, minutes and seconds: `1:05:00`; no hours where there are none."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[str], None]]:
    """A bar that goes on by one whenever it is called, with a text behind it; nothing without a terminal."""
    if not able(sys.stderr):
        yield lambda text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=total)
        yield lambda text: progress.update(task, advance=1, description=text)


class ShareBar(NamedTuple):
    """A bar under lines of text."""

    show: Callable[[float, str], None]
    """Called with the share that is done, from 0 to 1, and a text behind the bar."""

    write: Callable[[str], None]
    """Called with a line of stdout, which stands above the bar."""


@contextmanager
def share_bar() -> Iterator[ShareBar]:
    """A bar with the time left; without a terminal only its lines are written."""
    import click

    if not able(sys.stderr):
        yield ShareBar(lambda share, text: None, click.echo)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=1.0)

        def above(text: str) -> None:
            progress.console.print(text, markup=False, highlight=False, soft_wrap=True)

        # In one terminal with the bar a line would stand behind it, so the bar must know.
        write = above if sys.stdout.isatty() else click.echo
        yield ShareBar(lambda share, text: progress.update(task, completed=share, description=text), write)


@contextmanager
def status() -> Iterator[Callable[[str], None]]:
    """A line that shows the text it is called with, gone at the end; nothing without a terminal."""
    if not able(sys.stderr):
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as shown:
        yield shown.update


class Countdown:
    """How many positions are solved, and how long the others take if it goes on like this."""

    def __init__(self, report: Callable[[str], None]) -> None:
        """Report is called with each text."""
        self._report = report
        self._began: tuple[float, int] | None = None
        """When it was first called, and how many were solved then."""

    def __call__(self, done: int, total: int) -> None:
        """So many of so many positions are solved."""
        now = time.perf_counter()
        started, before = self._began = self._began or (now, done)
        text = f"{done} of {total} positions solved"
        if done - before >= LEAST_SOLVED_POSITIONS:
            text = f"{text}, {duration((now - started) / (done - before) * (total - done))} left"
        self._report(text)
