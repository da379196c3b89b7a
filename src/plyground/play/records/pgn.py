r"""A record as a PGN skeleton: tags, then the moves with comments, then the result.

    [Event "Fair"]
    [Date "2026.11.17"]
    [Round "1"]
    [White "engine:level=3"]
    [Black "Ada"]
    [Game "connect-four"]
    [Rules "rows=6,columns=7"]
    [First "engine:level=3"]
    [Second "Ada"]
    [Result "1-0"]
    [Termination "pattern"]

    {played at the fair} 1. 4 {[%eval 12] [%depth 6] [%emt 0.52]} 4 2. 5 {a trap} 3 1-0

In tags and comments a backslash makes the next character an ordinary one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from types import MappingProxyType

from plyground import games
from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.core.specs import Spec
from plyground.play.records import conduct
from plyground.play.records.occasion import OCCASION_TAGS
from plyground.play.records.record import OWN_TAGS, GameRecord, PlayedMove, Result, checked_record
from plyground.play.termination import read_termination
from plyground.search.score import Score

TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:\\.|[^"\\])*)"\s*\]', re.DOTALL)
NOTE = re.compile(r"(?<!\\)\[%(eval|depth|nodes|emt|clk) ([^\]]*)\]")
TOKEN = re.compile(r"\s+|\{((?:\\.|[^}\\])*)\}|;([^\n]*)|([^\s{};]+)", re.DOTALL)
WIDTH_COLUMNS = 100


def to_pgn(record: GameRecord) -> str:
    """A record as text, ending in a new line."""
    spec = Spec.parse(checked_record(record).rules.name)
    tags = {name: record.tags[name] for name in OCCASION_TAGS if name in record.tags}
    tags |= {"White": record.first, "Black": record.second}  # for readers of chess games
    tags |= {
        "Game": spec.name,
        "Rules": str(spec).removeprefix(spec.name).removeprefix(":"),
        "First": record.first,
        "Second": record.second,
    }
    tags |= {"Result": record.result.value, "Termination": record.termination}
    tags |= {} if record.seed is None else {"Seed": str(record.seed)}
    tags |= {"TimeControl": record.time_control} if record.time_control else {}
    tags |= dict(record.tags) | conduct.to_tags(record)
    head = "".join(f'[{key} "{_escape(value, chr(34))}"]\n' for key, value in tags.items())
    words = [f"{{{_escape_comment(record.comment)}}}"] if record.comment else []
    for ply, (text, played) in enumerate(zip(record.move_texts(), record.moves, strict=True)):
        words += [f"{ply // 2 + 1}."] if ply % 2 == 0 else []
        words += [text, *_notes(played)]
    return f"{head}\n{_wrapped([*words, record.result.value])}\n"


def _notes(played: PlayedMove) -> Iterator[str]:
    values: dict[str, object] = {"eval": _eval(played.score), "depth": played.depth, "nodes": played.nodes}
    values |= {"emt": played.seconds, "clk": played.clock}
    notes = [f"[%{name} {value}]" for name, value in values.items() if value is not None]
    notes += [_escape_comment(played.comment)] if played.comment else []
    if notes:
        yield f"{{{' '.join(notes)}}}"


def _eval(score: Score | None) -> str | None:
    """`12`, `#5` (won in 5 plies), `#-4` (lost in 4), `#<47` (won in at most 47), `=` (drawn)."""
    if score is None or score.opinion is not None:
        return None if score is None else str(score.opinion)
    if score.plies is None:
        return "="
    return f"#{'<' * score.at_most}{'-' * score.lost}{score.plies}"


def _read_eval(text: str) -> Score:
    """The score that `_eval` wrote; ValueError for another text."""
    if text == "=":
        return Score.draw()
    if match := re.fullmatch(r"#(<?)(-?)(\d+)", text, re.ASCII):
        score = Score.win(int(match[3]), at_most=bool(match[1]))
        return -score if match[2] else score
    return Score.of_value(int(text))


def _escape(text: str, special: str) -> str:
    return re.sub(rf"[\\{special}]", r"\\\g<0>", text)


def _escape_comment(text: str) -> str:
    escaped = _escape(text, "}").replace("[%", r"\[%")
    # Blanks at both ends would be taken for the space around a comment.
    escaped = re.sub(r"^\s+", lambda blanks: "".join(f"\\{blank}" for blank in blanks[0]), escaped)
    return re.sub(r"(?<!\\)\s+$", lambda blanks: "".join(f"\\{blank}" for blank in blanks[0]), escaped)


def _wrapped(words: list[str]) -> str:
    """The words in lines; broken between words only, so that no comment is changed."""
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < WIDTH_COLUMNS:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def from_pgn(text: str) -> GameRecord:
    """The record in a text; ValueError when it is broken or there are several."""
    records = list(all_from_pgn(text))
    if len(records) != 1:
        raise ValueError(f"expected one record, got {len(records)}")
    return records[0]


def all_from_pgn(text: str) -> Iterator[GameRecord]:
    """The records in a text one after the other; ValueError at the first broken one."""
    at = _blank(text, 0)
    while at < len(text):
        tags: dict[str, str] = {}
        while match := TAG.match(text, at):
            if match[1] in tags:
                raise _broken(text, at, f"tag {match[1]!r} stands twice")
            tags[match[1]] = _unescape(match[2])
            at = _blank(text, match.end())
        if "Game" not in tags:
            raise _broken(text, at, 'a record begins with tags, and [Game "..."] is one of them')
        start = at
        comment, moves, result, at = _movetext(text, at)
        try:
            yield _record(tags, comment, moves, result)
        except games.NotLoadedError:  # nothing is wrong with the record
            raise
        except ValueError as error:
            raise _broken(text, start, str(error)) from None
        at = _blank(text, at)


def _movetext(text: str, at: int) -> tuple[list[str], list[tuple[str, list[str]]], str, int]:
    """Comments before the first move, words with the comments behind them, the result, where it ends."""
    opening: list[str] = []
    words: list[tuple[str, list[str]]] = []
    while match := TOKEN.match(text, at):
        at = match.end()
        braced, to_line_end, word = match.groups()
        comment = braced if braced is not None else to_line_end
        if comment is not None:
            (words[-1][1] if words else opening).append(comment)
        elif word in {result.value for result in Result}:
            return opening, words, word, at
        elif word is not None and not re.fullmatch(r"\d+\.+", word):
            words.append((word, []))
    if at < len(text):
        raise _broken(text, at, f"{text[at]!r} is not closed" if text[at] == "{" else f"{text[at]!r} is out of place")
    raise _broken(text, at, "the result at the end of the moves is missing; is the file cut off?")


def _record(tags: dict[str, str], opening: list[str], words: list[tuple[str, list[str]]], result: str) -> GameRecord:
    rules = games.load(f"{tags['Game']}:{tags['Rules']}" if tags.get("Rules") else tags["Game"])
    if tags.get("Result", result) != result:
        raise ValueError(f"the tag says {tags['Result']!r}, the moves end in {result!r}")
    texts: list[str] = []
    notes: list[list[str]] = []
    pending: list[str] = []
    for index, (word, comments) in enumerate(words):
        pending.append(word)
        if comments or index == len(words) - 1:  # a move may be several words, but no comment stands inside one
            split = rules.notation.split(rules, " ".join(pending))
            texts += split
            notes += [[] for _ in split[:-1]] + [comments]
            pending = []
    moves, _ = play_texts(Position.start(rules), texts)
    seed = tags.get("Seed")
    if seed is not None and not re.fullmatch(r"-?\d+", seed):
        raise ValueError(f"seed must be a whole number, got {seed!r}")
    termination = read_termination(tags.get("Termination", ""))
    behaved = conduct.from_tags(rules, Result.parse(result), termination, tags)
    return GameRecord(
        rules=rules,
        moves=tuple(_played(move, comments) for move, comments in zip(moves, notes, strict=True)),
        first=tags.get("First", tags.get("White", "?")),
        second=tags.get("Second", tags.get("Black", "?")),
        result=Result.parse(result),
        termination=termination,
        seed=None if seed is None else int(seed),
        time_control=tags.get("TimeControl", ""),
        fault=behaved.fault,
        warnings=behaved.warnings,
        isolation=behaved.isolation,
        tags=MappingProxyType({key: value for key, value in tags.items() if key not in OWN_TAGS}),
        comment=_plain(opening),
    )


def _played(move: Move, comments: list[str]) -> PlayedMove:
    noted = dict(pair for comment in comments for pair in NOTE.findall(comment))
    try:
        return PlayedMove(
            move=move,
            score=_read_eval(noted["eval"]) if "eval" in noted else None,
            depth=int(noted["depth"]) if "depth" in noted else None,
            nodes=int(noted["nodes"]) if "nodes" in noted else None,
            seconds=_seconds(noted["emt"]) if "emt" in noted else None,
            clock=_seconds(noted["clk"]) if "clk" in noted else None,
            comment=_plain([NOTE.sub("", comment) for comment in comments]),
        )
    except ValueError as error:
        raise ValueError(f"bad note in {{{' '.join(comments)}}}: {error}") from None


def _seconds(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not a time")
    return value


def _plain(comments: list[str]) -> str:
    trimmed = (re.sub(r"^\s+|(?<!\\)\s+$", "", comment) for comment in comments)
    return " ".join(_unescape(comment) for comment in trimmed if comment)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _blank(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _broken(text: str, at: int, reason: str) -> ValueError:
    return ValueError(f"broken record at line {text.count(chr(10), 0, at) + 1}: {reason}")
