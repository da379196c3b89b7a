"""Games for agents that speak the Model Context Protocol: tools to play, and to sit the exam; it needs the extra `mcp`.

An agent starts a game, lists the moves and plays; the judge answers only where the server was started with it. In an
exam there is no judge, and what an answer gave away is said at the end.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from plyground.core.installation import install_command

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:
    raise ImportError(f"a server for agents needs the official SDK of MCP: {install_command('mcp')}") from None

import plyground
from plyground import games, players
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Side
from plyground.core.specs import look_up
from plyground.integrations import exam
from plyground.judge.judge import judge_position
from plyground.play.faults import Fault
from plyground.players import Player, choose
from plyground.players.registry import registered_only
from plyground.search.base import Limit

MOVE_LIMIT = Limit(seconds=2)
"""How long an opponent, or the judge, thinks."""

MOST_GAMES = 64
"""How many games a server keeps; the oldest is forgotten."""


class AgentsGame:
    """A game of an agent, against a player of this program or for both sides."""

    def __init__(self, game: str, opponent: str, side: str) -> None:
        """ValueError for a game, a player or a side that does not exist."""
        self.rules = games.load(game)
        self.side = look_up("side", side, {each.text: each for each in Side})
        # What an agent writes is never trusted: no file, no command.
        self.opponent: Player | None = players.load(registered_only(opponent), self.rules) if opponent else None
        self.position = Position.start(self.rules)
        self._let_opponent_answer()

    def play(self, move: str) -> None:
        """Play a move, and let the opponent answer; IllegalMove when it is none."""
        self.position = self.position.play(move)
        self._let_opponent_answer()

    def _let_opponent_answer(self) -> None:
        if self.opponent is not None and not self.position.outcome() and self.position.to_move is not self.side:
            self.position = self.position.play(choose(self.opponent, self.position, MOVE_LIMIT))

    def close(self) -> None:
        """End the opponent."""
        if self.opponent is not None:
            self.opponent.close()

    def shown(self) -> dict[str, Any]:
        """The game as it stands."""
        outcome, last = self.position.outcome(), self.position.last
        mover = self.rules.placements[self.position.to_move.other]
        return {
            **exam.described(self.position),
            "last": None if last is None else mover[last.place].name,
            "result": None if outcome is None else str(outcome),
        }


class AgentsDesk:
    """The games and exams of the agents of a server."""

    def __init__(self, judge: bool) -> None:
        self.judge = judge
        self.games: dict[int, AgentsGame] = {}
        self.started = 0
        self.exam: tuple[str, list[exam.AgentAnswer]] | None = None
        self.finished: list[exam.ExamResult] = []
        """Exams that were answered to the end."""

    def list_games(self) -> list[dict[str, Any]]:
        """List the games, with their rules in short."""
        return [{"game": name, "rules": list(games.load(name).guide.goal)} for name in games.GAMES]

    def start_game(self, game: str, opponent: str = "engine:level=3", side: str = "first") -> dict[str, Any]:
        """Start a game: GAME or GAME:key=value, against a player of this program ("" for both sides yourself)."""
        self.started += 1
        if len(self.games) >= MOST_GAMES:
            self.games.pop(next(iter(self.games))).close()
        self.games[self.started] = AgentsGame(game, opponent, side)
        return {"number": self.started} | self.games[self.started].shown()

    def legal_moves(self, number: int) -> list[str]:
        """List the legal moves of a game."""
        return self._game(number).position.move_texts()

    def play_move(self, number: int, move: str) -> dict[str, Any]:
        """Play a move; the opponent answers at once."""
        game = self._game(number)
        game.play(move)
        return {"number": number} | game.shown()

    def judge_position(self, number: int) -> dict[str, Any]:
        """Say what is known of the position: who wins, and what each move is worth."""
        judgement = judge_position(self._game(number).position, MOVE_LIMIT)
        moves = {judgement.position.write(each.move): each.text for each in judgement.moves}
        return {"score": judgement.text, "proved": judgement.proved, "moves": moves}

    def start_exam(self, game: str) -> dict[str, Any]:
        """Start the exam of a game: you are shown one position after the other; play the best move in each."""
        exam.questions(game)
        self.exam = (game, [])
        return self._question()

    def answer_exam(self, move: str) -> dict[str, Any]:
        """Answer the position of the exam with a move; the next position follows, or the result."""
        if self.exam is None:
            raise ValueError("there is no exam under way: start_exam begins one")
        game, answers = self.exam
        asked = exam.questions(game)
        answers.append(exam.answer(asked[len(answers)], lambda _: move))
        if len(answers) < len(asked):
            return self._question()
        self.exam, result = None, exam.ExamResult(game, tuple(answers))
        self.finished.append(result)
        return {key: value for key, value in result.to_json().items() if key != "answers"}

    def _question(self) -> dict[str, Any]:
        assert self.exam is not None
        game, answers = self.exam
        asked = exam.questions(game)
        shown = exam.described(asked[len(answers)].position)
        return {"question": len(answers) + 1, "of": len(asked)} | shown

    def _game(self, number: int) -> AgentsGame:
        if number not in self.games:
            raise ValueError(f"there is no game number {number}; known: {', '.join(map(str, self.games)) or 'none'}")
        return self.games[number]

    def close(self) -> None:
        """End every opponent."""
        for game in self.games.values():
            game.close()

    def tools(self, only_exam: bool) -> list[Callable[..., Any]]:
        """What agents may call."""
        playing: list[Callable[..., Any]] = [self.start_game, self.legal_moves, self.play_move]
        sitting: list[Callable[..., Any]] = [self.start_exam, self.answer_exam]
        if only_exam:
            return sitting
        return [self.list_games, *playing, *([self.judge_position] if self.judge else []), *sitting]


def server(desk: AgentsDesk, only_exam: bool = False) -> MCPServer[Any]:
    """The server of a desk, or of its exam alone."""
    built: MCPServer[Any] = MCPServer("plyground", version=plyground.__version__, instructions=__doc__)
    for tool in desk.tools(only_exam):
        built.tool(name=tool.__name__, description=tool.__doc__)(_reported(tool))
    return built


def _reported(tool: Callable[..., Any]) -> Callable[..., Any]:
    """A tool whose refusals reach the agent as what they say."""

    @functools.wraps(tool)
    def called(*given: Any, **named: Any) -> Any:
        try:
            return tool(*given, **named)
        except (IllegalMove, ValueError, Fault) as error:
            raise ToolError(str(error)) from None

    return called
