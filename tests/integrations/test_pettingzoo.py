"""PettingZoo environments: its own checks pass without a warning, and games are those of the reference."""

from __future__ import annotations

import copy
import pickle
import warnings

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its modules warn of each other
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper  # noqa: E402

from plyground import games  # noqa: E402
from plyground.core.rules import Side  # noqa: E402
from plyground.integrations.pettingzoo import AGENTS, env, parallel_env  # noqa: E402
from plyground.render.pixels import CELL_PIXELS  # noqa: E402

GAMES = [*games.GAMES, "connect-four:rows=6,columns=7", "double-card:first=dots"]


# Its own board games have such dicts, and are left out of these warnings by name.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably", "ignore:Observation is not a NumPy")
@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_own_checks_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(name), num_cycles=200)
    seed_test(lambda: env(name), num_cycles=100)
    render_test(lambda render_mode: env(name, render_mode=render_mode))
    assert "Passed API test" in capsys.readouterr().out


def test_observations_have_their_mask_with_them_unless_it_is_not_wanted() -> None:
    game = env("connect-four")
    game.reset()
    observation, *_ = game.last()
    assert observation["action_mask"].tolist() == [1] * 8
    assert game.observation_space("player_0").contains(observation)
    plain = env("connect-four", dict_observations=False)
    plain.reset()
    planes, *_ = plain.last()
    assert (planes == observation["observation"]).all()
    assert plain.observation_space("player_0").contains(planes)


def test_a_game_is_played_to_its_end_and_rewards_add_up_to_nothing() -> None:
    game = env("connect-four:rows=6,columns=7")
    game.reset()
    for column in (3, 0, 3, 0, 3, 0):
        game.step(column)
        assert game.rewards == {"player_0": 0, "player_1": 0}
    game.step(3)
    assert game.rewards == {"player_0": 1, "player_1": -1}
    assert game.terminations == {"player_0": True, "player_1": True}
    assert game.last()[1] == -1
    game.step(None)
    assert game.last()[1] == 1
    game.step(None)
    assert game.agents == []
    outcome = game.position.outcome()
    assert outcome is not None
    assert outcome.winner is Side.FIRST


def test_each_agent_sees_its_own_layers_first_whoever_is_to_move() -> None:
    game = env("tic-tac-toe")
    game.reset()
    game.step(4)
    own, other, board = game.observe("player_0")["observation"]
    assert own[1, 1] == 1
    assert not other.any()
    assert board.all()
    own, other, board = game.observe("player_1")["observation"]
    assert not own.any()
    assert other[1, 1] == 1


def test_recycling_takes_two_actions_of_the_same_agent() -> None:
    game = env("double-card")
    generator = np.random.default_rng(5)
    game.reset()
    while game.position.ply < 24:
        if any(game.terminations.values()):
            game.reset()
        game.step(generator.choice(np.flatnonzero(game.last()[4]["action_mask"])))
    agent, position = game.agent_selection, game.position
    lift = int(np.flatnonzero(game.last()[4]["action_mask"])[0])
    game.step(lift)
    assert game.agent_selection == agent
    assert game.position == position
    assert game.observe(agent)["observation"][4].sum() == 2
    place = int(np.flatnonzero(game.last()[4]["action_mask"])[0])
    game.step(place)
    assert game.agent_selection != agent
    assert game.position.last == (place, lift)


def test_an_illegal_action_is_refused_with_what_is_legal() -> None:
    game = env("connect-four:rows=4,columns=4")
    game.reset()
    for _ in range(4):
        game.step(2)
    for bad in (2, 4, -1, None, "x"):
        with pytest.raises(ValueError, match=r"illegal action .* of player_0 in connect-four.*: legal are 0, 1, 3"):
            game.step(bad)
    assert game.position.ply == 4


def test_an_illegal_action_can_be_made_a_lost_game() -> None:
    game = TerminateIllegalWrapper(env("tic-tac-toe"), illegal_reward=-1)
    game.reset()
    game.step(4)
    game.step(4)
    assert game.unwrapped.rewards == {"player_0": 0, "player_1": -1}


def test_with_a_setting_an_illegal_action_loses_without_a_wrapper() -> None:
    game = env("tic-tac-toe", illegal="lose")
    game.reset()
    game.step(4)
    game.step(4)
    assert game.rewards == {"player_0": 1, "player_1": -1}
    assert all(game.terminations.values())
    assert game.infos["player_1"]["illegal"]
    parallel = parallel_env("tic-tac-toe", illegal="error")
    parallel.reset()
    parallel.step({"player_0": 4, "player_1": 0})
    with pytest.raises(ValueError, match="illegal action 4 of player_1"):
        parallel.step({"player_0": 0, "player_1": 4})


