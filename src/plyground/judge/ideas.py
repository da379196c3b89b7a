"""A hint in steps: an idea and where to look, the cells that matter, and only then the move with its reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from plyground.core.grid import Mask, bits
from plyground.core.notation import write_cells, write_columns
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.judge.claims import Claim
from plyground.words import Words, fill, words_in

PATTERNS_NAMED = 2
"""Patterns that the second step names at most."""

NO_IDEA = "none"
"""The text for a move about which no claim is true, or none that there is an idea for."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The first two steps of a hint; the third is the move itself."""

    idea: str
    """What can be done, and in which part of the board: `Stop o. Look at row 3.`"""

    area: Mask
    """That part of the board."""

    closer: str
    """Which cells matter."""

    cells: Mask
    """Those cells."""


def steps_to(position: Position, move: Move, claims: tuple[Claim, ...], language: str = "en") -> Steps:
    """The steps towards a move, out of the claims about it.

    Where these name no pattern, half of the board is named, and then the columns next to the move.
    """
    rules, words = position.rules, words_in(language)
    patterns = next((claim.patterns for claim in claims if claim.patterns), ())[:PATTERNS_NAMED]
    if patterns:
        area, where = _around(rules, patterns[0], words)
        named = ", ".join(write_cells(rules, pattern, words) for pattern in dict.fromkeys(patterns))
        closer, cells = fill(words["ideas"]["cells"], {"cells": named}, words), _union(patterns)
    else:
        half, near = half_around(position, move), _near(position, move)
        area, where = _in_columns(rules, *half), write_columns(rules, *half, words)
        closer = fill(words["ideas"]["near"], {"where": write_columns(rules, *near, words)}, words)
        among = _in_columns(rules, *near)
        legal = (rules.placements[position.to_move][each.place].cells for each in position.moves())
        cells = _union(each for each in legal if not each & ~among)
    other = rules.sides[position.to_move.other]
    kind = str(claims[0].kind) if claims else NO_IDEA
    idea = fill(words["ideas"].get(kind, words["ideas"][NO_IDEA]), {"where": where, "other": other}, words)
    return Steps(idea, area, closer, cells)


def half_around(position: Position, move: Move) -> tuple[int, int]:
    """The first and last column of a half of the board in which a move is laid."""
    columns = position.rules.grid.columns
    first, last = _span(position, move)
    half = (columns + 1) // 2
    start = 1 if last <= half else min(first, columns - half + 1)
    return start, max(start + half - 1, last)


def _near(position: Position, move: Move) -> tuple[int, int]:
    """The columns of a move and those beside them."""
    first, last = _span(position, move)
    return max(1, first - 1), min(position.rules.grid.columns, last + 1)


def _span(position: Position, move: Move) -> tuple[int, int]:
    """The first and last column in which a move is laid."""
    rules = position.rules
    laid = [rules.grid.cells[cell][0] for cell in bits(rules.placements[position.to_move][move.place].cells)]
    return min(laid), max(laid)


def _around(rules: Rules, pattern: Mask, words: Words) -> tuple[Mask, str]:
    """The row of a pattern, or the columns it lies in: their cells and their name."""
    places = [rules.grid.cells[cell] for cell in bits(pattern)]
    columns, rows = {column for column, _ in places}, {row for _, row in places}
    if len(rows) == 1:
        row = rows.pop()
        cells = sum(1 << cell for cell, (_, at) in enumerate(rules.grid.cells) if at == row)
        return cells, fill(words["places"]["row"], {"row": row}, words)
    span = min(columns), max(columns)
    return _in_columns(rules, *span), write_columns(rules, *span, words)


def _in_columns(rules: Rules, first: int, last: int) -> Mask:
    return sum(1 << cell for cell, (column, _) in enumerate(rules.grid.cells) if first <= column <= last)


def _union(masks: Iterable[Mask]) -> Mask:
    """The cells of all of them."""
    return reduce(or_, masks, 0)
