"""A game as data: what may be laid where, and what wins.

All games use the same code with different tables. A *placement* adds bits to layers if its
cells are empty and what it rests on is occupied. A side *completes* a pattern when a layer it
watches covers it and the opponent does not cover its neutraliser. Nothing else about a game is
code, so a position, a search and the native core serve every game alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import NamedTuple, Protocol

from plyground.core.grid import Grid, Mask, bits
from plyground.core.kinds import checked


class Side(IntEnum):
    """One of the two players, named by the order in which they move."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side(1 - self)

    @property
    def text(self) -> str:
        """`first` or `second`."""
        return self.name.lower()


class Move(NamedTuple):
    """Lay a placement; in games that recycle, from a certain ply on, after lifting one that lies on the board."""

    place: int
    """Index into the mover's placements."""

    lift: int | None = None
    """Index of the placement taken from the board first, or None for a plain move."""

    def __repr__(self) -> str:
        """`Move(3)`, or `Move(3, lift=5)`: it evaluates to the move."""
        return f"Move({self.place})" if self.lift is None else f"Move({self.place}, lift={self.lift})"


class Effect(IntEnum):
    """What a complete pattern does for the side in whose layer it is complete."""

    WIN = 0
    LOSE = 1


@dataclass(frozen=True, slots=True)
class Pattern:
    """Cells that decide the game once one of a side's layers covers them all."""

    cells: Mask

    neutraliser: Mask = 0
    """While the opponent covers all of these cells the pattern counts for nothing; 0: never neutralised."""

    family: int = 0
    """Which kind of pattern it is, such as the direction of a line."""

    effect: Effect = Effect.WIN
    """Whether the side that completes it wins or loses."""

    owner: Side | None = None
    """The side that it counts for; None: both."""

    barred: Mask = 0
    """While the same layer covers any of these cells the pattern counts for nothing: a line that must not be longer."""

    layer: int | None = None
    """The only layer that it counts in; None: all that are watched."""

    swapped: Mask = 0
    """Those of its cells that must lie in the other one of two layers, as in a word of two letters."""

    @property
    def plain(self) -> bool:
        """Whether it wins for whoever watches its layer, and asks nothing of cells but its own and its neutraliser."""
        free = not (self.barred or self.swapped or self.effect)
        return free and self.owner is None and self.layer is None


@dataclass(frozen=True, slots=True)
class Placement:
    """One thing that can be laid on the board."""

    name: str
    """Its text in a move: `G3`, a column, `5 A 2`."""

    adds: tuple[Mask, ...]
    """The cells it adds to each layer."""

    rests_on: Mask = 0
    """Cells that must be occupied before it is laid."""

    cells: Mask = field(init=False, compare=False)
    """Every cell it covers; all of them must be empty before it is laid."""

    def __post_init__(self) -> None:
        cells = 0
        for added in self.adds:
            cells |= added
        object.__setattr__(self, "cells", cells)


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A change of the board after which the rules are the same."""

    name: str

    cells: tuple[int, ...]
    """Entry i is the cell that cell i goes to."""

    layers: tuple[int, ...]
    """Entry i is the layer that layer i goes to."""


class Reading(NamedTuple):
    """What a text may mean as a move."""

    moves: tuple[Move, ...]
    """The moves it may stand for; at most one of them is legal in any position."""

    refusal: str = ""
    """Why none of them is legal, where the text says more than the single moves ("column 4 is full")."""


class Notation(Protocol):
    """How the moves of a game are written and read. It knows the rules but no position."""

    @property
    def example(self) -> str:
        """How to type a move, as an example."""

    def write(self, rules: Rules, move: Move) -> str:
        """The one text in which a move is printed."""

    def read(self, rules: Rules, text: str) -> Reading:
        """What a text may mean; ValueError saying why when it cannot be a move at all."""

    def split(self, rules: Rules, text: str) -> list[str]:
        """A text of several moves cut into one text per move."""

    def join(self, rules: Rules, moves: list[str]) -> str:
        """Texts of moves as one text, the reverse of split."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A game in words, for somebody who has never played it; what is left empty is worded from the rules."""

    goal: tuple[str, ...] = ()
    """How to win, in two lines of at most 76 characters."""

    typing: str = ""
    """How a move is typed, without an example, to stand before `, such as 4`."""

    recycling: str = ""
    """The same once moves lift what lies on the board."""

    special: tuple[str, ...] = ()
    """Further rules, a sentence or two each."""

    newcomer: Side = Side.FIRST
    """The side that a newcomer is offered: never the one that is known to lose."""


