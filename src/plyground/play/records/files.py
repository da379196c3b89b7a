"""Records in files: read in either form, and written so that an interrupted write loses nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from plyground.core.files import write_file
from plyground.core.kinds import checked
from plyground.play.records.json_line import from_json, to_json
from plyground.play.records.pgn import all_from_pgn, to_pgn
from plyground.play.records.record import GameRecord


def read_records(text: str) -> list[GameRecord]:
    """The records in a text, PGN or one JSON object per line; ValueError when one is broken or there is none."""
    if checked(text, str, "records are read from a text").lstrip().startswith("{"):
        records = []
        for number, line in enumerate(text.split("\n"), start=1):  # splitlines would cut at U+2028 in a name
            if line.strip():
                try:
                    records.append(from_json(line))
                except ValueError as error:
                    raise ValueError(f"line {number}: {error}") from None
    else:
        records = list(all_from_pgn(text))
    if not records:
        raise ValueError("there is no record in it")
    return records


def load_records(path: Path | str) -> list[GameRecord]:
    """The records in a file; ValueError naming the file when it holds something else, OSError when unreadable."""
    path = Path(path)
    try:
        return read_records(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def save_record(path: Path, record: GameRecord) -> None:
    """Write a record, as JSON where the name ends in .json or .jsonl, else as PGN.

    An older file of that name is replaced only once the new one is completely written.
    """
    save_records(path, [record])


def save_records(path: Path | str, records: Iterable[GameRecord]) -> None:
    """Write several records in the same way."""
    path = Path(path)
    if path.suffix in (".json", ".jsonl"):
        text = "".join(f"{to_json(record)}\n" for record in records)
    else:
        text = "\n".join(to_pgn(record) for record in records)
    write_file(path, text)


def append_record(path: Path, record: GameRecord) -> None:
    """Write a record behind those of a file, in the same way; one that cannot be written whole leaves no trace."""
    as_json = path.suffix in (".json", ".jsonl")
    with path.open("ab", buffering=0) as file:
        end = file.tell()
        text = f"{to_json(record)}\n" if as_json else f"\n{to_pgn(record)}" if end else to_pgn(record)
        rest = memoryview(text.encode())
        try:
            while rest:
                rest = rest[file.write(rest) :]
        except OSError:
            file.truncate(end)
            raise
