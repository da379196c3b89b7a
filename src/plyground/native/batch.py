"""Many games at once as NumPy arrays, stepped by the native core: what a learner trains on.

An action is the name of a placement: a column, a cell, a card as it lies. Placements that share a name are never
legal together, so the number of actions stays small and the same throughout a game. Where cards are lifted
again, a move is two actions of the same side: the card as it lies, then where it goes.

    >>> from plyground.native.batch import Batch
    >>> batch = Batch("connect-four:rows=6,columns=7", games=1000, seed=1)
    >>> batch.observations.shape, batch.masks.shape
    ((1000, 3, 6, 7), (1000, 7))
    >>> for _ in range(50):
    ...     observations, masks, rewards, dones = batch.step(batch.sample())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from plyground.core.catalogue import rules_of
from plyground.core.installation import install_command
from plyground.core.kinds import checked_count
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.native import _core, core_for, position_of

try:
    import numpy as np
except ImportError:
    raise ImportError(f"batches of games need NumPy: {install_command('rl')}") from None

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class BatchStep(NamedTuple):
    """What a step leads to: the arrays of the batch itself, written again by the next step."""

    observations: NDArray[np.int8]
    """What whoever is to act sees, `[game, plane, row - 1, column - 1]`."""

    masks: NDArray[np.int8]
    """1 where an action is legal, `[game, action]`."""

    rewards: NDArray[np.float32]
    """To whoever acted: 1 won, -1 lost, 0 drawn or not over."""

    dones: NDArray[np.bool_]
    """Whether the step ended the game."""


class Actions:
    """The actions of a game: names of placements, numbered."""

    def __init__(self, rules: Rules) -> None:
        numbers: dict[str, int] = {}
        self.of_placement = tuple(
            [numbers.setdefault(placement.name, len(numbers)) for placement in placements]
            for placements in rules.placements
        )
        """By side and placement."""
        self.names = tuple(numbers)
        """By action."""

    def __len__(self) -> int:
        return len(self.names)


class Batch:
    """Games of the same rules that are stepped together.

    Everything is seen from the side to move: `observations[game, plane, row - 1, column - 1]` has a plane for each
    layer (those the side watches, those the opponent watches, the others), where cards are lifted again one for
    the card in hand, and last one with the cells of the board. With `opponent="random"` a random player answers
    within the step, and whoever acts moves first in games of even number and second in the others. Without
    `observed` no planes are written, which is faster for whoever does not need them: `observations` is then empty.
    """

    def __init__(
        self,
        game: str | Rules,
        games: int,
        auto_reset: bool = True,
        opponent: Literal["random"] | None = None,
        seed: int = 0,
        observed: bool = True,
    ) -> None:
        """ValueError for a game that does not exist or that the core has no room for."""
        checked_count(games, "games")
        if opponent not in (None, "random"):
            raise ValueError(f"opponent must be None or 'random', got {opponent!r}")
        self.rules = rules = rules_of(game)
        core = core_for(rules)
        self.actions = Actions(rules)
        grid = rules.grid
        planes = len(rules.layers) + 1 + (rules.recycle_from is not None)
        self.observations: NDArray[np.int8] = np.zeros(
            (games if observed else 0, planes, grid.rows, grid.columns), np.int8
        )
        self.masks: NDArray[np.int8] = np.zeros((games, len(self.actions)), np.int8)
        """1 where an action is legal; all 0 once a game is over."""
        self.rewards: NDArray[np.float32] = np.zeros(games, np.float32)
        """Of the last step, to whoever acted: 1 won, -1 lost, 0 drawn or not over."""
        self.dones: NDArray[np.bool_] = np.zeros(games, np.bool_)
        """Whether the last step ended a game; with auto_reset the next one has begun already."""
        self.to_move: NDArray[np.int8] = np.zeros(games, np.int8)
        """The side that is to act."""
        self._actions: NDArray[np.int64] = np.zeros(games, np.int64)
        self._native = _core.Batch(
            core=core,
            square_of=[(row - 1) * grid.columns + column - 1 for column, row in grid.cells],
            planes=(plane_order(rules, Side.FIRST), plane_order(rules, Side.SECOND)),
            action_of=(self.actions.of_placement[0], self.actions.of_placement[1]),
            auto_reset=auto_reset,
            opponent=opponent is not None,
            seed=_seed(seed),
            observations=self.observations,
            masks=self.masks,
            rewards=self.rewards,
            dones=self.dones,
            to_move=self.to_move,
            actions=self._actions,
        )

    def __len__(self) -> int:
        return len(self._actions)

    def reset(self, seed: int = 0) -> BatchStep:
        """Begin every game again."""
        self._native.reset(_seed(seed))
        return BatchStep(self.observations, self.masks, self.rewards, self.dones)

    def restart(self, marked: NDArray[np.bool_]) -> None:
        """Begin those games again that are marked, one mark per game; the others go on."""
        self._native.restart(np.ascontiguousarray(marked, np.bool_))

    def step(self, actions: ArrayLike) -> BatchStep:
        """Take an action in each game, any number in one that is over; ValueError, nothing done, for an illegal one.

        TypeError for what is not whole numbers.
        """
        if actions is not self._actions:
            np.copyto(self._actions, actions, casting="same_kind")
        self._native.step()
        return BatchStep(self.observations, self.masks, self.rewards, self.dones)

    def sample(self) -> NDArray[np.int64]:
        """A legal action for each game, all as likely, in an array that the next call writes again."""
        self._native.sample()
        return self._actions

    def position(self, game: int) -> Position:
        """One of the games as a position; IndexError for a number that no game has."""
        if not 0 <= game < len(self):
            raise IndexError(f"game must be 0 to {len(self) - 1}, got {game}")
        at = position_of(self.rules, *self._native.game(game))
        return Position.arrived(at.rules, at.layers, at.ply, at.cards, at.last, at.rules.patterns)


def plane_order(rules: Rules, side: Side) -> list[int]:
    """The layers in the order a side sees them: those it watches, those its opponent watches, the others."""
    watched = (*rules.watches[side], *rules.watches[side.other], *range(len(rules.layers)))
    return list(dict.fromkeys(watched))


def _seed(seed: int) -> int:
    return seed % (1 << 64)
