"""`plyground serve`: the games in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from plyground.cli.parameters import whole_number


@click.command()
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 for every network.",
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="Host name of the server; may be repeated.")
@click.option(
    "--port", metavar="N", default="8765", show_default=True, type=whole_number(0, 65535), help="Port to listen on."
)
@click.option("--store", type=click.Path(dir_okay=False, path_type=Path), help="File to save games in.")
@click.option(
    "--tournaments",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Folder of tournament stores to show.",
)
@click.option(
    "--class",
    "class_folder",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Folder of a class to show, where students hand in.",
)
@click.option("--trust-proxy", is_flag=True, help="Only a reverse proxy reaches the port: trust its X-Forwarded-For.")
@click.option(
    "--workers",
    metavar="N",
    default="2",
    show_default=True,
    type=whole_number(1, 64),
    help="Number of search processes.",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in a browser.")
def serve(
    host: str,
    allow_host: tuple[str, ...],
    port: int,
    store: Path | None,
    tournaments: Path | None,
    class_folder: Path | None,
    trust_proxy: bool,
    workers: int,
    open_: bool,
) -> None:
    """Play, analyse and follow tournaments in a browser."""
    if not all(name.strip() for name in allow_host):
        empty = "expected a host name such as club.example, got an empty name"
        raise click.BadParameter(empty, param_hint="'--allow-host'")
    try:
        from plyground.web.server import Door, Folders, run
    except ModuleNotFoundError as error:
        from plyground.core.installation import install_command

        once = "or, without installing anything: uvx --from 'plyground[web]' plyground serve"
        raise click.ClickException(
            f"{error.name} is missing; install it with: {install_command('web')}; {once}"
        ) from None
    folders = Folders(store, tournaments, class_folder)
    run(Door(host, port, allow_host, trust_proxy), folders, workers, opened=open_)
