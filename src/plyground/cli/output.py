"""What several commands write."""

from __future__ import annotations

import os
import shlex

import click


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
