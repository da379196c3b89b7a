"""Games as data for the core in the browser: rules, heuristics and texts of moves as JSON values.

What Python knows about a game goes over as lists, the same that the native core is built from, so that nothing about a
game is written a second time in JavaScript.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

from plyground import heuristics as registry
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.heuristics.data import DataHeuristic
from plyground.heuristics.engine import engine_heuristic, level_heuristic
from plyground.heuristics.weights import TERMS
from plyground.native import rules_data
from plyground.search.twins import weights_data
from plyground.solve import pairing
from plyground.solve.connect_four.solver import objection
from plyground.web.wasm import engine_for, player_for

FORMAT = 2
"""What `core.js` reads; a page never reads data of another format."""

TRIED_PAIRS = 2000
"""Pairs of a lifted and a laid card of which the text is compared with the tables."""

Json = dict[str, Any]


def core_data(rules: Rules, heuristics: Iterable[str] = ("engine",)) -> Json:
    """A game as JSON values; ValueError where a heuristic is no data or a text of a move does not fit the tables."""
    return {
        "format": FORMAT,
        "name": rules.name,
        "engine": engine_for(rules),
        "player": player_for(rules),
        "rules": _rules(rules),
        "heuristics": {name: dict(weights_data(_as_data(name, rules))) for name in heuristics},
        "level": _level(rules),
        "terms": _terms(rules),
        "texts": _texts(rules),
        "solver": _solver(rules),
        "pairable": pairing.objection(rules) is None,
    }


def _rules(rules: Rules) -> Json:
    """The tables, without what plain rules leave at its default: a page loads them before its first game."""
    data: Json = dict(rules_data(rules))
    if rules.plain:
        data["patterns"] = [pattern[:3] for pattern in data["patterns"]]
        for name in ("mover_wins_ties", "full_winner", "passes"):
            del data[name]
    return data


def position_data(position: Position) -> Json:
    """A position as `core.js` takes it: the layers on each cell as bits, plies, cards, the last move."""
    kinds = [sum((mask >> cell & 1) << i for i, mask in enumerate(position.layers)) for cell in _cells(position.rules)]
    last = None if position.last is None else list(position.last)
    return {"kinds": kinds, "ply": position.ply, "cards": sorted(position.cards), "last": last}


def _cells(rules: Rules) -> range:
    return range(len(rules.grid.cells))


def _as_data(name: str, rules: Rules) -> DataHeuristic:
    heuristic = registry.load(name, rules)
    if not isinstance(heuristic, DataHeuristic):
        raise ValueError(f"heuristic {name!r} is a function of its own: the core in the browser takes weights only")
    return heuristic


def _level(rules: Rules) -> Json | None:
    """The heuristic of the levels, where it is another one than the engine's own."""
    heuristic = level_heuristic(rules)
    return None if heuristic == engine_heuristic(rules) else dict(weights_data(heuristic))


def _terms(rules: Rules) -> Json:
    """What typed weights may add, each as a heuristic of the weight 1; None where the game has no place for it."""

    def term(name: str) -> Json | None:
        try:
            return dict(weights_data(DataHeuristic(name, (TERMS[name](rules, 1),))))
        except ValueError:
            return None

    return {name: term(name) for name in TERMS}


def _solver(rules: Rules) -> Json | None:
    """The board of the exact solver, where there is one for the game."""
    if objection(rules) is not None:
        return None
    return {"rows": rules.grid.rows, "columns": rules.grid.columns, "line": rules.longest}


def _texts(rules: Rules) -> Json:
    """The texts of moves: one for each placement, and for moves that lift a card a first half and a second one."""
    write, places = rules.notation.write, range(max(len(placements) for placements in rules.placements))
    plain = [write(rules, Move(place)) for place in places]
    lifted, laid = _halves(rules) if rules.recycle_from is not None else (None, None)
    return {"plain": plain, "lifted": lifted, "laid": laid, "separator": _separator(rules)}


def _separator(rules: Rules) -> str:
    """What stands between the texts of two moves; ValueError where they are not simply joined."""
    marks = "\N{OBJECT REPLACEMENT CHARACTER}", "\N{REPLACEMENT CHARACTER}"
    joined = rules.notation.join(rules, list(marks))
    if not joined.startswith(marks[0]) or not joined.endswith(marks[1]):
        raise ValueError(f"{rules.name}: the texts of moves are not joined by something that stands between them")
    return joined.removeprefix(marks[0]).removesuffix(marks[1])


def _halves(rules: Rules) -> tuple[list[str], list[str]]:
    """What moves say of the card they lift, and of where they lay it; ValueError where a text says more."""
    write, places = rules.notation.write, range(len(rules.placements[Side.FIRST]))
    samples = [write(rules, Move(place, 0)) for place in places]
    shared = _common_start(samples)
    laid = [text[len(shared) :] for text in samples]
    whole = [write(rules, Move(0, lift)) for lift in places]
    lifted = [text.removesuffix(laid[0]) for text in whole]
    for place, lift in _some_pairs(len(places)):
        if write(rules, Move(place, lift)) != lifted[lift] + laid[place]:
            raise ValueError(f"{rules.name}: the text of a move that lifts a card is not one half after the other")
    return lifted, laid


def _some_pairs(count: int) -> Iterator[tuple[int, int]]:
    """Pairs of placements, with each of them at least once on either side."""
    yield from ((place, 0) for place in range(count))
    yield from ((0, lift) for lift in range(count))
    dice = random.Random(count)
    yield from ((dice.randrange(count), dice.randrange(count)) for _ in range(TRIED_PAIRS))


def _common_start(texts: list[str]) -> str:
    low, high = min(texts), max(texts)
    return low[: next((i for i, letter in enumerate(low) if i >= len(high) or letter != high[i]), len(low))]
