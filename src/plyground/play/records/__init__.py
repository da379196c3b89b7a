"""Games as records: a PGN skeleton people can read, or one line of JSON; both read back to the same game."""

from plyground.core.display import printed_by
from plyground.play.records.files import append_record, load_records, read_records, save_record, save_records
from plyground.play.records.json_line import from_json, to_json
from plyground.play.records.occasion import occasion
from plyground.play.records.pgn import from_pgn, to_pgn
from plyground.play.records.record import GameRecord, NotedFault, PlayedMove, Result

__all__ = [
    "GameRecord",
    "NotedFault",
    "PlayedMove",
    "Result",
    "append_record",
    "from_json",
    "from_pgn",
    "load_records",
    "occasion",
    "read_records",
    "save_record",
    "save_records",
    "to_json",
    "to_pgn",
]

printed_by(GameRecord, lambda record: to_pgn(record).rstrip())
