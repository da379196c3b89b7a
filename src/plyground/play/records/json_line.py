"""A record as one line of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from types import MappingProxyType

from plyground import games
from plyground.core.files import parse_json
from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.play.records import conduct
from plyground.play.records.conduct import Conduct
from plyground.play.records.record import CONDUCT_TAGS, GameRecord, PlayedMove, Result, checked_record
from plyground.play.termination import read_termination
from plyground.search.score import Score

Json = dict[str, object]

MAX_FLOAT = sys.float_info.max


RECORD_KEYS = "game first second result termination fault warnings isolation seed time_control comment tags moves"

MOVE_KEYS = "score depth nodes seconds clock comment"
"""The keys of a move, besides the move itself."""


def to_json(record: GameRecord) -> str:
    """A record as one line of JSON."""
    noted = zip(checked_record(record).moves, record.move_texts(), notes_to_data(record), strict=True)
    moves = [{"move": text} | note | _score_as_object(played) for played, text, note in noted]
    data = head_to_data(record) | {"moves": moves}
    return json.dumps(data, ensure_ascii=False)


def _score_as_object(played: PlayedMove) -> Json:
    """The score as an object whether proved or not, since programs that read tables want one type in a field."""
    return {} if played.score is None else {"score": played.score.to_json()}


def head_to_data(record: GameRecord) -> Json:
    """Everything but the moves."""
    data: Json = {"game": record.rules.name, "first": record.first, "second": record.second}
    data["result"] = record.result.value
    data |= _given(termination=str(record.termination), seed=record.seed, time_control=record.time_control)
    data |= _given(comment=record.comment, tags=dict(record.tags))
    return data | conduct.to_data(record)


def notes_to_data(record: GameRecord) -> list[Json]:
    """What was noted about each move."""
    return [
        _given(score=score_to_json(played.score), depth=played.depth, nodes=played.nodes, seconds=played.seconds)
        | _given(clock=played.clock, comment=played.comment)
        for played in record.moves
    ]


def score_to_json(score: Score | None) -> object:
    """A number for an opinion, an object for a verdict."""
    return None if score is None else score.to_json() if score.proved else score.opinion


def score_from_json(data: object) -> Score | None:
    """The reverse of `score_to_json`; ValueError for anything else."""
    if data is None or isinstance(data, dict):
        return None if data is None else Score.from_json(data)
    if not isinstance(data, int) or isinstance(data, bool):
        raise ValueError(f"broken record: 'score' must be a whole number or a verdict, got {data!r}")
    return Score.of_value(data)


def _given(**values: object) -> Json:
    return {key: value for key, value in values.items() if value is not None and value not in ("", {})}


def from_json(text: str) -> GameRecord:
    """The record in a line of JSON; ValueError when it is broken."""
    try:
        data = parse_json(text)
    except ValueError as error:
        raise ValueError(f"broken record: not JSON: {error}") from None
    _check_keys(data, RECORD_KEYS, "the record")
    rules = games.load(_text(data, "game"))
    listed = data.get("moves", [])
    if not isinstance(listed, list):
        raise ValueError(f"broken record: 'moves' must be a list, got {listed!r}")
    entries: list[Json] = [{"move": entry} if isinstance(entry, str) else entry for entry in listed]
    for number, entry in enumerate(entries, start=1):
        _check_keys(entry, f"move {MOVE_KEYS}", f"move {number}")
    moves, _ = play_texts(Position.start(rules), [_text(entry, "move") for entry in entries])
    return from_data(data, rules, moves, entries)


def from_data(data: Json, rules: Rules, moves: Sequence[Move], notes: Sequence[Json]) -> GameRecord:
    """The record of a head, the moves, and what was noted about each; ValueError when something is broken."""
    behaved = conduct_of(data, rules)
    return GameRecord(
        rules=rules,
        moves=tuple(_noted(move, entry) for move, entry in zip(moves, notes, strict=True)),
        first=_text(data, "first", "?"),
        second=_text(data, "second", "?"),
        result=_result(data),
        termination=read_termination(_text(data, "termination", "")),
        seed=_whole(data, "seed"),
        time_control=_text(data, "time_control", ""),
        comment=_text(data, "comment", ""),
        fault=behaved.fault,
        warnings=behaved.warnings,
        isolation=behaved.isolation,
        tags=MappingProxyType({key: value for key, value in _tags(data).items() if key not in CONDUCT_TAGS}),
    )


def conduct_of(data: Json, rules: Rules) -> Conduct:
    """Faults, warnings and isolation in a head; older ones have them among the tags. ValueError when it is broken."""
    tags = _tags(data)
    if not any(tag in tags for tag in CONDUCT_TAGS):
        return conduct.from_data(data)
    if both := {"fault", "warnings", "isolation"} & data.keys():
        raise ValueError(f"broken record: {', '.join(sorted(both))} and an older tag for it")
    return conduct.from_tags(rules, _result(data), _text(data, "termination", ""), tags)


def _result(data: Json) -> Result:
    return Result.parse(_text(data, "result", "*"))


def _tags(data: Json) -> dict[str, str]:
    tags = data.get("tags", {})
    if not isinstance(tags, dict) or not all(isinstance(value, str) for value in tags.values()):
        raise ValueError(f"broken record: 'tags' must be an object of texts, got {tags!r}")
    return tags


def _noted(move: Move, entry: Json) -> PlayedMove:
    return PlayedMove(
        move,
        score=score_from_json(entry.get("score")),
        depth=_whole(entry, "depth"),
        seconds=_number(entry, "seconds"),
        clock=_number(entry, "clock"),
        comment=_text(entry, "comment", ""),
        nodes=_whole(entry, "nodes"),
    )


def _check_keys(data: object, known: str, where: str) -> None:
    if not isinstance(data, dict):
        raise ValueError(f"broken record: {where} must be a JSON object, got {data!r}")
    if extra := sorted(set(data) - set(known.split())):
        raise ValueError(f"broken record: {where} has unknown keys {', '.join(extra)}; known: {known}")


def _text(data: Json, key: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"broken record: {key!r} must be a text, got {value!r}")
    return value


def _whole(data: Json, key: str) -> int | None:
    value = data.get(key)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise ValueError(f"broken record: {key!r} must be a whole number, got {value!r}")
    return value


def _number(data: Json, key: str) -> float | None:
    value = data.get(key)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= MAX_FLOAT:
        raise ValueError(f"broken record: {key!r} must be a number, got {value!r}")
    return float(value)
