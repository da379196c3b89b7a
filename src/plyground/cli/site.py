"""`plyground site`: the page as a folder of files."""

from __future__ import annotations

from pathlib import Path

import click

from plyground.cli.output import quoted


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--games", metavar="SPECS", help="Games to offer, separated by ';'; all registered ones by default.")
@click.option("--with-python", is_flag=True, help="Let readers type heuristics in Python (13 MB, fetched by npm).")
@click.option(
    "--pyodide",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Take Pyodide from this folder, an unpacked npm package, instead of npm.",
)
def site(folder: Path, games: str | None, with_python: bool, pyodide: Path | None) -> None:
    """Write the page as static files that need no server.

    Any file server can serve the folder, also below a path; after the first visit it works without a network.
    Friends on other devices, tournaments and classes need `plyground serve`.
    """
    from plyground.core.notation import plural
    from plyground.web.site.write import write_site

    wanted = [spec.strip() for spec in (games or "").split(";") if spec.strip()]
    if games is not None and not wanted:
        raise click.BadParameter(f"expected specs of games, got {games!r}", param_hint="'--games'")
    if pyodide is not None and not with_python:
        raise click.UsageError("--pyodide needs --with-python")
    written = write_site(folder, wanted, with_python=with_python, pyodide=pyodide)
    for spec, why in written.left_out.items():
        click.echo(f"left out {spec}: {why}", err=True)
    files, count = plural(written.files, "file", "files"), plural(len(written.games), "game", "games")
    click.echo(f"{folder}: {files}, {written.size / 1e6:.1f} MB, {count}")
    click.echo(f"try it: python -m http.server --directory {quoted(folder)} 8000", err=True)
