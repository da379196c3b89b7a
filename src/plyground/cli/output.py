"""What several commands write."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

if TYPE_CHECKING:
    from plyground.core.rules import Rules


def write_json(value: object) -> None:
    """Print a value as one line of JSON, letters of every alphabet as they are."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False))


def command_line(*words: object) -> str:
    """A command of this program to be copied into a shell."""
    return quoted("plyground", *words)


def quoted(*words: object) -> str:
    """Words as they are typed into a shell of this system, whatever letters the names of files have."""
    texts = list(map(str, words))
    if os.name == "nt":
        from subprocess import list2cmdline

        return list2cmdline(texts)
    return shlex.join(texts)


def effort_text(nodes: int, seconds: float) -> str:
    """What an answer took: `3310320 nodes, 50.49 s`."""
    from plyground.core.notation import plural

    return f"{plural(nodes, 'node', 'nodes')}, {seconds:.2f} s"


def write_text(text: str, rules: Rules | None = None) -> None:
    """Print sentences on stdout, their lines broken between words, and not in a move of a game, in a terminal."""
    from plyground.terminal.console import NO_BREAK, broken, whole_moves

    if sys.stdout.isatty():
        text = broken(text if rules is None else whole_moves(text, rules))
    click.echo(text.replace(NO_BREAK, " "))


def unbroken(command: str) -> str:
    """A command to be copied, for `write_text`: on one line, so that a shell takes it as one."""
    from plyground.terminal.console import NO_BREAK

    return command.replace(" ", NO_BREAK)


def write_message(text: str) -> None:
    """Print a message on stderr, its lines broken between words where that is a terminal."""
    if sys.stderr.isatty():
        from plyground.terminal.console import broken

        text = broken(text)
    click.echo(text, err=True)


def save_picture(path: Path, svg: str) -> None:
    """Write a picture as its name says; an error where a PNG cannot be drawn here."""
    from plyground.render.pictures import write_picture

    try:
        write_picture(path, svg)
    except ValueError as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def text_output(path: Path | None, encoding: str = "utf-8", private: bool = False) -> Iterator[IO[str]]:
    """Where results are written: a file, which is replaced once they are complete, or stdout."""
    if path is None:
        yield sys.stdout
        return
    from plyground.core.files import replace_file

    with replace_file(path, private) as file:
        text = io.TextIOWrapper(file, encoding=encoding, newline="\n")
        yield text
        text.flush()
        text.detach()


@contextmanager
def resumable(kept: Callable[[], str]) -> Iterator[None]:
    """After Ctrl-C, let the program end with what is kept and how to continue: `43 games saved; continue with: ...`."""
    try:
        yield
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            click.echo(err=True)  # the terminal has written ^C
        raise click.exceptions.Abort(kept()) from None
