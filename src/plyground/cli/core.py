"""A word to those who run without the native core."""

from __future__ import annotations

import click


def note_missing_core() -> None:
    """One line on stderr where the native core is not there, saying how to get it."""
    from plyground import native

    if not native.available:
        click.echo(
            "note: no native core, so plain Python does the work, slower; for the fast one install a C++ compiler "
            "and then plyground again (pip install --force-reinstall plyground)",
            err=True,
        )
