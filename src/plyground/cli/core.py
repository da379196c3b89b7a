"""A note for users who run without the native core."""

from __future__ import annotations

import click


def note_missing_core() -> None:
    """Print one line to stderr when the native core is missing, with how to get it."""
    from plyground import native

    if not native.available:
        from plyground.core.installation import install_command

        click.echo(
            "note: the native core is missing, so slower plain Python is used; to get it install a C++ compiler "
            f"and then plyground again ({install_command()})",
            err=True,
        )
