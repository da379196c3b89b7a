"""`plyground doctor`: what keeps bots from the rest of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.output import write_json
from plyground.cli.parameters import json_option

if TYPE_CHECKING:
    from plyground.referee.doctor import Diagnosis


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Show how bots are isolated on this machine.

    Shows the isolation that bots get here, the reason for each claim, which other modes work, and what to install for
    better isolation. The JSON output is one object with mode, claims (aspect, strength, basis), modes (by name, why
    each does not work, or nothing) and advice.
    """
    from plyground.referee.doctor import diagnose

    diagnosis = diagnose()
    if as_json:
        write_json(_data(diagnosis))
        return
    click.echo(f"bots on this machine are isolated by {diagnosis.isolation.mode}")
    for claim in diagnosis.isolation.claims:
        click.echo(f"  {claim.aspect.value:<10} {claim.strength.name.lower():<7} {claim.basis}")
    click.echo("other modes")
    for mode, problem in diagnosis.problems.items():
        if mode != diagnosis.isolation.mode:
            click.echo(f"  {mode:<10} {problem or 'works'}")
    if diagnosis.advice:
        click.echo("how to get more")
    for line in diagnosis.advice:
        click.echo(f"  {line}")


def _data(diagnosis: Diagnosis) -> dict[str, object]:
    kept = diagnosis.isolation
    claims = [{"aspect": c.aspect.value, "strength": c.strength.name.lower(), "basis": c.basis} for c in kept.claims]
    return {"mode": kept.mode, "claims": claims, "modes": diagnosis.problems, "advice": list(diagnosis.advice)}
