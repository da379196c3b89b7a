"""A position of any game, and what may happen next: the reference that everything else must agree with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from plyground.core.catalogue import rules_of
from plyground.core.display import drawn, printed
from plyground.core.grid import Mask, move_mask
from plyground.core.kinds import checked
from plyground.core.rules import Move, Pattern, Placement, Rules, Side, Symmetry


class Ending(Enum):
    """How the rules ended a game."""

    PATTERN = "pattern"
    """A pattern was completed."""

    FULL = "full"
    """No cell is empty: a draw, unless the rules name a winner."""

    LIMIT = "limit"
    """The last move the rules allow was played: a draw."""

    STUCK = "stuck"
    """The side to move has no legal move: a draw."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game."""

    winner: Side | None
    """None for a draw."""

    ending: Ending

    cells: Mask = 0
    """The cells of the winner's completed patterns."""

    def __str__(self) -> str:
        """`first wins (pattern)`, `draw (full)`."""
        return f"{'draw' if self.winner is None else f'{self.winner.text} wins'} ({self.ending.value})"


QUOTED_LETTERS = 60
"""Letters of what was typed that a refusal repeats."""

_NEW = object.__new__
_SET = object.__setattr__


class IllegalMove(ValueError):  # noqa: N818  (it reads as what it is)
    """A move, or its text, that cannot be played in a position."""


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Position:
    """The state of a game: immutable, hashable, equal when nothing that matters for the future differs.

    `Position("connect-four", "4453")` is the position after some moves, `Position("tic-tac-toe", ".../.x./o.. x")`
    the one that a text describes; `print` shows the board.
    """

    rules: Rules

    layers: tuple[Mask, ...]
    """The occupied cells of each layer, in the order of `rules.layers`."""

    ply: int
    """How many moves have been played; on a board set up freely, how many discs lie there, or one less."""

    cards: frozenset[int]
    """Where placements can be lifted again: those that lie on the board; otherwise empty."""

    last: Move | None
    """The move just played."""

    over: Outcome | None
    """How a game ended, from `outcome()`."""

    def __init__(self, game: str | Rules, text: str = "") -> None:
        """The position after the moves of a text, or the position that a text describes; ValueError if it is neither.

        Without a text it is the empty board. The game is a spec, `connect-four:rows=6,columns=7`, or rules.
        """
        from plyground.core.position_text import read_position  # texts are built on positions

        found = read_position(rules_of(game), text)
        for name in Position.__slots__:
            _SET(self, name, getattr(found, name))

    @staticmethod
    def of(
        rules: Rules,
        layers: tuple[Mask, ...],
        ply: int,
        cards: frozenset[int] = frozenset(),
        last: Move | None = None,
        over: Outcome | None = None,
    ) -> Position:
        """The position with these fields, taken as they are: nothing is checked, no outcome is looked for."""
        position = _NEW(Position)
        _SET(position, "rules", rules)
        _SET(position, "layers", layers)
        _SET(position, "ply", ply)
        _SET(position, "cards", cards)
        _SET(position, "last", last)
        _SET(position, "over", over)
        return position

    @staticmethod
    def start(rules: Rules) -> Position:
        """The empty board."""
        return Position.of(rules, (0,) * len(rules.layers), 0)

    def __repr__(self) -> str:
        from plyground.core.position_text import write_position  # texts are built on positions

        text = f", {write_position(self)!r}" if self.ply or self.occupied else ""
        return f"Position({self.rules.name!r}{text})"

    def __str__(self) -> str:
        return printed(self)

    @property
    def to_move(self) -> Side:
        """The side whose turn it is (or would be, had the game not ended)."""
        return Side(self.ply & 1)

    @property
    def occupied(self) -> Mask:
        """Every cell that is not empty."""
        mask = 0
        for layer in self.layers:
            mask |= layer
        return mask

    @property
    def recycling(self) -> bool:
        """Whether the next move lifts a placement that lies on the board."""
        return self.rules.recycle_from is not None and self.ply >= self.rules.recycle_from

    @property
    def _key(self) -> tuple[object, ...]:
        barred = self.last.place if self.recycling and self.last else None
        return self.layers, self.ply, self.cards, barred

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._key == other._key and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self._key)

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.over

    def moves(self) -> list[Move]:
        """The legal moves in a fixed order; none once the game is over."""
        return [] if self.over else list(self._candidates())

    def _candidates(self) -> Iterator[Move]:
        """The moves that the board allows, whether or not the game has been won."""
        placements = self.rules.placements[self.to_move]
        occupied = self.occupied
        if self.ply in self.rules.passing:
            yield Move(len(placements) - 1)
            return
        if not self.recycling:
            for place, placement in enumerate(placements):
                if placement.cells and fits(placement, occupied):
                    yield Move(place)
            return
        for lift in sorted(self.cards):
            if self._lift_objection(lift) is None:
                rest = occupied & ~placements[lift].cells
                for place, placement in enumerate(placements):
                    if place != lift and fits(placement, rest):
                        yield Move(place, lift)

    def objection(self, move: Move) -> str | None:
        """Why a move is not legal, or None when it is."""
        placements = self.rules.placements[self.to_move]
        if self.over:
            return "the game is over"
        if not 0 <= move.place < len(placements):
            return f"there is no placement number {move.place}"
        occupied = self.occupied
        if self.recycling:
            if move.lift is None:
                return f"from move {self.ply + 1} on a card that lies on the board is moved"
            if (reason := self._lift_objection(move.lift)) is not None:
                return reason
            if move.place == move.lift:
                return "the card must not be laid again just as it lay"
            occupied &= ~placements[move.lift].cells
        elif move.lift is not None:
            return "nothing can be lifted at this point"
        names_of, placement = self.rules.grid.names_of, placements[move.place]
        if bool(placement.cells) is (self.ply in self.rules.passing):
            return "nobody passes at this point" if not placement.cells else "the other side moves again: pass"
        if taken := names_of(placement.cells & occupied):
            return f"{' and '.join(taken)} {'is' if len(taken) == 1 else 'are'} taken"
        if missing := placement.rests_on & ~occupied:
            return unsupported(self.rules, missing)
        return None

    def _lift_objection(self, lift: int) -> str | None:
        """Why a card cannot be lifted, or None when it can."""
        placements = self.rules.placements[self.to_move]
        if lift not in self.cards:
            names = self.rules.grid.names_of(placements[lift].cells) if 0 <= lift < len(placements) else []
            return f"no card lies on {'-'.join(names)}" if names else f"there is no placement number {lift}"
        if self.last is not None and lift == self.last.place:
            return "the opponent has just placed or moved that card"
        if any(placements[card].rests_on & placements[lift].cells for card in self.cards):
            return "something lies on top of that card"
        return None

    def at(self, cell: str) -> str | None:
        """What lies on a cell, `x` or `red filled`; None when it is empty, ValueError when there is no such cell.

        A disc is called by its side's name, anything else by its layers' names.

        >>> Position("tic-tac-toe", "B2").at("B2")
        'x'
        >>> Position("double-card", "0 1 A 1").at("A1")
        'red filled'
        """
        number = self.rules.grid.parse(checked(cell, str, "a cell is a text, such as 'A1'"))
        names = zip(self.rules.layer_words, self.layers, strict=True)
        return " ".join(name for name, mask in names if mask >> number & 1) or None

    def play(self, move: Move | str) -> Position:
        """The position after a legal move, which may be a text such as `4`; IllegalMove, saying why, for any other."""
        if isinstance(move, str):
            move = self.parse(move)
        elif not isinstance(move, Move):
            raise TypeError(f"a move is a Move or a text ({self.rules.notation.example}), got {move!r}")
        elif (reason := self.objection(move)) is not None:
            raise IllegalMove(f"illegal move {tuple(move)} in {self.rules.name}: {reason}")
        mover, rules = self.to_move, self.rules
        placement, cards, layers = rules.placements[mover][move.place], self.cards, self.layers
        if rules.recycle_from is not None:
            cards |= {move.place}
        if move.lift is not None:
            cards -= {move.lift}
            lifted = rules.placements[mover][move.lift].cells
            layers = tuple(layer & ~lifted for layer in layers)
        layers = tuple(layer | added for layer, added in zip(layers, placement.adds, strict=True))
        # Before this move nobody had a completed pattern, so only what it touched can be one now.
        touched = rules.patterns_touched[mover][move.place]
        return Position.arrived(rules, layers, self.ply + 1, cards, move, touched)

    @staticmethod
    def arrived(
        rules: Rules,
        layers: tuple[Mask, ...],
        ply: int,
        cards: frozenset[int],
        last: Move | None,
        patterns: Iterable[Pattern],
    ) -> Position:
        """The position with its outcome, as far as the given patterns and the draw rules decide it."""
        mover = Side(ply & 1).other
        for side in (mover, mover.other) if rules.mover_wins_ties else (mover.other, mover):
            cells = 0
            for pattern in patterns:
                if completes(rules, layers, side, pattern):
                    cells |= pattern.cells
            if cells:
                return Position.of(rules, layers, ply, cards, last, Outcome(side, Ending.PATTERN, cells))
        position = Position.of(rules, layers, ply, cards, last)
        if position.occupied == rules.grid.all:
            return Position.of(rules, layers, ply, cards, last, Outcome(rules.full_winner, Ending.FULL))
        if ply >= rules.max_plies:
            ending = Ending.LIMIT
        elif next(position._candidates(), None) is None:
            ending = Ending.STUCK
        else:
            return position
        return Position.of(rules, layers, ply, cards, last, Outcome(None, ending))

    def parse(self, text: str) -> Move:
        """The legal move a text stands for; IllegalMove, saying why and what is legal, when there is none."""
        checked(text, str, f"a move is read from a text ({self.rules.notation.example})")
        try:
            reading = self.rules.notation.read(self.rules, text)
        except ValueError as error:
            raise self._refusal(text, str(error)) from None
        legal = [move for move in reading.moves if self.objection(move) is None]
        if legal:
            return legal[0]
        if self.over or not reading.refusal:
            on_board = [move for move in reading.moves if move.lift in self.cards]
            reason = self.objection((on_board or list(reading.moves))[0])
        else:
            reason = reading.refusal
        raise self._refusal(text, str(reason))

    def _refusal(self, text: str, reason: str) -> IllegalMove:
        shown = 16
        legal = self.move_texts()
        between = "; " if any(" " in move for move in legal) else " "
        hint = "" if self.over else f"; legal: {between.join(legal[:shown])}"
        more = f" ... ({len(legal)} in all)" if len(legal) > shown else ""
        if len(text) > QUOTED_LETTERS:
            cut = f"{text[:QUOTED_LETTERS]}..."
            text, reason = cut, reason.replace(repr(text), repr(cut))
        return IllegalMove(f"illegal move {text!r} in {self.rules.name}: {reason}{hint}{more}")

    def move_texts(self) -> list[str]:
        """The legal moves as texts, sorted: columns by their numbers, all others row by row, cards by how they lie."""
        texts = [self.write(move) for move in self.moves()]
        return sorted(texts, key=int) if all(map(str.isdecimal, texts)) else texts

    def write(self, move: Move) -> str:
        """The text of a move."""
        return self.rules.notation.write(self.rules, checked(move, Move, "only a Move can be written as text"))

    def write_line(self, moves: Iterable[Move]) -> list[str]:
        """The texts of moves that follow one another from here."""
        return [self.rules.notation.write(self.rules, move) for move in moves]

    def lines(self, side: Side) -> list[int]:
        """How many patterns are live for a side, by how many of their cells it holds: entry n for n cells.

        A pattern is live for a layer while nothing else stands on its cells and it is not neutralised.
        """
        counts = [0] * (self.rules.longest + 1)
        for layer, pattern in self.live(side):
            counts[held(self.layers, layer, pattern).bit_count()] += 1
        return counts

    def live(self, side: Side) -> Iterator[tuple[int, Pattern]]:
        """Every (layer, pattern) that a side can still complete or has completed."""
        checked(side, int, "a side is Side.FIRST or Side.SECOND")
        occupied, side = self.occupied, Side(side)  # 0 and 1 are sides too, in every game
        for layer, pattern in self.rules.goals[side]:
            own = held(self.layers, layer, pattern)
            if pattern.cells & occupied != own or pattern.barred & self.layers[layer]:
                continue
            if not pattern.neutraliser or not neutralised(self.rules, self.layers, side, pattern):
                yield layer, pattern

    def _repr_svg_(self) -> str | None:
        """The picture a notebook shows."""
        return drawn(self)

    def image(self, symmetry: Symmetry) -> Position:
        """The image of the position under a symmetry of the rules; side to move and value stay the same."""
        layers = [0] * len(self.layers)
        for layer, mask in enumerate(self.layers):
            layers[symmetry.layers[layer]] = move_mask(mask, symmetry.cells)
        place = {card: image_of(self.rules, symmetry, Side.FIRST, card) for card in self.cards}
        last = self.last
        if last is not None:
            moved = image_of(self.rules, symmetry, self.to_move.other, last.place)
            lifted = last.lift
            if lifted is not None:
                lifted = image_of(self.rules, symmetry, self.to_move.other, lifted)
            last = Move(moved, lifted)
        return Position.arrived(
            self.rules, tuple(layers), self.ply, frozenset(place.values()), last, self.rules.patterns
        )


