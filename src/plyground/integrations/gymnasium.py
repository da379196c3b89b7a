"""Every game as a vector of Gymnasium environments, stepped together by the native core.

    >>> from plyground.integrations.gymnasium import vector_env
    >>> games = vector_env("connect-four:rows=6,columns=7", num_envs=4)
    >>> observations, infos = games.reset(seed=1)
    >>> legal = infos["action_mask"].argmax(axis=1)
    >>> observations, rewards, terminations, truncations, infos = games.step(legal)

Actions and observations are those of `plyground.native.batch`.
"""

from __future__ import annotations

from typing import Any, Literal

from plyground.core.installation import install_command

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray
except ImportError:
    raise ImportError(f"environments need Gymnasium: {install_command('rl')}") from None

from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.integrations.exact_rewards import ExactRewards, RewardKind, checked_reward
from plyground.native.batch import Batch

Stepped = tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class PatternGameVectorEnv(VectorEnv[NDArray[np.int8], NDArray[np.int64], NDArray[Any]]):
    """Games against a random player, who begins in every second one; without an opponent the agent plays both sides.

    A game, a reward or an opponent that does not exist is a ValueError.

    `infos["action_mask"]` marks the legal actions; an illegal one is a ValueError, and nothing is done. What happens
    once a game is over is Gymnasium's autoreset mode: the next step begins a new one, whatever its action is; the same
    step does, and leaves `infos["final_obs"]`; or `reset(options={"reset_mask": ...})` must. With `reward="exact"` the
    reward is what the agent's own move gave away; where `infos["exact"]` is False that is not known, and the reward 0.
    """

    def __init__(
        self,
        game: str | Rules,
        num_envs: int = 1,
        opponent: Literal["random"] | None = "random",
        reward: RewardKind = "result",
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        self._batch = batch = Batch(game, num_envs, auto_reset=False, opponent=opponent)
        self._exact = ExactRewards(batch.rules) if checked_reward(reward) == "exact" else None
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"name": batch.rules.name, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = spaces.Box(0, 1, batch.observations.shape[1:], np.int8)
        self.single_action_space = spaces.Discrete(len(batch.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over = np.zeros(num_envs, np.bool_)

    @property
    def rules(self) -> Rules:
        """The game."""
        return self._batch.rules

    @property
    def action_names(self) -> tuple[str, ...]:
        """What each action is called: a column, a cell, a card as it lies."""
        return self._batch.actions.names

    def position(self, game: int) -> Position:
        """One of the games as it stands."""
        return self._batch.position(game)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin every game again, or those of `options["reset_mask"]`; the seed is the random player's, one for all."""
        if seed is not None and not isinstance(seed, int):
            raise TypeError(f"one seed for all games is needed, got {seed!r}")
        super().reset(seed=seed)
        mask = None if options is None else options.get("reset_mask")
        if mask is None:
            self._batch.reset(int(self.np_random.integers(1 << 63)))
            self._over[:] = False
        else:
            marked = self._marks(mask)
            self._batch.restart(marked)
            self._over &= ~marked
        return self._batch.observations.copy(), self._infos()

    def step(self, actions: NDArray[np.int64]) -> Stepped:
        """Take an action in each game."""
        batch, before = self._batch, self._over
        if self.autoreset_mode is AutoresetMode.DISABLED and before.any():
            raise ValueError(f"game {before.argmax()} is over: reset(options={{'reset_mask': ...}}) begins it again")
        given_away = self._given_away(actions)
        batch.step(actions)
        rewards, ended = batch.rewards.astype(np.float64), batch.dones & ~before
        infos: dict[str, Any] = {}
        if given_away is not None:
            infos["exact"] = infos["_exact"] = ~np.isnan(given_away)
            rewards = np.nan_to_num(given_away)
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            batch.restart(before)
        elif self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos |= self._final(ended)
            batch.restart(ended)
        self._over = ended & (self.autoreset_mode is not AutoresetMode.SAME_STEP)
        return batch.observations.copy(), rewards, ended, np.zeros_like(ended), infos | self._infos()

    def _marks(self, mask: Any) -> NDArray[np.bool_]:
        marked: NDArray[np.bool_] = np.asarray(mask)
        if marked.dtype != np.bool_ or marked.shape != (self.num_envs,):
            raise ValueError(f"reset_mask must be {self.num_envs} values of True and False, got {mask!r}")
        return marked

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._batch.masks.copy(), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What a step that begins games again says of those that ended."""
        if not ended.any():
            return {}
        last = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(ended):
            last[game] = self._batch.observations[game].copy()
        return {"final_obs": last, "_final_obs": ended, "final_info": self._infos(), "_final_info": ended}

    def _given_away(self, actions: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """What each move gives away, not a number where that is not known or no move is made; None if not wanted."""
        if self._exact is None:
            return None
        given_away = np.full(self.num_envs, np.nan)
        acting = [game for game in np.flatnonzero(~self._over).tolist() if self._is_legal(game, actions[game])]
        before = [self._batch.position(game) for game in acting]
        after = [self._after(position, actions[game]) for game, position in zip(acting, before, strict=True)]
        for game, reward in zip(acting, self._exact.given_away(before, after), strict=True):
            if reward is not None:
                given_away[game] = reward
        return given_away

    def _is_legal(self, game: int, action: int) -> bool:
        return 0 <= action < len(self._batch.actions) and bool(self._batch.masks[game, action])

    def _after(self, position: Position, action: int) -> Position:
        numbers = self._batch.actions.of_placement[position.to_move]
        return position.play(next(move for move in position.moves() if numbers[move.place] == action))


vector_env = PatternGameVectorEnv
"""The name that goes with `env` and `parallel_env` of PettingZoo."""
