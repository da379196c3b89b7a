"""A game in words for somebody who has never played it: what it says of itself, the rest from its rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from plyground.core.grid import bits
from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Guide, Move, Pattern, Rules

UNNAMED = ("pattern",)
"""The families of a game whose patterns have no names."""


def guide(rules: Rules) -> Guide:
    """The words of a game, none of them empty: where its author wrote nothing, what the rules say."""
    own = rules.guide
    typing = own.typing or rules.notation.example.partition(", such as")[0]
    return replace(
        own,
        goal=own.goal or _goal(rules),
        typing=typing,
        recycling=own.recycling or typing,
        special=own.special or _special(rules),
    )


def _goal(rules: Rules) -> tuple[str, str]:
    sizes = sorted({pattern.cells.bit_count() for pattern in rules.patterns})
    cells = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else plural(sizes[0], "cell", "cells")
    named = "" if rules.families == UNNAMED else f": {', '.join(rules.families)}"
    if not any(rules.lays_own):
        return f"Complete no pattern of {cells}{named}.", "Whoever completes one first loses."
    dead = "It is dead while the opponent holds its poles." if any(p.neutraliser for p in rules.patterns) else ""
    return f"Complete a pattern of {cells}{named}.", dead or "Whoever completes one first wins."


def _special(rules: Rules) -> tuple[str, ...]:
    draw = f"After {plural(rules.max_plies, 'move', 'moves')} without a winner the game is a draw."
    return (*(["A move needs support from what lies below it."] if rules.stacks else []), draw)


def example_move(position: Position, spoils: Callable[[Move], bool] | None = None) -> str:
    """A legal move of a position as one types it: one that touches the most patterns; empty when there is none.

    Where a move is to be found, `spoils` says of a move that it is right: another one is taken if there is any.
    """
    touched = position.rules.patterns_touched[position.to_move]
    moves = sorted(position.moves(), key=lambda move: -len(touched[move.place]))
    if not moves:
        return ""
    return position.write(next((move for move in moves if spoils is None or not spoils(move)), moves[0]))


def how_to_move(position: Position, spoils: Callable[[Move], bool] | None = None) -> str:
    """How a move is typed in a position, with one that is legal there: `the name of an empty cell, such as G3`."""
    typing, example = how_typed(position), example_move(position, spoils)
    return f"{typing}, such as {example}" if example else typing


def how_typed(position: Position) -> str:
    """The same without an example, for somebody who is not to move yet."""
    words = guide(position.rules)
    return words.recycling if position.recycling else words.typing


def sample_patterns(rules: Rules, among: tuple[Pattern, ...] | None = None) -> tuple[Pattern, ...]:
    """One pattern of each family to be drawn: one that can be neutralised if any can, near the middle of the board."""
    patterns = rules.patterns if among is None else among
    column, row = (rules.grid.columns + 1) / 2, (rules.grid.rows + 1) / 2

    def off(pattern: Pattern) -> float:
        places = [rules.grid.cells[cell] for cell in bits(pattern.cells)]
        return sum(abs(c - column) + abs(r - row) for c, r in places)

    families: dict[int, Pattern] = {}
    for pattern in sorted(patterns, key=lambda pattern: (not pattern.neutraliser, off(pattern))):
        families.setdefault(pattern.family, pattern)
    return tuple(families[family] for family in sorted(families))
