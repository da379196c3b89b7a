"""A small net as a heuristic: units that add up weights of what lies on the board, and count where the sum is above 0.

Every image of the position under the symmetries of the rules is shown to the same units, so that the value is the same
for all of them. All numbers are whole, so that the native core, which keeps the sums up to date move by move, says
exactly the same.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from plyground.core.grid import bits, move_mask
from plyground.core.position import Position, held
from plyground.core.rules import Rules, Side
from plyground.core.symmetry import group
from plyground.heuristics.term import Term, threatened

LARGEST_OUT, LARGEST_SHIFT = 512, 30
MOST_LANES = 128
"""Units, once for each image: what the core has room for."""

LARGEST_SUM = 32_767
"""The core adds up in 16 bits."""

COARSEST_WEIGHT = 16
"""A net whose weights have to be smaller than this is of no use."""


@dataclass(frozen=True)
class Net:
    """The weights of a net."""

    rows: bytes
    """Rows end to end, each with a signed byte for each unit: two for the side to move; for each side's disc on each
    cell; for each cell that each side threatens to complete a pattern with; for each side, each pattern live for it and
    each number of cells held, from one to all but one."""

    out: tuple[int, ...]
    """What a unit's sum is multiplied by, where it is above 0; to the first side."""

    shift: int
    """The value is the sum of all that, divided by 2 to this and rounded down."""

    def terms(self, position: Position) -> Iterator[Term]:
        """What it says of the whole board, as no disc has a share of its own."""
        yield Term(self.value(position), position.rules.grid.all, 0)

    def value(self, position: Position) -> int:
        """To the first side."""
        units, packed = len(self.out), _packed(self)
        total = 0
        for numbers in counted(position):
            raised = sum(packed[number] for number in numbers).to_bytes(4 * units, "little")
            raise_by = 128 * len(numbers)
            for lane, weight in zip(struct.unpack(f"<{units}I", raised), self.out, strict=True):
                total += weight * max(0, lane - raise_by)
        return total >> self.shift


def row_count(rules: Rules) -> int:
    """How many rows the net of a game has."""
    return 2 + 4 * len(rules.grid.cells) + 2 * len(rules.patterns) * (rules.longest - 1)


def largest_weight(rules: Rules) -> int:
    """The largest weight of a row, so that no sum is too large for the core: less where more is counted."""
    return min(127, LARGEST_SUM // (1 + 2 * len(rules.grid.cells) + len(rules.patterns)))


def most_units(rules: Rules) -> int:
    """How many units a net may have."""
    return MOST_LANES // len(group(rules))


@lru_cache(maxsize=16)
def disc_layers(rules: Rules) -> tuple[int, ...]:
    """The layer in which each side's discs lie, as far as a side has one kind of disc."""
    laid = [
        {layer for each in placements for layer, added in enumerate(each.adds) if added}
        for placements in rules.placements
    ]
    return tuple(layer for layers in laid if len(layers) == 1 for layer in layers)


def check_game(rules: Rules) -> None:
    """ValueError for a game that can have no net."""
    symmetries = group(rules)
    if rules.recycle_from is not None:
        raise ValueError(f"{rules.name}: a net needs a game in which nothing is lifted again")
    if len(disc_layers(rules)) != 2 or len(set(disc_layers(rules))) != 2:
        raise ValueError(f"{rules.name}: a net needs a game in which each side has discs of its own")
    if any(list(image.layers) != sorted(image.layers) for image in symmetries):
        raise ValueError(f"{rules.name}: a net needs a game whose symmetries leave the sides alone")
    if rules.longest < 2 or len({pattern.cells for pattern in rules.patterns}) < len(rules.patterns):
        raise ValueError(f"{rules.name}: a net needs patterns of two cells or more, no two of the same cells")
    if largest_weight(rules) < COARSEST_WEIGHT:
        raise ValueError(f"{rules.name}: the board is too large for a net")


def checked(rules: Rules, net: Net) -> Net:
    """The net; ValueError where it does not fit the rules, or the core could not work it out exactly."""
    check_game(rules)
    units, most, largest = len(net.out), most_units(rules), largest_weight(rules)
    if not 1 <= units <= most:
        raise ValueError(f"{rules.name}: a net has 1 to {most} units, got {units}")
    wanted = units * row_count(rules)
    if len(net.rows) != wanted:
        raise ValueError(f"{rules.name}: a net of {units} units has {wanted} weights, got {len(net.rows)}")
    if beyond_bytes := [weight for weight in set(net.rows) if largest < weight < 256 - largest]:
        signed = (beyond_bytes[0] + 128) % 256 - 128
        raise ValueError(f"{rules.name}: the weights of a net lie within ±{largest}, got {signed}")
    if beyond := [weight for weight in net.out if abs(weight) > LARGEST_OUT]:
        raise ValueError(f"{rules.name}: what a unit is multiplied by lies within ±{LARGEST_OUT}, got {beyond[0]}")
    if not 0 <= net.shift <= LARGEST_SHIFT:
        raise ValueError(f"{rules.name}: the shift of a net is 0 to {LARGEST_SHIFT}, got {net.shift}")
    return net


def counted(position: Position) -> Iterator[list[int]]:
    """The numbers of the rows that count in a position, for each image of it under the symmetries."""
    rules, cells = position.rules, len(position.rules.grid.cells)
    discs, threats, patterns = 2, 2 + 2 * cells, 2 + 4 * cells
    holdings, kept = rules.longest - 1, rules.pattern_numbers
    on_cells, on_patterns = [], []
    for side in Side:
        discs_laid = position.layers[disc_layers(rules)[side]]
        on_cells += [(discs + side * cells, cell) for cell in bits(discs_laid)]
        for layer, pattern in position.live(side):
            number = held(position.layers, layer, pattern).bit_count()
            if 0 < number < pattern.cells.bit_count():
                on_patterns.append((patterns + side * len(rules.patterns) * holdings + number - 1, kept[pattern]))
        on_cells += [(threats + side * cells, cell) for cell in bits(threatened(position, side))]
    for cell_images, pattern_images in images(rules):
        yield [
            int(position.to_move),
            *(first + cell_images[cell] for first, cell in on_cells),
            *(first + holdings * pattern_images[pattern] for first, pattern in on_patterns),
        ]


@lru_cache(maxsize=16)
def images(rules: Rules) -> list[tuple[tuple[int, ...], list[int]]]:
    """Where each symmetry takes each cell, and which pattern each pattern."""
    numbers = {pattern.cells: number for number, pattern in enumerate(rules.patterns)}
    return [
        (image.cells, [numbers[move_mask(pattern.cells, image.cells)] for pattern in rules.patterns])
        for image in group(rules)
    ]


@lru_cache(maxsize=16)
def _packed(net: Net) -> list[int]:
    """Each row as one number, with 32 bits for each weight raised by 128: so a sum of rows is one addition for each."""
    units = len(net.out)
    weights = struct.unpack(f"{len(net.rows)}b", net.rows)
    return [
        sum(weight + 128 << 32 * unit for unit, weight in enumerate(weights[at : at + units]))
        for at in range(0, len(weights), units)
    ]
