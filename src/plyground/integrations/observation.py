"""A position as a learner sees it, and its moves as numbers: what a trained network needs to play.

    >>> import plyground
    >>> from plyground.integrations.observation import Observation, actions_of, move_of
    >>> position = plyground.start("connect-four:rows=6,columns=7", "44")
    >>> planes, mask = Observation.of(position)
    >>> planes.shape, mask.tolist()
    ((3, 6, 7), [1, 1, 1, 1, 1, 1, 1])
    >>> position.write(move_of(position, 2))
    '3'
    >>> actions_of(position, position.parse("3"))
    (2,)

Planes, masks and numbers are those of `plyground.native.batch` and of every environment of this program.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from plyground.core.grid import Mask, bits
from plyground.core.installation import install_command
from plyground.core.position import Position
from plyground.core.rules import Move, Rules

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise ImportError(f"observations need NumPy: {install_command('rl')}") from None

from plyground.native.batch import Actions, plane_order

IllegalAction = Literal["lose", "error"]
"""What an action does that is in the space of actions and not legal: it loses the game, or is a ValueError."""


def checked_illegal(kind: IllegalAction) -> IllegalAction:
    """The kind itself; ValueError for one that does not exist."""
    if kind not in get_args(IllegalAction):
        raise ValueError(f"illegal must be {' or '.join(map(repr, get_args(IllegalAction)))}, got {kind!r}")
    return kind


class Observation(NamedTuple):
    """What whoever is to act sees of a position."""

    planes: NDArray[np.int8]
    """0 and 1, `[plane, row - 1, column - 1]`: a plane for each layer (those the side watches, those the opponent
    watches, the others), where cards are lifted again one for the card in hand, and last one with the board's cells."""

    action_mask: NDArray[np.int8]
    """1 where an action is legal; all 0 once the game is over."""

    @staticmethod
    def of(position: Position, lifted: int | None = None) -> Observation:
        """What the side to move sees; `lifted` is the card already in its hand, where a move takes two actions."""
        return Observation(planes_of(position, lifted), mask_of(position, lifted))


def planes_of(position: Position, lifted: int | None = None) -> NDArray[np.int8]:
    """The planes of an observation."""
    rules, side = position.rules, position.to_move
    masks = [position.layers[layer] for layer in plane_order(rules, side)]
    if rules.recycle_from is not None:
        masks.append(0 if lifted is None else rules.placements[side][lifted].cells)
    masks.append(rules.grid.all)
    planes = np.zeros((len(masks), rules.grid.rows, rules.grid.columns), np.int8)
    for plane, mask in zip(planes, masks, strict=True):
        plane[_squares(rules, mask)] = 1
    return planes


def mask_of(position: Position, lifted: int | None = None) -> NDArray[np.int8]:
    """The legal actions of an observation."""
    actions = numbering(position.rules)
    mask = np.zeros(len(actions), np.int8)
    of_placement = actions.of_placement[position.to_move]
    for move in position.moves():
        if move.lift is None or lifted == move.lift:
            mask[of_placement[move.place]] = 1
        elif lifted is None:
            mask[of_placement[move.lift]] = 1
    return mask


def actions_of(position: Position, move: Move) -> tuple[int, ...]:
    """The numbers that make up a move: one, or two where a card is lifted and laid again."""
    of_placement = numbering(position.rules).of_placement[position.to_move]
    return tuple(of_placement[place] for place in (move.lift, move.place) if place is not None)


def move_of(position: Position, action: int, lifted: int | None = None) -> Move:
    """The legal move of a number; where a move takes two, that of the second, after `lifted_by` of the first.

    ValueError, with the legal numbers, for any other.
    """
    of_placement = numbering(position.rules).of_placement[position.to_move]
    for move in position.moves():
        if move.lift == lifted and of_placement[move.place] == action:
            return move
    raise _illegal(position, action, lifted)


def lifted_by(position: Position, action: int) -> int | None:
    """The card that a first action lifts, None where a move is one action; ValueError for one that lifts no card."""
    if not position.recycling:
        return None
    of_placement = numbering(position.rules).of_placement[position.to_move]
    for move in position.moves():
        if move.lift is not None and of_placement[move.lift] == action:
            return move.lift
    raise _illegal(position, action, None)


def action_names(rules: Rules) -> tuple[str, ...]:
    """What each action is called: a column, a cell, a card as it lies."""
    return numbering(rules).names


def _illegal(position: Position, action: object, lifted: int | None) -> ValueError:
    legal = np.flatnonzero(mask_of(position, lifted)).tolist()
    shown = ", ".join(map(str, legal[:16])) or "none, the game is over"
    return ValueError(f"illegal action {action!r} in {position.rules.name}: legal are {shown}")


@lru_cache(maxsize=32)
def numbering(rules: Rules) -> Actions:
    """The actions of a game, numbered once."""
    return Actions(rules)


def _squares(rules: Rules, mask: Mask) -> tuple[list[int], list[int]]:
    """The rows and columns of cells, counted from 0."""
    cells = [rules.grid.cells[cell] for cell in bits(mask)]
    return [row - 1 for _, row in cells], [column - 1 for column, _ in cells]
