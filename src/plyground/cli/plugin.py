"""`plyground plugin`: a package of one's own that adds games, heuristics and players."""

from __future__ import annotations

import re
from pathlib import Path

import click

from plyground.cli.output import command_line, quoted

PLACEHOLDER = "my-plugin"
"""What the template is called, in names of packages; with `_` in names of modules."""


@click.group()
def plugin() -> None:
    """Begin a package that adds games, heuristics and players."""


@plugin.command()
@click.argument("directory", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--name", metavar="NAME", help="Name of the package.  [default: that of DIR]")
def new(directory: Path, name: str | None) -> None:
    """Create a small working package in DIR, a new or empty directory.

    It has a game, a heuristic and a player, each an entry point, and tests that check them.
    """
    from importlib.resources import as_file, files

    called = (directory.name if name is None else name).lower().replace("_", "-")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", called):
        raise click.BadParameter(
            f"expected letters, digits and hyphens, such as four-corners, got {called!r}", param_hint="'--name'"
        )
    if directory.exists() and any(directory.iterdir()):
        raise click.BadParameter(f"{directory} is not empty; name a new directory", param_hint="'DIR'")
    directory.mkdir(parents=True, exist_ok=True)
    with as_file(files("plyground.conformance") / "template") as template:
        written = sorted(path for path in template.iterdir() if path.is_file())
        for path in written:
            (directory / _named(path.name, called)).write_text(
                _named(path.read_text(encoding="utf-8"), called), encoding="utf-8"
            )
    click.echo(f"wrote {', '.join(_named(path.name, called) for path in written)} to {directory}; try it:")
    click.echo(f"  pip install --editable {quoted(directory)} && {command_line('show', called)}")


def _named(text: str, called: str) -> str:
    return text.replace(PLACEHOLDER, called).replace(PLACEHOLDER.replace("-", "_"), called.replace("-", "_"))
