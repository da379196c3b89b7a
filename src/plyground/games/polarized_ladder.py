"""Polarized Ladder: five cells climbing like a ladder win, unless the opponent holds both of its poles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from plyground.core.grid import Grid
from plyground.core.notation import CellNotation
from plyground.core.rules import Guide, Pattern, Placement, Rules, Symmetry
from plyground.core.specs import written


def polarized_ladder(variant: Literal["grounded", "open"] = "grounded", height: int = 7) -> Rules:
    """Take cells of a triangle; a ladder of five wins unless the opponent holds both its poles."""
    if not 3 <= height <= 13:
        raise ValueError(f"height must be 3 to 13, got {height}")
    grid = Grid(tuple((c, r) for r in range(1, height + 1) for c in range(r, 2 * height - r + 1)))
    cells = range(len(grid.cells))
    return Rules(
        name=written("polarized-ladder", polarized_ladder, variant=variant, height=height),
        grid=grid,
        layers=("first", "second"),
        sides=("x", "o"),
        watches=((0,), (1,)),
        patterns=tuple(_ladders(grid, grounded=variant == "grounded")),
        families=("right ladder", "left ladder"),
        placements=(
            tuple(Placement(grid.names[i], (1 << i, 0)) for i in cells),
            tuple(Placement(grid.names[i], (0, 1 << i)) for i in cells),
        ),
        max_plies=len(grid.cells),
        notation=CellNotation(),
        symmetries=(Symmetry("mirror", grid.mirror, (0, 1)),),
        guide=_guide(grounded=variant == "grounded"),
    )


def _guide(grounded: bool) -> Guide:
    grounds = "stands on row 1, or " if grounded else ""
    return Guide(
        goal=(
            "Own a ladder: five cells that climb across, up, across, up,",
            "to the right or left. It is dead while the opponent holds both its poles.",
        ),
        typing="the name of an empty cell",
        special=(
            "The poles of a ladder are the two corners of its square that it does not use. One pole alone changes "
            "nothing, and neither do your own discs on the poles.",
            f"A ladder is never dead if it {grounds}has a pole that would lie off the board.",
            "Discs stay where they are. A full board without a winner is a draw.",
        ),
    )


def _ladders(grid: Grid, grounded: bool) -> Iterator[Pattern]:
    """Every ladder, drawn for a step d to the right; p are the poles, (c, r) is the base:

    r+2   p . e
    r+1   . c d
    r     a b p
          c   c+2d
    """
    for family, d in enumerate((1, -1)):
        for c, r in grid.cells:
            ladder = grid.mask([(c, r), (c + d, r), (c + d, r + 1), (c + 2 * d, r + 1), (c + 2 * d, r + 2)])
            if ladder is None:
                continue
            poles = grid.mask([(c, r + 2), (c + 2 * d, r)])
            safe = poles is None or (grounded and r == 1)
            yield Pattern(ladder, neutraliser=0 if safe else poles or 0, family=family)
