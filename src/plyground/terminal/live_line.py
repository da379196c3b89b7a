"""The line that shows progress while a player thinks: depth, best move, time."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from types import TracebackType

from plyground.core.position import Position
from plyground.judge.judge import judge_of
from plyground.judge.judgement import Judgement
from plyground.play.clock import Turn
from plyground.play.guests import Guest
from plyground.players import Player
from plyground.search.base import Analysis, Limit
from plyground.terminal.console import able

TICK_SECONDS = 0.1
"""Seconds between two looks at the clock."""

ERASE = "\r\x1b[K"


def think(player: Player, who: str, position: Position, turn: Turn, quiet: bool) -> tuple[Analysis, float]:
    """What a player chooses and how long that took, with its progress on stderr where that is a terminal.

    Quiet: without what it thinks of the game so far.
    """
    with LiveLine(who) as line:
        if isinstance(player, Guest):
            return player.take_turn(position, turn), line.seconds
        for analysis in player.think(position, turn.limit):
            if not quiet:
                line.found = f", depth {analysis.depth}, {position.write(analysis.move)} ({analysis.text})"
        return analysis, line.seconds


def judged(position: Position, limit: Limit) -> Judgement:
    """What is known of a position for a hint, with the progress shown in the same way; a winning move ends it."""
    with LiveLine("the judge") as line:
        for judgement in judge_of(position.rules).hint(position, limit):
            best = judgement.best
            line.found = f", depth {best.depth}, {position.write(best.move)} ({best.text})"
        return judgement


class LiveLine:
    """A line on stderr that shows the time and what was found; gone when it is left."""

    found: str = ""

    def __init__(self, who: str) -> None:
        self._who = who
        self._started = time.perf_counter()
        self._done = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True) if able(sys.stderr) else None

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self._started

    def _tick(self) -> None:
        while not self._done.wait(TICK_SECONDS):
            text = f"{self._who} is thinking: {self.seconds:.1f} s{self.found}"
            sys.stderr.write(ERASE + text[: shutil.get_terminal_size().columns - 1])
            sys.stderr.flush()

    def __enter__(self) -> LiveLine:
        if self._ticker:
            self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._ticker:
            self._ticker.join()
            sys.stderr.write(ERASE)
            sys.stderr.flush()
