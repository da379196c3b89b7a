"""Plyground as an engine for any UGI referee: it reads commands, and writes `info` and `bestmove` lines.

    ugi | isready | setoption name Game|Player value SPEC | ugigamestart (or uginewgame)
    position startpos|fen TEXT [moves 4 4 5]       moves with spaces in them stand `; ` apart: moves 0 5 A 1; 0 1 C 1
    go [movetime MS] [depth N] [nodes N] [p1time MS p2time MS [p1inc MS p2inc MS]] [infinite]
    stop | quit | query gameover|p1turn|result

Scores are for the side to move: `score cp N` is the heuristic's number, `score mate N` a win in N plies (a loss when
negative). What is wrong with a command is reported as `info string ...`, and the command has no effect. A running
search is ended and answered by `stop`, by `quit`, by the end of the input and by any command that changes something.
"""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable, Iterable

from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.play.records import Result
from plyground.play.ugi_search import STOP, Thinker, UgiSearch
from plyground.play.ugi_text import read_limit, read_position


class UgiEngine:
    """Carries out one UGI command after the other."""

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
        self.search: UgiSearch | None = None
        self.searches: queue.SimpleQueue[UgiSearch | None] = queue.SimpleQueue()
        """The searches that the main thread runs; None after the last one."""
        self.fault: BaseException | None = None
        """The error that ended the reading of commands, if one did."""

    def run(self, lines: Iterable[str]) -> None:
        """Carry out commands until `quit` or the end of the lines, then stop and answer a running search.

        Call it in the main thread: another thread reads the commands, and this one searches, because only the main
        thread can be interrupted at any moment.
        """
        before = signal.signal(STOP, self._interrupted)
        reader = threading.Thread(target=self._carry_out_all, args=(lines,), daemon=True)
        reader.start()
        try:
            while (search := self.searches.get()) is not None:
                search.run()
        finally:
            signal.signal(STOP, before)
        reader.join()
        if self.fault is not None:
            raise self.fault

    def _interrupted(self, *_: object) -> None:
        if self.search is not None:
            self.search.interrupted()

    def _carry_out_all(self, lines: Iterable[str]) -> None:
        """Carry out commands until `quit`, the end of the lines, or an error."""
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
            if self.search is not None:
                self.search.end()
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
        elif word == "stop" and self.search is not None:
            self.search.stop()
        elif word == "query":
            self._query(rest)

    def _settle(self) -> None:
        """Stop and answer a running search before something changes."""
        if self.search is not None:
            self.search.stop()
            self.search = None

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
        self.search = UgiSearch(self.thinker, self.position, limit, self.write)
        self.searches.put(self.search)

    def _query(self, rest: str) -> None:
        outcome = self.position.outcome()
        answers = {
            "gameover": "false" if outcome is None else "true",
            "p1turn": "true" if self.position.to_move is Side.FIRST else "false",
            "result": "none" if outcome is None else _result(Result.won_by(outcome.winner)),
        }
        if rest not in answers:
            raise ValueError(f"bad query {rest!r}: expected {', '.join(answers)}")
        self.write(f"response {answers[rest]}")


def _result(result: Result) -> str:
    return {Result.FIRST: "p1win", Result.SECOND: "p2win"}.get(result, "draw")