def checked_position(position: Position) -> Position:
    """The position; TypeError for anything else."""
    return checked(position, Position, "a position is needed, such as start('connect-four', '4453')")


def image_of(rules: Rules, symmetry: Symmetry, side: Side, place: int) -> int:
    """The placement that a placement becomes under a symmetry."""
    adds = [0] * len(rules.layers)
    for layer, mask in enumerate(rules.placements[side][place].adds):
        adds[symmetry.layers[layer]] = move_mask(mask, symmetry.cells)
    wanted = tuple(adds)
    return next(i for i, placement in enumerate(rules.placements[side]) if placement.adds == wanted)


def completes(rules: Rules, layers: tuple[Mask, ...], side: Side, pattern: Pattern) -> bool:
    """Whether a pattern wins for a side: one of its layers covers it and the opponent has not neutralised it."""
    covered = any(covers(layers, layer, pattern) for layer in rules.layers_for(side, pattern))
    return covered and not neutralised(rules, layers, side, pattern)


def covers(layers: tuple[Mask, ...], layer: int, pattern: Pattern) -> bool:
    """Whether all cells of a pattern are as it wants them for a layer, and none that is barred."""
    return held(layers, layer, pattern) == pattern.cells and not layers[layer] & pattern.barred


def held(layers: tuple[Mask, ...], layer: int, pattern: Pattern) -> Mask:
    """The cells of a pattern that are as it wants them: in the layer, or in the other one if they are swapped."""
    own = layers[layer] & pattern.cells
    if pattern.swapped:
        own = own & ~pattern.swapped | layers[1 - layer] & pattern.swapped
    return own


def neutralised(rules: Rules, layers: tuple[Mask, ...], side: Side, pattern: Pattern) -> bool:
    """Whether the opponent of a side covers a pattern's neutraliser."""
    poles = pattern.neutraliser
    return poles != 0 and any(layers[layer] & poles == poles for layer in rules.watches[side.other])


def fits(placement: Placement, occupied: Mask) -> bool:
    """Whether the board, with these cells occupied, has room and support for a placement."""
    return not placement.cells & occupied and not placement.rests_on & ~occupied


def unsupported(rules: Rules, missing: Mask) -> str:
    """The message about a placement that rests on cells which are empty."""
    names = rules.grid.names_of(missing)
    return f"unsupported: {' and '.join(names)} below it {'is' if len(names) == 1 else 'are'} empty"
