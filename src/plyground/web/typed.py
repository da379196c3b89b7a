"""Python that somebody types on the page: what a heuristic says of a position, how it plays, where a search is wrong.

A folder written by `plyground site --with-python` has this package in it, and a worker of the page calls `answer`. A
server has `main` answer in a sandbox. So the rules, the searches, the check and the loading of a file are those of
every other place; nothing is written twice.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from plyground import games
from plyground.core.files import functions_in
from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.debug import running
from plyground.heuristics.base import Heuristic, HeuristicError
from plyground.heuristics.files import load_file
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Limit, checked_value
from plyground.search.deepening import Deepening

Json = dict[str, Any]

FILE = "mine.py"
"""What the typed text is called."""

MOST_MOVES = 240
"""A position with more moves has a value, and none for each of them."""

PRINTED_LETTERS = 2000
"""How much is kept of what the code prints."""


class OutOfPatience(BaseException):
    """The typed code took longer than it may; nothing that `except Exception` in it should catch."""


def answer(text: str) -> str:
    """What a job has as its answer, both as JSON; `error` says what is wrong with the typed code, and in which line."""
    job: Json = json.loads(text)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            found = JOBS[job["kind"]](job)
    except OutOfPatience as error:
        found = {"error": {"code": "slow", "message": f"no answer after {job['seconds']} s", "line": _line(error)}}
    except (ValueError, RecursionError) as error:
        cause = error.__cause__ or error
        found = {"error": {"code": "failed", "message": _said(error), "line": _line(cause)}}
    return json.dumps(found | {"printed": printed.getvalue()[-PRINTED_LETTERS:]})


def value(job: Json) -> Json:
    """What the typed function says of a position, for the side to move, and of the position after each of its moves."""
    position = _position(job)
    with patience(job["seconds"]):
        heuristic, name = _heuristic(job["source"])
        if position.outcome():
            return {"name": name, "value": None, "moves": {}}
        moves = position.moves()
        after = {position.write(move): position.play(move) for move in moves} if len(moves) <= MOST_MOVES else {}
        worths = {move: -_value(heuristic, one) for move, one in after.items() if not one.outcome()}
        return {"name": name, "value": _value(heuristic, position), "moves": worths}


def choose(job: Json) -> Json:
    """The move of alpha-beta with the typed function, as deep and as long as the job says."""
    position = _position(job)
    heuristic, _ = _heuristic(job["source"])
    *_, last = Deepening(alpha_beta, heuristic)(position, Limit(depth=job["depth"], seconds=job["seconds"]))
    worth = None if last.score is None else last.score.to_json()
    return last.to_json(position) | {"worth": worth}


def check(job: Json) -> Json:
    """What is wrong with the typed search, or heuristic, and where: the report of `plyground check`."""
    position = _position(job)
    if position.outcome():
        raise ValueError("the game is over in this position, so there is nothing to search")
    Path(FILE).write_text(job["source"], encoding="utf-8")
    start = position if job["moves"] else None
    report = running.check_file(FILE, "", position.rules, job["depth"], job["heuristic"], start, job["seconds"])
    return {"report": running.as_json(report)}


JOBS: dict[str, Callable[[Json], Json]] = {"value": value, "choose": choose, "check": check}


@contextlib.contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Ends Python code within that takes longer, by OutOfPatience in the line where it is."""
    until = time.monotonic() + seconds

    def trace(_frame: FrameType, _event: str, _given: object) -> object:
        if time.monotonic() > until:
            raise OutOfPatience
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]  # a trace function returns one, however it is written down
    try:
        yield
    finally:
        sys.settrace(before)


def _position(job: Json) -> Position:
    return play_texts(Position.start(games.load(job["game"])), job["moves"])[1]


def _heuristic(source: str) -> tuple[Heuristic, str]:
    """The last function in a text that takes a position, and its name."""
    Path(FILE).write_text(source, encoding="utf-8")
    names = functions_in("heuristic", FILE, "position")
    if not names:
        raise HeuristicError("there is no function that takes a position, such as def threats(position)")
    return load_file(f"{FILE}:{names[-1]}"), names[-1]


def _value(heuristic: Heuristic, position: Position) -> int:
    return checked_value(heuristic, heuristic(position))


def _said(error: BaseException) -> str:
    """What went wrong in a sentence, without the name of the file: there is only one."""
    cause = error.__cause__
    if cause is None:
        return str(error)
    words = cause.msg if isinstance(cause, SyntaxError) else str(cause)
    return f"{type(cause).__name__}: {words}" if words else type(cause).__name__


def _line(error: BaseException) -> int | None:
    """The last line of the typed text that an error went through."""
    if isinstance(error, SyntaxError):
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).name == FILE]
    return lines[-1] if lines else None


def main() -> None:
    """Answer one job, a line of JSON, in a folder that can be written to."""
    os.chdir(tempfile.gettempdir())
    print(answer(sys.stdin.readline()), flush=True)


if __name__ == "__main__":
    main()
