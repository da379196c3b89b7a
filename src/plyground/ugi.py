"""Plyground as an engine under any UGI referee: commands in, `info` and `bestmove` out.

    ugi | isready | setoption name Game|Player value SPEC | ugigamestart (or uginewgame)
    position startpos|fen TEXT [moves 4 4 5]       moves with spaces in them stand `; ` apart: moves 0 5 A 2; 0 1 C 1
    go [movetime MS] [depth N] [nodes N] [p1time MS p2time MS [p1inc MS p2inc MS]] [infinite]
    stop | quit | query gameover|p1turn|result

Scores are for the side to move: `score cp N` is the heuristic's number, `score mate N` a win in N plies (a loss when
negative). What is wrong with a command is told as `info string ...`, and the command has no effect.
"""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from plyground.clock import Clock, TimeControl
from plyground.notation import parse_position, play_texts
from plyground.position import Position
from plyground.records import Result
from plyground.rules import Rules, Side
from plyground.search.base import Analysis, Limit

LAG = 0.03
"""Seconds of a move's time that are left to the way of its answer."""


def join_moves(moves: Iterable[str]) -> str:
    """Moves in a command: a space apart, or `; ` where they contain spaces themselves."""
    listed = list(moves)
    return ("; " if any(" " in move for move in listed) else " ").join(listed)


def read_position(rules: Rules, text: str) -> Position:
    """The position of `startpos` or `fen TEXT`, each with or without ` moves ...`; ValueError when there is none."""
    where, _, moves = text.partition("moves")
    word, _, told = where.strip().partition(" ")
    if word == "startpos" and not told:
        position = Position.start(rules)
    elif word == "fen":
        position = parse_position(rules, told.strip())
    else:
        raise ValueError(f"bad position {text!r}: expected startpos or fen ..., and then moves ...")
    return play_texts(position, rules.notation.split(rules, moves))[1]


def read_limit(text: str, side: Side) -> Limit:
    """What the side to move may use, from the words of a `go`; ValueError for words that are none."""
    words = text.split()
    told: dict[str, int] = {}
    while words:
        word = words.pop(0)
        if word == "infinite":
            continue
        if word not in ("movetime", "depth", "nodes", "p1time", "p2time", "p1inc", "p2inc"):
            raise ValueError(f"bad go: {word!r} is not a limit")
        value = words.pop(0) if words else ""
        if not value.removeprefix("-").isdecimal():
            raise ValueError(f"bad go: {word} needs a whole number, got {value!r}")
        told[word] = int(value)
    seconds = None
    if "movetime" in told:
        seconds = max(told["movetime"] / 1000 - LAG, 0.001)
    mine = f"p{side + 1}"
    if f"{mine}time" in told:
        left = max(told[f"{mine}time"] / 1000 - LAG, 0.001)
        increment = max(told.get(f"{mine}inc", 0), 0) / 1000
        share = Clock(TimeControl(None, left, increment)).turn(side).limit.seconds
        seconds = share if seconds is None or share is None else min(seconds, share)
    return Limit(told.get("depth"), told.get("nodes"), seconds)


def write_info(position: Position, analysis: Analysis) -> str:
    """What an analysis says, as an `info` line."""
    line, at = [], position
    for move in analysis.line:
        line.append(at.write(move))
        at = at.play(move)
    return (
        f"info depth {analysis.depth}{_score(analysis)} nodes {analysis.nodes} "
        f"time {round(analysis.seconds * 1000)} pv {join_moves(line)}"
    )


def _score(analysis: Analysis) -> str:
    """` score cp 12`, ` score mate -4`, or nothing."""
    score = analysis.score
    if score is None:
        return ""
    if score.plies is not None:
        return f" score mate {score.plies if score.won else -score.plies}"
    return f" score cp {score.opinion or 0}"


class Thinker(NamedTuple):
    """A player's way to think, with the rules it was made for."""

    rules: Rules
    spec: str
    think: Callable[[Position, Limit], Iterable[Analysis]]


