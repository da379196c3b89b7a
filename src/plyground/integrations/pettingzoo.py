"""Every game as a PettingZoo environment (AEC and parallel), stepped by the native core.

    >>> from plyground.integrations.pettingzoo import env
    >>> game = env("connect-four:rows=6,columns=7", render_mode="ansi")
    >>> game.reset(seed=1)
    >>> for agent in game.agent_iter():
    ...     observation, reward, termination, truncation, info = game.last()
    ...     over = termination or truncation
    ...     game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))

Actions and observations are those of `plyground.native.batch`: where cards are lifted again an agent acts twice for a
move. `parallel_env` is the same game for libraries that want an action of every agent at each step.
"""

from __future__ import annotations

from typing import Any

from plyground.core.installation import install_command

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv, ParallelEnv
except ImportError:
    raise ImportError(f"environments need PettingZoo: {install_command('rl')}") from None

from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.core.specs import unknown
from plyground.integrations.exact_rewards import ExactRewards, RewardKind, checked_reward
from plyground.integrations.observation import IllegalAction, checked_illegal
from plyground.integrations.rendering import RENDERERS, checked_mode, render
from plyground.native.batch import Batch, plane_order

AGENTS = ("player_0", "player_1")
"""The agents in the order in which they move."""


class PatternGameEnv(AECEnv[str, Any, Any], EzPickle):  # type: ignore[misc]
    """A game between `player_0`, who moves first, and `player_1`.

    A game, a render mode or a reward that does not exist is a ValueError.

    An observation is a dict of `observation` and `action_mask`, which marks the legal actions; `infos[agent]` has the
    mask too. Without `dict_observations` it is the planes alone. An illegal action is a ValueError; with
    `illegal="lose"` it loses the game, as with PettingZoo's `TerminateIllegalWrapper`. With `reward="exact"` an agent
    gets what its move gave away (`plyground.integrations.exact_rewards`) and the other one the opposite;
    `infos[agent]["exact"]` is False where that is not known, and the reward is 0.
    """

    def __init__(
        self,
        game: str | Rules,
        render_mode: str | None = None,
        dict_observations: bool = True,
        reward: RewardKind = "result",
        illegal: IllegalAction = "error",
    ) -> None:
        EzPickle.__init__(self, game, render_mode, dict_observations, reward, illegal)
        super().__init__()
        self._illegal_loses = checked_illegal(illegal) == "lose"
        self.render_mode = checked_mode(render_mode)
        self._dicts = dict_observations
        self._batch = Batch(game, 1, auto_reset=False)
        self.rules = rules = self._batch.rules
        self._exact = ExactRewards(rules) if checked_reward(reward) == "exact" else None
        self.metadata = {
            "name": rules.name,
            "render_modes": list(RENDERERS),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        count, shape = len(self._batch.actions), self._batch.observations.shape[1:]
        self.action_spaces = {agent: spaces.Discrete(count) for agent in AGENTS}
        self.observation_spaces = {agent: self._observation_space(shape, count) for agent in AGENTS}
        self._no_action = np.zeros(count, np.int8)
        # The planes of one side in the order in which the other one sees them.
        orders = [plane_order(rules, side) for side in Side]
        extra = list(range(len(rules.layers), shape[0]))
        self._turned = [[one.index(layer) for layer in other] + extra for one, other in (orders, orders[::-1])]

    def _observation_space(self, shape: tuple[int, ...], count: int) -> spaces.Space[Any]:
        planes = spaces.Box(0, 1, shape, np.int8)
        if not self._dicts:
            return planes
        return spaces.Dict({"observation": planes, "action_mask": spaces.Box(0, 1, (count,), np.int8)})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Planes of 0 and 1: see `plyground.native.batch.Batch`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of the game's actions, by `action_names`."""
        return self.action_spaces[agent]

    @property
    def action_names(self) -> tuple[str, ...]:
        """What each action is called: a column, a cell, a card as it lies."""
        return self._batch.actions.names

    @property
    def position(self) -> Position:
        """The game as it stands."""
        return self._batch.position(0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin again; there is no chance in these games, so a seed changes nothing."""
        self._batch.reset()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._pass_to(0)

    def observe(self, agent: str) -> Any:
        """What an agent sees: its own layers first; ValueError for an agent that does not exist."""
        if agent not in AGENTS:
            raise unknown("agent", agent, AGENTS)
        planes, side = self._batch.observations[0], int(self._batch.to_move[0])
        seen = planes.copy() if agent == AGENTS[side] else planes[self._turned[side]]
        return {"observation": seen, "action_mask": self.infos[agent]["action_mask"]} if self._dicts else seen

    def step(self, action: Any) -> None:
        """Take an action for the agent whose turn it is; None for one whose game is over."""
        if not self.agents:
            raise ValueError("the environment must be reset before it can be stepped")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        batch = self._batch
        before = None if self._exact is None else self.position
        try:
            batch.step(action)
        except (TypeError, ValueError):
            if not self._illegal_loses or not self.action_space(agent).contains(action):
                raise self._refusal(action) from None
            self._lose(agent)
            return
        self._cumulative_rewards[agent] = 0.0
        if batch.dones[0]:
            self.terminations = dict.fromkeys(AGENTS, True)
        given_away = None
        if self._exact is not None and before is not None:
            [given_away] = self._exact.given_away([before], [self.position])
            self._reward(agent, float(given_away or 0))
        elif batch.dones[0]:
            self._reward(agent, float(batch.rewards[0]))
        self._pass_to(int(batch.to_move[0]))
        if self._exact is not None:
            for info in self.infos.values():
                info["exact"] = given_away is not None
        if self.render_mode == "human":
            self.render()

    def _lose(self, agent: str) -> None:
        """End the game as lost by an agent whose action is not legal."""
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(AGENTS, True)
        self._reward(agent, -1.0)
        self.infos = {each: {"action_mask": self._no_action, "illegal": each == agent} for each in AGENTS}

    def _reward(self, agent: str, reward: float) -> None:
        """Give an agent its reward and the other one the opposite."""
        self.rewards = {agent: reward, AGENTS[1 - AGENTS.index(agent)]: -reward}
        self._accumulate_rewards()

    def _pass_to(self, side: int) -> None:
        """Make it a side's turn."""
        self.agent_selection = AGENTS[side]
        self.infos = {
            AGENTS[side]: {"action_mask": self._batch.masks[0].copy()},
            AGENTS[1 - side]: {"action_mask": self._no_action},
        }

    def _refusal(self, action: object) -> ValueError:
        legal = ", ".join(map(str, np.flatnonzero(self._batch.masks[0])[:16]))
        return ValueError(
            f"illegal action {action!r} of {self.agent_selection} in {self.rules.name}: legal are {legal}"
        )

    def render(self) -> Any:
        """The board by the render mode: text, SVG, an array of pixels (height, width, 3); `human` prints the text."""
        return render(self.render_mode, self.position)

    def close(self) -> None:
        """Nothing is open."""


class PatternGameParallelEnv(ParallelEnv[str, Any, Any], EzPickle):  # type: ignore[misc]
    """The same game where every agent acts at each step: what the one does who is not to move is not looked at.

    Its mask has no legal action. PettingZoo's own checks sample actions without masks, so an illegal action loses the
    game here; with `illegal="error"` it is a ValueError. Rewards, observations and masks are those of `PatternGameEnv`.
    """

    def __init__(
        self,
        game: str | Rules,
        render_mode: str | None = None,
        dict_observations: bool = True,
        reward: RewardKind = "result",
        illegal: IllegalAction = "lose",
    ) -> None:
        EzPickle.__init__(self, game, render_mode, dict_observations, reward, illegal)
        self._game = PatternGameEnv(game, render_mode, dict_observations, reward, illegal)
        self.render_mode = render_mode
        self.metadata = self._game.metadata | {"is_parallelizable": True}
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Planes of 0 and 1: see `plyground.native.batch.Batch`."""
        return self._game.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of the game's actions, by `action_names`."""
        return self._game.action_space(agent)

    @property
    def action_names(self) -> tuple[str, ...]:
        """What each action is called: a column, a cell, a card as it lies."""
        return self._game.action_names

    @property
    def position(self) -> Position:
        """The game as it stands."""
        return self._game.position

    @property
    def to_act(self) -> str:
        """The agent whose action counts."""
        return self._game.agent_selection

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin again; there is no chance in these games, so a seed changes nothing."""
        self._game.reset(seed, options)
        self.agents = list(AGENTS)
        return self._observed(), self._game.infos

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the action of the agent that is to move; ValueError where there is none."""
        if not self.agents:
            raise ValueError("the environment must be reset before it can be stepped")
        game = self._game
        if self.to_act not in actions:
            raise ValueError(f"an action of {self.to_act} is needed, got those of {', '.join(actions) or 'nobody'}")
        game.step(actions[self.to_act])
        if all(game.terminations.values()):
            self.agents = []
        return self._observed(), dict(game.rewards), dict(game.terminations), dict(game.truncations), game.infos

    def _observed(self) -> dict[str, Any]:
        return {agent: self._game.observe(agent) for agent in AGENTS}

    def render(self) -> Any:
        """The board by the render mode: text, SVG, an array of pixels (height, width, 3); `human` prints the text."""
        return self._game.render()

    def close(self) -> None:
        """Nothing is open."""


env, parallel_env = PatternGameEnv, PatternGameParallelEnv
"""The names under which libraries look for an environment."""
