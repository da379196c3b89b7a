from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from plyground import games
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.play.faults import FaultKind
from plyground.play.records import GameRecord, NotedFault, PlayedMove, Result, to_json
from plyground.ratings import GameScore
from plyground.search.score import Score
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


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
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
    with pytest.raises(ValueError, match="store of version 99; this program reads versions 1 to 2"):
        Store.open(path)


def test_moves_are_stored_once() -> None:
    told = json.loads(stored("1.1.1-a").record)
    assert "moves" not in told
    assert told["notes"][0] == {"score": 3, "depth": 2, "seconds": 0.25}


def made_version_1(path: Path) -> None:
    """A store as the first version wrote it: moves in the records too, faults among the tags."""
    Store.create(path, "tournament", "{}", "x").close()
    record = stored("1.1.1-a", "415263", Result.OPEN).game_record()
    told = json.loads(to_json(record)) | {"result": "0-1", "termination": "crash"}
    told["tags"] = {"Fault": "x: it died", "Stderr": "oh", "Isolation": "group", "Warnings": "o: move 2: exit: gone"}
    row = StoredGame.of(record, "1.1.1-a", "1.1.1", "x")._replace(
        result="0-1", termination="crash", record=json.dumps(told)
    )
    connection = sqlite3.connect(path)
    with connection:
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


def test_a_store_of_the_first_version_is_gone_on_with_and_then_one_of_the_second(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    made_version_1(path)
    for key, version in (("1.1.1-b", 2), ("2.1.1-a", 2)):
        with Store.open(path) as store:
            store.save(stored(key))
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (version,)
    with Store.open(path) as store:
        assert [len(game.game_record().moves) for game in store.games()] == [6, 7, 7]
