"""The real command line in a real terminal of some size."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from command import COMMAND, environment

pexpect = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")

Spawn = Callable[..., Any]
"""Starts `plyground ...` from its arguments as one text."""


@contextmanager
def terminals(folder: Path, rows: int = 24, columns: int = 80) -> Iterator[Spawn]:
    """What starts the program in a folder, in terminals of this size unless a call says otherwise; all are ended."""
    children = []

    def spawn(arguments: str = "", rows: int = rows, columns: int = columns, **changes: str) -> Any:
        size = {"LINES": str(rows), "COLUMNS": str(columns)}
        child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *shlex.split(arguments)],
            cwd=str(folder),
            env=environment(**{"TERM": "xterm-256color", "NO_COLOR": "1", **size, **changes}),
            encoding="utf-8",
            timeout=60,
            dimensions=(rows, columns),
        )
        children.append(child)
        return child

    yield spawn
    for child in children:
        if not child.ptyproc.fileobj.closed:
            child.close(force=True)


def ended(child: Any) -> int:
    """The exit code of a program that comes to its end."""
    child.expect(pexpect.EOF)
    child.wait()
    assert isinstance(child.exitstatus, int)
    return child.exitstatus
