"""Claims in plain words: one sentence each, with cells and columns as the board shows them."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.notation import plural, write_cells
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.judge.claims import Claim, ClaimKind
from plyground.search.score import Score
from plyground.words import Template, Words, fill, words_in

LONGEST_SENTENCE_LETTERS = 160
"""Characters of a sentence at most."""


def sentence(claim: Claim, position: Position, language: str = "en") -> str:
    """A claim about a move in a position: `Stops o at row 1 of column 7, which completes columns 4-5-6-7 of row 1.`

    Where it gets too long a shorter text is taken, and fewer moves or pairs are named.
    """
    words, rules = words_in(language), position.rules
    slots = _slots(claim, position, words)
    listed = {"line": _line(claim, rules), "pairs": _pairs(claim, rules, words)}
    templates: Template = words["claims"][_key(claim, position.to_move)]
    for template in [templates] if isinstance(templates, str) else templates:
        for count in range(max(1, len(claim.moves), len(claim.pairs)), 0, -1):
            lists = {name: write(count) for name, write in listed.items() if f"{{{name}}}" in template}
            text = fill(template, slots | lists, words)
            if len(text) <= LONGEST_SENTENCE_LETTERS:
                return text
            if not lists:
                break
    return text


def worth(score: Score) -> str:
    """What a move is worth to its mover, in moves of the winner as the sentences count: `win in 3 moves`."""
    return str(score) if score.plies is None else f"{score.result} in {winning_moves(score)}"


def winning_moves(score: Score) -> str:
    """How many moves of the winner a decided game takes: `at most 3 moves`."""
    assert score.plies is not None
    return f"{'at most ' if score.at_most else ''}{plural((score.plies + score.won) // 2, 'move', 'moves')}"


def nothing(language: str = "en") -> str:
    """The sentence for a move about which no claim is true."""
    words = words_in(language)
    return fill(str(words["claims"]["changes-little"]), {}, words)


def _key(claim: Claim, mover: Side) -> str:
    """Which text says a claim about a move of a side."""
    after, patterns = "-after" if claim.after else "", claim.patterns
    if claim.kind is ClaimKind.TWO_THREATS:
        return f"{claim.kind}{after}{'-of-one' if patterns[0] == patterns[1] else ''}"
    if claim.kind is ClaimKind.FOLLOWS:
        return f"{claim.kind}{after}{'-odd' if claim.number else ''}{'-to' if patterns else ''}"
    if claim.kind is ClaimKind.COMPLETES and claim.side is not mover:
        return f"{claim.kind}-for-other"
    return f"{claim.kind}-now" if claim.kind is ClaimKind.LASTS and claim.number == 2 else str(claim.kind)


def _slots(claim: Claim, position: Position, words: Words) -> dict[str, str | int]:
    rules, side = position.rules, claim.side
    who, other = rules.sides[side], rules.sides[side.other]
    # The winner of a game that is lost within some plies is the other side.
    winner = side.other if claim.kind in (ClaimKind.ONLY, ClaimKind.LASTS) else side
    own = winner is position.to_move
    slots: dict[str, str | int] = {
        "who": who,
        "Who": _begin(who),
        "other": other,
        "Other": _begin(other),
        "number": claim.number,
        "moves": (claim.number + own) // 2,
        "poles": _and(rules.grid.names_of(claim.cells), words),
    }
    if claim.after:
        slots["reply"] = rules.notation.write(rules, claim.after[0])
    for number, pattern in enumerate(claim.patterns[:2]):
        slots[f"pattern{number + 1 if number else ''}"] = write_cells(rules, pattern, words)
    for number, move in enumerate(claim.moves[:2]):
        slots[f"where{number + 1 if number else ''}"] = _where(rules, side, move, words)
    if claim.kind is ClaimKind.MUST_FILL:
        slots["filled"] = write_cells(rules, rules.placements[side.other][claim.moves[-2].place].cells, words)
    return slots


def _begin(name: str) -> str:
    """A side at the beginning of a sentence; `x` is a sign."""
    return name[0].upper() + name[1:] if len(name) > 1 else name


def _where(rules: Rules, side: Side, move: Move, words: Words) -> str:
    """Where a move is laid: its cell, or the move itself where that says more."""
    if not 0 <= move.place < len(rules.placements[side]):
        return ""
    cells = rules.placements[side][move.place].cells
    if cells.bit_count() == 1:
        return fill(words["places"]["at"], {"cell": write_cells(rules, cells, words)}, words)
    return fill(words["places"]["with"], {"move": rules.notation.write(rules, move)}, words)


def _and(names: list[str], words: Words) -> str:
    if len(names) != 2:
        return ", ".join(names)
    return fill(words["places"]["and"], {"one": names[0], "other": names[1]}, words)


def _line(claim: Claim, rules: Rules) -> Callable[[int], str]:
    """A function that names so many moves of a play, with dots if there are more."""
    moves = [rules.notation.write(rules, move) for move in claim.moves]
    return lambda count: rules.notation.join(rules, moves[:count]) + (" ..." if count < claim.number - 1 else ".")


def _pairs(claim: Claim, rules: Rules, words: Words) -> Callable[[int], str]:
    """A function that names so many pairs, and says how many more there are."""
    pairs = ["-".join(rules.grid.names[cell] for cell in pair) for pair in claim.pairs]

    def write(count: int) -> str:
        shown, more = ", ".join(pairs[:count]), len(pairs) - count
        return fill(words["places"]["more"], {"shown": shown, "n": more}, words) if more else shown

    return write
