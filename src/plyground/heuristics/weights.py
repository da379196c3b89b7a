"""A heuristic given by its weights: `weights:0/1/4/16/64`, so that a spec can say all of it and a tuner change it.

The numbers are worth of a live pattern with 0, 1, 2, ... own cells. Where patterns can be neutralised, further rows
after a `|` hold while the opponent has one cell of the neutraliser, two, and so on.
"""

from __future__ import annotations

from plyground.core.rules import Rules
from plyground.heuristics.base import Heuristic
from plyground.heuristics.data import DataHeuristic, PatternWeights

PREFIX = "weights:"

Weights = tuple[tuple[int, ...], ...]
"""As in `PatternWeights`."""


def load_weights(text: str, rules: Rules) -> DataHeuristic:
    """The heuristic with these weights; ValueError when they do not fit the patterns of the game."""
    wanted = rules.longest + 1
    rows = []
    for row in text.removeprefix(PREFIX).split("|"):
        try:
            rows.append(tuple(int(number) for number in row.split("/")))
        except ValueError:
            raise ValueError(f"bad heuristic {text!r}: weights are whole numbers separated by /") from None
        if len(rows[-1]) != wanted:
            raise ValueError(
                f"bad heuristic {text!r}: {rules.name} needs {wanted} weights in a row, for 0 to {rules.longest} "
                f"cells, got {len(rows[-1])}"
            )
    return DataHeuristic(write_weights(tuple(rows)), (PatternWeights(tuple(rows)),))


def write_weights(weights: Weights) -> str:
    """The text of a heuristic with these weights."""
    return PREFIX + "|".join("/".join(map(str, row)) for row in weights)


def weights_of(heuristic: Heuristic) -> Weights:
    """The weights of a heuristic that has nothing else; ValueError for any other."""
    if isinstance(heuristic, DataHeuristic) and len(heuristic.parts) == 1:
        (part,) = heuristic.parts
        if isinstance(part, PatternWeights):
            return part.weights
    name = getattr(heuristic, "__name__", str(heuristic))
    raise ValueError(
        f"heuristic {name!r} does not consist of pattern weights; start from one such as lines or weights:..."
    )
