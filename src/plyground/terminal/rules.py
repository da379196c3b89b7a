"""The rules of a game on one screen: goal, patterns drawn, how a move is typed, special rules."""

from __future__ import annotations

import sys
from collections.abc import Container

from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.games.guide import guide, how_to_move, how_typed, sample_patterns
from plyground.render.text import PLAIN, pattern_picture, placement_pictures, side_by_side
from plyground.terminal.console import NO_BREAK, ascii_only, text_width

MARGIN = "  "

GOAL = "goal: "
"""What stands before the goal of a game."""


def goal(rules: Rules) -> str:
    """How to win, in two lines; in one that can be broken anywhere, where they are too long for the terminal."""
    lines = guide(rules).goal
    if sys.stderr.isatty() and max(map(len, lines)) + len(GOAL) > text_width():
        return f"{GOAL}{' '.join(lines)}"
    return GOAL + f"\n{' ' * len(GOAL)}".join(lines)


def introduction(position: Position, asked: bool) -> str:
    """The text before the first move; with an example of a move only if the reader moves now, so that it is legal."""
    how = typing(position) if asked else f"how to move: {how_typed(position)}"
    return f"{goal(position.rules)}\n{how}\ntype rules for more about the game, or help"


def typing(position: Position, right: Container[Move] = ()) -> str:
    """How a move is typed, with one that is legal now, and none of the right ones that are to be found."""
    return f"how to move: {how_to_move(position, right.__contains__)}"


def rules_text(position: Position, right: Container[Move] = ()) -> str:
    """Everything somebody needs who has never played the game; no right move is given away."""
    rules = position.rules
    samples = sample_patterns(rules)
    drawn = [pattern_picture(rules, pattern) for pattern in samples]
    poles = any(pattern.neutraliser for pattern in samples)
    parts = [goal(rules), _picture(drawn) + (f"\n{MARGIN}x is the pattern, o its poles" if poles else "")]
    parts.append(typing(position, right))
    if cards := placement_pictures(rules):
        parts.append(_picture(cards))
    return "\n".join([*parts, *(f"- {sentence}" for sentence in guide(rules).special)])


def _picture(pictures: list[list[str]]) -> str:
    """Pictures beside each other, as many as fit, which no line may break, as the terminal can show them."""
    rows: list[list[list[str]]] = [[]]
    for picture in pictures:
        wide = max(map(len, side_by_side([*rows[-1], picture]).splitlines())) + len(MARGIN)
        if rows[-1] and sys.stderr.isatty() and wide > text_width():
            rows.append([])
        rows[-1].append(picture)
    shown = "\n".join(map(side_by_side, rows)).translate(PLAIN if ascii_only(sys.stderr) else {})
    return "\n".join(f"{MARGIN}{line}".replace(" ", NO_BREAK) for line in shown.splitlines())
