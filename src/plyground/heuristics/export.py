"""A heuristic given by weights as a Python file: plain code to read, to run and to go on from."""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.rules import Rules
from plyground.heuristics.weights import WeightedSum

FUNCTION = "mine"
"""What the function in the file is called."""

DEFAULT_FILE = "mine.py"
"""What the file is called where nobody gives it another name."""

HEAD = '''"""A heuristic for {game}, written by Plyground's workbench. It is yours: change it.

Evaluate a position with it, or let it play:

    plyground evaluate {game} {after}--heuristic {file}:{function}
    plyground match {game} alpha-beta:heuristic={file}:{function} alpha-beta:heuristic=lines

The same as a spec: {spec}
"""

from plyground import Position, Side{bits}
'''

FOOT = '''

def {function}(position: Position) -> int:
    """How good a position looks: above 0 favours the side to move."""
    me = position.to_move
    return worth(position, me) - worth(position, me.other)


def worth(position: Position, side: Side) -> int:
    """What a side has."""
    return {sum}
'''

PATTERNS = '''
PATTERN = {rows}
"""Worth of a live pattern with 0, 1, 2, ... own cells; a further row: while the opponent holds one of its poles."""


def patterns(position: Position, side: Side) -> int:
    """What a side's live patterns are worth: those that the opponent has not blocked or neutralised."""
    theirs = 0
    for layer in position.rules.watches[side.other]:
        theirs |= position.layers[layer]
    total = 0
    for layer, pattern in position.live(side):
        held = (pattern.cells & position.layers[layer]).bit_count()
        poles = (pattern.neutraliser & theirs).bit_count()
        total += PATTERN[min(poles, len(PATTERN) - 1)][held]
    return total
'''

DIRECTIONS = '''
DIRECTION = {weight}
"""For each disc, and each direction in which it is on a live pattern."""


def directions(position: Position, side: Side) -> int:
    """What the live directions of a side's discs are worth."""
    found = set()
    for layer, pattern in position.live(side):
        for cell in bits(pattern.cells & position.layers[layer]):
            found.add((layer, cell, pattern.family))
    return DIRECTION * len(found)
'''

CELLS = '''
CELL = {weight}
"""For each disc, and each pattern through its cell on the empty board."""


def cells(position: Position, side: Side) -> int:
    """What the places of a side's discs are worth."""
    (layer,) = position.rules.watches[side]
    return CELL * sum(len(position.rules.patterns_through[cell]) for cell in bits(position.layers[layer]))
'''


def to_python(weights: WeightedSum, rules: Rules, moves: str = "") -> str:
    """The text of a file whose function is the same heuristic; the example in it evaluates the position after moves."""
    used = dict(_parts(weights))
    head = HEAD.format(
        game=rules.name,
        after=f'--after "{moves}" ' if moves else "",
        file=DEFAULT_FILE,
        function=FUNCTION,
        spec=weights,
        bits=", bits" if used.keys() - {"patterns"} else "",
    )
    total = " + ".join(f"{name}(position, side)" for name in used)
    return head + "\n".join(used.values()) + FOOT.format(function=FUNCTION, sum=total)


def _parts(weights: WeightedSum) -> Iterator[tuple[str, str]]:
    """The functions that are added up, by name."""
    yield "patterns", PATTERNS.format(rows=weights.patterns)
    if weights.directions:
        yield "directions", DIRECTIONS.format(weight=weights.directions)
    if weights.cells:
        yield "cells", CELLS.format(weight=weights.cells)
