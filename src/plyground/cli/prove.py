"""`plyground prove`: a pairing by which a side cannot lose, as a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.output import write_json, write_text
from plyground.cli.parameters import json_option, position_arguments

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.solve.pairing import Pairing


@click.command()
@position_arguments
@click.option(
    "--side",
    type=click.Choice(["first", "second"]),
    default="second",
    show_default=True,
    help="The side to prove safe.",
)
@json_option
def prove(position: Position, side: str, as_json: bool) -> None:
    """Prove by pairs of cells that a side cannot lose.

    Every pattern that the opponent can still complete contains a pair; whenever the opponent takes one cell of a pair,
    the side takes the other. The JSON output is one object with proved, side, pairs, start (the first move, if one is
    needed) and, if nothing was proved, reason.
    """
    from plyground.core.rules import Side
    from plyground.solve import pairing
    from plyground.solve.verify import check_pairing

    who = Side[side.upper()]
    reason = f"there is no pairing for the {side} side"
    try:
        proof = pairing.prove(position, who)
    except pairing.EffortSpentError as error:
        proof, reason = None, str(error)
    if proof is not None:
        check_pairing(position if proof.start is None else position.play(proof.start), who, proof.pairs)
    if as_json:
        write_json(to_json(position, side, proof, reason))
    elif proof is None:
        write_text(f"not proved: {reason}")
    else:
        click.echo(drawn(position, proof))
        begin = "" if proof.start is None else f"start with {position.write(proof.start)}, then "
        write_text(f"the {side} side cannot lose: {begin}answer a disc on one cell of a pair with the other")
        write_text("checked: every pattern still open to the opponent contains a pair")


def to_json(position: Position, side: str, proof: Pairing | None, reason: str) -> dict[str, object]:
    """The certificate, or why there is none, as JSON values."""
    if proof is None:
        return {"proved": False, "side": side, "reason": reason}
    names = position.rules.grid.names
    pairs = [[names[low], names[high]] for low, high in proof.pairs]
    start = {} if proof.start is None else {"start": position.write(proof.start)}
    return {"proved": True, "side": side, "pairs": pairs, **start}


def drawn(position: Position, proof: Pairing) -> str:
    """The board with the two cells of each pair numbered alike, x and o the discs, * the first move."""
    from plyground.core.position_text import disc_at
    from plyground.render.text import labelled

    labels = {cell: disc_at(position, cell) for cell in range(len(position.rules.grid.cells))}
    for number, pair in enumerate(proof.pairs, start=1):
        labels |= dict.fromkeys(pair, str(number))
    if proof.start is not None:
        start = position.rules.placements[proof.side][proof.start.place].cells
        labels[start.bit_length() - 1] = "*"
    return labelled(position.rules, labels)
