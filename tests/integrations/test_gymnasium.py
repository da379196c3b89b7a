"""Vectors of Gymnasium environments: its own wrappers run on them, and games are those of the reference."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.wrappers.vector import RecordEpisodeStatistics  # noqa: E402

from plyground import games, load_player  # noqa: E402
from plyground.core.position import Position  # noqa: E402
from plyground.core.rules import Move, Side  # noqa: E402
from plyground.integrations.exact_rewards import ExactRewards  # noqa: E402
from plyground.integrations.gymnasium import OneGameEnv, PatternGameVectorEnv, env, vector_env  # noqa: E402
from plyground.integrations.observation import Observation, actions_of, lifted_by, move_of  # noqa: E402
from plyground.native.batch import Batch  # noqa: E402
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
    assert observations["observation"][0, :2].sum() == 7
    assert not infos["action_mask"][0].any()
    observations, rewards, terminations, _, infos = env.step(np.array([99, 0]))
    assert rewards.tolist() == [0, 0]
    assert not terminations.any()
    assert observations["observation"][0, :2].sum() == 0
    assert observations["observation"][1, :2].sum() == 8
    assert infos["action_mask"][0].all()


def test_the_same_step_begins_a_new_game_and_keeps_what_was_seen_last() -> None:
    env = won_at_once(AutoresetMode.SAME_STEP)
    observations, rewards, terminations, _, infos = env.step(np.array([3, 0]))
    assert rewards.tolist() == [1, 0]
    assert terminations.tolist() == [True, False]
    assert observations["observation"][0, :2].sum() == 0
    assert infos["action_mask"][0].all()
    assert infos["final_obs"][0]["observation"][:2].sum() == 7
    assert infos["final_obs"][1] is None
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == [True, False]
    assert not infos["final_info"]["action_mask"][0].any()


def test_without_autoreset_a_game_that_is_over_must_be_begun_again() -> None:
    env = won_at_once(AutoresetMode.DISABLED)
    env.step(np.array([3, 0]))
    with pytest.raises(ValueError, match="game 0 is over"):
        env.step(np.array([3, 0]))
    observations, _ = env.reset(options={"reset_mask": np.array([True, False])})
    assert observations["observation"][:, :2].sum(axis=(1, 2, 3)).tolist() == [0, 7]
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
    assert before["observation"][:, :2].sum() == 0
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


def gymnasium_id(name: str) -> str:
    return f"plyground/{''.join(part.capitalize() for part in name.split('-'))}-v0"


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_is_made_by_its_id_and_passes_gymnasiums_own_check(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are render modes the checker does not know
        made = gymnasium.make(gymnasium_id(name))
        check_env(made.unwrapped)
    made.close()


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_is_made_as_a_vector_by_its_id(name: str) -> None:
    games_at_once = gymnasium.make_vec(gymnasium_id(name), num_envs=3)
    assert isinstance(games_at_once, PatternGameVectorEnv)
    observations, _ = games_at_once.reset(seed=1)
    assert observations["action_mask"].shape[0] == 3
    games_at_once.close()


def test_options_of_a_game_stand_beside_those_of_the_environment() -> None:
    made = gymnasium.make("plyground/ConnectFour-v0", rows=5, columns=6, opponent=None, render_mode="ansi")
    made.reset()
    assert made.unwrapped.position.rules.name == "connect-four:rows=5,columns=6"
    assert made.render().startswith("5")
    many = gymnasium.make_vec("plyground/ConnectFour-v0", 2, rows=5, columns=6, opponent=None)
    assert many.unwrapped.rules.name == "connect-four:rows=5,columns=6"


def finish(game: OneGameEnv, seed: int) -> tuple[list[int], float]:
    """The actions and the result of a random game."""
    generator, reward, over, actions = np.random.default_rng(seed), 0.0, False, list[int]()
    while not over:
        actions.append(int(generator.choice(np.flatnonzero(game.action_masks()))))
        _, reward, over, _, _ = game.step(actions[-1])
    return actions, reward


def test_a_single_game_against_a_level_ends_with_its_result() -> None:
    game = env("tic-tac-toe", opponent="engine:level=5")
    results = set()
    for seed in range(6):
        game.reset(seed=seed)
        _, reward = finish(game, seed)
        outcome = game.position.outcome()
        assert outcome is not None
        assert reward == (0 if outcome.winner is None else 1 if outcome.winner is game.side else -1)
        results.add(reward)
    assert -1 in results
    assert 1 not in results
    game.close()


def test_a_seed_repeats_a_game_against_a_player_with_chance() -> None:
    def played() -> list[int]:
        game = env(SMALL, opponent="random")
        game.reset(seed=7)
        finish(game, 3)
        return [int(mask) for mask in game.position.layers]

    assert played() == played()


def test_both_sides_come_up_and_a_side_can_be_named() -> None:
    game = env("tic-tac-toe")
    game.reset(seed=1)
    sides = set()
    for _ in range(30):
        game.reset()
        sides.add(game.side)
    assert sides == set(Side)
    second = env("tic-tac-toe", side="second")
    second.reset()
    assert (second.side, second.position.ply) == (Side.SECOND, 1)
    second.reset(options={"side": "first"})
    assert (second.side, second.position.ply) == (Side.FIRST, 0)


def test_a_game_starts_where_the_options_say() -> None:
    game = env(SMALL, opponent=None)
    observation, _ = game.reset(options={"position": "444444"})
    assert game.position.ply == 6
    assert observation["action_mask"].tolist() == [1, 1, 1, 0, 1, 1, 1]
    game.reset(options={"position": Position(SMALL, "4")})
    assert game.position.ply == 1


def test_options_and_settings_that_do_not_exist_are_refused() -> None:
    game = env(SMALL)
    with pytest.raises(ValueError, match="unknown option of reset 'positoin'; did you mean 'position'"):
        game.reset(options={"positoin": "44"})
    with pytest.raises(ValueError, match="the game is over in the position"):
        game.reset(options={"position": "4142434"})
    with pytest.raises(ValueError, match="the position is of tic-tac-toe, the environment of connect-four"):
        game.reset(options={"position": Position("tic-tac-toe")})
    with pytest.raises(ValueError, match="unknown side 'x'"):
        env(SMALL, side="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="illegal must be 'lose' or 'error'"):
        env(SMALL, illegal="warn")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown player 'engin'; did you mean 'engine'"):
        env(SMALL, opponent="engin")
    with pytest.raises(ValueError, match="call reset"):
        env(SMALL).step(0)


def test_an_illegal_action_loses_or_is_refused_as_the_setting_says() -> None:
    game = env(SMALL, opponent=None)
    game.reset(options={"position": "444444"})
    _, reward, over, _, info = game.step(3)
    assert (reward, over, info["illegal"]) == (-1, True, True)
    strict = env(SMALL, opponent=None, illegal="error")
    strict.reset(options={"position": "444444"})
    with pytest.raises(ValueError, match=r"illegal action 3 in connect-four.*: legal are 0, 1, 2, 4, 5, 6"):
        strict.step(3)
    with pytest.raises(ValueError, match="action 7 is not in Discrete"):
        strict.step(7)


def test_exact_rewards_of_a_single_game_are_for_its_own_moves() -> None:
    game = env(
        "tic-tac-toe",
        opponent=lambda position: "B1" if position.ply == 1 else "C1",
        reward="exact",
        side="first",
    )
    game.reset()
    rewards = [game.step(game.action_names.index(cell))[1] for cell in ("A1", "C3")]
    # A1 keeps the draw; the answer B1 loses, and C3 gives that win away; the answers are not the learner's.
    assert rewards == [0, -1]


def test_human_games_print_the_board_as_they_go(capsys: pytest.CaptureFixture[str]) -> None:
    game = env(SMALL, opponent=None, render_mode="human")
    game.reset()
    game.step(3)
    assert game.render() is None
    assert capsys.readouterr().out.count("1  2  3  4  5  6  7") == 3


def test_many_games_are_played_against_a_program() -> None:
    games_at_once = vector_env("tic-tac-toe", num_envs=4, opponent="engine:level=5")
    generator, rewards = np.random.default_rng(0), list[float]()
    observations, infos = games_at_once.reset(seed=1)
    assert [games_at_once.position(game).ply for game in range(4)] == [0, 1, 0, 1]
    for _ in range(30):
        observations, reward, over, _, infos = games_at_once.step(random_actions(infos, generator))
        rewards += reward[over].tolist()
        assert games_at_once.observation_space.contains(observations)
    assert len(rewards) > 10
    assert max(rewards) <= 0 < -min(rewards)
    games_at_once.close()


def test_games_against_a_function_and_against_the_core_have_one_face() -> None:
    first = vector_env(SMALL, num_envs=2, opponent=lambda position: position.moves()[0])
    observations, _ = first.reset()
    with pytest.raises(ValueError, match="illegal action 7 in game 1"):
        first.step(np.array([0, 7]))
    first.step(np.array([6, 6]))
    assert [first.position(game).ply for game in range(2)] == [2, 3]
    before, _ = first.reset(options={"reset_mask": np.array([True, False])})
    assert [first.position(game).ply for game in range(2)] == [0, 3]
    assert set(before) == set(observations) == {"observation", "action_mask"}


@pytest.mark.parametrize("name", [*games.GAMES, SMALL, "double-card:first=dots"])
def test_observations_of_positions_are_those_of_batches(name: str) -> None:
    batch = Batch(name, 1, auto_reset=False)
    generator, position, lifted = np.random.default_rng(3), Position.start(games.load(name)), None
    while position.outcome() is None:
        planes, mask = Observation.of(position, lifted)
        assert (planes == batch.observations[0]).all()
        assert (mask == batch.masks[0]).all()
        action = int(generator.choice(np.flatnonzero(mask)))
        if position.recycling and lifted is None:
            lifted = lifted_by(position, action)
        else:
            move = move_of(position, action, lifted)
            assert actions_of(position, move)[-1] == action
            position, lifted = position.play(move), None
        batch.step([action])
    assert not Observation.of(position).action_mask.any()
    assert (Observation.of(position).planes == batch.observations[0]).all()


def test_numbers_that_are_no_actions_are_refused_with_what_is_legal() -> None:
    position = Position(SMALL, "444444")
    with pytest.raises(ValueError, match=r"illegal action 3 in connect-four.*: legal are 0, 1, 2, 4, 5, 6"):
        move_of(position, 3)
    over = Position(SMALL, "4142434")
    with pytest.raises(ValueError, match=r"illegal action 0 in .*: legal are none, the game is over"):
        move_of(over, 0)


def test_a_trained_network_plays_as_a_player_in_ten_lines() -> None:
    weights = np.random.default_rng(0).standard_normal((3 * 6 * 7, 7))

    def network(position: Position) -> Move:
        planes, mask = Observation.of(position)
        values = np.where(mask, planes.reshape(-1) @ weights, -np.inf)
        return move_of(position, int(values.argmax()))

    from plyground import play_match

    player = load_player(network, games.load(SMALL))
    assert not any(record.fault for record in play_match(SMALL, player, "random", games=4).records)


def test_the_old_form_of_observations_is_there_on_request() -> None:
    planes, _ = env(SMALL, dict_observations=False).reset(seed=1)
    assert planes.shape == (3, 6, 7)
    planes, _ = vector_env(SMALL, 2, dict_observations=False).reset(seed=1)
    assert planes.shape == (2, 3, 6, 7)
