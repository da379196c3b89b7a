"""A board to click in a notebook, against any player; it needs the extra `notebook`.

The picture is that of `render/svg`; the script in the browser knows no rules and is sent what each click means.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from plyground.core.grid import Grid, bits
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Rules, Side, cells_called
from plyground.games import title
from plyground.play.game import Game
from plyground.play.records import GameRecord, PlayedMove, occasion
from plyground.players import Player, choose
from plyground.render.look import centre
from plyground.render.shapes import CELL_UNITS, HALF_CELL_UNITS
from plyground.render.svg import to_svg
from plyground.search.base import Limit


class BoardWidget(anywidget.AnyWidget):
    """A game under way: a click plays a move, and the opponent answers."""

    _esm = Path(__file__).parent / "board.js"

    view = traitlets.Dict().tag(sync=True)
    """What the browser shows."""

    def __init__(self, rules: Rules, opponent: Player | None, side: Side, limit: Limit) -> None:
        """A game of a person against a player, or against another person at the same board without one."""
        super().__init__()
        self.rules = rules
        self.opponent = opponent
        self.side = side
        self.limit = limit
        self.game = self._begun()
        self.on_msg(self._on_message)
        self._answer()

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.game.position

    @property
    def record(self) -> GameRecord:
        """The game as far as it has been played."""
        return self.game.record()

    def play(self, move: str) -> None:
        """Play a move, and let the opponent answer; IllegalMove when it is none."""
        self.game.play(PlayedMove(self.position.parse(move)))
        self._answer()

    def undo(self) -> None:
        """Take back the last move of the person and the answer to it."""
        count = 1 if self.opponent is None else self.game.since_turn_of(self.side)
        if 0 < count <= len(self.game.moves):
            self.game.take_back(count)
        self._show()

    def again(self) -> None:
        """Begin a new game."""
        self.game = self._begun()
        self._answer()

    def _begun(self) -> Game:
        names = ["you", "you"] if self.opponent is None else ["you", self.opponent.name]
        named = names[self.side], names[self.side.other]
        return Game(self.rules, named, limit=self.limit, tags=occasion("Game in a notebook"))

    def _answer(self) -> None:
        if self.opponent is not None and self.game.open and self.game.to_move is not self.side:
            self._show()
            self.game.play(PlayedMove(choose(self.opponent, self.position, self.limit)))
        self._show()

    def _on_message(self, _: object, content: Any, buffers: object) -> None:
        """Do what was clicked; what comes from a browser may be anything."""
        kind = content.get("kind") if isinstance(content, dict) else None
        if kind == "undo":
            self.undo()
        elif kind == "again":
            self.again()
        elif kind == "move" and self.game.open:
            try:
                self.play(str(content.get("text")))
            except IllegalMove as error:
                self._show(str(error))

    def _show(self, note: str = "") -> None:
        position = self.position
        mine = self.game.open and (self.opponent is None or self.game.to_move is self.side)
        moves = moves_of_cells(position) if mine else [[] for _ in self.rules.grid.names]
        self.view = {
            "svg": to_svg(position),
            "cells": [
                {"name": name, "box": box_of(self.rules.grid, cell), "moves": moves[cell]}
                for cell, name in enumerate(self.rules.grid.names)
            ],
            "note": note or self._note(),
            "waiting": "" if self.opponent is None else f"{self.opponent.name} is thinking",
            "undo": bool(self.game.moves),
        }

    def _note(self) -> str:
        position, sides = self.position, self.rules.sides
        outcome = position.outcome()
        if outcome is None:
            whose = "your move" if self.opponent is None or self.game.to_move is self.side else "thinking"
            return f"{title(self.rules.name)}, move {position.ply + 1}: {sides[position.to_move]}, {whose}"
        if outcome.winner is None:
            return "The game is a draw."
        winner = sides[outcome.winner]
        if self.opponent is None:
            return f"{winner} has won."
        return f"{winner}: you have won." if outcome.winner is self.side else f"{winner}: {self.opponent.name} has won."


def moves_of_cells(position: Position) -> list[list[str]]:
    """For each cell the texts of the moves that a click on it may mean."""
    rules = position.rules
    found: list[list[str]] = [[] for _ in rules.grid.names]
    placements = rules.placements[position.to_move]
    for move in position.moves():
        text = position.write(move)
        for cell in bits(cells_called(rules, placements[move.place].name)):
            found[cell].append(text)
    return found


def box_of(grid: Grid, cell: int) -> tuple[int, int, int, int]:
    """Where a cell is in a picture: left, top, width and height."""
    x, y = centre(grid, cell)
    return x - HALF_CELL_UNITS, y - HALF_CELL_UNITS, CELL_UNITS, CELL_UNITS
