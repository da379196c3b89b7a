"""What several commands write."""

from __future__ import annotations

import shlex

import click


def write_json(value: object) -> None:
    """Print a value as one line of JSON, letters of every alphabet as they are."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False))


def command_line(*words: object) -> str:
    """A command of this program to be copied into a shell, whatever letters the names of files have."""
    return shlex.join(["plyground", *map(str, words)])


def effort_text(nodes: int, seconds: float) -> str:
    """What an answer took: `3310320 nodes, 50.49 s`."""
    from plyground.core.notation import plural

    return f"{plural(nodes, 'node', 'nodes')}, {seconds:.2f} s"
