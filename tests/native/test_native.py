from __future__ import annotations

import json
from pathlib import Path

import pytest

from native_positions import GAMES, after, random_game, random_position
from plyground.core.position import Position
from plyground.core.rules import Pattern, Placement, Rules, Side
from plyground.games import GAMES as REGISTRY
from plyground.games import load

native = pytest.importorskip("plyground.native.bridge")
FACTS = json.loads((Path(__file__).parents[1] / "data" / "native-perft.json").read_text())

ENDINGS = {None: 0, "pattern": 1, "full": 2, "limit": 3, "stuck": 4}


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


def test_every_registered_game_is_among_the_games_tested_here() -> None:
    assert {game.partition(":")[0] for game in GAMES} == set(REGISTRY)


@pytest.mark.parametrize("fact", FACTS["counts"], ids=lambda fact: f"{fact['game']} {fact['after'][:9]}")
def test_leaf_counts_are_the_known_ones(fact: dict[str, object]) -> None:
    position = after(str(fact["game"]), str(fact["after"]))
    counts = fact["counts"]
    assert isinstance(counts, list)
    assert [native.perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("game", GAMES)
def test_leaf_counts_equal_the_reference(game: str) -> None:
    for seed in range(4):
        position = random_position(game, seed)
        assert [native.perft(position, depth) for depth in (0, 1, 2)] == [perft(position, d) for d in (0, 1, 2)]


@pytest.mark.parametrize("game", GAMES)
def test_random_games_have_the_same_moves_and_outcome_as_the_reference(game: str) -> None:
    core = native.core_for(load(game))
    for seed in range(6):
        for position in random_game(game, seed):
            state, over = native.state_of(position), position.outcome()
            assert core.moves(state) == position.moves()
            winner = -1 if over is None or over.winner is None else int(over.winner)
            assert core.outcome(state) == (ENDINGS[over.ending.value if over else None], winner)


def test_a_side_without_a_move_is_stuck() -> None:
    position = after(FACTS["no_move"]["game"], FACTS["no_move"]["after"])
    assert native.core_for(position.rules).outcome(native.state_of(position)) == (ENDINGS["stuck"], -1)
    assert native.perft(position, 1) == 0


@pytest.mark.parametrize("game", GAMES)
def test_images_share_a_key_and_other_positions_do_not(game: str) -> None:
    core = native.core_for(load(game))
    keys: dict[int, Position] = {}
    for seed in range(3):
        for position in random_game(game, seed):
            if position.outcome():
                continue
            key = core.key(native.state_of(position))
            for symmetry in position.rules.symmetries:
                assert core.key(native.state_of(position.image(symmetry))) == key
            known = keys.setdefault(key, position)
            assert known == position or known.ply <= 3


def test_two_cuts_of_the_same_picture_into_cards_have_different_keys() -> None:
    # Four flat cards in a square of 4 x 2 cells, or the same colours cut into upright ones.
    flat, upright = after("double-card", "0 1 A 1; 0 3 A 2"), after("double-card", "0 4 B 1; 0 4 A 1")
    core = native.core_for(flat.rules)
    assert flat.occupied == upright.occupied
    assert core.key(native.state_of(flat)) != core.key(native.state_of(upright))


def test_rules_beyond_the_core_are_refused() -> None:
    rules = load("tic-tac-toe")
    adds = tuple(Placement(p.name, (*p.adds, 0, 0, 0)) for p in rules.placements[0])
    many = Rules(
        name="five layers",
        grid=rules.grid,
        layers=("a", "b", "c", "d", "e"),
        sides=rules.sides,
        watches=rules.watches,
        patterns=rules.patterns,
        placements=(adds, adds),
        max_plies=9,
        notation=rules.notation,
    )
    with pytest.raises(ValueError, match="1 to 4 layers, got 5"):
        native.core_for(many)
    assert not native.supports(many)
    assert native.supports(rules)


def test_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="depth must be 0 or more, got -1"):
        native.perft(Position.start(load("tic-tac-toe")), -1)


def test_a_placement_of_several_cells_can_complete_a_pattern_lacking_two() -> None:
    base = load("mnk:columns=4,rows=1,line=4")
    pairs = tuple(Placement(name, (mask, 0)) for name, mask in (("left", 0b0011), ("right", 0b1100)))
    others = tuple(Placement(p.name, (0, p.adds[0])) for p in pairs)
    rules = Rules(
        name="pairs",
        grid=base.grid,
        layers=base.layers,
        sides=base.sides,
        watches=base.watches,
        patterns=(Pattern(0b0011), Pattern(0b1100)),
        placements=(pairs, others),
        max_plies=2,
        notation=base.notation,
    )
    position = Position.start(rules)
    won = position.play(position.moves()[0])
    assert native.core_for(rules).outcome(native.state_of(won)) == (ENDINGS["pattern"], Side.FIRST)
