"""A heuristic given by its weights: `weights:0/1/4/16/64`, so that a spec can say all of it and a tuner change it.

The numbers are the worth of a live pattern with 0, 1, 2, ... own cells. Where patterns can be neutralised, further rows
after a `|` hold while the opponent has one cell of the neutraliser, two, and so on. Two more terms may be added:
`+directions/3` counts 3 for each direction in which a disc is on a live pattern, `+cells/2` counts 2 for each pattern
through the cell of a disc.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyground.core.rules import Rules
from plyground.core.specs import unknown
from plyground.heuristics.base import Heuristic, heuristic_name
from plyground.heuristics.data import DataHeuristic, LiveDirections, Part, PatternWeights
from plyground.heuristics.named import cell_weights

WEIGHTS_PREFIX = "weights:"

Weights = tuple[tuple[int, ...], ...]
"""As in `PatternWeights`."""


@dataclass(frozen=True)
class WeightedSum:
    """A heuristic as the numbers that make it up."""

    patterns: Weights

    directions: int = 0
    """For each disc, and each direction in which it is on a live pattern."""

    cells: int = 0
    """For each disc, and each pattern through its cell on the empty board."""

    @staticmethod
    def parse(text: str, rules: Rules) -> WeightedSum:
        """What a text says; ValueError when it does not fit the patterns of the game."""
        first, *added = text.removeprefix(WEIGHTS_PREFIX).split("+")
        rows = tuple(_row(text, row, rules) for row in first.split("|"))
        terms: dict[str, int] = {}
        for term in added:
            name, _, number = term.partition("/")
            if name not in TERMS:
                raise unknown(f"term in heuristic {text!r}:", name, TERMS)
            if name in terms:
                raise ValueError(f"bad heuristic {text!r}: {name!r} is given twice")
            terms[name] = _number(text, number)
        return WeightedSum(rows, **terms)

    def __str__(self) -> str:
        patterns = "|".join("/".join(map(str, row)) for row in self.patterns)
        added = [f"+{name}/{weight}" for name in TERMS if (weight := getattr(self, name))]
        return WEIGHTS_PREFIX + patterns + "".join(added)

    def parts(self, rules: Rules) -> tuple[Part, ...]:
        """The tables of weights that it consists of; ValueError where the game has no place for one."""
        added = (TERMS[name](rules, weight) for name in TERMS if (weight := getattr(self, name)))
        return (PatternWeights(self.patterns), *added)


def _directions(rules: Rules, weight: int) -> Part:
    return LiveDirections((weight,) * len(rules.grid.cells))


def _cells(rules: Rules, weight: int) -> Part:
    return cell_weights("cells", rules, weight)


TERMS: dict[str, Callable[[Rules, int], Part]] = {"directions": _directions, "cells": _cells}
"""What may be added to the worth of live patterns."""


def load_weights(text: str, rules: Rules) -> DataHeuristic:
    """The heuristic with these weights; ValueError when they do not fit the game."""
    numbers = WeightedSum.parse(text, rules)
    return DataHeuristic(str(numbers), numbers.parts(rules))


def write_weights(weights: Weights) -> str:
    """The text of a heuristic with these weights."""
    return str(WeightedSum(weights))


def weights_of(heuristic: Heuristic) -> Weights:
    """The weights of a heuristic that has nothing else; ValueError for any other."""
    if isinstance(heuristic, DataHeuristic) and len(heuristic.parts) == 1:
        (part,) = heuristic.parts
        if isinstance(part, PatternWeights):
            return part.weights
    name = heuristic_name(heuristic)
    raise ValueError(
        f"heuristic {name!r} does not consist of pattern weights; start from one such as lines or weights:..."
    )


def _row(text: str, row: str, rules: Rules) -> tuple[int, ...]:
    numbers, wanted = tuple(_number(text, number) for number in row.split("/")), rules.longest + 1
    if len(numbers) != wanted:
        raise ValueError(
            f"bad heuristic {text!r}: {rules.name} needs {wanted} weights in a row, for 0 to {rules.longest} "
            f"cells, got {len(numbers)}"
        )
    return numbers


def _number(text: str, number: str) -> int:
    try:
        return int(number)
    except ValueError:
        raise ValueError(f"bad heuristic {text!r}: weights are whole numbers separated by /") from None
