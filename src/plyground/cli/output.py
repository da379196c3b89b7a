"""What several commands write."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


def write_json(value: object) -> None:
    """Print a value as one line of JSON, letters of every alphabet as they are."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False))


def write_message(text: str) -> None:
    """Print a message on stderr, its lines broken between words where that is a terminal."""
    if sys.stderr.isatty():
        from plyground.terminal.console import broken

        text = broken(text)
    click.echo(text, err=True)


@contextmanager
def resumable(kept: Callable[[], str]) -> Iterator[None]:
    """After Ctrl-C, let the program end with what is kept and how to continue: `43 games saved; continue with: ...`."""
    try:
        yield
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            click.echo(err=True)  # the terminal has written ^C
        raise click.exceptions.Abort(kept()) from None
