from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

import pytest

from native_positions import GAMES, random_game, random_position
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.games import load
from plyground.heritage import searches as old
from plyground.heritage.searches import GAIN, STALE, STATIC_VALUE, Conventions
from plyground.heuristics import HEURISTICS
from plyground.heuristics.base import HeuristicError
from plyground.heuristics.data import (
    CellWeights,
    DataHeuristic,
    LiveDirections,
    Part,
    PatternWeights,
    SinglePatterns,
    ThreatWeights,
)
from plyground.search import alpha_beta as reference_alpha_beta
from plyground.search import minimax as reference_minimax
from plyground.search.base import Effort, Limit, OutOfTime, WinValue

core = pytest.importorskip("plyground.native.bridge")
from plyground.search import twins as native  # noqa: E402


def patterns(rules: Rules) -> Part:
    row = tuple(3**n for n in range(rules.longest + 1))
    return PatternWeights((row, tuple(2 * n for n in row), tuple(n - 1 for n in row)))


def cells(rules: Rules) -> Part:
    chance = random.Random(rules.name)
    table: dict[int, list[int]] = {}
    for side, sign in ((0, 1), (1, -1)):
        for placement in rules.placements[side]:
            for cell in range(len(rules.grid.cells)):
                kind = sum((mask >> cell & 1) << layer for layer, mask in enumerate(placement.adds))
                if kind:
                    row = table.setdefault(kind, [0] * len(rules.grid.cells))
                    row[cell] = sign * chance.randrange(50)
    return CellWeights(tuple((kind, tuple(row)) for kind, row in table.items()))


def directions(rules: Rules) -> Part:
    chance = random.Random(rules.name)
    return LiveDirections(tuple(chance.randrange(20) for _ in rules.grid.cells))


def single_patterns(rules: Rules) -> Part:
    chance = random.Random(rules.name)

    def rows() -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(chance.randrange(30) for _ in range(rules.longest + 1)) for _ in rules.patterns)

    return SinglePatterns(rows(), rows())


def threats(rules: Rules) -> Part:
    chance = random.Random(rules.name)
    cells = len(rules.grid.cells)
    shades = tuple(sum(1 << other for other in range(cells) if chance.random() < 0.1) for _ in range(cells))
    first, second = (tuple(chance.randrange(-20, 50) for _ in range(cells)) for _ in range(2))
    return ThreatWeights(first, second, shades)


FORMS: dict[str, Callable[[Rules], tuple[Part, ...]]] = {
    "patterns": lambda rules: (patterns(rules),),
    "cells": lambda rules: (cells(rules),),
    "directions": lambda rules: (directions(rules),),
    "single patterns": lambda rules: (single_patterns(rules),),
    "threats": lambda rules: (threats(rules),),
    "all": lambda rules: (
        patterns(rules),
        cells(rules),
        directions(rules),
        patterns(rules),
        single_patterns(rules),
        threats(rules),
    ),
}


def heuristic_for(game: str, form: str) -> DataHeuristic:
    return DataHeuristic(form, FORMS[form](load(game)))


def python_only(position: Position) -> int:
    """No data: the core has to ask."""
    moves = len(position.moves())
    return position.occupied % 1009 - 7 * moves + sum(position.cards) - (position.last.place if position.last else 3)


def depth_for(position: Position) -> int:
    """As deep as the slow twin can look in a moment."""
    moves = len(position.moves())
    return max(1, next(depth for depth in range(1, 20) if max(2, moves) ** (depth + 1) > 1500))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", GAMES)
def test_data_heuristics_say_the_same_in_the_core(game: str, form: str) -> None:
    heuristic = heuristic_for(game, form)
    for seed in range(2):
        for position in random_game(game, seed):
            if not position.outcome():
                assert native.evaluate(heuristic, position) == heuristic(position)


@pytest.mark.parametrize("form", [*FORMS, "python"])
@pytest.mark.parametrize("game", GAMES)
def test_alpha_beta_and_its_twin_agree_node_for_node(game: str, form: str) -> None:
    heuristic = python_only if form == "python" else heuristic_for(game, form)
    kinds = ((WinValue(), STATIC_VALUE), (WinValue(5000, -3, 1), STATIC_VALUE), (WinValue(), GAIN), (WinValue(), STALE))
    for seed, (win, leaf) in enumerate(kinds):
        position = random_position(game, seed)
        slow, fast = Effort(Limit()), Effort(Limit())
        depth = depth_for(position)
        expected = old.alpha_beta(position, depth, heuristic, slow, Conventions(win, leaf))
        assert old.fast_alpha_beta(position, depth, heuristic, fast, Conventions(win, leaf)) == expected
        assert (fast.nodes, fast.evaluations) == (slow.nodes, slow.evaluations)
        slow, fast = Effort(Limit()), Effort(Limit())
        expected = reference_alpha_beta.alpha_beta(position, depth, heuristic, slow, seed)
        assert native.alpha_beta(position, depth, heuristic, fast, seed) == expected
        assert (fast.nodes, fast.evaluations) == (slow.nodes, slow.evaluations)


def named() -> list[tuple[str, str]]:
    """Every built-in heuristic with every game it fits."""
    pairs = []
    for game in GAMES:
        for name, build in HEURISTICS.items():
            with suppress(ValueError):
                build(load(game))
                pairs.append((game, name))
    return pairs


