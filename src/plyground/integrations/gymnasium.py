"""Every game as a Gymnasium environment: one game against any player, or many that are stepped together.

    >>> import gymnasium
    >>> import plyground.integrations.gymnasium
    >>> game = gymnasium.make("plyground/ConnectFour-v0", rows=6, columns=7, opponent="engine:level=3")
    >>> observation, info = game.reset(seed=1)
    >>> action = game.action_space.sample(observation["action_mask"])
    >>> observation, reward, terminated, truncated, info = game.step(action)

    >>> from plyground.integrations.gymnasium import vector_env
    >>> games = vector_env("connect-four:rows=6,columns=7", num_envs=4)
    >>> observations, infos = games.reset(seed=1)
    >>> legal = observations["action_mask"].argmax(axis=1)
    >>> observations, rewards, terminations, truncations, infos = games.step(legal)

Actions and observations are those of `plyground.integrations.observation`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Literal

from plyground.core.installation import install_command

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray
except ImportError:
    raise ImportError(f"environments need Gymnasium: {install_command('rl')}") from None

from plyground import games as registry
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.core.specs import Spec, look_up, unknown
from plyground.integrations.exact_rewards import ExactRewards, RewardKind, checked_reward
from plyground.integrations.observation import (
    IllegalAction,
    Observation,
    checked_illegal,
    lifted_by,
    move_of,
    numbering,
)
from plyground.integrations.rendering import RENDERERS, checked_mode, render
from plyground.native.batch import Batch
from plyground.players import Player, choose
from plyground.players.functions import Chooser
from plyground.referee import entrants
from plyground.search.base import NO_LIMIT

Opponent = str | Player | Chooser | None
"""Who plays the other side: a spec, such as `engine:level=3`, a player or a function; None: the learner plays both."""

Stepped = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


def observation_space(planes: tuple[int, ...], actions: int, dicts: bool) -> spaces.Space[Any]:
    """Planes of 0 and 1, with the mask of the legal actions or without."""
    box = spaces.Box(0, 1, planes, np.int8)
    return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (actions,), np.int8)}) if dicts else box


class LearnersGame:
    """A game of a learner against an opponent, who answers at once; without one the learner plays both sides."""

    def __init__(self, start: Position, side: Side, opponent: Player | None) -> None:
        self.position, self.side, self.opponent = start, side, opponent
        self.lifted: int | None = None
        """The card in hand, after the first action of a move that takes two."""
        self._let_opponent_answer()

    def after(self, action: int) -> Position:
        """The position after the learner's action, before the answer; ValueError for an illegal action."""
        if self.position.recycling and self.lifted is None:
            lifted_by(self.position, action)
            return self.position
        return self.position.play(move_of(self.position, action, self.lifted))

    def act(self, action: int) -> float:
        """Take an action, and let the opponent answer; the result for who acted. ValueError for an illegal action."""
        before = self.position
        if before.recycling and self.lifted is None:
            self.lifted = lifted_by(before, action)
            return 0.0
        self.position, self.lifted = self.after(action), None
        self._let_opponent_answer()
        outcome = self.position.outcome()
        if outcome is None or outcome.winner is None:
            return 0.0
        return 1.0 if outcome.winner is before.to_move else -1.0

    def observe(self) -> Observation:
        """What whoever is to act sees."""
        return Observation.of(self.position, self.lifted)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.outcome() is not None

    def _let_opponent_answer(self) -> None:
        if self.opponent is not None and not self.over and self.position.to_move is not self.side:
            self.position = self.position.play(choose(self.opponent, self.position, NO_LIMIT))


START_OPTIONS = ("position", "side")
"""What `reset(options=...)` of one game understands."""


