"""JSON messages with a bot, one object per line: the referee's side.

    referee: {"type": "start", "game": "connect-four", "options": {"rows": "6", "columns": "7"}}
    bot:     {"name": "Rosie"}
    referee: {"type": "move", "side": "first", "moves": ["4", "4"], "legal": ["1", "2", ...], "seconds": 3.0, ...}
    bot:     {"move": "3"}
    referee: {"type": "end"}

A bot that plays any of the legal moves is a working bot. With its move it may report `score`, `depth` and `nodes`.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from plyground.core.position_text import write_position
from plyground.core.rules import Rules
from plyground.core.specs import Spec
from plyground.referee.protocols.dialogue import LARGEST, Question, Reply, garbage, greeting_line, next_line, unasked
from plyground.referee.sandbox.process import BotProcess
from plyground.search.score import MAX_HEURISTIC, Score

ANSWER = 'a line such as {"move": "4"}'


@dataclass(frozen=True)
class JsonDialogue:
    """One JSON object per line, for beginners."""

    def greet(self, bot: BotProcess, rules: Rules, deadline: float) -> str:
        """`start`, which the bot answers with any object, best one with its name."""
        spec = Spec.parse(rules.name)
        _send(bot, type="start", game=spec.name, options=dict(spec.options), sides=list(rules.sides))
        expected = '{"name": "..."}'
        line = greeting_line(bot, deadline, '{"type": "start", ...}', expected)
        name = _object(bot, line, expected).get("name", "")
        return name if isinstance(name, str) else ""

    def new_game(self, bot: BotProcess) -> None:
        """Nothing: each question contains all there is to know."""

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
        answer = _object(bot, line, ANSWER)
        move = answer.get("move")
        if isinstance(move, int) and not isinstance(move, bool):
            move = str(move)  # a column is a number to most people
        if not isinstance(move, str):
            raise garbage(bot, line, ANSWER)
        if extra := bot.unasked():
            raise unasked(bot, extra)
        return Reply(move, _score(answer), _number(answer, "depth") or 0, _number(answer, "nodes") or 0)

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
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise garbage(bot, line, expected) from None
    if not isinstance(answer, dict):
        raise garbage(bot, line, expected)
    return answer


def _score(answer: dict[str, object]) -> Score | None:
    """What a bot says its game is worth, if that makes sense."""
    points = _number(answer, "score", -MAX_HEURISTIC, MAX_HEURISTIC)
    return None if points is None else Score.points(points)


def _number(answer: dict[str, object], key: str, least: int = 0, most: int = LARGEST) -> int | None:
    """What a bot reports about its search: a courtesy, ignored when it is invalid."""
    value = answer.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else None
