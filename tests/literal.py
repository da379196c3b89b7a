"""The rules texts read word by word, slowly and without the package's tables, to hold the package against."""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.position import Position
from plyground.core.rules import Side

Cell = tuple[int, int]
"""(column, row), both from 1."""

Card = tuple[int, int, int]
"""Placement number, and the column and row of the named cell."""

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))

FACES = {
    1: ("flat", "red filled", "white open"),
    2: ("upright", "white open", "red filled"),
    3: ("flat", "white open", "red filled"),
    4: ("upright", "red filled", "white open"),
    5: ("flat", "red open", "white filled"),
    6: ("upright", "white filled", "red open"),
    7: ("flat", "white filled", "red open"),
    8: ("upright", "red open", "white filled"),
}


def discs(position: Position) -> dict[Cell, Side]:
    """Who stands where, in games in which each side has discs of its own."""
    return {
        place: side
        for cell, place in enumerate(position.rules.grid.cells)
        for side in Side
        if position.layers[side] >> cell & 1
    }


def lines_of(cells: set[Cell], length: int) -> Iterator[tuple[int, list[Cell]]]:
    """Every straight line of so many cells, with the number of its direction."""
    for c, r in cells:
        for direction, (across, up) in enumerate(STEPS):
            line = [(c + across * i, r + up * i) for i in range(length)]
            if set(line) <= cells:
                yield direction, line


def ladders(height: int, variant: str) -> Iterator[tuple[list[Cell], list[Cell]]]:
    """Every ladder with its poles; no poles where it can never be neutralised."""
    cells = {(c, r) for r in range(1, height + 1) for c in range(r, 2 * height - r + 1)}
    for c, r in cells:
        for d in (1, -1):
            ladder = [(c, r), (c + d, r), (c + d, r + 1), (c + 2 * d, r + 1), (c + 2 * d, r + 2)]
            poles = [(c, r + 2), (c + 2 * d, r)]
            if set(ladder) <= cells:
                free = not set(poles) <= cells or (variant == "grounded" and r == 1)
                yield ladder, [] if free else poles


def cards(position: Position) -> list[Card]:
    """The cards on the board of Double Card."""
    names = (position.rules.placements[0][card].name.split() for card in position.cards)
    return [(int(number), ord(letter) - ord("A") + 1, int(row)) for number, letter, row in names]


def kinds(card: Card) -> dict[Cell, str]:
    """The two cells of a card and what each shows, the named one first."""
    number, c, r = card
    lies, named, partner = FACES[number]
    return {(c, r): named, ((c + 1, r) if lies == "flat" else (c, r + 1)): partner}


def board(lying: list[Card]) -> dict[Cell, str]:
    """What every occupied cell shows."""
    return {cell: kind for card in lying for cell, kind in kinds(card).items()}


def regular(lying: list[Card]) -> set[Card]:
    """How one more card can be laid."""
    taken = board(lying)
    found = set()
    for number, (lies, _, _) in FACES.items():
        for c in range(1, 9):
            for r in range(1, 13):
                cells = list(kinds((number, c, r)))
                fits = all(1 <= x <= 8 and 1 <= y <= 12 and (x, y) not in taken for x, y in cells)
                bottom = cells if lies == "flat" else cells[:1]
                if fits and all(y == 1 or (x, y - 1) in taken for x, y in bottom):
                    found.add((number, c, r))
    return found


def recycling(lying: list[Card], just_played: Card) -> set[tuple[Card, Card]]:
    """Which card can be taken up and how it can then be laid."""
    found = set()
    for card in lying:
        others = [other for other in lying if other != card]
        covered = any((x, y + 1) in board(others) for x, y in kinds(card))
        if card != just_played and not covered:
            found |= {(card, laid) for laid in regular(others) if laid != card}
    return found


def written(laid: Card, lifted: Card | None = None) -> str:
    """A move as the rules write it."""
    number, c, r = laid
    source = "0" if lifted is None else " ".join(f"{'ABCDEFGH'[x - 1]} {y}" for x, y in kinds(lifted))
    return f"{source} {number} {'ABCDEFGH'[c - 1]} {r}"


def has_four(shown: dict[Cell, str], goal: str) -> bool:
    """Whether a side has four of one of its kinds in a line: `colours` or `dots`."""
    wanted = ("red", "white") if goal == "colours" else ("filled", "open")
    every = {(c, r) for c in range(1, 9) for r in range(1, 13)}
    return any(all(kind in shown.get(cell, "") for cell in line) for _, line in lines_of(every, 4) for kind in wanted)
