"""A tournament in one SQLite file: its plan and every game, each safe on the disk as soon as it is over."""

from __future__ import annotations

import os
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from plyground.core.files import make_private, parse_json
from plyground.play.openings import Opening
from plyground.ratings.scores import GameScore
from plyground.tournament.database import (
    APPLICATION,
    OPENINGS,
    ORIGIN,
    PARCELS,
    SCHEMA,
    UNDER_WAY,
    VERSION,
    connect,
    opened,
    rows_of,
)
from plyground.tournament.files import NamedFile, check_files, named_files
from plyground.tournament.parcel import Parcel, fingerprint_of, parcels_in, reading_archive
from plyground.tournament.stored_game import StoredGame as StoredGame
from plyground.tournament.stored_game import game_score, moves_of, text_of


class UnderWay(NamedTuple):
    """A game that has been handed to a worker and has not come back."""

    id: str
    first: str
    second: str

    opening: int
    """Which of the tournament's openings it begins with, counted from 0."""

    since: float
    """When it was handed out, in seconds since 1970."""


class Store:
    """An open store. Use it in a `with` block; what is saved stays even if the process is killed."""

    def __init__(self, path: Path, connection: sqlite3.Connection, version: int = VERSION) -> None:
        self.path = path.absolute()  # also when somebody goes to another folder
        self._connection = connection
        self._renewed = version == VERSION
        self._sound: set[str] = set()
        """The games that were found undamaged."""
        self._damaged: list[str] = []

    @staticmethod
    def create(path: Path, kind: str, plan: str, software: str, specs: Iterable[str] = ()) -> Store:
        """A new store for a plan, with what the files that the players' specs name are like now.

        FileExistsError when something of that name is there already, OSError when the store cannot be written.
        """
        if path.exists():
            raise FileExistsError(f"{path} exists already: continue it with resume, or choose another --store")
        if not path.parent.is_dir():
            raise FileNotFoundError(f"there is no folder {path.parent} for the store {path.name}")
        files = named_files(specs)
        # Complete under another name first: killed in between, there is no half-made store in the way.
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            unfinished.unlink(missing_ok=True)
            make_private(unfinished)  # the code of bots may be in it, and names
            with closing(connect(unfinished)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(SCHEMA + UNDER_WAY + OPENINGS + ORIGIN + PARCELS)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                connection.execute("INSERT INTO plan VALUES (?, ?, ?)", (kind, plan, software))
                if files:
                    connection.execute("INSERT INTO origin VALUES (?, ?)", _here(path))
                connection.executemany("INSERT INTO files VALUES (?, ?, ?)", files)
                connection.commit()
            unfinished.replace(path)
        except (OSError, sqlite3.Error) as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise OSError(f"the store {path} cannot be written: {_reason(error)}; choose another --store") from None
        return Store.open(path)

    @staticmethod
    def open(path: Path) -> Store:
        """An existing store, also one that can only be read.

        FileNotFoundError or ValueError when it is none, or one of a later version; OSError when it cannot be read.
        """
        if not path.is_file():
            raise FileNotFoundError(f"there is no store {path}")
        connection, (application, version) = opened(path)
        if application != APPLICATION or not 1 <= version <= VERSION:
            connection.close()
            if application == APPLICATION:
                raise ValueError(f"{path} is a store of version {version}; this program reads versions 1 to {VERSION}")
            raise ValueError(f"{path} is not a store of games")
        # With the log, a commit survives the death of the process; of the power supply, the last few may not.
        try:
            connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error as error:
            connection.close()
            raise OSError(f"{path} is damaged or cannot be read: {error}") from None
        return Store(path, connection, version)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the log beside it is folded in."""
        self._connection.close()

    def _rows(self, query: str, values: Iterable[object] = ()) -> list[Any]:
        return rows_of(self._connection, self.path, query, values)

    def _has(self, table: str) -> bool:
        return bool(self._rows("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)))

    def _of_plan(self, column: str) -> str:
        rows = self._rows(f"SELECT {column} FROM plan")
        if len(rows) != 1:
            raise ValueError(f"{self.path} is damaged: it has no plan")
        return str(rows[0][0])

    @property
    def kind(self) -> str:
        """What was run: `tournament` or `tuning`."""
        return self._of_plan("kind")

    @property
    def plan(self) -> str:
        """The plan, as it was given."""
        return self._of_plan("text")

    def change_plan(self, plan: str, specs: Iterable[str]) -> None:
        """Go on with another plan, whose players have these specs; who has played must still be in it.

        The files of new players are noted as they are now, from this folder. OSError when it cannot be written.
        """
        known = {file.spec for file in self.files()}
        fresh = named_files(spec for spec in specs if spec not in known)
        try:
            with self._connection:
                self._connection.execute("UPDATE plan SET text = ?", (plan,))
                for statement in filter(str.strip, ORIGIN.split(";\n") if fresh else ()):
                    self._connection.execute(statement)
                if fresh and not self._rows("SELECT 1 FROM origin"):
                    self._connection.execute("INSERT INTO origin VALUES (?, ?)", _here(self.path))
                self._connection.executemany("INSERT INTO files VALUES (?, ?, ?)", fresh)
        except sqlite3.Error as error:
            raise OSError(f"the plan cannot be saved in {self.path}: {error}") from None

    def files(self) -> list[NamedFile]:
        """What the players are made of, as it was when the store was made."""
        return [NamedFile(*row) for row in self._rows("SELECT * FROM files")] if self._has("files") else []

    def fingerprints(self) -> dict[str, str]:
        """The SHA-256 of the files of each player of its plan that has some, by name; of several, that of all."""
        found, files = {}, self.files()
        try:
            players = {str(name): str(spec) for name, spec in parse_json(self.plan)["players"].items()}
        except (ValueError, TypeError, LookupError, AttributeError):
            raise ValueError(f"{self.path} is damaged: its plan names no players") from None
        for name, spec in players.items():
            own = [*parcels_in(spec), *(file.sha256 for file in files if file.spec == spec)]
            if own:
                found[name] = own[0] if len(own) == 1 else fingerprint_of(part.encode() for part in own)
        return found

    def sources(self) -> list[str]:
        """What the store is called."""
        return [self.path.stem]

    def origin(self, specs: Container[str] | None = None) -> Path:
        """The folder in which the players' files are, all of them unchanged; ValueError when there is none.

        It is the one in which the store was begun, even if both were moved together; for an older store, this one.
        With `specs` only the files of these players count.
        """
        rows = self._rows("SELECT * FROM origin") if self._has("origin") else []
        files = [file for file in self.files() if specs is None or file.spec in specs]
        if not rows or not files:
            return Path.cwd()
        begun = (self.path.resolve().parent / rows[0][0]).resolve()
        for folder in (begun, Path(rows[0][1]), Path.cwd()):
            with suppress(ValueError):
                check_files(files, folder)
                return folder
        check_files(files, begun)
        raise AssertionError("the files are here after all")

    def keep(self, parcel: Parcel) -> None:
        """Keep the files of a player; OSError when they cannot be written."""
        try:
            with self._connection:
                self._connection.execute(PARCELS)
                row = parcel.fingerprint, parcel.to_archive()
                self._connection.execute("INSERT OR IGNORE INTO parcels VALUES (?, ?)", row)
        except sqlite3.Error as error:
            raise OSError(f"the files cannot be saved in {self.path}: {error}") from None

    def parcel(self, fingerprint: str) -> Parcel:
        """The files with a fingerprint; ValueError when they are not here, or damaged."""
        query = "SELECT archive FROM parcels WHERE sha256 = ?"
        rows = self._rows(query, (fingerprint,)) if self._has("parcels") else []
        if not rows:
            raise ValueError(f"the files with the fingerprint {fingerprint[:12]} are not in {self.path}")
        try:
            with reading_archive("it"):
                found = Parcel.of_archive(rows[0][0])
        except ValueError:
            found = None
        if found is None or found.fingerprint != fingerprint:
            raise ValueError(f"the files with the fingerprint {fingerprint[:12]} in {self.path} are damaged")
        return found

    def parcels(self, specs: Iterable[str]) -> tuple[Parcel, ...]:
        """The files that these specs name by their fingerprints; ValueError when some are not here, or damaged."""
        needed = dict.fromkeys(fingerprint for spec in specs for fingerprint in parcels_in(spec))
        return tuple(self.parcel(fingerprint) for fingerprint in needed)

    def save(self, game: StoredGame) -> bool:
        """Keep a game; False, and nothing changed, when it was played before. On the disk when this returns.

        OSError when it cannot be written, such as to a disk that is full.
        """
        try:
            self._renew()
            with self._connection:
                if game.id in self._damaged:
                    self._connection.execute("DELETE FROM games WHERE id = ?", (game.id,))
                done = self._connection.execute(
                    f"INSERT INTO games VALUES ({', '.join('?' * (len(game) + 1))}) "
                    "ON CONFLICT (id) DO UPDATE SET result = excluded.result, termination = excluded.termination, "
                    "moves = excluded.moves, cells = excluded.cells, seed = excluded.seed, "
                    "software = excluded.software, record = excluded.record, checksum = excluded.checksum "
                    "WHERE games.result = '*'",
                    (*game, game.checksum),
                )
        except sqlite3.Error as error:
            raise OSError(f"game {game.id} cannot be saved in {self.path}: {error}") from None
        return done.rowcount > 0

    def change_games(self, change: Callable[[StoredGame], StoredGame | None]) -> None:
        """Replace games by what a function makes of them, all or none; None leaves one as it is."""
        changed = [new for game in self.games() if (new := change(game)) is not None]
        try:
            self._renew()
            columns = ", ".join(f"{name} = ?" for name in (*StoredGame._fields, "checksum"))
            with self._connection:
                self._connection.executemany(
                    f"UPDATE games SET {columns} WHERE id = ?", [(*game, game.checksum, game.id) for game in changed]
                )
        except sqlite3.Error as error:
            raise OSError(f"games cannot be changed in {self.path}: {error}") from None

    def drop_parcels(self, fingerprints: Iterable[str]) -> None:
        """Remove files from the store, and from the disk."""
        try:
            with self._connection:
                self._connection.executemany("DELETE FROM parcels WHERE sha256 = ?", [(each,) for each in fingerprints])
            self._connection.execute("VACUUM")
        except sqlite3.Error as error:
            raise OSError(f"files cannot be removed from {self.path}: {error}") from None

    def _renew(self) -> None:
        """Mark a file of an older version as one of this version, so that an older program does not misread it."""
        if not self._renewed:
            with self._connection:
                if not self._checks:
                    self._connection.execute("ALTER TABLE games ADD COLUMN checksum TEXT NOT NULL DEFAULT ''")
                self._connection.execute(f"PRAGMA user_version = {VERSION}")
            self._renewed = True

    @property
    def _checks(self) -> bool:
        """Whether games have checksums."""
        return any(row[1] == "checksum" for row in self._rows("PRAGMA table_info(games)"))

    def _game(self, row: Sequence[Any]) -> StoredGame:
        """A game from its columns; OSError when the table lacks some."""
        if len(row) != len(StoredGame._fields):
            raise OSError(f"{self.path} is damaged: its games have {len(row)} columns")
        return StoredGame(*row)

    def damaged(self) -> list[str]:
        """The games that are not what was stored: their checksums do not fit, or they cannot be read.

        They are left out of everything else, and the next run plays them again.
        """
        unseen = [key for (key,) in self._rows("SELECT id FROM games") if key not in self._sound]
        self._damaged = []
        columns = "*" if self._checks else "*, ''"
        for key in unseen:
            for *row, checksum in self._rows(f"SELECT {columns} FROM games WHERE id = ?", (key,)):
                game = self._game(row)
                if game.checksum == checksum if checksum else game.readable:
                    self._sound.add(key)
                else:
                    self._damaged.append(key)
        return list(self._damaged)

    def _sound_ones(self, condition: str = "1") -> tuple[str, list[str]]:
        """What a query says to get undamaged games of which something holds, and the values it needs."""
        damaged = self.damaged()
        return f"FROM games WHERE {condition} AND id NOT IN ({', '.join('?' * len(damaged))})", damaged

    def note(self, begun: Iterable[UnderWay], back: Iterable[str]) -> None:
        """Note which games have been given to workers, and which have come back; OSError when it cannot be written."""
        try:
            with self._connection:
                self._connection.executemany("DELETE FROM under_way WHERE id = ?", [(key,) for key in back])
                self._connection.executemany("INSERT OR REPLACE INTO under_way VALUES (?, ?, ?, ?, ?)", begun)
        except sqlite3.Error as error:
            raise OSError(f"the running games cannot be saved in {self.path}: {error}") from None

    def note_none(self) -> None:
        """Note that no game is with a worker; OSError when it cannot be written."""
        try:
            with self._connection:
                self._connection.execute(UNDER_WAY)
                self._connection.execute("DELETE FROM under_way")
        except sqlite3.Error as error:
            raise OSError(f"the running games cannot be saved in {self.path}: {error}") from None

    def openings(self) -> list[Opening]:
        """What the games begin with, by number, as far as it is known."""
        rows = self._rows("SELECT moves FROM openings ORDER BY number") if self._has("openings") else []
        return [tuple(moves_of(text)) for (text,) in rows]

    def keep_openings(self, first: int, openings: Sequence[Opening]) -> None:
        """Keep the openings from this number on; OSError when they cannot be written."""
        if not openings:
            return
        rows = [(number, text_of(opening)) for number, opening in enumerate(openings, first)]
        try:
            with self._connection:
                self._connection.execute(OPENINGS)
                self._connection.executemany("INSERT INTO openings VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            raise OSError(f"the openings cannot be saved in {self.path}: {error}") from None

    def under_way(self) -> list[UnderWay]:
        """The games that were handed out and have not come back, the longest first.

        After a run that was killed these are the games it was at, until the next run begins.
        """
        if not self._has("under_way"):
            return []
        rows = self._rows(
            "SELECT * FROM under_way WHERE id NOT IN (SELECT id FROM games WHERE result <> '*') ORDER BY since, id"
        )
        return [UnderWay(*row) for row in rows]

    def games(self) -> Iterator[StoredGame]:
        """Every undamaged game, in the order of the schedule."""
        for key in sorted(self.ids(), key=_natural):
            yield self.game(key)

    def game(self, key: str) -> StoredGame:
        """One game; KeyError when it has not been played, ValueError when it is damaged."""
        rows = self._rows("SELECT * FROM games WHERE id = ?", (key,))
        if not rows:
            raise KeyError(key)
        if key not in self._sound and key in self.damaged():
            raise ValueError(f"game {key} in {self.path} is damaged; resume plays it again")
        return self._game(rows[0][: len(StoredGame._fields)])

    def latest_of(self, names: Iterable[str], most: int, lost_by: Iterable[str] | None = None) -> list[StoredGame]:
        """The last undamaged games of some players, those whose ids begin with the highest number first.

        With `lost_by` only those that one of them lost, and that ended in one of these ways.
        """
        mine = list(names)
        marks = ", ".join("?" * len(mine))
        of_first, of_second, values = f"first IN ({marks})", f"second IN ({marks})", [*mine, *mine]
        if lost_by is not None:
            ways = list(lost_by)
            how = f"AND termination IN ({', '.join('?' * len(ways))})"
            of_first, of_second = f"{of_first} AND result = '0-1' {how}", f"{of_second} AND result = '1-0' {how}"
            values = [*mine, *ways, *mine, *ways]
        query = f"SELECT * FROM games WHERE ({of_first}) OR ({of_second}) ORDER BY CAST(id AS INTEGER) DESC, id LIMIT ?"
        width = len(StoredGame._fields)
        found = [(self._game(row[:width]), row[width:]) for row in self._rows(query, (*values, most))]
        return [game for game, checksum in found if checksum == (game.checksum,)]

    def scores(self) -> dict[str, GameScore]:
        """What the ratings need of every finished undamaged game, by its id."""
        source, values = self._sound_ones("result <> '*'")
        rows = self._rows(f"SELECT id, pair, first, second, result, termination {source}", values)
        return {key: game_score(*row) for key, *row in rows}

    def ids(self) -> set[str]:
        """Which undamaged games there are, those that could not be played included."""
        source, values = self._sound_ones()
        return {key for (key,) in self._rows(f"SELECT id {source}", values)}

    def endings(self) -> Counter[str]:
        """How many undamaged games ended in which way."""
        source, values = self._sound_ones()
        return Counter(dict(self._rows(f"SELECT termination, count(*) {source} GROUP BY 1", values)))

    def count(self) -> int:
        """How many games there are, damaged ones included."""
        return int(self._rows("SELECT count(*) FROM games")[0][0])

    def repeated(self) -> int:
        """How many undamaged games are move for move the same as another between the same two, in the same order."""
        source, values = self._sound_ones("result <> '*'")
        counts = f"SELECT count(*) AS n {source} GROUP BY first, second, moves"
        return int(self._rows(f"SELECT coalesce(sum(n - 1), 0) FROM ({counts})", values)[0][0])


def _here(store: Path) -> tuple[str, str]:
    """The folder from which paths count: from that of the store, and from the root."""
    return os.path.relpath(Path.cwd(), store.parent.resolve()), str(Path.cwd())


def _natural(text: str) -> list[tuple[int, str]]:
    """A key that sorts `2.1` before `10.1`."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", text)]


def _reason(error: Exception) -> str:
    return str(error.strerror if isinstance(error, OSError) and error.strerror else error)
