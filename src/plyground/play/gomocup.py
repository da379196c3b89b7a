"""Plyground as an engine for managers that speak Gomocup's protocol: it reads commands and writes cells.

    START 15 | RECTSTART 15,12 | RESTART                         OK, or ERROR and why
    BEGIN | TURN 7,8 | BOARD, lines 7,7,1, DONE                  the engine's move, 8,8
    TAKEBACK 7,8                                                 OK
    INFO timeout_turn|timeout_match|time_left MS                 nothing; other keys are left alone
    ABOUT                                                        name, version
    END

Cells are counted from 0, column first. In BOARD 1 are the engine's stones and 2 the opponent's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import plyground
from plyground import games
from plyground.core.grid import Mask
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.players.base import Player, choose
from plyground.search.base import Limit

FIVE = 5
"""How many in a row win in all that Gomocup plays."""

USUAL_TURN_MS, FASTEST_MS = 30_000, 50
"""The time for a move that the protocol means where none is set; and what `timeout_turn 0`, as fast as possible, is."""

TURN_SHARE, MATCH_SHARE = 0.8, 1 / 12
"""Of the time for a move, and of what is left for the game, so much is used."""


def check_five_in_a_row(rules: Rules) -> None:
    """ValueError for a game that Gomocup's protocol has no words for."""
    plain = rules.name.partition(":")[0] in ("gomoku", "mnk") and rules.longest == FIVE
    if not plain:
        raise ValueError(f"Gomocup's protocol plays gomoku, or mnk with line=5, got {rules.name}")


def cell_text(position: Position, cell: int) -> str:
    """A cell as the protocol writes it."""
    column, row = position.rules.grid.cells[cell]
    return f"{column - 1},{row - 1}"


def name_of_cell(rules: Rules, column: int, row: int) -> str | None:
    """The name of a cell counted from 0; None beside the board."""
    at = (column + 1, row + 1)
    return rules.grid.names[rules.grid.cells.index(at)] if at in rules.grid.cells else None


class GomocupEngine:
    """Carries out one command after the other."""

    def __init__(self, rules: Rules, load: Callable[[Rules], Player], write: Callable[[str], None]) -> None:
        """`rules` are the game until START names another board; `load` gives the player for a game."""
        check_five_in_a_row(rules)
        self.load, self.write = load, write
        self.position = Position.start(rules)
        self.player: Player | None = None
        self.times: dict[str, int] = {}
        """What INFO has set, by its key, in milliseconds."""

    def run(self, lines: Iterable[str]) -> None:
        """Carry out commands until END or the end of the lines."""
        rest = iter(lines)
        try:
            for line in rest:
                command, _, argument = line.strip().partition(" ")
                if command.upper() == "END":
                    break
                if command:
                    try:
                        self.obey(command.upper(), argument.strip(), rest)
                    except ValueError as error:
                        self.write(f"ERROR {' '.join(str(error).split())}")
        finally:
            self._let_go()

    def obey(self, command: str, argument: str, rest: Iterator[str]) -> None:
        """Carry out one command; ValueError when it cannot be."""
        if command in ("START", "RECTSTART"):
            self._begin(_board(command, argument))
        elif command == "RESTART":
            self._begin(self.position.rules)
        elif command == "BEGIN":
            self._answer()
        elif command == "TURN":
            self.position = self.position.play(self._name(argument))
            self._answer()
        elif command == "BOARD":
            self.position = self._shown(rest)
            self._answer()
        elif command == "TAKEBACK":
            self._take_back(argument)
        elif command == "INFO":
            key, _, value = argument.partition(" ")
            if value.strip().lstrip("-").isdecimal():
                self.times[key.lower()] = int(value)
        elif command == "ABOUT":
            self.write(f'name="Plyground", version="{plyground.__version__}", author="The Plyground founders"')
        else:
            self.write(f"UNKNOWN {command[:40]}")

    def _begin(self, rules: Rules) -> None:
        if rules != self.position.rules:
            self._let_go()
        self.position = Position.start(rules)
        self.write("OK")

    def _let_go(self) -> None:
        if self.player is not None:
            self.player.close()
            self.player = None

    def _answer(self) -> None:
        if (outcome := self.position.outcome()) is not None:
            raise ValueError(f"the game is over: {outcome}")
        if self.player is None:
            self.player = self.load(self.position.rules)
        move = choose(self.player, self.position, Limit(seconds=self._seconds()))
        self.position = self.position.play(move)
        self.write(cell_text(self.position, move.place))

    def _seconds(self) -> float:
        turn = self.times.get("timeout_turn", USUAL_TURN_MS) * TURN_SHARE
        left = self.times.get("time_left", 0)
        if self.times.get("timeout_match", 0) > 0 and left > 0:
            turn = min(turn, left * MATCH_SHARE)
        return max(turn, FASTEST_MS) / 1000

    def _name(self, cell: str) -> str:
        found = re.fullmatch(r"(\d{1,3})\s*,\s*(\d{1,3})", cell)
        name = None if found is None else name_of_cell(self.position.rules, int(found[1]), int(found[2]))
        if name is None:
            grid = self.position.rules.grid
            raise ValueError(f"bad cell {cell!r}: expected 0,0 to {grid.columns - 1},{grid.rows - 1}")
        return name

    def _shown(self, rest: Iterator[str]) -> Position:
        """The position of the lines up to DONE; ValueError, once they are read, when it is none."""
        stones, error = [0, 0], None
        for line in rest:
            if line.strip().upper() == "DONE":
                break
            cell, _, whose = line.strip().rpartition(",")
            try:
                place = self.position.rules.grid.parse(self._name(cell))
                if whose.strip() not in ("1", "2") or (stones[0] | stones[1]) >> place & 1:
                    raise ValueError(f"bad line {line.strip()!r}: expected an empty cell and 1 (own) or 2")
                stones[int(whose) - 1] |= 1 << place
            except ValueError as problem:
                error = error or problem
        if error is not None:
            raise error
        return _position_of(self.position.rules, stones[0], stones[1])

    def _take_back(self, argument: str) -> None:
        cell = 1 << self.position.rules.grid.parse(self._name(argument))
        if not self.position.occupied & cell:
            raise ValueError(f"there is no stone on {argument}")
        first, second = (layer & ~cell for layer in self.position.layers)
        self.position = _arranged(self.position.rules, first, second)
        self.write("OK")


def _board(command: str, argument: str) -> Rules:
    sizes = [int(word) for word in argument.split(",") if word.strip().isdecimal()]
    if len(sizes) != (1 if command == "START" else 2):
        raise ValueError(f"bad board {argument!r}: expected START 15 or RECTSTART 15,12")
    width, height = (sizes[0], sizes[-1])
    return games.load(f"gomoku:size={width}" if width == height else f"mnk:columns={width},rows={height},line={FIVE}")


def _position_of(rules: Rules, own: Mask, other: Mask) -> Position:
    """The position in which the engine is to move: it has as many stones as the opponent, or one less."""
    difference = other.bit_count() - own.bit_count()
    if difference not in (0, 1):
        raise ValueError(f"{own.bit_count()} own stones and {other.bit_count()} others: it is not the engine's move")
    return _arranged(rules, other, own) if difference else _arranged(rules, own, other)


def _arranged(rules: Rules, first: Mask, second: Mask) -> Position:
    """The position with these stones."""
    ply = first.bit_count() + second.bit_count()
    side = Side(ply & 1)
    if first.bit_count() != second.bit_count() + int(side):
        raise ValueError("the stones of the sides do not fit together")
    return Position.arrived(rules, (first, second), ply, frozenset(), None, rules.patterns)
