"""Why a move is a good idea, in words a newcomer understands: what it wins, stops, threatens or builds."""

from __future__ import annotations

from plyground.core.notation import write_cells
from plyground.core.position import Position
from plyground.core.rules import Move, Pattern, Rules, Side


def reason(position: Position, move: Move) -> str:
    """The most telling thing about a legal move: `stops C3-D3-D4-E4-E5`."""
    mover, rules = position.to_move, position.rules
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None and outcome.winner is mover:
        return f"wins with {write_cells(rules, outcome.cells)}"
    if outcome is not None and outcome.winner is mover.other:
        return "gives the game away"
    stopped = _lost(position, after, mover.other)
    urgent = [pattern for missing, pattern in stopped if missing == 1]
    if urgent:
        return f"stops {_names(rules, urgent[0])}"
    made = [pattern for missing, pattern in _lost(after, position, mover) if missing == 1]
    gained = made or [p for missing, p in _advanced(position, after, mover) if missing == 1]
    if len(gained) > 1:
        return f"threatens {_names(rules, gained[0])} and {_names(rules, gained[1])} at once"
    if gained:
        return f"threatens {_names(rules, gained[0])}"
    coming = [pattern for missing, pattern in stopped if missing == 2]
    if coming:
        return f"stops {_names(rules, coming[0])} early"
    builds = len(_advanced(position, after, mover))
    if builds:
        return f"builds on {builds} {'pattern' if builds == 1 else 'patterns'} at once"
    return "changes little, and keeps everything in place"


def _lost(before: Position, after: Position, side: Side) -> list[tuple[int, Pattern]]:
    """Patterns live for a side before but not after, with how many cells they lacked, the nearest first."""
    kept = set(after.live(side))
    gone = [
        ((pattern.cells & ~before.layers[layer]).bit_count(), pattern)
        for layer, pattern in before.live(side)
        if (layer, pattern) not in kept
    ]
    return sorted(gone, key=lambda entry: entry[0])


def _advanced(before: Position, after: Position, side: Side) -> list[tuple[int, Pattern]]:
    """Live patterns in which a side has more cells after than before, with how many they lack still."""
    found = []
    for layer, pattern in after.live(side):
        had = (pattern.cells & before.layers[layer]).bit_count()
        has = (pattern.cells & after.layers[layer]).bit_count()
        if has > had:
            found.append((pattern.cells.bit_count() - has, pattern))
    return sorted(found, key=lambda entry: entry[0])


def _names(rules: Rules, pattern: Pattern) -> str:
    return write_cells(rules, pattern.cells)