class OneGameEnv(gymnasium.Env[Any, Any]):
    """One game of a learner against an opponent: any player of this program, a bot, or None to play both sides.

    A game, a player, a reward or a render mode that does not exist is a ValueError.

    The learner's side is drawn anew in each game unless `side` names it. `reset(options={"position": "4453"})` starts
    there, and `options={"side": "first"}` names the side of that game. An action that is not legal loses the game, as
    Gymnasium's own checks and learners without masks need; `info["illegal"]` is then True. With `illegal="error"` it is
    a ValueError. `reward="exact"` is that of `plyground.integrations.exact_rewards`.
    """

    metadata = {"render_modes": list(RENDERERS), "render_fps": 2}  # noqa: RUF012  (as Gymnasium wants it)

    def __init__(
        self,
        game: str | Rules,
        opponent: Opponent = "random",
        side: Literal["first", "second"] | None = None,
        reward: RewardKind = "result",
        dict_observations: bool = True,
        illegal: IllegalAction = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.rules = rules = registry.load_given(game)
        self.render_mode = checked_mode(render_mode)
        self._side = None if side is None else _side(side)
        self._exact = ExactRewards(rules) if checked_reward(reward) == "exact" else None
        self._illegal_loses = checked_illegal(illegal) == "lose"
        self._dicts, self._opponent_given = dict_observations, opponent
        self._opponent = None if opponent is None else entrants.load_given(opponent, rules)
        self._game = LearnersGame(Position.start(rules), Side.FIRST, None)
        self._open = False
        planes, mask = self._game.observe()
        self.observation_space = observation_space(planes.shape, len(mask), dict_observations)
        self.action_space = spaces.Discrete(len(mask))

    @property
    def action_names(self) -> tuple[str, ...]:
        """What each action is called: a column, a cell, a card as it lies."""
        return numbering(self.rules).names

    @property
    def position(self) -> Position:
        """The game as it stands."""
        return self._game.position

    @property
    def side(self) -> Side:
        """The learner's side in this game."""
        return self._game.side

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as libraries with masks ask for them."""
        return self._game.observe().action_mask.astype(np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game; the seed makes the side, and an opponent with chance, repeatable."""
        super().reset(seed=seed)
        given = options or {}
        for key in given:
            look_up("option of reset", key, dict.fromkeys(START_OPTIONS))
        start = given.get("position", "")
        position = start if isinstance(start, Position) else Position(self.rules, start)
        if position.rules != self.rules:
            raise ValueError(f"the position is of {position.rules.name}, the environment of {self.rules.name}")
        if position.outcome() is not None:
            raise ValueError(f"the game is over in the position {start!r}: {position.outcome()}")
        drawn, chance = Side(int(self.np_random.integers(2))), int(self.np_random.integers(1 << 31))
        side = _side(given["side"]) if "side" in given else drawn if self._side is None else self._side
        if seed is not None and isinstance(self._opponent_given, str):
            self.close()
            self._opponent = entrants.load(self._opponent_given, self.rules, chance)
        self._game = LearnersGame(position, side, self._opponent)
        self._open = not self._game.over
        return self._shown()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action, and let the opponent answer."""
        if not self._open:
            raise ValueError("the game is over or has not begun: call reset()")
        if not self.action_space.contains(action):
            raise ValueError(f"action {action!r} is not in {self.action_space}")
        game, number = self._game, int(action)
        try:
            after = game.after(number)
        except ValueError:
            if not self._illegal_loses:
                raise
            self._open = False
            observation, info = self._shown()
            return observation, -1.0, True, False, info | {"illegal": True}
        given_away = None if self._exact is None else self._exact.given_away([game.position], [after])[0]
        reward = game.act(number)
        self._open = not game.over
        observation, info = self._shown()
        if self._exact is not None:
            reward, info["exact"] = float(given_away or 0), given_away is not None
        return observation, reward, game.over, False, info

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        planes, mask = self._game.observe()
        observation = {"observation": planes, "action_mask": mask} if self._dicts else planes
        return observation, {"action_mask": mask.copy(), "illegal": False}

    def render(self) -> Any:
        """The board by the render mode: text, SVG, an array of pixels (height, width, 3); `human` prints the text."""
        return render(self.render_mode, self.position)

    def close(self) -> None:
        """Close the opponent, if it was loaded here."""
        if self._opponent is not None and isinstance(self._opponent_given, str):
            self._opponent.close()


def _side(text: str) -> Side:
    sides = {side.text: side for side in Side}
    if text not in sides:
        raise unknown("side", text, sides)
    return sides[text]


class OpposedBatch:
    """Games against a program, with the face of `plyground.native.batch.Batch`.

    The learner moves first in games of even number and second in the others.
    """

    def __init__(self, game: str | Rules, games: int, opponent: str | Player | Chooser) -> None:
        self.rules = rules = registry.load_given(game)
        self.actions = numbering(rules)
        self._opponent_given, self._opponent = opponent, entrants.load_given(opponent, rules)
        planes, mask = Observation.of(Position.start(rules))
        self.observations = np.zeros((games, *planes.shape), np.int8)
        self.masks = np.zeros((games, len(mask)), np.int8)
        self.rewards = np.zeros(games, np.float32)
        self.dones = np.zeros(games, np.bool_)
        self._games: list[LearnersGame] = []
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Begin every game again."""
        if seed is not None and isinstance(self._opponent_given, str):
            self._opponent.close()
            self._opponent = entrants.load(self._opponent_given, self.rules, seed % (1 << 31))
        self._games = [self._begin(number) for number in range(len(self.rewards))]
        self.rewards[:], self.dones[:] = 0, False
        for number in range(len(self._games)):
            self._write(number)

    def restart(self, marked: NDArray[np.bool_]) -> None:
        """Begin those games again that are marked."""
        for number in np.flatnonzero(marked).tolist():
            self._games[number] = self._begin(number)
            self.rewards[number], self.dones[number] = 0, False
            self._write(number)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Take an action in each game that is not over; ValueError, nothing done, for an illegal one."""
        going = [(number, game) for number, game in enumerate(self._games) if not game.over]
        for number, _ in going:
            action = int(actions[number])
            if not (0 <= action < len(self.actions) and self.masks[number, action]):
                raise ValueError(f"illegal action {action} in game {number}")
        self.rewards[:] = 0
        for number, game in going:
            self.rewards[number], self.dones[number] = game.act(int(actions[number])), game.over
            self._write(number)

    def position(self, game: int) -> Position:
        """One of the games as a position."""
        return self._games[game].position

    def close(self) -> None:
        """Close the opponent, if it was loaded here."""
        if isinstance(self._opponent_given, str):
            self._opponent.close()

    def _begin(self, number: int) -> LearnersGame:
        return LearnersGame(Position.start(self.rules), Side(number % 2), self._opponent)

    def _write(self, number: int) -> None:
        self.observations[number], self.masks[number] = self._games[number].observe()


class PatternGameVectorEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """Games against an opponent, who begins in every second one; without one the agent plays both sides.

    A game, a reward or an opponent that does not exist is a ValueError. The opponent is "random", which the core plays
    itself, any other player, or None.

    Observations are dicts of `observation` and `action_mask`, which marks the legal actions; `infos` has the mask too.
    Without `dict_observations` they are the planes alone. An illegal action is a ValueError, and nothing is done. What
    happens once a game is over is Gymnasium's autoreset mode: the next step begins a new one, whatever its action is;
    the same step does, and leaves `infos["final_obs"]`; or `reset(options={"reset_mask": ...})` must. With
    `reward="exact"` the reward is what the agent's own move gave away; where `infos["exact"]` is False that is not
    known, and the reward 0.
    """

    def __init__(
        self,
        game: str | Rules,
        num_envs: int = 1,
        opponent: Opponent = "random",
        reward: RewardKind = "result",
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        dict_observations: bool = True,
    ) -> None:
        self._dicts = dict_observations
        self._batch: Batch | OpposedBatch
        if opponent is None or opponent == "random":
            self._batch = Batch(game, num_envs, auto_reset=False, opponent=opponent)  # type: ignore[arg-type]
        else:
            self._batch = OpposedBatch(game, num_envs, opponent)
        batch = self._batch
        self._exact = ExactRewards(batch.rules) if checked_reward(reward) == "exact" else None
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"name": batch.rules.name, "autoreset_mode": self.autoreset_mode}
        shape = batch.observations.shape[1:]
        self.single_observation_space = observation_space(shape, len(batch.actions), dict_observations)
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
    ) -> tuple[Any, dict[str, Any]]:
        """Begin every game again, or those of `options["reset_mask"]`; the seed is the opponent's, one for all."""
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
        return self._observed(), self._infos()

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
        return self._observed(), rewards, ended, np.zeros_like(ended), infos | self._infos()

    def _observed(self) -> Any:
        planes, masks = self._batch.observations.copy(), self._batch.masks.copy()
        return {"observation": planes, "action_mask": masks} if self._dicts else planes

    def close_extras(self, **_: Any) -> None:
        """Close the opponent, if it is a program that was loaded here."""
        if isinstance(self._batch, OpposedBatch):
            self._batch.close()

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
            planes, mask = self._batch.observations[game].copy(), self._batch.masks[game].copy()
            last[game] = {"observation": planes, "action_mask": mask} if self._dicts else planes
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
        return position.play(move_of(position, action))


env, vector_env = OneGameEnv, PatternGameVectorEnv
"""The names that go with `env` and `parallel_env` of PettingZoo."""


def make_env(game: str, **options: Any) -> OneGameEnv:
    """What `gymnasium.make` makes: the options of the game and of the environment stand beside each other."""
    return OneGameEnv(**_parted(OneGameEnv, game, options))


def make_vector_env(game: str, **options: Any) -> PatternGameVectorEnv:
    """What `gymnasium.make_vec` makes."""
    return PatternGameVectorEnv(**_parted(PatternGameVectorEnv, game, options))


def _parted(environment: Callable[..., object], game: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options of an environment, with all others as the options of the game's spec."""
    known = inspect.signature(environment).parameters
    own = tuple((key, str(value)) for key, value in options.items() if key not in known)
    return {"game": str(Spec(game, own))} | {key: value for key, value in options.items() if key in known}


def register() -> None:
    """Give every game its id, `plyground/ConnectFour-v0`; importing this module does it."""
    here = "plyground.integrations.gymnasium"
    for game in registry.GAMES:
        name = "".join(part.capitalize() for part in game.split("-"))
        if (identity := f"plyground/{name}-v0") not in gymnasium.registry:
            gymnasium.register(
                identity,
                entry_point=f"{here}:make_env",
                vector_entry_point=f"{here}:make_vector_env",
                kwargs={"game": game},
            )


register()