@pytest.mark.parametrize(("game", "name"), named())
def test_the_twins_agree_with_every_built_in_heuristic(game: str, name: str) -> None:
    heuristic = HEURISTICS[name](load(game))
    for seed, leaf in ((11, STATIC_VALUE), (12, GAIN)):
        position = random_position(game, seed)
        slow, fast = Effort(Limit()), Effort(Limit())
        depth = depth_for(position)
        expected = old.alpha_beta(position, depth, heuristic, slow, Conventions(leaf=leaf))
        assert old.fast_alpha_beta(position, depth, heuristic, fast, Conventions(leaf=leaf)) == expected
        assert (fast.nodes, fast.evaluations) == (slow.nodes, slow.evaluations)


@pytest.mark.parametrize("game", GAMES)
def test_the_twins_try_the_moves_in_the_same_order(game: str) -> None:
    heuristic, chance = heuristic_for(game, "patterns"), random.Random(game)
    for seed in range(3):
        position = random_position(game, seed)
        most = max(len(placements) for placements in position.rules.placements)
        order = tuple(chance.randrange(most) for _ in range(most))  # with ties, which the rules break
        slow, fast = Effort(Limit()), Effort(Limit())
        depth = depth_for(position)
        expected = old.alpha_beta(position, depth, heuristic, slow, Conventions(order=order))
        assert old.fast_alpha_beta(position, depth, heuristic, fast, Conventions(order=order)) == expected
        assert (fast.nodes, fast.evaluations) == (slow.nodes, slow.evaluations)


def test_an_order_that_does_not_rank_every_placement_is_refused() -> None:
    position = Position.start(load("tic-tac-toe"))
    with pytest.raises(ValueError, match="a rank for each placement"):
        old.fast_alpha_beta(position, 1, python_only, Effort(Limit()), Conventions(order=(0, 1)))


@pytest.mark.parametrize("game", GAMES)
def test_minimax_and_its_twin_agree_node_for_node(game: str) -> None:
    heuristic = heuristic_for(game, "patterns")
    for seed in range(3):
        position = random_position(game, seed)
        slow, fast = Effort(Limit()), Effort(Limit())
        depth = depth_for(position)
        expected = reference_minimax.minimax(position, depth, heuristic, slow)
        assert native.minimax(position, depth, heuristic, fast) == expected
        assert (fast.nodes, fast.evaluations) == (slow.nodes, slow.evaluations)


def test_whole_games_of_tic_tac_toe_are_searched_alike() -> None:
    position, heuristic = Position.start(load("tic-tac-toe")), heuristic_for("tic-tac-toe", "patterns")
    slow, fast = Effort(Limit()), Effort(Limit())
    expected = reference_alpha_beta.alpha_beta(position, 9, heuristic, slow)
    assert native.alpha_beta(position, 9, heuristic, fast) == expected
    assert expected[0] == 0
    assert (fast.nodes, fast.evaluations) == (slow.nodes, slow.evaluations) == (slow.nodes, 0)


@pytest.mark.parametrize("nodes", [1, 40, 1000])
def test_a_node_limit_stops_both_twins_at_the_same_node(nodes: int) -> None:
    position, heuristic = Position.start(load("connect-four")), heuristic_for("connect-four", "all")
    efforts = Effort(Limit(nodes=nodes)), Effort(Limit(nodes=nodes))
    for search, effort in zip((reference_alpha_beta.alpha_beta, native.alpha_beta), efforts, strict=True):
        with pytest.raises(OutOfTime):
            search(position, 6, heuristic, effort)
    assert (efforts[0].nodes, efforts[0].evaluations) == (efforts[1].nodes, efforts[1].evaluations)


def test_a_time_limit_stops_a_search_that_would_last_for_ages() -> None:
    position = Position.start(load("gomoku"))
    core.core_for(position.rules)
    effort = Effort(Limit(seconds=0.02))
    with pytest.raises(OutOfTime):
        native.alpha_beta(position, 20, heuristic_for("gomoku", "patterns"), effort)
    assert effort.nodes > 0


def test_what_a_heuristic_raises_comes_out_as_itself() -> None:
    class MineError(Exception):
        pass

    def broken(position: Position) -> int:
        raise MineError("no idea")

    with pytest.raises(MineError, match="no idea"):
        native.alpha_beta(Position.start(load("tic-tac-toe")), 2, broken, Effort(Limit()))


@pytest.mark.parametrize("value", [1.5, True, None, 900_000_001, 10**30])
def test_a_heuristic_that_returns_no_whole_number_in_range_is_refused(value: object) -> None:
    def odd(position: Position) -> int:
        return value  # type: ignore[return-value]

    with pytest.raises(HeuristicError, match="heuristic 'odd' must return a whole number"):
        native.alpha_beta(Position.start(load("tic-tac-toe")), 2, odd, Effort(Limit()))


def test_weights_that_add_up_beyond_the_range_are_refused_like_any_heuristic() -> None:
    rules = load("tic-tac-toe")
    huge = DataHeuristic("huge", (PatternWeights(((0, 800_000_000, 800_000_000, 0),)),))
    for search in (reference_alpha_beta.alpha_beta, native.alpha_beta):
        with pytest.raises(HeuristicError, match="heuristic 'huge' must return a whole number"):
            search(Position.start(rules), 1, huge, Effort(Limit()))


def test_weights_with_too_few_entries_are_refused() -> None:
    short = DataHeuristic("short", (PatternWeights(((0, 1),)),))
    with pytest.raises(ValueError, match="an entry for each number of cells held"):
        native.evaluate(short, Position.start(load("connect-four")))
