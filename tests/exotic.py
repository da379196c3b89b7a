"""Small games with every kind of data that rules have, to check that reference and core agree on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plyground.core.grid import Grid, bits
from plyground.core.notation import CellNotation
from plyground.core.rules import Effect, Pattern, Placement, Rules, Side


def lines(grid: Grid, length: int, effect: Effect = Effect.WIN, owner: Side | None = None) -> list[Pattern]:
    return [Pattern(cells, family=family, effect=effect, owner=owner) for family, cells in grid.lines(length)]


def board(
    name: str,
    grid: Grid,
    patterns: Sequence[Pattern],
    *,
    either: bool = False,
    shared: bool = False,
    tied: bool = True,
    full: Side | None = None,
    passes: tuple[int, ...] = (),
) -> Rules:
    """A game on a grid: own discs on any empty cell; or either of two, or those of one kind that both sides lay."""
    cells = range(len(grid.cells))
    first = tuple(Placement(grid.names[i], (1 << i, 0)) for i in cells)
    second = tuple(Placement(grid.names[i], (0, 1 << i)) for i in cells)
    if either:
        both = tuple(
            Placement(f"{what} {grid.names[i]}", ((1 << i, 0), (0, 1 << i))[k])
            for k, what in enumerate("xo")
            for i in cells
        )
        first = second = both
    elif shared:
        both = tuple(Placement(grid.names[i], (1 << i,)) for i in cells)
        first = second = both
    layers = ("x",) if shared else ("x", "o") if either else ("first", "second")
    if passes:
        skip = Placement("pass", (0,) * len(layers))
        first, second = (*first, skip), (*second, skip)
    watched = tuple(range(len(layers)))
    return Rules(
        name=name,
        grid=grid,
        layers=layers,
        sides=("first", "second") if either or shared else ("x", "o"),
        watches=(watched, watched) if either or shared else ((0,), (1,)),
        patterns=tuple(patterns),
        families=("row", "column", "rising diagonal", "falling diagonal"),
        placements=(first, second),
        max_plies=len(cells) + len(passes),
        notation=CellNotation(),
        mover_wins_ties=tied,
        full_winner=full,
        passes=passes,
    )


def exact_lines(grid: Grid, length: int) -> list[Pattern]:
    found = []
    for family, cells in grid.lines(length):
        barred = 0
        for other_family, longer in grid.lines(length + 1):
            if other_family == family and longer & cells == cells:
                barred |= longer & ~cells
        found.append(Pattern(cells, family=family, barred=barred))
    return found


def words(grid: Grid, word: str, owner: Side) -> list[Pattern]:
    """Every way to lay a word of x and o in a line, read from either end."""
    found = {}
    for family, cells in grid.lines(len(word)):
        for letters in (word, word[::-1]):
            swapped = sum(1 << cell for cell, letter in zip(bits(cells), letters, strict=True) if letter == "o")
            found[cells, swapped] = Pattern(cells, family=family, owner=owner, layer=0, swapped=swapped)
    return list(found.values())


def order_and_chaos(size: int = 3, line: int = 3) -> Rules:
    grid = Grid.rectangle(size, size)
    return board("order", grid, lines(grid, line, owner=Side.FIRST), either=True, full=Side.SECOND)


THREE = Grid.rectangle(3, 3)
FOUR = Grid.rectangle(4, 3)
FIVE = Grid.rectangle(5, 4)

EXOTIC: dict[str, Callable[[], Rules]] = {
    "misere": lambda: board("misere", THREE, lines(THREE, 3, Effect.LOSE)),
    "notakto": lambda: board("notakto", THREE, lines(THREE, 3, Effect.LOSE), shared=True, tied=False),
    "shared-win": lambda: board("shared-win", FOUR, lines(FOUR, 3), shared=True),
    "wild": lambda: board("wild", THREE, lines(THREE, 3), either=True),
    "wild-misere": lambda: board("wild-misere", THREE, lines(THREE, 3, Effect.LOSE), either=True, tied=False),
    "order": order_and_chaos,
    "squava": lambda: board("squava", FIVE, [*lines(FIVE, 4), *lines(FIVE, 3, Effect.LOSE)]),
    "strict-squava": lambda: board("strict-squava", FIVE, [*lines(FIVE, 4), *lines(FIVE, 3, Effect.LOSE)], tied=False),
    "unequal": lambda: board(
        "unequal", FOUR, [*lines(FOUR, 3, owner=Side.FIRST), *lines(FOUR, 2, owner=Side.SECOND)][:40]
    ),
    "exact": lambda: board("exact", FIVE, exact_lines(FIVE, 3)),
    "wild-exact": lambda: board("wild-exact", FOUR, exact_lines(FOUR, 3), either=True),
    "pairs": lambda: board("pairs", FOUR, lines(FOUR, 4), passes=tuple(range(2, 18, 3))[:6]),
    "pairs-full": lambda: board("pairs-full", THREE, lines(THREE, 3), passes=(2, 5, 8, 11), full=Side.SECOND),
    "words": lambda: board(
        "words", FOUR, [*words(FOUR, "xox", Side.FIRST), *words(FOUR, "oxo", Side.SECOND)], either=True
    ),
}
