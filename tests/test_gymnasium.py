"""Vectors of Gymnasium environments: its own wrappers run on them, and games are those of the reference."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("plyground.native._core")

from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.wrappers.vector import RecordEpisodeStatistics  # noqa: E402

from plyground import games  # noqa: E402
from plyground.core.position import Position  # noqa: E402
from plyground.integrations.exact_rewards import ExactRewards  # noqa: E402
from plyground.integrations.gymnasium import PatternGameVectorEnv, vector_env  # noqa: E402
from plyground.search.base import Limit  # noqa: E402

SMALL = "connect-four:rows=6,columns=7"


def random_actions(infos: dict[str, Any], generator: Any) -> Any:
    """Legal actions, any where a game is over."""
    masks = infos["action_mask"]
    return (generator.random(masks.shape) * masks).argmax(axis=1)


@pytest.mark.parametrize("name", [*games.GAMES, SMALL])
def test_observations_and_actions_lie_in_their_spaces(name: str) -> None:
    env, generator = vector_env(name, num_envs=3), np.random.default_rng(0)
    observations, infos = env.reset(seed=1)
    for _ in range(60):
        actions = random_actions(infos, generator)
        assert env.observation_space.contains(observations)
        assert env.action_space.contains(actions)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert rewards.shape == terminations.shape == (3,)
        assert not truncations.any()
        assert not rewards[~terminations].any()


def test_statistics_of_gymnasium_count_whole_games() -> None:
    env, generator = RecordEpisodeStatistics(vector_env("tic-tac-toe", num_envs=4)), np.random.default_rng(0)
    _, infos = env.reset(seed=3)
    for _ in range(200):
        _, _, _, _, infos = env.step(random_actions(infos, generator))
    assert env.episode_count > 50
    assert set(env.return_queue) <= {-1.0, 0.0, 1.0}
    assert min(env.length_queue) >= 2
    assert max(env.length_queue) <= 5


def won_at_once(mode: AutoresetMode) -> PatternGameVectorEnv:
    """Two games of both sides, x one move from its win in the first."""
    env = vector_env(SMALL, num_envs=2, opponent=None, autoreset_mode=mode)
    env.reset()
    for actions in ([3, 0], [0, 0], [3, 1], [0, 1], [3, 2], [0, 3]):
        env.step(np.array(actions))
    return env


def test_the_step_after_the_last_begins_a_new_game_whatever_its_action() -> None:
    env = won_at_once(AutoresetMode.NEXT_STEP)
    observations, rewards, terminations, _, infos = env.step(np.array([3, 0]))
    assert rewards.tolist() == [1, 0]
    assert terminations.tolist() == [True, False]
    assert observations[0, :2].sum() == 7
    assert not infos["action_mask"][0].any()
    observations, rewards, terminations, _, infos = env.step(np.array([99, 0]))
    assert rewards.tolist() == [0, 0]
    assert not terminations.any()
    assert observations[0, :2].sum() == 0
    assert observations[1, :2].sum() == 8
    assert infos["action_mask"][0].all()


def test_the_same_step_begins_a_new_game_and_keeps_what_was_seen_last() -> None:
    env = won_at_once(AutoresetMode.SAME_STEP)
    observations, rewards, terminations, _, infos = env.step(np.array([3, 0]))
    assert rewards.tolist() == [1, 0]
    assert terminations.tolist() == [True, False]
    assert observations[0, :2].sum() == 0
    assert infos["action_mask"][0].all()
    assert infos["final_obs"][0][:2].sum() == 7
    assert infos["final_obs"][1] is None
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == [True, False]
    assert not infos["final_info"]["action_mask"][0].any()


def test_without_autoreset_a_game_that_is_over_must_be_begun_again() -> None:
    env = won_at_once(AutoresetMode.DISABLED)
    env.step(np.array([3, 0]))
    with pytest.raises(ValueError, match="game 0 is over"):
        env.step(np.array([3, 0]))
    observations, _ = env.reset(options={"reset_mask": np.array([True, False])})
    assert observations[:, :2].sum(axis=(1, 2, 3)).tolist() == [0, 7]
    env.step(np.array([3, 0]))


@pytest.mark.parametrize("mask", [[1, 0], [True], "all"])
def test_a_mask_that_does_not_mark_each_game_is_refused(mask: object) -> None:
    env = won_at_once(AutoresetMode.DISABLED)
    with pytest.raises(ValueError, match="reset_mask must be 2 values of True and False, got"):
        env.reset(options={"reset_mask": mask})
    env.reset(options={"reset_mask": [True, False]})


def test_the_same_seed_leads_to_the_same_games() -> None:
    def played(seed: int) -> list[float]:
        env, generator = vector_env(SMALL, num_envs=8), np.random.default_rng(0)
        _, infos = env.reset(seed=seed)
        rewards = []
        for _ in range(60):
            _, reward, _, _, infos = env.step(random_actions(infos, generator))
            rewards += reward.tolist()
        return rewards

    assert played(1) == played(1) != played(2)


def test_an_illegal_action_is_refused_and_nothing_is_done() -> None:
    env = vector_env(SMALL, num_envs=2, opponent=None)
    env.reset()
    with pytest.raises(ValueError, match="illegal action 7 in game 1"):
        env.step(np.array([0, 7]))
    assert (env.position(0).ply, env.position(1).ply) == (0, 0)


def test_returned_arrays_are_not_written_again() -> None:
    env = vector_env(SMALL, num_envs=2, opponent=None)
    before, infos = env.reset()
    env.step(np.array([0, 1]))
    assert before[:, :2].sum() == 0
    assert infos["action_mask"].all()


def test_exact_rewards_of_tic_tac_toe_say_what_each_move_gave_away() -> None:
    env = vector_env("tic-tac-toe", num_envs=1, opponent=None, reward="exact")
    env.reset()
    number = {name: action for action, name in enumerate(env.action_names)}
    # Drawn; an edge beside the corner loses; the middle keeps the win; B3 gives half of it away.
    rewards = [env.step(np.array([number[cell]]))[1][0] for cell in ("A1", "B1", "B2", "C3", "B3")]
    assert rewards == [0, -1, 0, 0, -1]


def test_what_is_not_known_after_the_effort_has_no_exact_reward() -> None:
    start = Position.start(games.load("gomoku"))
    exact = ExactRewards(start.rules, Limit(nodes=50))
    assert exact.given_away([start], [start.play("H8")]) == [None]


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="reward must be 'result' or 'exact', got 'best'"):
        vector_env(SMALL, reward="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cards are lifted again"):
        vector_env("double-card", reward="exact")
    with pytest.raises(TypeError, match="one seed for all games"):
        vector_env(SMALL).reset(seed=[1])
