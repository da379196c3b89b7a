from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from plyground import games
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.play.faults import FaultKind
from plyground.play.records import GameRecord, NotedFault, PlayedMove, Result, to_json
from plyground.ratings import GameScore
from plyground.search.score import Score
from plyground.tournament.lock import held
from plyground.tournament.store import Store, StoredGame


def stored(key: str, text: str = "4152637", result: Result = Result.FIRST, game: str = "connect-four") -> StoredGame:
    moves, _ = parse_moves(games.load(game), text)
    record = GameRecord(
        games.load(game),
        tuple(PlayedMove(move, score=Score.points(3), depth=2, seconds=0.25) for move in moves),
        first="ada",
        second="<script>",
        result=result,
        termination="pattern",
        seed=7,
    )
    return StoredGame.of(record, key, key.partition("-")[0], "plyground test")


def test_what_is_saved_is_read_back_whole_by_another_opening_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store.create(path, "tournament", "{}", "plyground test") as store:
        assert store.save(stored("1.1.1-a"))
    with Store.open(path) as store:
        (game,) = store.games()
        assert game == stored("1.1.1-a")
        assert (store.kind, store.plan, store.count()) == ("tournament", "{}", 1)
    assert game.score == GameScore("ada", "<script>", 1.0, "1.1.1")
    assert game.game_record().moves[0].seconds == 0.25
    assert game.game_record().seed == 7
    assert game.move_list == [played.move for played in game.game_record().moves]
    assert game.winning_cells == game.game_record().final.over.cells  # type: ignore[union-attr]


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of Unix")
def test_a_store_with_code_and_names_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Store.create(tmp_path / "games.db", "tournament", "{}", "plyground test") as store:
            store.save(stored("1.1.1-a"))
            assert {oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()} == {"0o600"}
    finally:
        os.umask(before)


def test_moves_that_lift_a_card_are_kept_too() -> None:
    rules, generator = games.load("double-card"), random.Random(1)
    record = GameRecord(rules)
    while record.final.ply < 26:  # until a game chosen by lot is long enough
        record = _random_game(rules, generator, plies=26)
    game = StoredGame.of(record, "1", "1", "x")
    assert game.move_list == [played.move for played in record.moves]
    assert game.move_list[-1].lift is not None


def _random_game(rules: Rules, generator: random.Random, plies: int) -> GameRecord:
    moves, position = list[PlayedMove](), Position.start(rules)
    while not position.over and position.ply < plies:
        moves.append(PlayedMove(generator.choice(position.moves())))
        position = position.play(moves[-1].move)
    result = Result.won_by(position.over.winner) if position.over else Result.OPEN
    return GameRecord(rules, tuple(moves), result=result)


def test_a_game_is_kept_once_and_one_that_failed_can_be_played_again(tmp_path: Path) -> None:
    with Store.create(tmp_path / "games.db", "tournament", "{}", "x") as store:
        failed = stored("1.1.1-a", "41", Result.OPEN)
        assert store.save(failed)
        assert not failed.played
        assert store.scores() == {}
        assert store.save(stored("1.1.1-a"))
        assert not store.save(stored("1.1.1-a", "1415161", Result.FIRST))
        assert store.count() == 1
        assert store.scores() == {"1.1.1-a": GameScore("ada", "<script>", 1.0, "1.1.1")}
    with pytest.raises(ValueError, match=r"game 1\.1\.1-a between 'ada' and '<script>' has no result"):
        _ = failed.score


def test_games_come_in_the_order_of_the_schedule(tmp_path: Path) -> None:
    with Store.create(tmp_path / "games.db", "tournament", "{}", "x") as store:
        for key in ("10.1.1-a", "2.1.1-b", "2.1.1-a"):
            store.save(stored(key))
        assert [game.id for game in store.games()] == ["2.1.1-a", "2.1.1-b", "10.1.1-a"]
        with pytest.raises(KeyError):
            store.game("3.1.1-a")


def test_repeated_games_are_counted(tmp_path: Path) -> None:
    with Store.create(tmp_path / "games.db", "tournament", "{}", "x") as store:
        store.save(stored("1-a"))
        store.save(stored("1-b"))
        store.save(stored("2-a", "1626364"))
        assert store.repeated() == 1


