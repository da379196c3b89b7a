"""Claims in plain English: one sentence each, with cells and columns as the board shows them."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.notation import plural, write_cells
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.judge.claims import Claim, ClaimKind, for_kind

LONGEST_SENTENCE_LETTERS = 160
"""Characters of a sentence at most."""

Sentence = Callable[[Claim, Rules], str]

SENTENCES: dict[ClaimKind, Sentence] = {}
"""The function that words each kind of claim."""


def sentence(claim: Claim, position: Position) -> str:
    """A claim about a move in a position: `Stops o at row 1 of column 7, which completes columns 4-5-6-7 of row 1.`"""
    return SENTENCES[claim.kind](claim, position.rules)


def _who(claim: Claim, rules: Rules) -> str:
    return rules.sides[claim.side]


def _other(claim: Claim, rules: Rules) -> str:
    return rules.sides[claim.side.other]


def _where(claim: Claim, rules: Rules, move: Move) -> str:
    """Where a move is laid: its cell, or the move itself where that says more."""
    cells = rules.placements[claim.side][move.place].cells
    return f"at {write_cells(rules, cells)}" if cells.bit_count() == 1 else f"with {rules.notation.write(rules, move)}"


def _write(rules: Rules, moves: tuple[Move, ...]) -> list[str]:
    return [rules.notation.write(rules, move) for move in moves]


@for_kind(SENTENCES, ClaimKind.COMPLETES)
def _completes(claim: Claim, rules: Rules) -> str:
    return f"Completes {write_cells(rules, claim.patterns[0])} for {_who(claim, rules)} and ends the game."


@for_kind(SENTENCES, ClaimKind.STOPS)
def _stops(claim: Claim, rules: Rules) -> str:
    return f"Stops {_who(claim, rules)} from completing {_threat(claim, rules)}."


def _threat(claim: Claim, rules: Rules) -> str:
    """`columns 4-5-6-7 of row 1 at row 1 of column 7`."""
    return f"{write_cells(rules, claim.patterns[0])} {_where(claim, rules, claim.moves[0])}"


@for_kind(SENTENCES, ClaimKind.LEAVES)
def _leaves(claim: Claim, rules: Rules) -> str:
    return f"Does not stop {_who(claim, rules)}, who completes {_threat(claim, rules)}."


@for_kind(SENTENCES, ClaimKind.GIVES_CELL)
def _gives_cell(claim: Claim, rules: Rules) -> str:
    who = _who(claim, rules)
    return f"Gives {who} the cell above: {who} completes {_threat(claim, rules)}."


@for_kind(SENTENCES, ClaimKind.LETS)
def _lets(claim: Claim, rules: Rules) -> str:
    return f"Lets {_who(claim, rules)} complete {_threat(claim, rules)}."


@for_kind(SENTENCES, ClaimKind.TWO_THREATS)
def _two_threats(claim: Claim, rules: Rules) -> str:
    reply = "Threatens"
    if claim.after:
        reply = f"After the reply {_write(rules, claim.after)[0]}, {_who(claim, rules)} threatens"
    where = [_where(claim, rules, move) for move in claim.moves]
    one, other = (write_cells(rules, pattern) for pattern in claim.patterns)
    if one == other:
        return f"{reply} {one} {where[0]} and {where[1]}: no move stops both."
    text = f"{reply} {one} {where[0]} and {other} {where[1]}: no move stops both."
    return text if len(text) <= LONGEST_SENTENCE_LETTERS else f"{reply} {one} and {other} at once: no move stops both."


@for_kind(SENTENCES, ClaimKind.ZUGZWANG)
def _zugzwang(claim: Claim, rules: Rules) -> str:
    who, other = _who(claim, rules), _other(claim, rules)
    return f"Puts {other} in zugzwang: whatever {other} plays, {who} completes a pattern next."


@for_kind(SENTENCES, ClaimKind.NO_REPLY)
def _no_reply(claim: Claim, rules: Rules) -> str:
    return f"Whatever {_other(claim, rules)} replies, {_who(claim, rules)} completes a pattern with the next move."


@for_kind(SENTENCES, ClaimKind.FORCES)
def _forces(claim: Claim, rules: Rules) -> str:
    who = _who(claim, rules)
    who = who.capitalize() if len(who) > 1 else who
    head = f"{who} wins by force in {claim.number} plies; against the longest defence: "
    return _fitting(head, _write(rules, claim.moves), rules, claim.number - 1)


def _fitting(head: str, moves: list[str], rules: Rules, whole: int) -> str:
    """A sentence with as many moves as fit, and dots if there are more."""
    count = len(moves)
    while count:
        dots = " ..." if count < whole else ""
        text = f"{head}{rules.notation.join(rules, moves[:count])}{dots}."
        if len(text) <= LONGEST_SENTENCE_LETTERS:
            return text.replace(" ....", " ...")
        count -= 1
    raise ValueError(f"not even one move fits after {head!r}")


@for_kind(SENTENCES, ClaimKind.MUST_FILL)
def _must_fill(claim: Claim, rules: Rules) -> str:
    filled = write_cells(rules, rules.placements[claim.side.other][claim.moves[-2].place].cells)
    return (
        f"In the longest defence {_other(claim, rules)} must fill {filled} in the end, and "
        f"{_who(claim, rules)} completes {write_cells(rules, claim.patterns[0])} above it."
    )


@for_kind(SENTENCES, ClaimKind.FOLLOWS)
def _follows(claim: Claim, rules: Rules) -> str:
    who, other = _who(claim, rules), _other(claim, rules)
    after = f"After {_write(rules, claim.after)[0]}, " if claim.after else "From now on "
    head = f"{after}{who} answers each disc on top of it{' or in another odd column' if claim.number else ''}"
    if claim.patterns:
        return f"{head} and so gets {write_cells(rules, claim.patterns[0])}; {other} makes no line of the other cells."
    return f"{head}: {other} makes no line of the cells that this leaves."


@for_kind(SENTENCES, ClaimKind.CANNOT_WIN)
def _cannot_win(claim: Claim, rules: Rules) -> str:
    return f"Leaves {_who(claim, rules)} no pattern that can still be completed."


@for_kind(SENTENCES, ClaimKind.PAIRING)
def _pairing(claim: Claim, rules: Rules) -> str:
    pairs = ["-".join(rules.grid.names[cell] for cell in pair) for pair in claim.pairs]
    head = (
        f"{_other(claim, rules)} can complete nothing: {_who(claim, rules)} answers each cell of a pair with the other"
    )
    for count in range(len(pairs), 0, -1):
        more = f" and {len(pairs) - count} more" if count < len(pairs) else ""
        text = f"{head}: {', '.join(pairs[:count])}{more}."
        if len(text) <= LONGEST_SENTENCE_LETTERS:
            return text
    return f"{head}."


@for_kind(SENTENCES, ClaimKind.POLES)
def _poles(claim: Claim, rules: Rules) -> str:
    poles = " and ".join(rules.grid.names_of(claim.cells))
    return f"Takes both poles, {poles}, of {write_cells(rules, claim.patterns[0])}, which can no longer win."


@for_kind(SENTENCES, ClaimKind.ONLY)
def _only(claim: Claim, rules: Rules) -> str:
    return f"Every other move loses, at the latest in {plural(claim.number, 'ply', 'plies')}."


@for_kind(SENTENCES, ClaimKind.LASTS)
def _lasts(claim: Claim, rules: Rules) -> str:
    if claim.number == 2:
        return "Every move loses in 2 plies."
    return f"Every move loses; this one lasts longest, {plural(claim.number, 'ply', 'plies')}."


@for_kind(SENTENCES, ClaimKind.THREATENS)
def _threatens(claim: Claim, rules: Rules) -> str:
    return f"Threatens to complete {_threat(claim, rules)}."


@for_kind(SENTENCES, ClaimKind.BLOCKS)
def _blocks(claim: Claim, rules: Rules) -> str:
    return f"Blocks {plural(claim.number, 'live pattern', 'live patterns')} that {_who(claim, rules)} has begun."


@for_kind(SENTENCES, ClaimKind.BUILDS)
def _builds(claim: Claim, rules: Rules) -> str:
    return f"Adds to {plural(claim.number, 'live pattern', 'live patterns')} of {_who(claim, rules)}."
