"""Puzzles as text: one JSON object per line, or CSV with the same columns."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

from plyground import games
from plyground.core.files import parse_json, write_file
from plyground.core.notation import parse_moves, write_moves
from plyground.core.position import Position
from plyground.puzzle.puzzle import Branch, Difficulty, Puzzle, Theme, Tree
from plyground.search.score import Score

COLUMNS = (
    "id",
    "game",
    "after",
    "side",
    "goal",
    "answers",
    "line",
    "tree",
    "theme",
    "difficulty",
    "explanation",
    "claims",
)
"""The keys of a line of JSON, and the columns of CSV."""

NESTED = ("goal", "answers", "tree", "difficulty", "claims")
"""Columns whose fields are JSON in CSV."""

Json = dict[str, object]


def to_json(puzzle: Puzzle) -> Json:
    """A puzzle as JSON values."""
    rules = puzzle.rules
    return {
        "id": puzzle.id,
        "game": rules.name,
        "after": write_moves(rules, puzzle.after),
        "side": puzzle.side.text,
        "goal": puzzle.goal.to_json(),
        "answers": puzzle.position.write_line(puzzle.answers),
        "line": write_moves(rules, puzzle.line),
        "tree": _written(puzzle.position, puzzle.tree),
        "theme": puzzle.theme.value,
        "difficulty": puzzle.difficulty.to_json(),
        "explanation": puzzle.explanation,
        "claims": list(puzzle.claims),
    }


def _written(position: Position, tree: Tree) -> Json:
    """`{"4": ["5", {"3": []}]}`: each right move with the reply and the right moves after it, or with nothing."""
    write, found = position.write, Json()
    for move, branch in tree.items():
        found[write(move)] = [] if branch.reply is None else [write(branch.reply), _written(position, branch.tree)]
    return found


def from_json(value: object) -> Puzzle:
    """The puzzle that `to_json` wrote; ValueError for anything else."""
    match value:
        case {
            "game": str(game),
            "after": str(after),
            "goal": goal,
            "tree": dict(tree),
            "theme": str(theme),
            "difficulty": {"level": int(level), "fails": list(fails), "plies": int(plies)},
            "explanation": str(explanation),
            "claims": list(claims),
        } if isinstance(value, dict):
            rules = games.load(game)
            moves, position = parse_moves(rules, after)
            puzzle = Puzzle(
                rules,
                tuple(moves),
                Score.from_json(goal),
                _read(position, tree),
                Theme(theme),
                Difficulty(level, tuple(fails), plies),
                explanation,
                tuple(claims),
            )
            _check(puzzle, value)
            return puzzle
    raise ValueError(f"a puzzle is an object with {', '.join(COLUMNS)}, got {str(value)[:80]}")


def _read(position: Position, tree: Json) -> Tree:
    found: Tree = {}
    for text, what in tree.items():
        move = position.parse(text)
        match what:
            case []:
                position.play(move)
                found[move] = Branch()
            case [str(replied), dict(further)]:
                after = position.play(move)
                reply = after.parse(replied)
                found[move] = Branch(reply, _read(after.play(reply), further))
            case _:
                raise ValueError(f"what follows the move {text!r} is [] or [reply, moves], got {str(what)[:40]}")
    if not found:
        raise ValueError("a step of a puzzle has at least one right move, got none")
    return found


def _check(puzzle: Puzzle, value: Json) -> None:
    """ValueError if a field that follows from the others differs from them."""
    wanted = to_json(puzzle)
    for key in ("id", "side", "answers", "line"):
        if key in value and value[key] != wanted[key]:
            raise ValueError(f"{key} must be {wanted[key]!r} here, got {value[key]!r}")


def to_line(puzzle: Puzzle) -> str:
    """A puzzle as one line of JSON, without the end of the line."""
    return json.dumps(to_json(puzzle), ensure_ascii=False, separators=(",", ":"))


def to_csv(puzzles: Iterable[Puzzle]) -> str:
    """Puzzles as CSV with a line of names."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for puzzle in puzzles:
        values = to_json(puzzle)
        writer.writerow(values | {key: json.dumps(values[key], separators=(",", ":")) for key in NESTED})
    return text.getvalue()


def save(puzzles: Iterable[Puzzle], path: Path | str) -> None:
    """Write puzzles to a file: CSV where its name ends in .csv, else a line of JSON each."""
    listed, path = list(puzzles), Path(path)
    text = to_csv(listed) if path.suffix == ".csv" else "".join(f"{to_line(puzzle)}\n" for puzzle in listed)
    write_file(path, text)


def load(path: Path | str) -> list[Puzzle]:
    """The puzzles of a file, at least one; ValueError, with the number of the puzzle, where one is broken."""
    found, path = list[Puzzle](), Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text (byte {error.start})") from None
    rows: Iterable[object] = csv.DictReader(io.StringIO(text)) if path.suffix == ".csv" else text.splitlines()
    for number, each in enumerate(filter(None, rows), start=1):
        try:
            found.append(from_json(_unpacked(each) if isinstance(each, dict) else parse_json(str(each))))
        except json.JSONDecodeError:
            form = "CSV, as in a file whose name ends in .csv" if path.suffix == ".csv" else "a JSON object in a line"
            raise ValueError(f"{path}: puzzle {number}: not written as a puzzle; expected {form}") from None
        except ValueError as error:
            raise ValueError(f"{path}: puzzle {number}: {error}") from None
    if not found:
        raise ValueError(f"{path}: there is no puzzle in it")
    return found


def _unpacked(row: Json) -> Json:
    """A row of CSV with its nested fields read."""
    return {key: parse_json(str(field)) if key in NESTED else field for key, field in row.items()}
