"""Talking JSON with a bot, one object a line: the referee's side.

    referee: {"type": "start", "game": "connect-four", "options": {"rows": "6", "columns": "7"}}
    bot:     {"name": "Rosie"}
    referee: {"type": "move", "side": "first", "moves": ["4", "4"], "legal": ["1", "2", ...], "seconds": 3.0, ...}
    bot:     {"move": "3"}
    referee: {"type": "end"}

A bot that plays any of the legal moves is a working bot. With its move it may tell `score`, `depth` and `nodes`.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from plyground.core.notation import write_position
from plyground.core.rules import Rules
from plyground.core.specs import Spec
from plyground.referee.protocols.dialogue import LARGEST, Question, Reply, garbage, greeting_line, next_line, unasked
from plyground.referee.sandbox.process import BotProcess
from plyground.search.score import MAX_HEURISTIC, Score

ANSWER = 'a line such as {"move": "4"}'


@dataclass(frozen=True)
class JsonDialogue:
    """One JSON object a line, for beginners."""

    def greet(self, bot: BotProcess, rules: Rules, deadline: float) -> str:
        """`start`, which the bot answers with any object, best one with its name."""
        spec = Spec.parse(rules.name)
        _send(bot, type="start", game=spec.name, options=dict(spec.options), sides=list(rules.sides))
        expected = '{"name": "..."}'
        line = greeting_line(bot, deadline, '{"type": "start", ...}', expected)
        name = _object(bot, line, expected).get("name", "")
        return name if isinstance(name, str) else ""

    def new_game(self, bot: BotProcess) -> None:
        """Nothing: each question tells all there is to know."""

    def ask(self, bot: BotProcess, question: Question) -> Reply:
        """`move`, which the bot answers with its move."""
        started = time.monotonic()
        if early := bot.unasked():
            raise unasked(bot, early)
        position, turn = question.position, question.turn
        known = {} if question.moves is None else {"moves": list(question.moves)}
        clocks = {} if turn.clocks is None else {"clocks": list(turn.clocks), "increment": turn.increment}
        _send(
            bot,
            type="move",
            side=position.to_move.text,
            ply=position.ply,
            **known,
            legal=[position.write(move) for move in position.moves()],
            position=write_position(position),
            seconds=turn.limit.seconds,
            **clocks,
        )
        line = next_line(bot, question.deadline, started)
        told = _object(bot, line, ANSWER)
        move = told.get("move")
        if isinstance(move, int) and not isinstance(move, bool):
            move = str(move)  # a column is a number to most people
        if not isinstance(move, str):
            raise garbage(bot, line, ANSWER)
        if extra := bot.unasked():
            raise unasked(bot, extra)
        return Reply(move, _score(told), _number(told, "depth") or 0, _number(told, "nodes") or 0)

    def object(self, bot: BotProcess, why: str) -> None:
        """`warning`, which needs no answer."""
        _send(bot, type="warning", why=why)

    def part(self, bot: BotProcess) -> None:
        """`end`."""
        _send(bot, type="end")


def _send(bot: BotProcess, **message: object) -> None:
    bot.send(json.dumps(message))


def _object(bot: BotProcess, line: str, expected: str) -> dict[str, object]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise garbage(bot, line, expected) from None
    if not isinstance(told, dict):
        raise garbage(bot, line, expected)
    return told


def _score(told: dict[str, object]) -> Score | None:
    """What a bot says its game is worth, if that makes sense."""
    points = _number(told, "score", -MAX_HEURISTIC, MAX_HEURISTIC)
    return None if points is None else Score.points(points)


def _number(told: dict[str, object], key: str, least: int = 0, most: int = LARGEST) -> int | None:
    """What a bot tells of its thinking: a courtesy, ignored when it makes no sense."""
    value = told.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else None
