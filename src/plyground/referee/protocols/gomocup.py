"""Gomocup's messages with an engine for five in a row: the referee's side.

    referee: START 15                  engine: OK
             ABOUT                             name="Rosie", version="1.0"
             INFO rule 0
             INFO timeout_turn 3000
             BEGIN                             7,7
             TURN 7,8                          8,8
             RESTART                           OK
             BOARD                             6,6
             7,7,1
             7,8,2
             DONE
             END

A board that is not square begins with RECTSTART 15,12. Cells are counted from 0, column first. An engine may write
MESSAGE, DEBUG and SUGGEST lines at any time; they are left alone.
"""

from __future__ import annotations

import re
import time
import weakref
from dataclasses import dataclass, field

from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.play.clock import Turn
from plyground.play.gomocup import cell_text, check_five_in_a_row, name_of_cell
from plyground.referee.protocols.dialogue import Question, Reply, garbage, greeting_line, next_line, unasked
from plyground.referee.sandbox.process import BotProcess

REMARKS = ("MESSAGE", "DEBUG", "SUGGEST")
"""Lines that answer nothing."""

CELL = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")


@dataclass(frozen=True)
class GomocupDialogue:
    """The protocol of the engines of the Gomocup tournament."""

    known: weakref.WeakKeyDictionary[BotProcess, Position | None] = field(default_factory=weakref.WeakKeyDictionary)
    """The position that an engine has on its board, after its last move; None when it must be shown another one."""

    def greet(self, bot: BotProcess, rules: Rules, deadline: float) -> str:
        """The board, the rule, and how the engine calls itself."""
        check_five_in_a_row(rules)
        grid = rules.grid
        begin = f"START {grid.columns}" if grid.columns == grid.rows else f"RECTSTART {grid.columns},{grid.rows}"
        bot.send(begin)
        if (line := _greeted(bot, deadline, begin)).upper() != "OK":
            raise garbage(bot, line, f"OK after {begin}")
        bot.send("INFO rule 0")
        bot.send("ABOUT")
        name = re.search(r'name\s*=\s*"([^"]*)"', _greeted(bot, deadline, "ABOUT"))
        self.known[bot] = Position.start(rules)
        return "" if name is None else name[1].strip()

    def new_game(self, bot: BotProcess) -> None:
        """Nothing yet: the next question shows the board anew."""
        known = self.known.get(bot)
        if known is not None and known.ply:
            self.known[bot] = None

    def ask(self, bot: BotProcess, question: Question) -> Reply:
        """The engine's answer to a board, or to one more move on its board."""
        started, position = time.monotonic(), question.position
        if early := bot.unasked():
            if any(not _remark(line) for line in early.splitlines()):
                raise unasked(bot, early)
            while _remark(next_line(bot, question.deadline, started)) and bot.unasked():
                pass
        self._say_time(bot, question.turn, position)
        known, last = self.known.get(bot), position.last
        if known is not None and last is not None and last in known.moves() and known.play(last) == position:
            bot.send(f"TURN {cell_text(position, last.place)}")
        else:
            self._show_board(bot, question, started, fresh=known is not None and known.ply == 0)
        self.known[bot] = None  # until its answer is known to be legal
        line = _answer(bot, question.deadline, started)
        cell = CELL.fullmatch(line)
        if cell is None:
            raise garbage(bot, line, "a cell such as 7,7")
        name = name_of_cell(position.rules, int(cell[1]), int(cell[2]))
        played = [move for move in position.moves() if position.write(move) == name]
        if played:
            self.known[bot] = position.play(played[0])
        return Reply(line if name is None else name)

    def _show_board(self, bot: BotProcess, question: Question, started: float, fresh: bool) -> None:
        """Put a position on the engine's board, which is empty or has to be emptied first."""
        if not fresh:
            bot.send("RESTART")
            if (line := _answer(bot, question.deadline, started)).upper() != "OK":
                raise garbage(bot, line, "OK after RESTART")
        position = question.position
        if not position.occupied:
            bot.send("BEGIN")
            return
        bot.send("BOARD")
        stones = [move.place for move in question.turn.moves or ()]
        if len(stones) != position.ply:  # nobody knows the order; the sides are what counts
            stones = [cell for cell in range(len(position.rules.grid.cells)) if position.occupied >> cell & 1]
        for cell in stones:
            own = position.layers[position.to_move] >> cell & 1
            bot.send(f"{cell_text(position, cell)},{1 if own else 2}")
        bot.send("DONE")

    def _say_time(self, bot: BotProcess, turn: Turn, position: Position) -> None:
        """The times in milliseconds, as far as there are any."""
        if turn.limit.seconds is not None:
            bot.send(f"INFO timeout_turn {max(1, round(turn.limit.seconds * 1000))}")
        if turn.clocks is not None:
            bot.send(f"INFO time_left {max(1, round(turn.clocks[position.to_move] * 1000))}")

    def object(self, bot: BotProcess, why: str) -> None:
        """Nothing: the protocol has no words for it, and the board is shown anew."""

    def part(self, bot: BotProcess) -> None:
        """`END`."""
        bot.send("END")


def _remark(line: str) -> bool:
    return line.upper().startswith(REMARKS)


def _greeted(bot: BotProcess, deadline: float, command: str) -> str:
    """The engine's answer while it starts."""
    while _remark(line := greeting_line(bot, deadline, repr(command), "an answer")):
        pass
    return line.strip()


def _answer(bot: BotProcess, deadline: float | None, started: float) -> str:
    """The engine's answer to a question."""
    while _remark(line := next_line(bot, deadline, started)):
        pass
    return line.strip()
