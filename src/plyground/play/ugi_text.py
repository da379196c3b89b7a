"""The texts of UGI: positions, limits and moves in commands, analyses as `info` lines."""

from __future__ import annotations

from collections.abc import Iterable

from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.core.position_text import parse_position
from plyground.core.rules import Rules, Side
from plyground.play.clock import Clock, TimeControl
from plyground.search.base import Analysis, Limit

MOST_DIGITS = 18
"""Of a number in a command: more milliseconds, nodes or plies than that no machine can count."""

LAG_SECONDS = 0.03
"""Seconds of a move's time that are reserved for sending the answer."""


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
        if not value.removeprefix("-").isdecimal() or len(value) > MOST_DIGITS:
            raise ValueError(f"bad go: {word} needs a whole number, got {value[:40]!r}")
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
