"""What weights are learned for: things counted in positions, many positions at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.grid import bits
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.core.symmetry import group
from plyground.heuristics.learned import Page, pattern_class, pattern_name

POINTS_PER_LOG_ODDS = 400
"""What the odds of winning growing e-fold are worth in the engine's numbers."""

PENALTY, STRONG_PENALTY = 4.0, 120.0
"""What the square of a weight costs, in units of the log loss of one position: of any, and where it should be small."""

SIGNS = (1, -1)
"""What the things of a side count."""

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Seen(NamedTuple):
    """What lies in some positions."""

    layers: Flags
    """By position, layer and cell."""

    live: NDArray[np.int8]
    """Live patterns by side, cells held less one, position and pattern."""

    poles: Array
    """Those of which a pole is taken, the second side's with minus, by position and cells held less one."""

    threats: Flags
    """By side, position and cell."""


class Features:
    """What the weights are the weights of, counted: the first side's with plus, the second's with minus.

    By name: `patterns` by class and `single patterns`, live ones by side and cells held; `poles`, live ones of which
    one is taken; where discs fall, `threats` by side and row and `single threats`; `cells` with discs by side. Single
    means that all images under the symmetries of the rules count as one.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        cells, images = range(len(rules.grid.cells)), group(rules)
        classes = [pattern_class(rules, pattern) for pattern in rules.patterns]
        self.classes, self.in_class = sorted_out(classes)
        self.singles, self.in_single = sorted_out([pattern_name(rules, pattern) for pattern in rules.patterns])
        self.class_of = {pattern_name(rules, p): name for p, name in zip(rules.patterns, classes, strict=True)}
        self.cells = np.array([list(bits(pattern.cells)) for pattern in rules.patterns])
        _, self.in_row = sorted_out([row for _, row in rules.grid.cells])
        self.orbits, self.in_orbit = sorted_out([min(image.cells[cell] for image in images) for cell in cells])
        self.over = np.array(
            [[float(c == column and r > row) for c, r in rules.grid.cells] for column, row in rules.grid.cells]
        )
        self.held = rules.longest - 1

    def seen(self, positions: Sequence[Position]) -> Seen:
        """What lies in positions."""
        layers = self.layers(positions)
        occupied = covered(layers)
        filled = occupied[:, self.cells].sum(axis=-1)
        live = np.zeros((2, self.held, len(positions), len(self.cells)), dtype=np.int8)
        poles = np.zeros((len(positions), self.held))
        threats = np.zeros((2, *occupied.shape), dtype=bool)
        for side in Side:
            taken, dead = self.taken(covered(layers[:, list(self.rules.watches[side.other])]))
            for layer in self.rules.watches[side]:
                own = layers[:, layer][:, self.cells].sum(axis=-1)
                for held in range(1, self.held + 1):
                    these = (own == filled) & ~dead & (own == held)
                    live[side, held - 1] += these
                    poles[:, held - 1] += SIGNS[side] * (these & taken).sum(axis=1)
                at, pattern = np.nonzero(these)
                missing = (~occupied[at[:, None], self.cells[pattern]]).argmax(axis=1)
                threats[side][at, self.cells[pattern, missing]] = True
        return Seen(layers, live, poles, threats)

    def __call__(self, positions: Sequence[Position]) -> dict[str, Array]:
        """By name; a row for each position."""
        layers, live, poles, threats = self.seen(positions)
        open_threats = threats & ~((threats[0] | threats[1]) @ self.over > 0)
        found = {
            "patterns": self.by_side(live, self.in_class),
            "single patterns": self.by_side(live, self.in_single),
        }
        if self.rules.stacks:
            found["threats"] = self.by_side(open_threats[:, None], self.in_row)
            found["single threats"] = self.by_side(open_threats[:, None], self.in_orbit)
        if any(pattern.neutraliser for pattern in self.rules.patterns):
            found["poles"] = poles
        if all(len(watched) == 1 for watched in self.rules.watches):
            discs = np.array([[layers[:, watched[0]]] for watched in self.rules.watches])
            found["cells"] = self.by_side(discs, self.in_orbit)
        return found

    def by_side(self, flags: NDArray[Any], kinds: Array) -> Array:
        """Flags by side, number, position and place counted by kind of place; columns by side, kind and number."""
        counts = np.array([SIGNS[side] * (flags[side] @ kinds) for side in Side])
        return counts.transpose(2, 0, 3, 1).reshape(flags.shape[2], -1)

    def layers(self, positions: Sequence[Position]) -> Flags:
        """The layers of positions: by position, layer and cell."""
        cells = len(self.rules.grid.cells)
        size = (cells + 7) // 8
        packed = b"".join(mask.to_bytes(size, "little") for position in positions for mask in position.layers)
        unpacked = np.unpackbits(np.frombuffer(packed, np.uint8).reshape(-1, size), axis=1, bitorder="little")
        return unpacked[:, :cells].reshape(len(positions), -1, cells).astype(bool)

    def taken(self, against: Flags) -> tuple[Flags, Flags]:
        """Of which patterns the opponent has taken a pole, and of which all."""
        taken, dead = (np.zeros((len(against), len(self.cells)), dtype=bool) for _ in range(2))
        for number, pattern in enumerate(self.rules.patterns):
            if pattern.neutraliser:
                poles = against[:, list(bits(pattern.neutraliser))]
                taken[:, number], dead[:, number] = poles.any(axis=1), poles.all(axis=1)
        return taken, dead

    def page(self, weights: dict[str, Array]) -> Page:
        """The weights as the package keeps them: those of single things are added to those of their class."""
        points = {name: POINTS_PER_LOG_ODDS * row for name, row in weights.items()}
        page: Page = {"patterns": self.patterns(points["patterns"], points.get("single patterns"))}
        if "poles" in points:
            page["poles"] = whole(points["poles"])
        if "threats" in points:
            page["threats"] = self.threats(points["threats"], points.get("single threats"))
        if "cells" in points:
            page["cells"] = whole(points["cells"].reshape(2, -1) @ self.in_orbit.T)
        return page

    def patterns(self, by_class: Array, single: Array | None) -> Page:
        rows = by_class.reshape(2, len(self.classes), self.held)
        if single is None:
            return {name: whole(rows[:, i]) for i, name in enumerate(self.classes)}
        own = single.reshape(2, len(self.singles), self.held)
        shared = [self.classes.index(self.class_of[name]) for name in self.singles]
        return {name: whole(own[:, i] + rows[:, shared[i]]) for i, name in enumerate(self.singles)}

    def threats(self, by_row: Array, single: Array | None) -> Any:
        if single is None:
            return whole(by_row.reshape(2, -1))
        return whole(by_row.reshape(2, -1) @ self.in_row.T + single.reshape(2, -1) @ self.in_orbit.T)

    def penalty(self, name: str, size: int) -> Array:
        """A quadratic form that keeps weights small, and those of patterns alike for both sides.

        The weights of single things are what they differ by from their class.
        """
        form = (STRONG_PENALTY if name.startswith("single ") else PENALTY) * np.eye(size)
        if name == "patterns":
            for i in range(size // 2):
                both = (i, i + size // 2)
                form[np.ix_(both, both)] += STRONG_PENALTY * np.array([[1, -1], [-1, 1]])
        return form


def covered(layers: Flags) -> Flags:
    """Which cells are covered in some of the layers, by position."""
    return np.asarray(layers.any(axis=1))


def sorted_out(names: Sequence[Any]) -> tuple[list[Any], Array]:
    """The names without repetition, and for each given one a row that is 1 at its place there, else 0."""
    kinds = list(dict.fromkeys(names))
    return kinds, np.array([[float(name == kind) for kind in kinds] for name in names])


def whole(points: Array) -> Any:
    return np.rint(points).astype(int).tolist()


def of_odds(odds: NDArray[Any]) -> Array:
    """The chances of log-odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