def test_stepping_before_a_reset_is_refused() -> None:
    with pytest.raises(ValueError, match="must be reset"):
        env("tic-tac-toe").step(0)


@pytest.mark.parametrize("name", games.GAMES)
def test_boards_are_rendered_as_text_pictures_and_pixels(name: str) -> None:
    rules = games.load(name)
    for mode in ("ansi", "svg", "rgb_array"):
        game = env(name, render_mode=mode)
        game.reset()
        empty = game.render()
        game.step(int(np.flatnonzero(game.last()[4]["action_mask"])[0]))
        shown = game.render()
        if mode == "rgb_array":
            assert shown.shape == (rules.grid.rows * CELL_PIXELS + 1, rules.grid.columns * CELL_PIXELS + 1, 3)
            assert shown.dtype == np.uint8
            assert (shown != empty).any()
        else:
            assert shown != empty
            assert shown.startswith("<svg" if mode == "svg" else str(rules.grid.rows))


def test_rendering_needs_a_mode_that_exists() -> None:
    game = env("tic-tac-toe")
    game.reset()
    with pytest.raises(ValueError, match="without a render_mode; known: human, ansi, rgb_array, svg"):
        game.render()
    with pytest.raises(ValueError, match="unknown render mode 'ascii'; did you mean 'ansi'"):
        env("tic-tac-toe", render_mode="ascii")


def test_an_environment_can_be_pickled_and_copied() -> None:
    for twin in (pickle.loads(pickle.dumps(env("tic-tac-toe"))), copy.deepcopy(env("tic-tac-toe"))):
        twin.reset()
        assert twin.metadata["name"] == "tic-tac-toe"


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_own_check_of_the_parallel_interface_passes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(parallel_env(name), num_cycles=200)
    parallel_seed_test(lambda: parallel_env(name), num_cycles=100)
    assert "Passed Parallel API test" in capsys.readouterr().out


def test_in_parallel_only_the_action_of_the_agent_to_move_counts() -> None:
    game = parallel_env("connect-four:rows=6,columns=7")
    _, infos = game.reset()
    assert infos["player_0"]["action_mask"].tolist() == [1] * 7
    assert infos["player_1"]["action_mask"].tolist() == [0] * 7
    for column in (3, 0, 3, 0, 3, 0):
        game.step({"player_0": column, "player_1": column})
    assert game.to_act == "player_0"
    with pytest.raises(ValueError, match="an action of player_0 is needed, got those of player_1"):
        game.step({"player_1": 0})
    observations, rewards, terminations, truncations, _ = game.step({"player_0": 3, "player_1": 99})
    assert rewards == {"player_0": 1, "player_1": -1}
    assert terminations == {"player_0": True, "player_1": True}
    assert truncations == {"player_0": False, "player_1": False}
    assert set(observations) == {"player_0", "player_1"}
    assert game.agents == []
    with pytest.raises(ValueError, match="must be reset"):
        game.step({"player_0": 3})


@pytest.mark.parametrize(("name", "worth_at_start"), [("tic-tac-toe", 0), ("connect-four:rows=4,columns=4", 0)])
def test_exact_rewards_add_up_to_the_result_less_the_worth_of_the_start(name: str, worth_at_start: int) -> None:
    game = env(name, reward="exact")
    for seed in range(5):
        generator, total = np.random.default_rng(seed), dict.fromkeys(AGENTS, 0.0)
        game.reset()
        while not any(game.terminations.values()):
            game.step(int(generator.choice(np.flatnonzero(game.infos[game.agent_selection]["action_mask"]))))
            assert all(info["exact"] for info in game.infos.values())
            assert -2 <= min(game.rewards.values()) <= 0
            for agent, reward in game.rewards.items():
                total[agent] += reward
        outcome = game.position.outcome()
        assert outcome is not None
        for side in Side:
            result = 0 if outcome.winner is None else 1 if outcome.winner is side else -1
            assert total[AGENTS[side]] == result - (worth_at_start if side is Side.FIRST else -worth_at_start)


def test_exact_rewards_on_the_full_board_come_from_the_book_and_the_solver() -> None:
    game = env("connect-four:rows=6,columns=7", reward="exact")
    game.reset()
    rewards = []
    # The middle wins; beside it the second player loses more slowly; the edge gives the win away twice over.
    for column in (3, 3, 0):
        game.step(column)
        rewards.append(min(game.rewards.values()))
    assert rewards[:2] == [0, 0]
    assert rewards[2] < 0


def test_nobody_else_is_shown_a_view() -> None:
    game = env("tic-tac-toe")
    game.reset()
    with pytest.raises(ValueError, match="unknown agent 'player_2'; did you mean"):
        game.observe("player_2")
