"""What several commands write."""

from __future__ import annotations

import click


def write_json(value: object) -> None:
    """Print a value as one line of JSON, letters of every alphabet as they are."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False))