class Thinking:
    """A search that goes on in a thread of its own until it is done or told to stop."""

    def __init__(self, thinker: Thinker, position: Position, limit: Limit, write: Callable[[str], None]) -> None:
        self.position = position
        self.write = write
        self.best: Analysis | None = None
        self.lock = threading.Lock()
        self.answered = False
        self.first = threading.Event()
        """Set once there is something to answer."""
        self.thread = threading.Thread(target=self._run, args=(thinker, limit), daemon=True)
        self.thread.start()

    def _run(self, thinker: Thinker, limit: Limit) -> None:
        try:
            for analysis in thinker.think(self.position, limit):
                with self.lock:
                    if self.answered:
                        return
                    self.best = analysis
                    self.write(write_info(self.position, analysis))
                self.first.set()
            self.answer()
        except BaseException:
            # A player that fails must not leave a mute engine behind.
            traceback.print_exc()
            os._exit(1)

    def answer(self) -> None:
        """Say the best move so far, once there is one; what is found later is not told."""
        with self.lock:
            if not self.answered:
                self.answered = True
                assert self.best is not None, "a player must find a move in a game that goes on"
                self.write(f"bestmove {self.position.write(self.best.line[0])}")

    def stop(self) -> None:
        """Answer now, or as soon as there is anything to answer."""
        self.first.wait()
        self.answer()


class Engine:
    """Obeys one command after the other."""

    def __init__(
        self, load: Callable[[str, str], Thinker], game: str, player: str, write: Callable[[str], None]
    ) -> None:
        """`load` gives the player of a spec for the game of a spec, or raises ValueError; `write` takes lines."""
        self.load = load
        self.options = {"Game": game, "Player": player}
        self.write = write
        self.thinker = load(game, player)
        self.position = Position.start(self.thinker.rules)
        self.thinking: Thinking | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Obey until `quit`; at the end of the input a search that goes on is still answered."""
        for line in lines:
            word, _, rest = line.strip().partition(" ")
            if word == "quit":
                return
            try:
                self.obey(word, rest.strip())
            except ValueError as error:
                self.write(f"info string {' '.join(str(error).split())}")
        if self.thinking is not None:
            self.thinking.thread.join()

    def obey(self, word: str, rest: str) -> None:
        """Carry out one command; ValueError when it cannot be; unknown ones are ignored, as everywhere in UGI."""
        if word == "ugi":
            self.write("id name Plyground\nid author the Plyground founders")
            for name, value in self.options.items():
                self.write(f"option name {name} type string default {value}")
            self.write("ugiok")
        elif word == "isready":
            self.write("readyok")
        elif word == "setoption":
            self._settle()
            self._set_option(rest)
        elif word in ("ugigamestart", "uginewgame"):
            self._settle()
            self._load(self.options)
        elif word == "position":
            self._settle()
            self.position = read_position(self.thinker.rules, rest)
        elif word == "go":
            self._settle()
            self._go(rest)
        elif word == "stop" and self.thinking is not None:
            self.thinking.stop()
        elif word == "query":
            self._query(rest)

    def _settle(self) -> None:
        """Have a search that goes on answered before anything changes."""
        if self.thinking is not None:
            self.thinking.stop()
            self.thinking = None

    def _set_option(self, rest: str) -> None:
        name, found, value = rest.removeprefix("name ").partition(" value ")
        if name.strip() not in self.options or not found:
            raise ValueError(f"bad option {rest!r}: expected name Game value SPEC or name Player value SPEC")
        self._load(self.options | {name.strip(): value.strip()})

    def _load(self, options: dict[str, str]) -> None:
        self.thinker = self.load(options["Game"], options["Player"])
        self.options = options
        self.position = Position.start(self.thinker.rules)

    def _go(self, rest: str) -> None:
        limit = read_limit(rest, self.position.to_move)
        if self.position.outcome() is not None:
            self.write("bestmove none")
            return
        self.thinking = Thinking(self.thinker, self.position, limit, self.write)

    def _query(self, rest: str) -> None:
        outcome = self.position.outcome()
        answers: dict[str, Sequence[str] | str] = {
            "gameover": "false" if outcome is None else "true",
            "p1turn": "true" if self.position.to_move is Side.FIRST else "false",
            "result": "none" if outcome is None else _result(Result.won_by(outcome.winner)),
        }
        if rest not in answers:
            raise ValueError(f"bad query {rest!r}: expected {', '.join(answers)}")
        self.write(f"response {answers[rest]}")


def _result(result: Result) -> str:
    return {Result.FIRST: "p1win", Result.SECOND: "p2win"}.get(result, "draw")
