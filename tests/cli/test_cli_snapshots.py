"""Every --help and every usage error as a file.

`PLYGROUND_SNAPSHOTS=write pytest tests/cli/test_cli_snapshots.py` renews the files.
A usage error's file begins with the command line, `$ plyground ...`; a new case is a new file with that line.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from command import run
from plyground.cli import SUMMARIES, cli

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
DOCS = Path(__file__).parents[2] / "docs"
USAGE = sorted((SNAPSHOTS / "usage").glob("*.txt"))


def compare(path: Path, reported: str) -> None:
    if os.environ.get("PLYGROUND_SNAPSHOTS") == "write":
        path.write_text(reported, encoding="utf-8")
    assert path.exists(), f"{path} is missing; write it with PLYGROUND_SNAPSHOTS=write"
    assert reported == path.read_text(encoding="utf-8")


def commands(group: click.Group = cli, *above: str) -> Iterator[tuple[str, ...]]:
    """The words of every command and of every group, the program itself first."""
    yield above
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, *above, name)
        else:
            yield *above, name


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_help_reads_as_in_its_snapshot(words: tuple[str, ...]) -> None:
    done = run(*words, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    compare(SNAPSHOTS / "help" / f"{'-'.join(('plyground', *words))}.txt", done.stdout)


def test_the_page_of_all_commands_says_what_the_program_says() -> None:
    parts = ["# All commands and options\n\nMade from the program: each command with `--help`.\n"]
    for words in commands():
        help_text = (SNAPSHOTS / "help" / f"{'-'.join(('plyground', *words))}.txt").read_text(encoding="utf-8")
        parts.append(
            f"{'#' * min(3, 1 + max(1, len(words)))} {' '.join(('plyground', *words))}\n\n```text\n{help_text}```\n"
        )
    compare(DOCS / "commands.md", "\n".join(parts))


def test_each_help_snapshot_belongs_to_a_command() -> None:
    known = {f"{'-'.join(('plyground', *words))}.txt" for words in commands()}
    assert {path.name for path in (SNAPSHOTS / "help").glob("*.txt")} <= known


@pytest.mark.parametrize("path", USAGE, ids=[path.stem for path in USAGE])
def test_usage_error_exits_with_2_and_reads_as_in_its_snapshot(path: Path) -> None:
    line = path.read_text(encoding="utf-8").splitlines()[0]
    assert line.startswith("$ plyground")
    done = run(*shlex.split(line)[2:])
    assert (done.returncode, done.stdout) == (2, "")
    # What exists grows; that it is listed is what matters here.
    listed = re.sub(r"(?s)( known: )[a-z0-9_-]+(,\s+[a-z0-9_-]+)*", r"\1...", done.stderr)
    compare(path, f"{line}\n{listed}".replace(f" in {Path.cwd()};", " in FOLDER;"))


def test_the_list_of_commands_says_of_each_what_its_own_help_says() -> None:
    context = click.Context(cli)
    loaded = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    assert {name: command and command.get_short_help_str(80) for name, command in loaded.items()} == SUMMARIES


def test_no_summary_in_a_list_of_commands_is_cut_short() -> None:
    listed = [path.read_text(encoding="utf-8").partition("Commands:")[2] for path in (SNAPSHOTS / "help").glob("*.txt")]
    assert any(listed)
    assert not [line for text in listed for line in text.splitlines() if line.endswith("...")]
