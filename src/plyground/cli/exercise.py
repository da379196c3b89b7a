"""`plyground exercise`: the file from which a chapter of the course starts."""

from __future__ import annotations

import click

from plyground.cli.output import command_line

EXERCISES = {"minimax": ("minimax", "tic-tac-toe"), "alpha-beta": ("alpha_beta", "connect-four")}
"""What the file of each exercise is called, and the game that it is checked on."""


@click.command()
@click.argument("name", metavar="NAME", type=click.Choice(list(EXERCISES)))
@click.option("-o", "--output", metavar="FILE", help="File to write.  [default: NAME.py]")
def exercise(name: str, output: str | None) -> None:
    """Write the file from which you start a search of your own.

    NAME is minimax or alpha-beta: the exercises of chapters 2 and 3 of the course (`plyground help course`). The file
    is a search with parts left out; `plyground check` says whether what you write is right.
    """
    from importlib.resources import files

    from plyground.cli.parameters import file_to_write
    from plyground.core.files import write_file

    stem, game = EXERCISES[name]
    path = file_to_write(output or f"{stem}.py")
    if path.exists():
        raise click.BadParameter(f"there is a file {str(path)!r} already; name another one", param_hint="'--output'")
    write_file(path, (files("plyground.debug") / "templates" / f"{stem}.txt").read_text(encoding="utf-8"))
    click.echo(f"wrote {path}; write the parts marked with ..., then:")
    click.echo(f"  {command_line('check', path, game)}")
