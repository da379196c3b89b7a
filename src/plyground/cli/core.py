"""A word to those who run without the native core."""

from __future__ import annotations

import importlib.util

import click


def note_missing_core() -> None:
    """One line on stderr where the native core is not there, saying how to get it."""
    if importlib.util.find_spec("plyground._core") is None:
        click.echo(
            "note: no native core, so plain Python does the work, slower; for the fast one install a C++ compiler "
            "and then plyground again (pip install --force-reinstall plyground)",
            err=True,
        )
