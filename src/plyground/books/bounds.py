"""Who wins, as a number of a book: what the side to move gets at least and at most."""

from __future__ import annotations

from plyground.solve.connect_four.solver import Window

NOT_LOST, NOT_WON = 2, -2
"""What is half known: the side to move has at least a draw, or at most one."""

NUMBERS = {
    Window(1, 1): 1,
    Window(0, 0): 0,
    Window(-1, -1): -1,
    Window(0, 1): NOT_LOST,
    Window(-1, 0): NOT_WON,
}
"""The number for what is known; nothing known has none."""

BOUNDS = {number: bounds for bounds, number in NUMBERS.items()}
