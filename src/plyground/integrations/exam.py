"""What an agent gives away in positions whose truth is known: exact regret, in three games hardly seen elsewhere.

Each position comes with what every move is worth to the side to move: 1 for a win, 0 for a draw, -1 for a loss, proved
once and stored, so that the exam needs no search and is the same everywhere. The regret of an answer is the worth of
the best move less that of the answer: 0 for a move that keeps the result, 1 for half of it given away, 2 for all.
An answer that is no legal move counts like the worst that can happen, a loss.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from plyground import games
from plyground.core.position import IllegalMove, Position
from plyground.core.specs import look_up
from plyground.games.guide import guide
from plyground.play.faults import Fault
from plyground.players import choose
from plyground.referee import entrants
from plyground.render.text import board
from plyground.search.base import Limit

HTTP_SECONDS = 120.0
"""How long an agent behind an address may take for an answer."""

MOST_BYTES = 1 << 16
"""An answer over HTTP is not longer."""

Ask = Callable[[Position], str]
"""An agent: the text of the move it plays, for a position."""


class AgentError(ValueError):
    """What an agent said instead of a move."""


@dataclass(frozen=True)
class ExamQuestion:
    """A position, and what each move is worth to the side to move."""

    position: Position
    worth: dict[str, int]

    def regret_of(self, move: str | None) -> int:
        """What a move gives away; None, for no legal move, counts as a loss."""
        return max(self.worth.values()) - (-1 if move is None else self.worth[move])


@dataclass(frozen=True)
class AgentAnswer:
    """What an agent played in a position."""

    question: ExamQuestion

    move: str | None
    """None where it was no legal move."""

    said: str = ""
    """What it said instead."""

    @property
    def regret(self) -> int:
        """What it gave away."""
        return self.question.regret_of(self.move)


@dataclass(frozen=True)
class ExamResult:
    """All answers of an agent in one game."""

    game: str
    answers: tuple[AgentAnswer, ...]

    @property
    def regret(self) -> float:
        """What it gave away per position, from 0 to 2."""
        return sum(answer.regret for answer in self.answers) / len(self.answers)

    @property
    def perfect(self) -> int:
        """How many answers gave nothing away."""
        return sum(answer.regret == 0 for answer in self.answers)

    @property
    def illegal(self) -> int:
        """How many answers were no legal moves."""
        return sum(answer.move is None for answer in self.answers)

    def to_json(self) -> dict[str, object]:
        """The result as data, with each answer."""
        return {
            "game": self.game,
            "positions": len(self.answers),
            "regret": round(self.regret, 4),
            "perfect": self.perfect,
            "illegal": self.illegal,
            "answers": [
                {"position": repr(answer.question.position), "move": answer.move, "regret": answer.regret}
                | ({"said": answer.said} if answer.move is None else {})
                for answer in self.answers
            ],
        }


@cache
def _stored() -> dict[str, list[dict[str, object]]]:
    text = files("plyground.integrations").joinpath("exam_positions.json").read_text(encoding="utf-8")
    stored: dict[str, list[dict[str, object]]] = json.loads(text)
    return stored


def exam_games() -> tuple[str, ...]:
    """The games that there are positions of."""
    return tuple(_stored())


def questions(game: str) -> tuple[ExamQuestion, ...]:
    """The positions of a game; ValueError for a game without any."""
    rules = games.load(game)
    return tuple(
        ExamQuestion(Position(rules, str(each["position"])), dict(each["worth"]))  # type: ignore[call-overload]
        for each in look_up("game of the exam", game, _stored())
    )


def examine(ask: Ask, game: str, asked: Iterable[ExamQuestion] | None = None) -> ExamResult:
    """The result of an agent in a game, all its positions or those given."""
    answers = [answer(question, ask) for question in (questions(game) if asked is None else asked)]
    return ExamResult(game, tuple(answers))


def answer(question: ExamQuestion, ask: Ask) -> AgentAnswer:
    """What an agent plays in a position, read as forgivingly as a person's typing is."""
    try:
        said = ask(question.position)
    except (AgentError, Fault) as error:
        return AgentAnswer(question, None, str(error))
    try:
        return AgentAnswer(question, question.position.write(question.position.parse(said)))
    except IllegalMove as error:
        return AgentAnswer(question, None, str(error))


def described(position: Position) -> dict[str, object]:
    """A position as an agent behind an address or an MCP client is shown it: rules, board, and the legal moves."""
    rules = position.rules
    return {
        "game": rules.name,
        "rules": [*guide(rules).goal, *guide(rules).special],
        "side": rules.sides[position.to_move],
        "board": board(position),
        "legal": position.move_texts(),
    }


def ask_player(spec: str, game: str, limit: Limit) -> tuple[Ask, Callable[[], None]]:
    """A player or bot as an agent, and what ends it; its chance begins at 0, so the same exam has the same result."""
    player = entrants.load(spec, games.load(game), 0)
    return lambda position: position.write(choose(player, position, limit)), player.close


def ask_address(address: str) -> Ask:
    """An agent behind an HTTP address: a POST of what `described` gives, answered by {"move": "4"}."""

    def ask(position: Position) -> str:
        body = json.dumps(described(position)).encode()
        request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=HTTP_SECONDS) as answered:
                said = json.loads(answered.read(MOST_BYTES))
        except (OSError, ValueError) as error:
            raise AgentError(f"no answer from {address}: {error}") from None
        if not isinstance(said, dict) or not isinstance(said.get("move"), str | int):
            raise AgentError(f'expected {{"move": "..."}} from {address}, got {str(said)[:80]}')
        return str(said["move"])

    return ask
