"""`plyground help`: pages of the documentation in the terminal."""

from __future__ import annotations

import sys

import click

from plyground.cli.completing import complete_topic


@click.command("help")
@click.argument("topic", metavar="[TOPIC]", required=False, shell_complete=complete_topic)
def help_(topic: str | None) -> None:
    """Read the documentation in the terminal.

    TOPIC is the name of a page, such as play, connect-four or course-1-board; without it the pages are listed. For the
    options of a command use COMMAND --help.
    """
    from plyground.terminal.topics import page, title_of, topics

    if topic is None:
        width = max(map(len, topics()), default=0)
        for name in topics():
            click.echo(f"{name:{width}}  {title_of(name)}")
        return
    try:
        text = page(topic)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'TOPIC'") from None
    if sys.stdout.isatty():
        click.echo_via_pager(_rendered(text), color=True)
    else:
        click.echo(text)


def _rendered(text: str) -> str:
    """The page as this terminal can show it."""
    import io

    from rich.console import Console
    from rich.markdown import Markdown

    from plyground.terminal.console import colourful

    written, colour = io.StringIO(), colourful(sys.stdout)
    console = Console(file=written, force_terminal=colour, no_color=not colour)
    console.print(Markdown(text))
    return written.getvalue()
