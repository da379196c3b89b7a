"""Plyground as an engine under any UGI referee: commands in, `info` and `bestmove` out.

    ugi | isready | setoption name Game|Player value SPEC | ugigamestart (or uginewgame)
    position startpos|fen TEXT [moves 4 4 5]       moves with spaces in them stand `; ` apart: moves 0 5 A 1; 0 1 C 1
    go [movetime MS] [depth N] [nodes N] [p1time MS p2time MS [p1inc MS p2inc MS]] [infinite]
    stop | quit | query gameover|p1turn|result

Scores are for the side to move: `score cp N` is the heuristic's number, `score mate N` a win in N plies (a loss when
negative). What is wrong with a command is reported as `info string ...`, and the command has no effect. A running
search is ended and answered by `stop`, by `quit`, by the end of the input and by any command that changes something.
"""

from __future__ import annotations

import _thread
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.core.position_text import parse_position
from plyground.core.rules import Rules, Side
from plyground.play.clock import Clock, TimeControl
from plyground.play.records import Result
from plyground.search.base import Analysis, Limit

LAG_SECONDS = 0.03
"""Seconds of a move's time that are left to the way of its answer."""

FIRST_SECONDS = 0.2
"""How long a search that is stopped may take to its first answer, and once more after an interruption."""

QUICK_SECONDS = 0.05
"""How long a player thinks whose search was stopped before it had an answer."""

AGAIN_SECONDS = 0.05
"""Between two attempts to interrupt a search."""

STOP: signal.Signals = getattr(signal, "SIGUSR1", None) or signal.Signals["SIGBREAK"]
"""The signal that ends a search; the other one is that of Windows."""


def join_moves(moves: Iterable[str]) -> str:
    """Moves in a command: a space apart, or `; ` where they contain spaces themselves."""
    listed = list(moves)
    return ("; " if any(" " in move for move in listed) else " ").join(listed)


def read_position(rules: Rules, text: str) -> Position:
    """The position of `startpos` or `fen TEXT`, each with or without ` moves ...`; ValueError when there is none."""
    where, _, moves = text.partition("moves")
    word, _, written = where.strip().partition(" ")
    if word == "startpos" and not written:
        position = Position.start(rules)
    elif word == "fen":
        position = parse_position(rules, written.strip())
    else:
        raise ValueError(f"bad position {text!r}: expected startpos or fen ..., and then moves ...")
    return play_texts(position, rules.notation.split(rules, moves))[1]


def read_limit(text: str, side: Side) -> Limit:
    """What the side to move may use, from the words of a `go`; ValueError for words that are none."""
    words = text.split()
    given: dict[str, int] = {}
    while words:
        word = words.pop(0)
        if word == "infinite":
            continue
        if word not in ("movetime", "depth", "nodes", "p1time", "p2time", "p1inc", "p2inc"):
            raise ValueError(f"bad go: {word!r} is not a limit")
        value = words.pop(0) if words else ""
        if not value.removeprefix("-").isdecimal():
            raise ValueError(f"bad go: {word} needs a whole number, got {value!r}")
        given[word] = int(value)
    seconds = None
    if "movetime" in given:
        seconds = max(given["movetime"] / 1000 - LAG_SECONDS, 0.001)
    mine = f"p{side + 1}"
    if f"{mine}time" in given:
        left = max(given[f"{mine}time"] / 1000 - LAG_SECONDS, 0.001)
        increment = max(given.get(f"{mine}inc", 0), 0) / 1000
        share = Clock(TimeControl(None, left, increment)).turn(side).limit.seconds
        seconds = share if seconds is None or share is None else min(seconds, share)
    return Limit(given.get("depth"), given.get("nodes"), seconds)


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


class Stopped(BaseException):
    """Raised in the main thread to end the search that runs there."""


