"""Nets: what they say is what their definition says, in Python and in the core, and what does not fit is refused."""

from __future__ import annotations

import random
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace

import pytest

from boards import after
from native_positions import random_game
from plyground.core.rules import Pattern, Rules
from plyground.games import load
from plyground.heuristics.data import DataHeuristic
from plyground.heuristics.engine import engine_heuristic, level_heuristic
from plyground.heuristics.learned import Page, from_page, learned, learned_net, pattern_class
from plyground.heuristics.net import Net, checked, largest_weight, most_units, row_count
from plyground.players.engine import EnginePlayer
from plyground.players.registry import load as load_player
from plyground.search import twins
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort, Limit

GAMES = (
    "connect-four",
    "connect-four:rows=6,columns=7",
    "mnk:columns=5,rows=4,line=4",
    "tic-tac-toe",
    "gomoku",
    "misere-tic-tac-toe",
    "polarized-ladder",
    "yavalath",
)


def net_of(rules: Rules, out: tuple[int, ...], shift: int, weights: Mapping[int, tuple[int, ...]]) -> Net:
    """A net with these rows, by their numbers; all others are 0."""
    rows = [weights.get(number, (0,) * len(out)) for number in range(row_count(rules))]
    return checked(rules, Net(bytes(weight & 255 for row in rows for weight in row), out, shift))


def chance_net(rules: Rules, seed: int) -> Net:
    """Any net, with all the units there is room for."""
    chance = random.Random(seed)
    units, largest = most_units(rules), largest_weight(rules)
    rows = bytes(chance.randint(-largest, largest) & 255 for _ in range(row_count(rules) * units))
    return checked(rules, Net(rows, tuple(chance.randint(-512, 512) for _ in range(units)), chance.randint(0, 9)))


def test_a_disc_counts_once_for_each_image() -> None:
    # Three rows in: the first side's disc on A1, cell 0. Under the eight symmetries a corner is A1 twice.
    rules = load("tic-tac-toe")
    net = net_of(rules, (3,), 0, {2: (5,)})
    assert net.value(after("tic-tac-toe", "A1")) == 2 * 3 * 5
    assert net.value(after("tic-tac-toe", "C3")) == 2 * 3 * 5
    assert net.value(after("tic-tac-toe", "B2")) == 0
    assert net.value(after("tic-tac-toe", "B2 A1")) == 0


def test_a_unit_whose_sum_is_below_0_does_not_count() -> None:
    rules = load("tic-tac-toe")
    # The side to move is counted in rows 0 and 1, once for each of eight images.
    net = net_of(rules, (1, 1), 0, {0: (7, -7), 1: (-2, 2)})
    assert net.value(after("tic-tac-toe", "")) == 8 * 7
    assert net.value(after("tic-tac-toe", "B2")) == 8 * 2


def test_threats_and_live_patterns_count_for_whose_they_are() -> None:
    rules = load("mnk:columns=4,rows=1,line=3")
    cells, patterns = 4, [pattern.cells for pattern in rules.patterns]
    assert len(patterns) == 2
    threat, live = 2 + 2 * cells, 2 + 4 * cells
    position = after("mnk:columns=4,rows=1,line=3", "B1 D1 C1")
    # x holds two cells of A1 to C1 and threatens A1; B1 to D1 is dead. In the image x threatens D1.
    assert net_of(rules, (1,), 0, {threat + 0: (10,)}).value(position) == 10
    assert net_of(rules, (1,), 0, {threat + 3: (10,)}).value(position) == 10
    assert net_of(rules, (1,), 0, {threat + 1: (10,)}).value(position) == 0
    assert net_of(rules, (1,), 0, {threat + cells: (10,)}).value(position) == 0
    by_pattern = {number: live + 2 * number for number in range(2)}
    held_one, held_two = ({row + held: (10,) for row in by_pattern.values()} for held in (0, 1))
    assert net_of(rules, (1,), 0, held_two).value(position) == 20
    assert net_of(rules, (1,), 0, held_one).value(position) == 0
    assert net_of(rules, (1,), 0, {live + 4 + number: (10,) for number in range(4)}).value(position) == 0


def test_the_value_is_rounded_down() -> None:
    rules = load("tic-tac-toe")
    assert net_of(rules, (1,), 1, {2: (1,)}).value(after("tic-tac-toe", "A1")) == 1
    assert net_of(rules, (1,), 2, {2: (1,)}).value(after("tic-tac-toe", "A1")) == 0
    assert net_of(rules, (-1,), 2, {2: (1,)}).value(after("tic-tac-toe", "A1")) == -1


@pytest.mark.parametrize("game", GAMES)
def test_all_images_of_a_position_have_the_same_value(game: str) -> None:
    rules = load(game)
    net = chance_net(rules, 4)
    for position in list(random_game(game, 5))[::3]:
        for symmetry in rules.symmetries:
            assert net.value(position.image(symmetry)) == net.value(position)


@pytest.mark.parametrize("game", GAMES)
def test_the_core_says_what_python_says(game: str) -> None:
    rules = load(game)
    for seed in range(4):
        heuristic = DataHeuristic("net", (chance_net(rules, seed),))
        for position in random_game(game, seed):
            assert twins.evaluate(heuristic, position) == heuristic(position)


