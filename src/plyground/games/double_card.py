"""Double Card: two-cell cards that serve both sides at once; one plays for colours, the other for dots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from plyground.core.grid import Grid, column_letter
from plyground.core.notation import CardNotation
from plyground.core.rules import Guide, Pattern, Placement, Rules, Side, Symmetry
from plyground.core.specs import written

RED, WHITE, FILLED, OPEN = range(4)

PLACEMENTS = (
    # lies flat, then the kinds of the named (left or lower) cell and of its partner; placement 1 comes first
    (True, (RED, FILLED), (WHITE, OPEN)),
    (False, (WHITE, OPEN), (RED, FILLED)),
    (True, (WHITE, OPEN), (RED, FILLED)),
    (False, (RED, FILLED), (WHITE, OPEN)),
    (True, (RED, OPEN), (WHITE, FILLED)),
    (False, (WHITE, FILLED), (RED, OPEN)),
    (True, (WHITE, FILLED), (RED, OPEN)),
    (False, (RED, OPEN), (WHITE, FILLED)),
)

CARDS = 24


def double_card(first: Literal["colours", "colors", "dots"] = "colours", max_moves: int = 60) -> Rules:
    """Lay two-cell cards; colours needs four red or four white in a line, dots four filled or four open."""
    first = "colours" if first == "colors" else first
    if not 1 <= max_moves <= 10_000:
        raise ValueError(f"max_moves must be 1 to 10000, got {max_moves}")
    grid = Grid.rectangle(columns=8, rows=12)
    placements = tuple(_placements(grid))
    colours, dots = (RED, WHITE), (FILLED, OPEN)
    still = tuple(range(len(grid.cells)))
    return Rules(
        name=written("double-card", double_card, first=first, max_moves=max_moves),
        grid=grid,
        layers=("red", "white", "filled", "open"),
        sides=("colours", "dots") if first == "colours" else ("dots", "colours"),
        watches=(colours, dots) if first == "colours" else (dots, colours),
        patterns=tuple(Pattern(line, family=direction) for direction, line in grid.lines(4)),
        families=("row", "column", "rising diagonal", "falling diagonal"),
        placements=(placements, placements),
        max_plies=max_moves,
        recycle_from=CARDS,
        notation=CardNotation(),
        symmetries=(
            Symmetry("mirror", grid.mirror, (RED, WHITE, FILLED, OPEN)),
            Symmetry("red-white", still, (WHITE, RED, FILLED, OPEN)),
            Symmetry("filled-open", still, (RED, WHITE, OPEN, FILLED)),
        ),
        guide=_guide(max_moves),
    )


def _guide(max_moves: int) -> Guide:
    where = "how it lies (1 to 8), and its left or lower cell"
    return Guide(
        goal=(
            "Four cells in a line win: all red or all white for colours,",
            "all filled or all open for dots. Rows, columns and diagonals count.",
        ),
        typing=f"0 for a new card, {where}",
        recycling=f"the two cells of the card to take up, {where}",
        special=(
            "A card covers two cells and needs support: the floor or other cards, under both halves of a flat one, "
            "under the lower half of an upright one.",
            "Every card serves both sides. A move that completes lines of both wins; one that completes only the "
            "opponent's loses.",
            f"There are {CARDS} cards. After that a move takes up a card with nothing on top and lays it elsewhere, or "
            "turned; not the one the opponent has just laid.",
            f"No winner after {max_moves} moves, or no legal move: a draw.",
        ),
        newcomer=Side.SECOND,
    )


def _placements(grid: Grid) -> Iterator[Placement]:
    for number, (flat, named, partner) in enumerate(PLACEMENTS, start=1):
        for column, row in grid.cells:
            other = (column + 1, row) if flat else (column, row + 1)
            if other not in grid.index:
                continue
            adds = [0, 0, 0, 0]
            for place, kinds in (((column, row), named), (other, partner)):
                for layer in kinds:
                    adds[layer] |= 1 << grid.index[place]
            feet = [(column, row - 1), (other[0], row - 1)] if flat else [(column, row - 1)]
            rests_on = grid.mask(feet) if row > 1 else 0
            name = f"{number} {column_letter(column)} {row}"
            yield Placement(name, tuple(adds), rests_on or 0)