def test_a_store_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    Store.create(path, "tournament", "{}", "x").close()
    with pytest.raises(FileExistsError, match="resume"):
        Store.create(path, "tournament", "{}", "x")


def test_what_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        Store.create(tmp_path / "nowhere" / "t.db", "tournament", "{}", "x")
    with Store.create(tmp_path / "t.db", "tournament", "{}", "x") as store:
        store._connection.execute("PRAGMA max_page_count = 1")  # as if the disk were full
        large = stored("1-a")._replace(software="x" * 100_000)
        with pytest.raises(OSError, match=r"game 1-a cannot be saved in .*full"):
            store.save(large)
        assert store.count() == 0


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no store"):
        Store.open(tmp_path / "nothing.db")
    text = tmp_path / "text.db"
    text.write_text("hello, this is no database at all")
    with pytest.raises(ValueError, match="not a store of games"):
        Store.open(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(ValueError, match="not a store of games"):
        Store.open(other)


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    Store.create(path, "tournament", "{}", "x").close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ValueError, match="store of version 99; this program reads versions 1 to 3"):
        Store.open(path)


def test_moves_are_stored_once() -> None:
    reported = json.loads(stored("1.1.1-a").record)
    assert "moves" not in reported
    assert reported["notes"][0] == {"score": 3, "depth": 2, "seconds": 0.25}