class Thinking:
    """A search that the main thread runs until it is done or another thread stops it.

    Any search can be stopped, in Python or in the core: a signal raises `Stopped` in it, as Ctrl-C raises
    KeyboardInterrupt.
    """

    def __init__(self, thinker: Thinker, position: Position, limit: Limit, write: Callable[[str], None]) -> None:
        self.thinker = thinker
        self.position = position
        self.limit = limit
        self.write = write
        self.best: Analysis | None = None
        self.lock = threading.Lock()
        self.answered = False
        self.searching = False
        """Whether a signal may end what the main thread does now; not while it writes a line."""
        self.cut = False
        """Whether it should, as the other thread asks."""
        self.first = threading.Event()
        """Set once there is something to answer."""
        self.over = threading.Event()
        """Set once the search has ended."""

    def run(self) -> None:
        """Search to the end, and answer; in the main thread."""
        try:
            if not self._search(self.limit) and self.best is None:
                self._search(Limit(seconds=QUICK_SECONDS).within(self.limit))
            self.answer()
        finally:
            self.first.set()
            self.over.set()

    def _search(self, limit: Limit) -> bool:
        """Report what the player finds; whether it came to its end."""
        try:
            self.searching = True
            for analysis in self.thinker.think(self.position, limit):
                self.searching = False
                if not self._report(analysis):
                    return False
                self.searching = True
            self.searching = False
            assert self.best is not None, "a player must find a move in a game that goes on"
            return True
        except Stopped:
            return False
        finally:
            self.searching = False

    def _report(self, analysis: Analysis) -> bool:
        """Write what was found, unless the answer has been given."""
        with self.lock:
            if not self.answered:
                self.best = analysis
                self.write(write_info(self.position, analysis))
        self.first.set()
        return not self.answered

    def answer(self) -> None:
        """Say the best move so far, any move when there is none; what is found later is not reported."""
        with self.lock:
            if not self.answered:
                self.answered = True
                move = self.best.line[0] if self.best else self.position.moves()[0]
                self.write(f"bestmove {self.position.write(move)}")

    def stop(self) -> None:
        """Answer now, and end the search; from any thread but the main one.

        A search without an answer is given a moment to find one, and another to find one in less time.
        """
        if not self.first.wait(FIRST_SECONDS):
            self._interrupt()
            self.first.wait(FIRST_SECONDS)
        self.answer()
        self.end()

    def end(self) -> None:
        """End the search; from any thread but the main one."""
        while not self.over.wait(AGAIN_SECONDS):
            self._interrupt()  # more than once, for a player may miss it

    def _interrupt(self) -> None:
        self.cut = True
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, STOP)
        else:
            _thread.interrupt_main(STOP)

    def interrupted(self) -> None:
        """Take notice of the signal, in the main thread."""
        if self.cut and self.searching:
            self.cut = self.searching = False
            raise Stopped


class UgiEngine:
    """Obeys one command after the other."""

    def __init__(
        self, load: Callable[[str, str], Thinker], game: str, player: str, write: Callable[[str], None]
    ) -> None:
        """`load` gives the player of a spec for the game of a spec, or raises ValueError; `write` takes lines.

        `write` is called by two threads.
        """
        self.load = load
        self.options = {"Game": game, "Player": player}
        self.write = write
        self.thinker = load(game, player)
        self.position = Position.start(self.thinker.rules)
        self.thinking: Thinking | None = None
        self.searches: queue.SimpleQueue[Thinking | None] = queue.SimpleQueue()
        """What the main thread is to run; None behind the last."""
        self.fault: BaseException | None = None
        """What ended the obeying."""

    def run(self, lines: Iterable[str]) -> None:
        """Obey until `quit` or the end of the lines, then answer a search that goes on; in the main thread only.

        Commands are read and obeyed by a thread of their own, and this one searches, for only the main thread
        can be interrupted whatever it does.
        """
        before = signal.signal(STOP, self._interrupted)
        reader = threading.Thread(target=self._obey_all, args=(lines,), daemon=True)
        reader.start()
        try:
            while (thinking := self.searches.get()) is not None:
                thinking.run()
        finally:
            signal.signal(STOP, before)
        reader.join()
        if self.fault is not None:
            raise self.fault

    def _interrupted(self, *_: object) -> None:
        if self.thinking is not None:
            self.thinking.interrupted()

    def _obey_all(self, lines: Iterable[str]) -> None:
        """Obey until `quit` or the end of the lines, or until something goes wrong."""
        try:
            for line in lines:
                word, _, rest = line.strip().partition(" ")
                if word == "quit":
                    break
                try:
                    self.obey(word, rest.strip())
                except ValueError as error:
                    self.write(f"info string {' '.join(str(error).split())}")
            self._settle()
        except BaseException as error:
            self.fault = error
            if self.thinking is not None:
                self.thinking.end()
        finally:
            self.searches.put(None)

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
        self.searches.put(self.thinking)

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
