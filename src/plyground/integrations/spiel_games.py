"""Every game of this program as a game of OpenSpiel: import this module, then `pyspiel.load_game` knows them.

    import pyspiel
    import plyground.integrations.spiel_games
    game = pyspiel.load_game("plyground_polarized_ladder(variant=open)")

Options of a game are parameters. Actions and tensors are those of `plyground.integrations.observation`. The rules are
read by the reference in Python: an algorithm that walks through millions of states is slow.
"""

from __future__ import annotations

from typing import Any

from plyground.core.installation import install_command

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError:
    raise ImportError("games of OpenSpiel need it: pip install open_spiel") from None

try:
    import numpy as np
except ImportError:
    raise ImportError(f"games of OpenSpiel need NumPy: {install_command('rl')}") from None

from plyground import games
from plyground.core.position import Position
from plyground.core.position_text import write_position
from plyground.core.rules import Rules
from plyground.core.specs import Spec, options_of
from plyground.integrations.observation import Observation, lifted_by, mask_of, move_of, numbering


class SpielPlace:
    """A position and the card in hand: a value, which OpenSpiel need not copy when it copies a state."""

    __slots__ = ("lifted", "position")

    def __init__(self, position: Position, lifted: int | None = None) -> None:
        self.position, self.lifted = position, lifted

    def __deepcopy__(self, _: object) -> SpielPlace:
        return self

    def after(self, action: int) -> SpielPlace:
        """The place after an action; ValueError for one that is not legal."""
        if self.position.recycling and self.lifted is None:
            return SpielPlace(self.position, lifted_by(self.position, action))
        return SpielPlace(self.position.play(move_of(self.position, action, self.lifted)))


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of this program."""

    def __init__(self, game_type: Any, rules: Rules, params: dict[str, Any] | None) -> None:
        self.rules = rules
        lifts = 0 if self.rules.recycle_from is None else self.rules.max_plies - self.rules.recycle_from
        info = pyspiel.GameInfo(
            num_distinct_actions=len(numbering(self.rules)),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.max_plies + lifts,
        )
        super().__init__(game_type, info, params or {})

    def new_initial_state(self, state: str | None = None) -> SpielState:
        """The start of a game, or the position of a text."""
        return SpielState(self, SpielPlace(Position(self.rules, state or "")))

    def state_of(self, position: Position) -> SpielState:
        """A position as a state, whatever moves led there."""
        return SpielState(self, SpielPlace(position))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What shows states as tensors."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return SpielObserver(self.rules, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game of this program, perhaps with a card in hand."""

    def __init__(self, game: SpielGame, at: SpielPlace) -> None:
        super().__init__(game)
        self.at = at

    @property
    def position(self) -> Position:
        """The position, before a card in hand was lifted."""
        return self.at.position

    def current_player(self) -> Any:
        """Who is to act."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else int(self.position.to_move)

    def _legal_actions(self, _: int) -> list[int]:
        found: list[int] = np.flatnonzero(mask_of(self.position, self.at.lifted)).tolist()
        return found

    def _apply_action(self, action: int) -> None:
        self.at = self.at.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{self.position.rules.sides[player]} {numbering(self.position.rules).names[action]}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome() is not None

    def returns(self) -> list[float]:
        """The result for each player, 0 while the game goes on."""
        outcome = self.position.outcome()
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if int(outcome.winner) == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        held = "" if self.at.lifted is None else f" lifted {self.at.lifted}"
        return f"{write_position(self.position)}{held}"


class SpielObserver:
    """A state as a tensor `[plane, row, column]`, seen by whoever is to move, and as text."""

    def __init__(self, rules: Rules, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters, got {params}")
        shape = Observation.of(Position.start(rules)).planes.shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, _: int) -> None:
        """Write a state into the tensor."""
        self.dict["observation"][:] = Observation.of(state.position, state.at.lifted).planes

    def string_from(self, state: SpielState, _: int) -> str:
        """A state as text."""
        return str(state)


def spiel_name(game: str) -> str:
    """What OpenSpiel calls a game of this program: `plyground_polarized_ladder`."""
    return f"plyground_{game.replace('-', '_')}"


def game_of(rules: Rules) -> SpielGame:
    """The game of some rules, also of rules that are registered nowhere."""
    return SpielGame(_type_of(games.title(rules.name), spiel_name("rules"), {}), rules, None)


def _type_of(title: str, short_name: str, parameters: dict[str, Any]) -> Any:
    """What OpenSpiel knows of a game before it is loaded."""
    return pyspiel.GameType(
        short_name=short_name,
        long_name=f"Plyground {title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def _register(name: str) -> None:
    """Make OpenSpiel know a game."""
    defaults = {key: option.default for key, option in options_of(games.GAMES[name]).items()}
    parameters = {key: "" if value is None else value for key, value in defaults.items()}
    game_type = _type_of(games.title(name), spiel_name(name), parameters)

    # A class, as OpenSpiel frees what it was given after Python has ended, which only a class survives.
    class Registered(SpielGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given = tuple((key, str(value)) for key, value in (params or {}).items() if value != "")
            super().__init__(game_type, games.load(str(Spec(name, given))), params)

    pyspiel.register_game(game_type, Registered)


for _name in games.GAMES:
    if spiel_name(_name) not in pyspiel.registered_names():
        _register(_name)
