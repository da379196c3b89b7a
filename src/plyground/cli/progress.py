"""Progress on stderr, where that is a terminal that can show it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from plyground.terminal.console import able


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


@contextmanager
def status() -> Iterator[Callable[[str], None]]:
    """A line that shows the text it is called with, gone at the end; nothing without a terminal."""
    if not able(sys.stderr):
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as shown:
        yield shown.update
