"""UGI messages with a bot: the referee's side.

    referee: ugi                                             bot: id name Rosie
                                                                  ugiok
             setoption name Game value connect-four:rows=6
             ugigamestart
             isready                                              readyok
             position startpos moves 4 4 5                        info depth 5 score cp 12 nodes 3120 pv 3 2
             go movetime 3000                                     bestmove 3
             quit

Moves are the game's own text, a space apart; where they contain spaces themselves, `; ` apart. What a bot says of its
thinking is a courtesy: it is noted when it makes sense and ignored when it does not.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import pairwise

from plyground.core.position_text import write_position
from plyground.core.rules import Rules
from plyground.play.clock import Turn
from plyground.play.ugi_text import join_moves
from plyground.referee.protocols.dialogue import LARGEST, Question, Reply, garbage, greeting_line, next_line, unasked
from plyground.referee.sandbox.interface import provide_game
from plyground.referee.sandbox.process import BotProcess
from plyground.search.score import MAX_HEURISTIC, Score


@dataclass(frozen=True)
class UgiDialogue:
    """The game-neutral sibling of UCI."""

    def greet(self, bot: BotProcess, rules: Rules, deadline: float) -> str:
        """`ugi`, the game, and `isready`; before `ugiok` a bot may say what it likes."""
        bot.send("ugi")
        name = ""
        while (line := greeting_line(bot, deadline, "'ugi'", "'ugiok'")) != "ugiok":
            if line.startswith("id name "):
                name = line.removeprefix("id name ").strip()
        provide_game(rules)
        bot.send(f"setoption name Game value {rules.name}")
        bot.send("isready")
        while greeting_line(bot, deadline, "'isready'", "'readyok'") != "readyok":
            pass
        return name

    def new_game(self, bot: BotProcess) -> None:
        """`ugigamestart`."""
        bot.send("ugigamestart")

    def ask(self, bot: BotProcess, question: Question) -> Reply:
        """`position` and `go`; `isready` goes before, so that an answer to nothing is not taken for one to this."""
        started = time.monotonic()
        bot.send("isready")
        while (line := next_line(bot, question.deadline, started)) != "readyok":
            _check_courtesy(bot, line, "readyok")
        bot.send(f"position {_position(question)}\ngo {_limits(question.turn)}")
        reply = Reply("")
        while not (line := next_line(bot, question.deadline, started)).startswith("bestmove"):
            _check_courtesy(bot, line, "info ... or bestmove MOVE")
            reply = _noted(line, reply)
        if (extra := bot.unasked()).startswith("bestmove"):
            raise unasked(bot, extra)
        move = line.removeprefix("bestmove").partition(" ponder ")[0].strip()
        if not move:
            raise garbage(bot, line, "bestmove MOVE")
        return replace(reply, move=move)

    def object(self, bot: BotProcess, why: str) -> None:
        """UGI has no word for it, and a bot that gets an unknown one ignores it."""

    def part(self, bot: BotProcess) -> None:
        """`quit`."""
        bot.send("quit")


def _position(question: Question) -> str:
    if question.moves is None:
        return f"fen {write_position(question.position)}"
    return "startpos" + (f" moves {join_moves(question.moves)}" if question.moves else "")


def _limits(turn: Turn) -> str:
    words = []
    if turn.clocks is not None:
        words += [f"p{side}time {round(left * 1000)}" for side, left in enumerate(turn.clocks, start=1)]
        words += [f"p{side}inc {round(turn.increment * 1000)}" for side in (1, 2)]
    elif turn.limit.seconds is not None:
        words.append(f"movetime {max(round(turn.limit.seconds * 1000), 1)}")
    words += [f"depth {turn.limit.depth}"] if turn.limit.depth is not None else []
    words += [f"nodes {turn.limit.nodes}"] if turn.limit.nodes is not None else []
    return " ".join(words) or "infinite"


def _check_courtesy(bot: BotProcess, line: str, expected: str) -> None:
    """Fault unless a line is one that needs no notice."""
    word = line.partition(" ")[0]
    if word == "bestmove":
        raise unasked(bot, line)
    if word not in ("info", "id", "option"):
        raise garbage(bot, line, expected)


def _noted(line: str, reply: Reply) -> Reply:
    """What an `info` line says, as far as it makes sense."""
    words = line.partition(" pv ")[0].split()
    numbers: dict[str, int] = {}
    for word, value in pairwise(words):
        if word in ("depth", "nodes", "cp", "mate", "score"):
            try:
                number = int(value)
            except ValueError:
                continue
            if abs(number) <= LARGEST:
                numbers[word] = number
    points, score = numbers.get("cp", numbers.get("score")), reply.score
    if points is not None:
        score = Score.points(max(-MAX_HEURISTIC, min(points, MAX_HEURISTIC)))
    if mate := numbers.get("mate"):
        score = Score.win(mate) if mate > 0 else Score.loss(-mate)
    return replace(
        reply,
        score=score,
        depth=max(numbers.get("depth", reply.depth), 0),
        nodes=max(numbers.get("nodes", reply.nodes), 0),
    )
