"""`plyground bot`: create a bot from a template, and check that the referee accepts it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.output import command_line, quoted, write_json, write_text
from plyground.cli.parameters import game_argument, json_option, seed_option, time_option

if TYPE_CHECKING:
    from plyground.core.rules import Rules
    from plyground.play.clock import TimeControl
    from plyground.referee.check import Finding

RUN_COMMANDS = {"python": "python3 bot.py", "java": "java Bot.java", "javascript": "node bot.js", "cpp": "./bot"}
"""How a bot in each language is run, in its own directory."""

BUILD_COMMANDS = {"cpp": "c++ -O2 -std=c++17 bot.cpp -o bot"}
"""How a bot in a language that is compiled is built there."""


@click.group()
def bot() -> None:
    """Create a bot from a template, and check it."""


@bot.command()
@click.argument("directory", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--language",
    type=click.Choice(list(RUN_COMMANDS)),
    default="python",
    show_default=True,
    help="Programming language.",
)
def new(directory: Path, language: str) -> None:
    """Create a small working bot in DIR, a new or empty directory."""
    from importlib.resources import as_file, files

    from plyground.core.files import write_file

    if ".." in directory.parts:  # q/new/.. is q, whether there is a q/new or not
        directory = directory.resolve()
    if directory.exists() and any(directory.iterdir()):
        raise click.BadParameter(f"{directory} is not empty; name a new directory", param_hint="'DIR'")
    directory.mkdir(parents=True, exist_ok=True)
    with as_file(files("plyground.referee") / "templates" / language) as template:
        written = sorted(path for path in template.iterdir() if path.is_file())
        for path in written:
            write_file(directory / path.name, path.read_bytes())
    click.echo(f"wrote {', '.join(path.name for path in written)} to {directory}; try it:")
    check_it = command_line("bot", "check", f"cmd:{RUN_COMMANDS[language]},protocol=json", "connect-four")
    steps = [f"cd {quoted(directory)}", *filter(None, [BUILD_COMMANDS.get(language)]), check_it]
    click.echo(f"  {' && '.join(steps)}")


@bot.command()
@click.argument("spec", metavar="SPEC")
@game_argument
@time_option
@seed_option
@json_option
@click.pass_context
def check(ctx: click.Context, spec: str, game: Rules, control: TimeControl, seed: int, as_json: bool) -> None:
    """Give a bot small tasks and explain every fault.

    SPEC is cmd:./mybot, cmd:./mybot,protocol=json or py:bot.py. The exit code is 0 when every task passed, 1 otherwise.
    The JSON output is one object with bot, game, isolation and findings: task, passed, problem, advice, stderr, note.
    """
    from plyground.referee import bots
    from plyground.referee.check import check_bot

    if not bots.is_bot(spec):
        raise click.BadParameter(f"{spec!r} is not a bot; expected cmd:COMMAND or py:FILE", param_hint="'SPEC'")
    try:
        candidate = bots.load(spec, game)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'SPEC'") from None
    findings: list[Finding] = []
    with candidate:
        for finding in check_bot(candidate, control, seed):
            if not as_json:
                _print(finding, findings)
            findings.append(finding)
    failed = sum(not finding.passed for finding in findings)
    if as_json:
        listed = [{**vars(finding), "passed": finding.passed} for finding in findings]
        report = {"bot": spec, "game": game.name, "isolation": str(candidate.isolation), "findings": listed}
        write_json(report)
    else:
        verdict = f"{failed} of {len(findings)} tasks failed" if failed else "every task passed"
        write_text(f"{spec} in {game.name}: {verdict}")
        write_text(f"isolation on this machine: {candidate.isolation}")
    ctx.exit(1 if failed else 0)


def _print(finding: Finding, earlier: list[Finding]) -> None:
    note = f" ({finding.note})" if finding.note else ""
    write_text(f"{'ok   ' if finding.passed else 'FAULT'} {finding.task}{note}")
    if finding.passed:
        return
    if any(finding.problem == before.problem for before in earlier):
        click.echo(f"        {finding.problem}, as before")
        return
    said = f"its stderr ends:\n{finding.stderr}" if finding.stderr else ""
    for paragraph in filter(None, (finding.problem, finding.advice, said)):
        write_text("\n".join(f"        {line}" for line in paragraph.splitlines()))