def made_version_1(path: Path) -> None:
    """A store as the first version wrote it: moves in the records too, faults among the tags."""
    Store.create(path, "tournament", "{}", "x").close()
    record = stored("1.1.1-a", "415263", Result.OPEN).game_record()
    reported = json.loads(to_json(record)) | {"result": "0-1", "termination": "crash"}
    reported["tags"] = {
        "Fault": "x: it died",
        "Stderr": "oh",
        "Isolation": "group",
        "Warnings": "o: move 2: exit: gone",
    }
    row = StoredGame.of(record, "1.1.1-a", "1.1.1", "x")._replace(
        result="0-1", termination="crash", record=json.dumps(reported)
    )
    connection = sqlite3.connect(path)
    with connection:
        for table in ("games", "origin", "files"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute(
            "CREATE TABLE games (id TEXT PRIMARY KEY, pair TEXT, first TEXT, second TEXT, result TEXT, "
            "termination TEXT, moves TEXT, cells TEXT, seed INTEGER, software TEXT, record TEXT) WITHOUT ROWID"
        )
        connection.execute(f"INSERT INTO games VALUES ({', '.join('?' * 11)})", row)
        connection.execute("PRAGMA user_version = 1")
    connection.close()


def test_a_store_of_the_first_version_is_read(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    made_version_1(path)
    with Store.open(path) as store:
        (game,) = store.games()
    record = game.game_record()
    assert record.move_texts() == list("415263")
    assert record.moves[0].seconds == 0.25
    assert record.fault == NotedFault(Side.FIRST, FaultKind.CRASH, "it died", "oh")
    assert (record.isolation, record.warnings, dict(record.tags)) == ("group", ((), ("move 2: exit: gone",)), {})
    assert game.notes().conduct(record.rules) == (record.fault, record.warnings, "group")


def test_a_store_of_the_first_version_is_gone_on_with_and_then_one_of_this_version(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    made_version_1(path)
    for key, version in (("1.1.1-b", 3), ("2.1.1-a", 3)):
        with Store.open(path) as store:
            store.save(stored(key))
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (version,)
    with Store.open(path) as store:
        assert [len(game.game_record().moves) for game in store.games()] == [6, 7, 7]


# Damage, and folders that cannot be written


def change(path: Path, *statements: str) -> None:
    """Change a store behind its back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def two_games(path: Path) -> None:
    with Store.create(path, "tournament", "{}", "x") as store:
        store.save(stored("1.1.1-a"))
        store.save(stored("1.1.1-b"))


@pytest.mark.parametrize(
    "damage",
    [
        "result = '0-1'",
        "moves = replace(moves, '4', '5')",
        "first = 'adb'",
        "record = replace(record, '0.25', '0.26')",
        "record = substr(record, 1, 40)",
        "moves = NULL || 'x'",
        "seed = 'seven'",
        "termination = CAST(x'ff41' AS TEXT)",
        "cells = x'00'",
        "checksum = 'x'",
    ],
)
def test_a_game_of_which_a_bit_has_changed_is_noticed_left_out_and_replaced(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "games.db"
    two_games(path)
    try:
        change(path, f"UPDATE games SET {damage} WHERE id = '1.1.1-a'")
    except sqlite3.IntegrityError:
        change(path, "UPDATE games SET moves = '' WHERE id = '1.1.1-a'")
    with Store.open(path) as store:
        assert store.damaged() == ["1.1.1-a"]
        assert set(store.scores()) == store.ids() == {"1.1.1-b"}
        assert [game.id for game in store.games()] == ["1.1.1-b"]
        assert store.endings() == {"pattern": 1}
        with pytest.raises(ValueError, match=r"game 1\.1\.1-a in .* is damaged; resume plays it again"):
            store.game("1.1.1-a")
        assert store.save(stored("1.1.1-a"))
        assert store.damaged() == []
        assert len(store.scores()) == 2


@pytest.mark.parametrize("damage", ["record = '{'", "moves = '[['", "result = '2-0'", "cells = 'xyz'", "record = '3'"])
def test_a_game_without_a_checksum_that_cannot_be_read_is_left_out(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "games.db"
    two_games(path)
    change(path, f"UPDATE games SET {damage}, checksum = '' WHERE id = '1.1.1-a'")
    with Store.open(path) as store:
        assert store.damaged() == ["1.1.1-a"]
        assert set(store.scores()) == {"1.1.1-b"}


def test_every_flipped_bit_of_a_stored_game_is_noticed() -> None:
    game, generator = stored("1.1.1-a"), random.Random(1)
    for name, value in game._asdict().items():
        for _ in range(20):
            if isinstance(value, int):
                flipped: Any = value ^ 1 << generator.randrange(60)
            else:
                data = bytearray(value.encode())
                data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
                flipped = bytes(data).decode(errors="surrogateescape")
            values: dict[str, Any] = game._asdict() | {name: flipped}
            other = StoredGame(**values)
            assert other.checksum != game.checksum


def test_a_file_with_broken_pages_is_an_error_in_words(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store.create(path, "tournament", "{}", "x") as store:
        for number in range(200):
            store.save(stored(f"{number}.1.1-a"))
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    with Store.open(path) as store, pytest.raises(OSError, match=r"games\.db is damaged or cannot be read"):
        list(store.games())


def test_a_store_without_its_plan_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    two_games(path)
    change(path, "DELETE FROM plan")
    with Store.open(path) as store, pytest.raises(ValueError, match="it has no plan"):
        _ = store.plan


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that others could enter too, which pytest's own cannot be."""
    folder = Path(tempfile.mkdtemp(prefix="plyground store "))
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Whoever runs the tests, as somebody who may not write everywhere."""
    if sys.platform == "win32":
        pytest.skip("needs the modes of Unix")
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_store_in_a_folder_that_cannot_be_written_is_read_and_not_made(open_folder: Path) -> None:
    path = open_folder / "games.db"
    two_games(path)
    path.chmod(0o444)
    open_folder.chmod(0o555)
    with unprivileged():
        with Store.open(path) as store:
            assert len(store.scores()) == 2
            with pytest.raises(OSError, match=r"game 2\.1\.1-a cannot be saved in .*read.?only"):
                store.save(stored("2.1.1-a"))
        with pytest.raises(OSError, match="its folder cannot be written: Permission denied"), held(path):
            pass
        with pytest.raises(OSError, match=r"the store .*new\.db cannot be written: .*; choose another --store"):
            Store.create(open_folder / "new.db", "tournament", "{}", "x")
    assert [found.name for found in open_folder.iterdir()] == ["games.db"]


def test_a_store_that_may_not_be_read_is_not_said_to_be_none(open_folder: Path) -> None:
    path = open_folder / "games.db"
    two_games(path)
    path.chmod(0)
    open_folder.chmod(0o755)
    with unprivileged(), pytest.raises(OSError, match=r"the store .*games\.db cannot be read"):
        Store.open(path)
