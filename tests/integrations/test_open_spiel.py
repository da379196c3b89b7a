"""OpenSpiel as an oracle, and its bots as players."""

from __future__ import annotations

import builtins
import random
from typing import Any

import pytest

from plyground import games, play_game, play_match, players
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.integrations.open_spiel import action_of, history, open_spiel_player, spiel_game, spiel_spec
from plyground.players import Setting
from plyground.search.base import Limit


def spiel(name: str) -> Any:
    pytest.importorskip("pyspiel")
    return spiel_game(games.load(name))


def test_games_are_openspiels_own_where_it_has_them() -> None:
    assert spiel_spec(games.load("connect-four")) == "connect_four(rows=7,columns=8,x_in_row=4)"
    assert spiel_spec(games.load("polarized-ladder:variant=open")) == "plyground_polarized_ladder(variant=open)"


@pytest.mark.parametrize(
    "name",
    [
        *(f"plyground_{name.replace('-', '_')}" for name in games.GAMES),
        "plyground_connect_four(rows=4,columns=5)",
        "plyground_polarized_ladder(variant=open)",
    ],
)
def test_every_game_passes_openspiels_own_test_of_games(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import plyground.integrations.spiel_games  # noqa: F401  (it registers them)

    pyspiel.random_sim_test(pyspiel.load_game(name), 2, True, False)


def test_openspiels_games_are_those_of_the_program_move_for_move() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from plyground.integrations.spiel_games import SpielObserver

    game, generator = pyspiel.load_game("plyground_double_card"), random.Random(4)
    position, state = Position.start(games.load("double-card")), game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(generator.choice(state.legal_actions()))
        if state.at.lifted is None:
            assert state.position.last is not None
            position = position.play(state.position.last)
            assert state.position == position
    outcome = position.outcome()
    assert outcome is not None
    points = {None: [0, 0], Side.FIRST: [1, -1], Side.SECOND: [-1, 1]}[outcome.winner]
    assert list(state.returns()) == points
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert observer.dict["observation"].shape == (6, *observer.dict["observation"].shape[1:])
    with pytest.raises(ValueError, match="observations have no parameters"):
        SpielObserver(games.load("tic-tac-toe"), {"size": 3})
    again = pyspiel.load_game("plyground_connect_four(rows=4,columns=5)").new_initial_state("44")
    assert again.position.ply == 2


@pytest.mark.parametrize("name", ["polarized-ladder:variant=open", "double-card", "connect-four:rows=6,columns=7"])
def test_a_tree_search_keeps_its_time_and_its_simulations(name: str) -> None:
    pytest.importorskip("pyspiel")
    rules = games.load(name)
    player = players.load("open-spiel:simulations=1000000,seed=1", rules)
    start = Position.start(rules)
    [analysis] = player.think(start, Limit(seconds=0.3))
    assert analysis.line[0] in start.moves()
    assert 8 <= analysis.nodes < 1_000_000
    [few] = players.load("open-spiel:simulations=10,seed=1", rules).think(start, Limit(seconds=60))
    assert few.nodes in (10, 18)


def test_where_cards_are_lifted_a_bot_chooses_twice() -> None:
    pytest.importorskip("pyspiel")
    rules, generator = games.load("double-card"), random.Random(5)
    position = Position.start(rules)
    while not position.recycling:
        after = position.play(generator.choice(position.moves()))
        position = Position.start(rules) if after.outcome() else after
    [analysis] = players.load("open-spiel:simulations=4,seed=1", rules).think(position, Limit())
    assert analysis.line[0] in position.moves()
    assert analysis.line[0].lift is not None
    with pytest.raises(ValueError, match="of OpenSpiel's bots only mcts plays double-card, got 'uniform_random'"):
        players.load("open-spiel:bot=uniform_random", rules)


def test_without_openspiel_users_are_shown_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "pyspiel":
            raise ImportError
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ValueError, match="pip install open_spiel"):
        open_spiel_player(Setting(games.load("connect-four")))


@pytest.mark.parametrize("name", ["connect-four:rows=6,columns=7", "tic-tac-toe"])
def test_a_history_leads_to_the_position(name: str) -> None:
    generator = random.Random(1)
    for _ in range(20):
        position = Position.start(games.load(name))
        for _ in range(generator.randrange(12)):
            following = position.play(generator.choice(position.moves()))
            if following.outcome():
                break
            position = following
        again = Position.start(position.rules)
        for move in history(position):
            again = again.play(move)
        assert again == position


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("connect-four:rows=6,columns=7", 300),
        ("connect-four", 50),
        ("tic-tac-toe", 100),
        ("mnk:columns=5,rows=4,line=4", 50),
    ],
)
def test_random_games_agree_move_for_move(name: str, count: int) -> None:
    game, rules, generator = spiel(name), games.load(name), random.Random(7)
    for _ in range(count):
        position, state = Position.start(rules), game.new_initial_state()
        while not position.outcome():
            assert not state.is_terminal()
            legal = {action_of(rules, move): move for move in position.moves()}
            assert sorted(legal) == state.legal_actions()
            assert state.current_player() == position.to_move
            action = generator.choice(sorted(legal))
            position = position.play(legal[action])
            state.apply_action(action)
        assert state.is_terminal()
        over = position.outcome()
        assert over is not None
        points = {None: [0, 0], Side.FIRST: [1, -1], Side.SECOND: [-1, 1]}[over.winner]
        assert list(state.returns()) == points


@pytest.mark.slow
def test_its_bots_play_matches() -> None:
    spiel("connect-four")
    match = play_match("connect-four:rows=6,columns=7", "open-spiel:simulations=300,seed=1", "random", games=6)
    assert match.tally.points >= 5
    assert not any(record.fault for record in match.records)
    record = play_game("tic-tac-toe", "open-spiel:bot=uniform_random", "alpha-beta:depth=4", seed=2)
    assert record.first == "open-spiel:bot=uniform_random"


@pytest.mark.slow
def test_a_bot_that_does_not_exist_is_refused() -> None:
    spiel("connect-four")
    with pytest.raises(ValueError, match="unknown bot of OpenSpiel 'mtcs'; did you mean 'mcts'"):
        players.load("open-spiel:bot=mtcs", games.load("connect-four"))


def test_a_limit_of_nodes_holds_for_the_move_it_is_given_for() -> None:
    pytest.importorskip("pyspiel")
    rules = games.load("tic-tac-toe")
    player = players.load("open-spiel:simulations=50,seed=1", rules)
    nodes = [
        next(iter(player.think(Position.start(rules), limit))).nodes for limit in (Limit(), Limit(nodes=7), Limit())
    ]
    assert nodes == [50, 7, 50]
    random_bot = players.load("open-spiel:bot=uniform_random", rules)
    assert next(iter(random_bot.think(Position.start(rules), Limit()))).nodes == 0