@dataclass(frozen=True, repr=False)
class Rules:
    """A game: a frozen value that says everything about it. Its repr loads it again: `load_game('connect-four')`."""

    name: str
    """Its spec, `connect-four:rows=6,columns=7`: enough to load the same rules again."""

    grid: Grid

    layers: tuple[str, ...]
    """Names of the bit boards a position consists of, such as `red`."""

    sides: tuple[str, str]
    """What the first and the second side are called: `x` and `o`, `colours` and `dots`."""

    watches: tuple[tuple[int, ...], tuple[int, ...]]
    """For each side the layers in which it completes patterns."""

    patterns: tuple[Pattern, ...]

    placements: tuple[tuple[Placement, ...], tuple[Placement, ...]]
    """What each side may lay; an index into its tuple is a `Move.place`."""

    max_plies: int
    """The game is a draw after so many moves without a winner."""

    notation: Notation

    families: tuple[str, ...] = ("pattern",)
    """Names of the kinds of pattern, by `Pattern.family`."""

    recycle_from: int | None = None
    """From this ply on (counted from 0) a move lifts a placement and lays it elsewhere; None: never."""

    mover_wins_ties: bool = True
    """Who wins when one move completes what decides the game for both sides: the mover, or else the opponent."""

    full_winner: Side | None = None
    """Who wins when the board is full and nobody has won; None: a draw."""

    passes: tuple[int, ...] = ()
    """The plies, counted from 0 and in order, at which the side to move can only pass: the other one lays several times
    running. Then the last placement of each side is its pass, and covers no cell."""

    symmetries: tuple[Symmetry, ...] = ()
    """Generators of the group of symmetries that leave each side's goals alone."""

    guide: Guide = field(default=Guide(), compare=False)
    """The game in words; `games.guide` adds what is missing."""

    def __post_init__(self) -> None:
        if not self.patterns:
            raise ValueError(f"{self.name}: no pattern fits on the board, so nobody could ever win")
        if self.recycle_from is not None:
            if self.placements[Side.FIRST] != self.placements[Side.SECOND]:
                raise ValueError(f"{self.name}: with recycling both sides must have the same placements")
            if any(pattern.neutraliser for pattern in self.patterns):
                # Lifting a neutraliser would complete a pattern far from the cells just laid.
                raise ValueError(f"{self.name}: with recycling no pattern can have a neutraliser")
            if self.passes or any(pattern.barred or pattern.swapped for pattern in self.patterns):
                raise ValueError(f"{self.name}: with recycling nobody passes, and no pattern is exact or of two layers")
        self._check_patterns()
        self._check_passes()

    def _check_patterns(self) -> None:
        # What is no pattern at all is for `check_rules` to say, in a plug-in's own test.
        for pattern in (pattern for pattern in self.patterns if isinstance(pattern, Pattern) and not pattern.plain):
            if not any(self.layers_for(side, pattern) for side in Side):
                raise ValueError(f"{self.name}: a pattern counts for nobody")
            if pattern.effect is Effect.LOSE and pattern.neutraliser:
                raise ValueError(f"{self.name}: a pattern that loses cannot have a neutraliser")
            if pattern.barred & pattern.cells or pattern.swapped & ~pattern.cells:
                raise ValueError(f"{self.name}: barred cells lie beside a pattern, swapped ones in it")
            if pattern.swapped and (len(self.layers) != 2 or pattern.layer is None or {*map(len, self.watches)} != {2}):
                raise ValueError(f"{self.name}: a pattern of two layers names one of two that both sides watch")
            if pattern.swapped and (pattern.barred or pattern.neutraliser):
                raise ValueError(f"{self.name}: a pattern of two layers cannot be exact or have a neutraliser")

    def _check_passes(self) -> None:
        if not self.passes:
            return
        for placements in self.placements:
            empty = [place for place, placement in enumerate(placements) if not placement.cells]
            if empty != [len(placements) - 1]:
                raise ValueError(f"{self.name}: a placement covers cells, but for the last one where sides pass")
        if list(self.passes) != sorted(set(self.passes)) or any(ply <= 0 for ply in self.passes):
            raise ValueError(f"{self.name}: the plies of passes are above 0 and in order, got {self.passes}")

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"load_game({self.name!r})"

    def __str__(self) -> str:
        return self.name

    @cached_property
    def layer_words(self) -> tuple[str, ...]:
        """What lies on a cell of each layer: the side's name where a layer is a side's own, else the layer's."""
        own = {side.text: self.sides[side] for side in Side}
        return tuple(own.get(layer, layer) for layer in self.layers)

    @cached_property
    def patterns_through(self) -> tuple[tuple[Pattern, ...], ...]:
        """For each cell the patterns it belongs to."""
        return tuple(tuple(p for p in self.patterns if p.cells >> cell & 1) for cell in range(len(self.grid.cells)))

    @cached_property
    def pattern_numbers(self) -> dict[Pattern, int]:
        """The place of each pattern in `patterns`."""
        return {pattern: number for number, pattern in enumerate(self.patterns)}

    @cached_property
    def patterns_touched(self) -> tuple[tuple[tuple[Pattern, ...], ...], ...]:
        """For each side and placement the patterns that share a cell with it."""
        return tuple(
            tuple(
                tuple({p: None for cell in bits(placement.cells) for p in self.patterns_through[cell]})
                for placement in placements
            )
            for placements in self.placements
        )

    @cached_property
    def plain(self) -> bool:
        """Whether patterns win for whoever watches their layer, a full board is a draw, and nothing else is special."""
        return (
            self.mover_wins_ties
            and self.full_winner is None
            and not self.passes
            and all(pattern.plain for pattern in self.patterns)
        )

    def layers_for(self, side: Side, pattern: Pattern) -> tuple[int, ...]:
        """The layers in which a complete pattern wins for a side: the opponent's where it loses."""
        holder = side if pattern.effect is Effect.WIN else side.other
        if pattern.owner not in (None, holder):
            return ()
        return tuple(layer for layer in self.watches[holder] if pattern.layer in (None, layer))

    @cached_property
    def goals(self) -> tuple[tuple[tuple[int, Pattern], ...], tuple[tuple[int, Pattern], ...]]:
        """For each side every (layer, pattern) that wins for it, layer by layer."""
        first, second = (
            tuple(
                (layer, pattern)
                for layer in self.goal_layers[side]
                for pattern in self.patterns
                if layer in self.layers_for(side, pattern)
            )
            for side in Side
        )
        return first, second

    @cached_property
    def goal_layers(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """For each side the layers in which patterns win for it: what it watches, and where others lose."""
        loses = any(pattern.effect is Effect.LOSE for pattern in self.patterns)
        first, second = (
            (*watched, *(layer for layer in others if loses and layer not in watched))
            for watched, others in (self.watches, self.watches[::-1])
        )
        return first, second

    @cached_property
    def passing(self) -> frozenset[int]:
        """The plies at which the side to move can only pass."""
        return frozenset(self.passes)

    @cached_property
    def lays_own(self) -> tuple[bool, bool]:
        """For each side whether it can lay what it watches; if not, only the other one completes its patterns."""
        first, second = (
            any(placement.adds[layer] for placement in self.placements[side] for layer in self.goal_layers[side])
            for side in Side
        )
        return first, second

    @cached_property
    def stacks(self) -> bool:
        """Whether there are placements that need others below them: discs fall, cards stand on others."""
        return any(placement.rests_on for placements in self.placements for placement in placements)

    @cached_property
    def longest(self) -> int:
        """The number of cells of the largest pattern."""
        return max(pattern.cells.bit_count() for pattern in self.patterns)


def checked_rules(rules: Rules) -> Rules:
    """The rules; TypeError for anything else."""
    return checked(rules, Rules, "rules are needed, such as load_game('connect-four')")


@lru_cache(maxsize=4096)
def cells_called(rules: Rules, name: str) -> Mask:
    """Where a click means a placement: all cells of those that share its name, as the cells of a column do."""
    mask = 0
    for placement in rules.placements[Side.FIRST]:
        if placement.name == name:
            mask |= placement.cells
    return mask