def test_sums_that_are_kept_move_by_move_are_those_of_the_position() -> None:
    # A search makes and takes back many moves before it looks at a leaf.
    rules = load("connect-four")
    heuristic = DataHeuristic("net", (replace(chance_net(rules, 9), shift=9),))
    for position in list(random_game("connect-four", 2))[6:20:4]:
        efforts = [Effort(Limit()), Effort(Limit())]
        assert twins.alpha_beta(position, 3, heuristic, efforts[0]) == alpha_beta(position, 3, heuristic, efforts[1])
        assert efforts[0].nodes == efforts[1].nodes


# ------------------------------------------------------------------ what does not fit

SOUND = Net(bytes(row_count(load("tic-tac-toe"))), (1,), 0)

FAULTS = {
    "no unit": (replace(SOUND, rows=b"", out=()), "a net has 1 to 16 units, got 0"),
    "too many units": (Net(bytes(17 * row_count(load("tic-tac-toe"))), (1,) * 17, 0), "1 to 16 units, got 17"),
    "a row too few": (replace(SOUND, rows=SOUND.rows[1:]), "a net of 1 units has 70 weights, got 69"),
    "a weight too small": (replace(SOUND, rows=b"\x80" + SOUND.rows[1:]), "lie within ±127, got -128"),
    "a unit multiplied by too much": (replace(SOUND, out=(513,)), "lies within ±512, got 513"),
    "no shift": (replace(SOUND, shift=-1), "the shift of a net is 0 to 30, got -1"),
    "too large a shift": (replace(SOUND, shift=31), "the shift of a net is 0 to 30, got 31"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_net_that_does_not_fit_is_refused(name: str) -> None:
    net, message = FAULTS[name]
    with pytest.raises(ValueError, match=message):
        checked(load("tic-tac-toe"), net)


@pytest.mark.parametrize("name", FAULTS)
def test_the_core_refuses_it_too(name: str) -> None:
    with pytest.raises(ValueError, match="net"):
        twins.evaluator_for(load("tic-tac-toe"), DataHeuristic(name, (FAULTS[name][0],)))


def test_the_core_takes_one_net_only() -> None:
    with pytest.raises(ValueError, match="one net at most"):
        twins.evaluator_for(load("tic-tac-toe"), DataHeuristic("two", (SOUND, SOUND)))


def crowded() -> Rules:
    """A board with more patterns than sums of 16 bits have room for: any two cells at most nine apart."""
    rules = load("mnk:columns=16,rows=16,line=4")
    pairs = (1 << cell | 1 << other for cell in range(256) for other in range(cell + 1, min(256, cell + 10)))
    return replace(rules, name="crowded", patterns=tuple(map(Pattern, pairs)), symmetries=())


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("double-card", "nothing is lifted again"),
        ("notakto", "each side has discs of its own"),
        (crowded(), "the board is too large for a net"),
    ],
)
def test_a_game_for_which_there_can_be_no_net_is_refused(game: str | Rules, message: str) -> None:
    rules = load(game) if isinstance(game, str) else game
    net = Net(bytes(row_count(rules)), (1,), 0)
    with pytest.raises(ValueError, match=message):
        checked(rules, net)
    with pytest.raises(ValueError, match=message):
        twins.evaluator_for(rules, DataHeuristic("net", (net,)))


def test_a_page_with_a_bad_net_is_refused() -> None:
    rules = load("connect-four")
    classes = {pattern_class(rules, pattern): [[0] * 3] * 2 for pattern in rules.patterns}
    weights: Page = {"patterns": classes}
    rows = b64encode(bytes(row_count(rules))).decode()
    assert from_page(rules, weights | {"net": {"rows": rows, "out": [1], "shift": 0}})(after("connect-four", "44")) == 0
    with pytest.raises(ValueError, match=r"learned weights of connect-four: a net of 2 units has \d+ weights"):
        from_page(rules, weights | {"net": {"rows": rows, "out": [1, 2], "shift": 0}})
    with pytest.raises(ValueError, match="learned weights of"):
        from_page(rules, weights | {"net": {"rows": "no base 64!", "out": [1], "shift": 0}})


# ------------------------------------------------------------------ who uses it


def test_the_engine_has_a_net_where_one_was_learned_and_its_levels_have_none() -> None:
    rules = load("connect-four")
    assert any(isinstance(part, Net) for part in engine_heuristic(rules).parts)
    assert engine_heuristic(rules) == learned_net(rules)
    assert level_heuristic(rules) == learned(rules)
    other = load("connect-four:rows=6,columns=7")
    assert learned_net(other) is None
    assert engine_heuristic(other) == level_heuristic(other)


@pytest.mark.parametrize(("spec", "net"), [("engine", True), ("engine:level=10", True), ("engine:level=9", False)])
def test_only_full_strength_asks_the_net(spec: str, net: bool) -> None:
    rules = load("connect-four")
    player = load_player(spec, rules)
    assert isinstance(player, EnginePlayer)
    heuristic = player.thinker.search.heuristic or engine_heuristic(rules)  # type: ignore[union-attr]
    assert (heuristic == learned_net(rules)) is net
