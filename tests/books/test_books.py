import hashlib
import json
import random
import re
import signal
import struct
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from boards import after
from command import COMMAND, run
from plyground import games, players
from plyground.books.book import Book, BookKind, shown
from plyground.books.bounds import NOT_LOST, NOT_WON
from plyground.books.build import build_defence, build_strategy
from plyground.books.check import check
from plyground.books.hashed import Hashed, key_of
from plyground.books.journal import Journal
from plyground.books.proving import Proving
from plyground.books.results import build_results, positions_up_to
from plyground.books.scores import Build
from plyground.books.shelf import SHIPPED, books_for, entries, possible_numbers, result_of
from plyground.books.stacked import Stacked, numbering, place_of
from plyground.books.wins import build_wins, suggestions
from plyground.core.position import Position
from plyground.core.position_text import parse_position
from plyground.core.rules import Side
from plyground.judge.judge import Judge, judge_position
from plyground.players import choose
from plyground.search.base import Analysis, Limit, Source
from plyground.search.score import Score
from plyground.solve.connect_four.goal import Goal
from plyground.solve.connect_four.solver import EXACT_WINDOW, RESULT, ConnectFourSolver, verdict
from waiting import eventually

SMALL = "connect-four:rows=4,columns=5"
SIX = "connect-four:rows=4,columns=6"

DATA = Path(__file__).parents[1] / "data"

SCORES = DATA / "connect-four-6x7-scores.txt"
"""Moves and the score after them, from bitbully."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("books") / "small.book"
    with ThreadPoolExecutor(1) as executor:
        Build(games.load(SMALL), 3, executor).scores(path)
    return path


def advice(position: Position, book: Book) -> Analysis | None:
    """The move that a book is enough for."""
    known = Judge(position.rules, (book,)).advice(position)
    assert known is None or known.source is Source.BOOK
    return known


def test_a_book_knows_the_exact_score_of_every_early_position(small: Path) -> None:
    book = Book.load(small)
    solver = ConnectFourSolver(book.rules)
    for moves in ("", "1", "5", "33", "12", "345", "111"):
        position = after(SMALL, moves)
        assert book.number(position) == solver.solve(position).score, moves
    assert book.number(after(SMALL, "1111")) is None


def test_images_share_an_entry(small: Path) -> None:
    book = Book.load(small)
    assert book.number(after(SMALL, "124")) == book.number(after(SMALL, "542"))
    assert len(book) < 1 + 5 + 25 + 125


def test_what_a_book_says_of_the_positions_before_is_a_bound_on_those_beyond_it(small: Path) -> None:
    book = Book.load(small)
    solver, chance, tight = ConnectFourSolver(book.rules), random.Random(6), 0
    for _ in range(40):
        position = Position.start(book.rules)
        while position.ply <= book.plies and position.over is None:
            position = position.play(chance.choice(position.moves()))
        if position.over is not None:
            continue
        least, truth = possible_numbers(position, (book,)).lower, solver.solve(position).score
        assert least > EXACT_WINDOW.lower
        assert truth is not None
        assert least <= truth
        tight += least == truth
    assert tight > 5
    assert possible_numbers(position.play(position.moves()[0]), (book,)) == EXACT_WINDOW


def test_moves_that_lead_out_of_a_book_have_the_scores_they_have_without_it(small: Path) -> None:
    book = Book.load(small)
    informed, alone = Judge(book.rules, (book,)), Judge(book.rules, ())
    for moves in ("321", "152", "334", "111"):
        position = after(book.game, moves)
        scores = [
            {each.move: each.score for each in list(judge.prove(position))[-1].moves} for judge in (informed, alone)
        ]
        assert scores[0] == scores[1]


def test_the_last_move_left_has_the_score_of_the_position_if_all_others_are_worth_less(small: Path) -> None:
    book = Book.load(small)
    informed, solver, left = Judge(book.rules, (book,)), ConnectFourSolver(book.rules), 0
    *_, last = positions_up_to(book.rules, 3)
    for position in last:
        *_, judgement = informed.prove(position)
        by_book = [analysis for analysis in judgement.moves if analysis.source is Source.BOOK]
        for analysis in by_book:
            after = position.play(analysis.line[0])
            assert after.outcome() is None
            assert analysis.score == verdict(position, -(solver.solve(after).score or 0))
        assert len(by_book) <= 1
        left += len(by_book)
    assert left > 5


def test_a_longer_book_is_the_same_whether_a_shorter_one_helps_or_not(
    tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, written = games.load(SMALL), list[bytes]()
    for folder in (tmp_path / "none", small.parent):
        monkeypatch.setenv("PLYGROUND_BOOKS", str(folder))
        assert bool(books_for(rules)) is (folder == small.parent)
        with ThreadPoolExecutor(1) as executor:
            Build(rules, 4, executor).scores(tmp_path / "longer.book")
        written.append((tmp_path / "longer.book").read_bytes())
    assert written[0] == written[1]


def test_a_book_keeps_hard_positions_beyond_its_last_ply(tmp_path: Path, small: Path) -> None:
    rules, path = games.load(SMALL), tmp_path / "hard.book"
    with ThreadPoolExecutor(1) as executor:
        Build(rules, 3, executor, hard_nodes=300).scores(path)
    assert [found.name for found in tmp_path.iterdir()] == ["hard.book"]  # no journal is left
    book, solver = Book.load(path), ConnectFourSolver(rules)
    assert (book.plies, book.last_ply, Book.load(small).last_ply) == (3, 4, 3)
    *_, beyond = positions_up_to(rules, 4)
    hard = [position for position in beyond if book.number(position) is not None]
    assert len(book) == len(Book.load(small)) + len(hard)
    assert 0 < len(hard) < len(beyond)
    assert [book.number(position) for position in hard] == [solver.solve(position).score for position in hard]
    assert check(book, 60, seed=2) == 60
    # What they say is a bound one move further, too.
    after = next(child for child in map(hard[0].play, hard[0].moves()) if child.over is None)
    assert possible_numbers(after, (book,)).lower >= -(book.number(hard[0]) or 0)


def test_hard_positions_that_were_solved_before_a_kill_are_not_solved_again(tmp_path: Path) -> None:
    rules, path, counts = games.load(SMALL), tmp_path / "hard.book", list[tuple[int, int]]()

    def killed(done: int, total: int) -> None:
        counts.append((done, total))
        if total > 100 and done == 30:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as executor, pytest.raises(KeyboardInterrupt):
        Build(rules, 3, executor, hard_nodes=300, progress=killed).scores(path)
    assert not path.exists()
    counts.clear()
    with ThreadPoolExecutor(1) as executor:
        Build(rules, 3, executor, hard_nodes=300, progress=lambda *count: counts.append(count)).scores(path)
    assert next(done for done, total in counts if total > 100) == 30
    assert sorted(found.name for found in tmp_path.iterdir()) == ["hard.book"]


def test_a_build_that_was_killed_goes_on_where_it_stopped(tmp_path: Path, small: Path) -> None:
    path = tmp_path / "again.book"

    def killed(done: int, total: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as executor, pytest.raises(KeyboardInterrupt):
        Build(games.load(SMALL), 3, executor, progress=killed).scores(path)
    assert not path.exists()
    journal = path.with_name("again.book.journal")
    kept = len(journal.read_text().splitlines()) - 1
    assert kept == 10
    counts: list[tuple[int, int]] = []
    with ThreadPoolExecutor(1) as executor:
        Build(games.load(SMALL), 3, executor, progress=lambda *count: counts.append(count)).scores(path)
    assert counts[0][0] == kept
    assert path.read_bytes() == small.read_bytes()
    assert not journal.exists()


def test_a_line_that_the_kill_cut_short_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    path.write_text(f"plyground journal {SMALL}\n12 3\n13 -", encoding="ascii")
    journal = Journal(path, SMALL)
    journal.close()
    assert journal.scores == {12: 3}


def test_the_journal_of_another_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    path.write_text("plyground journal connect-four\n", encoding="ascii")
    with pytest.raises(ValueError, match="belongs to another build"):
        Journal(path, SMALL)


def test_a_book_for_one_side_follows_its_best_play(tmp_path: Path, small: Path) -> None:
    whole = Book.load(small)
    with ThreadPoolExecutor(1) as executor:
        book = Build(games.load(SMALL), 3, executor).scores_along(Side.FIRST, tmp_path / "first.book")
    assert 1 < len(book) < len(whole)
    start = after(SMALL)
    assert all(book.number(child) == whole.number(child) for child in map(start.play, start.moves()))
    assert advice(after(SMALL), book) is not None


def test_a_damaged_book_is_distinguished_from_a_good_one(tmp_path: Path, small: Path) -> None:
    data = bytearray(small.read_bytes())
    data[-40] ^= 1
    damaged = tmp_path / "damaged.book"
    damaged.write_bytes(data)
    with pytest.raises(ValueError, match=r"damaged\.book is damaged: wrong checksum"):
        Book.load(damaged)


def test_another_file_is_not_taken_for_a_book(tmp_path: Path) -> None:
    other = tmp_path / "notes.book"
    other.write_text("hello\n")
    with pytest.raises(ValueError, match="is not a book"):
        Book.load(other)


def test_a_book_is_named_by_its_file_or_where_books_lie_by_its_name(tmp_path: Path, small: Path) -> None:
    assert "second wins by ply 16" in run("book", "info", "double-card").stdout
    assert "scores up to ply" in run("book", "info", str(small)).stdout
    unknown = run("book", "info", "doublecard", PLYGROUND_BOOKS=str(small.parent))
    assert unknown.returncode == 2
    assert "unknown book or file 'doublecard'; did you mean 'double-card'?" in unknown.stderr
    assert small.stem in unknown.stderr
    folder = run("book", "check", str(tmp_path))
    assert folder.returncode == 1
    assert "Traceback" not in folder.stderr


def test_check_finds_a_wrong_score(small: Path) -> None:
    book = Book.load(small)
    assert check(book, 30, seed=1) == 30
    ones = [dict.fromkeys(range(len(numbering(4, 5, ply))), 1) for ply in range(4)]
    wrong = replace(book, entries=Stacked.of(4, 5, ones))
    with pytest.raises(ValueError, match="the book says"):
        check(wrong, 30, seed=1)


def test_the_engine_plays_the_best_move_of_a_named_book_at_once(small: Path) -> None:
    position = after(SMALL, "1")
    player = players.load(f"engine:book={small}", position.rules)
    *_, analysis = player.think(position, Limit(nodes=1))
    assert analysis.source == "book"
    assert analysis.proved
    solver = ConnectFourSolver(position.rules)
    scores = {move: found.score for move, found in solver.solve_moves(position).items()}
    assert scores[analysis.line[0]] == max(score for score in scores.values() if score is not None)


def test_books_in_the_users_folder_are_found(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYGROUND_BOOKS", str(small.parent))
    rules = games.load(SMALL)
    assert [book.game for book in books_for(rules)] == [SMALL]
    assert books_for(games.load("tic-tac-toe")) == ()
    start = Position.start(rules)
    assert choose(players.load("engine", rules), start, Limit(nodes=1)) in start.moves()


def test_a_strategy_book_wins_and_passes_its_check(tmp_path: Path) -> None:
    rules = games.load("mnk:columns=4,rows=4,line=3")
    book = build_strategy(rules, 5, tmp_path / "mnk.book")
    assert book.side is Side.FIRST
    assert check(Book.load(tmp_path / "mnk.book"), 1, seed=1) == len(book)


def test_no_strategy_book_of_a_drawn_game(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no side was found to win tic-tac-toe by force within 9 plies"):
        build_strategy(games.load("tic-tac-toe"), 9, tmp_path / "none.book")


def test_every_position_has_a_place_of_its_own_that_its_image_shares(small: Path) -> None:
    book, positions = Book.load(small), [after(SMALL)]
    met = {key_of(positions[0])}
    for position in positions:
        for child in map(position.play, position.moves()):
            if child.ply <= book.plies and child.outcome() is None and key_of(child) not in met:
                met.add(key_of(child))
                positions.append(child)
    assert len(book) == len(positions)
    assert len({(position.ply, place_of(position)) for position in positions}) == len(positions)
    image = {"1": "5", "2": "4", "3": "3", "4": "2", "5": "1"}
    for moves in ("124", "115", "251", "331"):
        assert place_of(after(SMALL, moves)) == place_of(after(SMALL, "".join(image[move] for move in moves)))


def test_a_book_of_all_positions_knows_none_that_turns_do_not_lead_to(small: Path) -> None:
    rules = games.load(SMALL)
    book = Book.load(small)
    free = parse_position(rules, "...../...../...../xx... x")  # two discs of one side
    hanging = parse_position(rules, "...../...../x..../o.... x")  # the first disc would be the second side's
    assert book.number(parse_position(rules, "...../...../o..../x.... x")) is not None
    assert [book.number(position) for position in (free, hanging)] == [None, None]


def test_a_file_from_a_later_program_is_named(tmp_path: Path) -> None:
    data = b'{"format": "plyground book 9", "game": "tic-tac-toe", "kind": "scores", "plies": 1, "entries": 0}\n'
    path = tmp_path / "later.book"
    path.write_bytes(data + hashlib.sha256(data).digest())
    with pytest.raises(ValueError, match="is a 'plyground book 9', this program reads 'plyground book 1' and"):
        Book.load(path)


def test_how_long_a_build_takes_is_said_beforehand(tmp_path: Path) -> None:
    said: list[tuple[int, float]] = []
    rules = games.load("connect-four:rows=4,columns=5")
    with ThreadPoolExecutor(1) as executor:
        Build(rules, 6, executor, announce=lambda *what: said.append(what)).scores(tmp_path / "some.book")
    [(positions, seconds)] = said
    assert positions > 500
    assert seconds > 0


def test_the_commands_build_describe_and_check(tmp_path: Path) -> None:
    path = str(tmp_path / "tiny.book")
    built = run("book", "build", "connect-four:rows=4,columns=4", "--plies", "2", "-o", path)
    assert built.returncode == 0, built.stderr
    reported = run("book", "info", path, "--json")
    assert json.loads(reported.stdout) | {"entries": 0} == {
        "game": "connect-four:rows=4,columns=4",
        "kind": "scores",
        "plies": 2,
        "entries": 0,
    }
    checked = run("book", "check", path, "--sample", "5")
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.endswith("5 positions checked, all correct\n")
    longer = run("book", "build", "connect-four:rows=4,columns=4", "--plies", "2", "--hard", "100", "-o", path)
    assert "scores up to ply 2, hard positions of the next ply, " in longer.stdout
    for wrong in (["--side", "first"], ["--results"], ["--wins", "--side", "first"]):
        refused = run("book", "build", "connect-four", "--plies", "2", "--hard", "100", *wrong, "-o", path)
        assert (refused.returncode, "--hard is for Connect Four scores" in refused.stderr) == (2, True)


def test_the_first_move_on_six_rows_and_seven_columns_is_known() -> None:
    """The published scores of the first moves, from the left: -2 -1 0 1 0 -1 -2."""
    rules = games.load("connect-four:rows=6,columns=7")
    (book,) = books_for(rules)
    start = Position.start(rules)
    scores = [book.number(start.play(move)) for move in start.moves()]
    assert [None if score is None else -score for score in scores] == [-2, -1, 0, 1, 0, -1, -2]
    known = advice(start, book)
    assert known is not None
    assert (start.write(known.line[0]), known.score) == ("4", Score.win(41))


def test_the_reply_to_the_first_disc_in_the_middle_is_known() -> None:
    """The published scores of the replies, from the left: -4 -2 -2 -1 -2 -2 -4."""
    rules = games.load("connect-four:rows=6,columns=7")
    (book,) = books_for(rules)
    after = Position.start(rules).play(Position.start(rules).parse("4"))
    scores = {after.write(move): book.number(after.play(move)) for move in after.moves()}
    assert scores == {"1": 4, "2": 2, "3": 2, "4": 1, "5": 2, "6": 2, "7": 4}


def test_the_book_of_six_rows_and_seven_columns_has_every_position_up_to_ply_9_in_little_room() -> None:
    """The numbers of positions are those that others counted, mirror images apart: 1 4 25 121 568 2144 8231 ..."""
    path = SHIPPED / "connect-four-6x7.book"
    book = Book.load(path)
    assert (book.plies, len(book)) == (9, 399_029)
    assert path.stat().st_size <= 400_000
    rules = games.load("connect-four:rows=6,columns=7")
    chance = random.Random(3)
    for _ in range(300):
        position = Position.start(rules)
        while position.ply < 9 and position.over is None:
            position = position.play(chance.choice(position.moves()))
            assert position.over or book.number(position) is not None
        children = [position.play(move) for move in position.moves()]
        assert [book.number(child) for child in children] == [None] * len(children)


def test_the_book_of_six_rows_and_seven_columns_agrees_with_the_scores_of_another_solver() -> None:
    book = Book.load(SHIPPED / "connect-four-6x7.book")
    lines = (line.split() for line in SCORES.read_text(encoding="ascii").splitlines())
    early = {moves: int(score) for moves, score in lines if len(moves) <= book.plies}
    assert len(early) == 20
    assert {moves: book.number(after(book.game, moves)) for moves in early} == early


@pytest.mark.slow
def test_every_score_of_six_rows_and_seven_columns_is_that_of_another_solver() -> None:
    core = pytest.importorskip("bitbully.bitbully_core")
    databases = pytest.importorskip("bitbully_databases").BitBullyDatabases
    solver = core.BitBullyCore(databases.get_database_path("12-ply-dist"))
    book = Book.load(SHIPPED / "connect-four-6x7.book")
    waiting, met = [Position.start(book.rules)], set[tuple[int, ...]]()
    while waiting:
        position = waiting.pop()
        if position.layers in met or position.outcome() is not None or position.ply > book.plies:
            continue
        met.add(position.layers)
        board = core.BoardCore()
        assert board.setBoard(discs_by_column(position))
        assert book.number(position) == int(solver.mtdf(board, first_guess=0)), repr(position)
        waiting.extend(map(position.play, position.moves()))
    assert len(met) > 750_000  # mirror images are met apart


def discs_by_column(position: Position) -> list[list[int]]:
    """For each column from the bottom: 1 a disc of the first side, 2 of the second, 0 nothing."""
    grid, (first, second) = position.rules.grid, position.layers
    cells = [[1 << grid.index[column, row] for row in range(1, 7)] for column in range(1, 8)]
    return [[1 if first & cell else 2 if second & cell else 0 for cell in column] for column in cells]


@pytest.mark.slow
def test_a_sample_of_six_rows_and_seven_columns_is_solved_again() -> None:
    assert check(Book.load(SHIPPED / "connect-four-6x7.book"), 300, seed=4) == 300


@pytest.fixture(scope="module")
def seven() -> Book:
    return Book.load(SHIPPED / "connect-four-7x8.book")


def test_the_first_moves_on_seven_rows_and_eight_columns_win(seven: Book) -> None:
    """The published scores after each first move, for the first side: -1 0 2 2, and their mirror images."""
    start = Position.start(games.load("connect-four"))
    assert [book.kind for book in books_for(start.rules)] == [BookKind.WINS, BookKind.RESULTS]
    known = advice(start, seven)
    assert known is not None
    assert start.write(known.line[0]) in {"3", "4", "5", "6"}
    assert (known.score, known.note) == (Score.win(55, at_most=True), "book: wins by move 55 at the latest")


def test_the_book_of_seven_rows_and_eight_columns_has_an_answer_to_every_move(seven: Book) -> None:
    assert check(seven, sample=10, seed=1) > len(seven)


def test_where_the_book_of_seven_rows_and_eight_columns_ends_the_engine_keeps_the_win(seven: Book) -> None:
    goal = Goal(Side.FIRST, ConnectFourSolver(seven.rules))
    chance, ends = random.Random(2), list[Position]()
    while len(ends) < 5:
        position = Position.start(seven.rules)
        while position.over is None and position.ply < seven.plies:
            reply = seven.reply(position)
            position = position.play(chance.choice(position.moves()) if reply is None else reply)
        if position.over is None:
            ends.append(position)
    for position in ends:
        move = choose(players.load("engine", seven.rules), position, Limit(seconds=5))
        after = position.play(move)
        assert goal.seen(after) or goal.solved(after, Limit())


@pytest.mark.slow
def test_the_book_of_seven_rows_and_eight_columns_is_right_where_it_ends(seven: Book) -> None:
    assert check(seven, sample=1000, seed=2, solver=ConnectFourSolver(seven.rules, 1 << 30, threads=2)) > len(seven)


@pytest.fixture(scope="module")
def two_moves() -> Book:
    return Book.load(SHIPPED / "connect-four-7x8.results.book")


def test_who_wins_after_two_moves_on_seven_rows_and_eight_columns_is_known() -> None:
    facts = json.loads((DATA / "connect-four-7x8-two-moves.json").read_text(encoding="utf-8"))
    rules = games.load("connect-four")
    for columns in product("12345678", repeat=2):
        texts = {"".join(columns), "".join(str(9 - int(column)) for column in columns)}
        lost, drawn = texts & set(facts["won by the second side"]), texts & set(facts["drawn"])
        position = after(rules.name, "".join(columns))
        assert result_of(position, books_for(rules)) == (-1 if lost else 0 if drawn else 1), columns


def test_a_first_disc_at_the_edge_loses_and_the_next_column_draws() -> None:
    for first, score in (("1", Score.win(55, at_most=True)), ("2", Score.draw())):
        position = after("connect-four", first)
        judgement = judge_position(position, Limit(nodes=1))
        assert (position.write(judgement.best.move), judgement.score) == ("4", score)


@pytest.mark.slow
def test_every_result_on_seven_rows_and_eight_columns_follows_from_the_next_ones(two_moves: Book) -> None:
    assert check(two_moves, sample=0, seed=1) > 10_000


@pytest.mark.parametrize(("opening", "least"), [("14", 1), ("24", 0)])
def test_as_second_player_the_engine_keeps_what_an_early_mistake_gave_it(opening: str, least: int) -> None:
    rules = games.load("connect-four")
    goal, chance = Goal(Side.SECOND, ConnectFourSolver(rules), least), random.Random(3)
    for _ in range(3):
        engine, position = players.load("engine", rules), after("connect-four", opening)
        while position.over is None and position.ply < 14:
            if position.to_move is Side.FIRST:
                position = position.play(chance.choice(position.moves()))
            else:
                position = position.play(choose(engine, position, Limit(seconds=5)))
        assert goal.seen(position) or goal.solved(position, Limit())


@pytest.mark.slow
def test_the_results_on_seven_rows_and_eight_columns_are_right_where_they_end(two_moves: Book) -> None:
    solver = ConnectFourSolver(two_moves.rules, 4 << 30, threads=2)
    assert check(two_moves, sample=100_000, seed=2, solver=solver) > 10_000


def test_the_defence_of_double_card_answers_every_reply_to_its_first_card() -> None:
    book = Book.load(SHIPPED / "double-card-defence.book")
    assert (book.kind, book.side, book.plies) == (BookKind.DEFENCE, Side.FIRST, 16)
    start = Position.start(book.rules)
    first = book.reply(start)
    assert first is not None
    replied = [start.play(first).play(move) for move in start.play(first).moves()]
    assert None not in [book.reply(position) for position in replied]
    for position in replied:  # the opponent may have erred, so nothing is claimed of the score
        known = advice(position, book)
        assert known is not None
        assert known.score is None


def test_a_defence_is_built_and_passes_its_check(tmp_path: Path) -> None:
    book = build_defence(games.load("tic-tac-toe"), 6, tmp_path / "some.book")
    assert (book.kind, book.side) == (BookKind.DEFENCE, Side.FIRST)
    assert len(book) > 1
    assert check(Book.load(tmp_path / "some.book"), 1, seed=1) == 1


def test_no_defence_is_written_that_was_not_proved_in_the_time(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="out of time: no first move of double-card was found that lasts until ply 16"):
        build_defence(games.load("double-card"), 16, tmp_path / "none.book", seconds=0.1)
    assert not (tmp_path / "none.book").exists()


def test_check_finds_a_defence_that_falls_too_soon() -> None:
    rules = games.load("double-card")
    start = Position.start(rules)
    wrong = Book.made(
        "double-card", BookKind.DEFENCE, 10, {key_of(start): shown(start, start.parse("0 2 D 1"))}, Side.FIRST
    )
    with pytest.raises(ValueError, match="after 0 2 D 1 the game is lost before ply 10"):
        check(wrong, 1, seed=1)


def test_a_book_of_wins_is_made_checked_and_followed(tmp_path: Path) -> None:
    game, path = SIX, tmp_path / "wins.book"
    made = run("book", "build", game, "--plies", "6", "--side", "second", "--wins", "--table", "64", "-o", str(path))
    assert "second wins, answers up to ply 6" in made.stdout
    assert not path.with_name("wins.book.journal").exists()
    reported = json.loads(run("book", "info", str(path), "--json").stdout)
    assert reported == {"game": game, "kind": "wins", "plies": 6, "entries": reported["entries"], "side": "second"}
    assert "all correct" in run("book", "check", str(path)).stdout
    book = Book.load(path)
    solver = ConnectFourSolver(book.rules)
    for moves in ("1", "2", "3", "344", "1234"[:3]):
        position = after(game, moves)
        known = advice(position, book)
        if known is None:  # only what can arise when the book is followed is in it
            assert position.ply > 1
            continue
        assert known.note == "book: wins by move 24 at the latest"
        assert solver.solve(position.play(known.line[0])).score == -1
    assert advice(after(game), book) is None


def test_a_side_that_does_not_win_gets_no_book_of_wins(tmp_path: Path) -> None:
    path = tmp_path / "wins.book"
    game = "connect-four:rows=4,columns=5"
    failed = run("book", "build", game, "--plies", "6", "--side", "first", "--wins", "-o", str(path))
    assert failed.returncode == 1
    assert f"the first side cannot force a win of {game}" in failed.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [(SMALL,), ("double-card", "--side", "second")])
def test_wins_are_of_a_side_of_connect_four(arguments: tuple[str, ...]) -> None:
    refused = run("book", "build", *arguments, "--plies", "3", "--wins")
    assert refused.returncode == 2
    assert "--wins is for Connect Four, with --side first or --side second" in refused.stderr


def test_a_book_of_wins_with_a_wrong_answer_or_a_gap_is_found_out(tmp_path: Path) -> None:
    rules = games.load(SIX)
    book = build_wins(rules, Side.SECOND, 4, tmp_path / "wins.book", Proving(table_bytes=64 << 20))
    entries = book.entries
    assert isinstance(entries, Hashed)
    with pytest.raises(ValueError, match="the book has no answer at"):
        check(replace(book, entries=Hashed(entries.keys[1:], entries.numbers[1:])), 1000, 1)
    start = Position.start(rules)
    first = next(position for position in map(start.play, start.moves()) if book.reply(position) is not None)
    scores = ConnectFourSolver(rules).solve_moves(first)
    losing = next(move for move, found in scores.items() if found.score is not None and found.score <= 0)
    numbers = entries.numbers[:]
    numbers[entries.keys.index(key_of(first))] = shown(first, losing)
    with pytest.raises(ValueError, match=r"the book has no answer at|the second side does not win at"):
        check(replace(book, entries=Hashed(entries.keys, numbers)), 1000, 1)


def lines_of_the_second(keeping: bool) -> list[str]:
    """On 4 x 6, for every first move a reply that wins, or one that does not; given for one of two mirror images."""
    start, lines = after(SIX), list[str]()
    solver = ConnectFourSolver(start.rules)
    for first in start.moves()[:3]:
        position = start.play(first)
        replies = solver.solve_moves(position, window=RESULT)
        chosen = next(move for move, found in replies.items() if (found.score == 1) is keeping)
        lines.append(f"{start.write(first)}{position.write(chosen)}")
    return lines


def test_lines_are_followed_where_the_solver_agrees_with_them(tmp_path: Path) -> None:
    lines, path = lines_of_the_second(keeping=True), tmp_path / "wins.book"
    follow = tmp_path / "lines.txt"
    follow.write_text("# replies to try\n\n" + "\n".join(lines) + "\n")
    options = ("--plies", "6", "--side", "second", "--wins", "--table", "64", "--follow", str(follow))
    made = run("book", "build", SIX, *options, "-o", str(path))
    assert "second wins, answers up to ply 6" in made.stdout
    book = Book.load(path)
    for line in lines:
        reply = book.reply(after(SIX, line[0]))
        assert reply is not None
        assert after(SIX, line[0]).write(reply) == line[1]
    assert "all correct" in run("book", "check", str(path), "--sample", "1000").stdout
    proved = run("book", "check", str(path), "--sample", "1000", "--plies", "2", "--threads", "2", "--table", "64")
    assert "all correct" in proved.stdout


def test_lines_that_do_not_win_make_no_book(tmp_path: Path) -> None:
    path, follow = tmp_path / "wins.book", tmp_path / "lines.txt"
    follow.write_text("\n".join(lines_of_the_second(keeping=False)))
    with pytest.raises(ValueError, match="the second side does not win at"):
        build_wins(games.load(SIX), Side.SECOND, 4, path, Proving(table_bytes=64 << 20), follow)
    assert not path.exists()


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ("33\n34\n", "lines 1 and 2 make different moves after ply 1"),
        ("33\n44\n4423\n3354\n4421\n", "lines 3 and 5 make different moves after ply 3"),
        ("33\n\n39\n", "line 3: "),
        ("# later\n\n3\n", "lines.txt has no line with a move of the second side"),
        ("33\n\xff\n", "lines.txt is not a text file: "),
    ],
)
def test_lines_that_cannot_be_followed_are_named(tmp_path: Path, lines: str, what: str) -> None:
    follow = tmp_path / "lines.txt"
    follow.write_text(lines, encoding="latin-1")
    with pytest.raises(ValueError, match=re.escape(what)):
        suggestions(games.load(SIX), Side.SECOND, follow)


def test_lines_are_for_books_of_wins(tmp_path: Path) -> None:
    follow = tmp_path / "lines.txt"
    follow.write_text("33\n")
    refused = run("book", "build", SIX, "--plies", "3", "--follow", str(follow))
    assert refused.returncode == 2
    assert "--follow is for --wins" in refused.stderr


def threads_of(process: int) -> int:
    """How many threads a process has; where that cannot be seen, as many as are hoped for."""
    tasks = Path(f"/proc/{process}/task")
    return len(list(tasks.iterdir())) if tasks.exists() else 3


@pytest.mark.skipif(sys.platform == "win32", reason="needs a signal that interrupts")
def test_an_interrupted_proof_ends_soon_and_keeps_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "wins.book"
    options = ["--plies", "4", "--side", "first", "--wins", "--workers", "2", "--table", "64", "-o", str(path)]
    journal = path.with_name("wins.book.journal")
    with subprocess.Popen(
        [*COMMAND, "book", "build", "connect-four", *options],
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    ) as building:
        try:
            eventually(lambda: journal.exists() and threads_of(building.pid) >= 3, seconds=60)  # two of them solve
            building.send_signal(signal.SIGINT)
            _, reported = building.communicate(timeout=60)
        finally:
            building.kill()
    assert building.returncode == 130
    assert b"interrupted" in reported
    assert journal.exists()
    assert not path.exists()


def forged(path: Path, book: Path, **changes: object) -> Path:
    """A book with another header, and a checksum that fits."""
    head, _, rest = book.read_bytes()[:-32].partition(b"\n")
    header = {key: value for key, value in (json.loads(head) | changes).items() if value != "gone"}
    data = json.dumps(header).encode() + b"\n" + rest
    path.write_bytes(data + hashlib.sha256(data).digest())
    return path


@pytest.mark.parametrize(
    "changes",
    [
        {"entries": -1},
        {"entries": "many"},
        {"entries": 1.5},
        {"entries": None},
        {"entries": "gone"},
        {"plies": -1},
        {"plies": 10**9},
        {"plies": "3"},
        {"plies": True},
        {"game": "chess"},
        {"game": 3},
        {"game": "gone"},
        {"kind": "rumours"},
        {"kind": "strategy"},
        {"kind": "results"},
        {"side": "third"},
        {"side": 1},
        {"sizes": []},
        {"sizes": [-5, 5]},
        {"sizes": "gone"},
        {"sizes": "xx"},
    ],
)
def test_a_forged_book_whose_checksum_fits_is_refused_in_words(
    tmp_path: Path, small: Path, changes: dict[str, object]
) -> None:
    with pytest.raises(ValueError, match=r"forged\.book is not a book that this program can read: .*; build it again"):
        Book.load(forged(tmp_path / "forged.book", small, **changes))


def test_a_forged_ply_is_found_when_it_is_asked_for(tmp_path: Path, small: Path) -> None:
    book = Book.load(small)
    assert isinstance(book.entries, Stacked)
    for packed, reason in (
        (b"nothing packed", "cannot be unpacked"),
        (zlib.compress(bytes(3)), "expected"),
        (zlib.compress(bytes(10**6)), "expected"),
    ):
        damaged = Book(book.game, book.kind, book.plies, Stacked([packed] * 4, 4))
        with pytest.raises(ValueError, match=reason):
            damaged.number(Position.start(book.rules))
        with pytest.raises(ValueError, match=reason):
            Judge(book.rules, (damaged,)).known(Position.start(book.rules))


def test_a_book_with_keys_out_of_order_is_refused() -> None:
    with pytest.raises(ValueError, match="out of order"):
        Hashed.read(struct.pack(">2Q2h", 5, 3, 1, 1), 2)
    with pytest.raises(ValueError, match="take 20 bytes, got 10"):
        Hashed.read(bytes(10), 2)


TINY = "connect-four:rows=4,columns=4"


def test_who_wins_after_two_moves_is_proved_and_passes_its_check(tmp_path: Path) -> None:
    path = tmp_path / "results.book"
    begun = run("book", "build", TINY, "--results", "--plies", "2", "--table", "16", "--limit", "0.01", "-o", str(path))
    assert "who wins up to ply 2, as far as it is proved" in begun.stdout, begun.stderr
    some, rules = Book.load(path), games.load(TINY)
    book, solver = build_results(rules, 2, path, Proving(table_bytes=16 << 20)), ConnectFourSolver(rules)
    assert len(book) >= len(some)
    for position in (position for layer in positions_up_to(rules, 2) for position in layer):
        assert book.number(position) == solver.solve(position, window=RESULT).score
    assert check(book, 20, seed=1) > 20
    assert not path.with_name("results.book.journal").exists()
    entries, start = book.entries, Position.start(rules)
    assert isinstance(entries, Hashed)
    numbers = entries.numbers[:]
    numbers[entries.keys.index(key_of(start))] = -1
    with pytest.raises(ValueError, match="the book says -1 at"):
        check(replace(book, entries=Hashed(entries.keys, numbers)), 1000, seed=1)


def test_a_move_that_wins_by_a_book_of_results_is_played_at_once() -> None:
    position = after(SIX, "1")
    child = position.play(position.parse("3"))
    known = advice(position, Book.made(SIX, BookKind.RESULTS, 2, {key_of(child): -1}))
    assert known is not None
    assert (position.write(known.line[0]), known.score) == ("3", Score.win(23, at_most=True))


def test_a_move_that_is_known_not_to_lose_is_recommended_without_a_verdict() -> None:
    position = after(SIX, "1")
    child = position.play(position.parse("3"))
    book = Book.made(SIX, BookKind.RESULTS, 2, {key_of(child): NOT_WON})
    known = advice(position, book)
    assert known is not None
    assert (position.write(known.line[0]), known.score, known.note) == ("3", None, "book: cannot lose")
    assert advice(position, Book.made(SIX, BookKind.RESULTS, 2, {key_of(child): NOT_LOST})) is None


def test_a_draw_that_is_known_is_kept_though_other_moves_are_not_known() -> None:
    position = after(SIX, "12")
    child = position.play(position.parse("4"))
    assert advice(position, Book.made(SIX, BookKind.RESULTS, 3, {key_of(child): 0})) is None  # there may be a win
    known = advice(position, Book.made(SIX, BookKind.RESULTS, 3, {key_of(position): 0, key_of(child): 0}))
    assert known is not None
    assert (position.write(known.line[0]), known.score) == ("4", Score.draw())


def test_results_are_of_connect_four_and_of_both_sides() -> None:
    for arguments in (("double-card",), (SIX, "--side", "first")):
        refused = run("book", "build", *arguments, "--plies", "2", "--results")
        assert refused.returncode == 2
        assert "--results is for Connect Four, without --side and --wins" in refused.stderr


def test_an_exact_score_is_not_taken_for_a_bound() -> None:
    """In a book of exact scores -2 is a number like any other: the next to last disc wins."""
    position = Position.start(games.load("connect-four:rows=6,columns=7"))
    for column in "4455":
        position = position.play(position.parse(column))
    known = entries(position, books_for(position.rules))
    assert str(known[position.parse("4")].score) == "win in 35"
    assert {entry.note for entry in known.values()} == {""}


def test_moves_that_only_a_book_knows_are_settled_once_all_others_are() -> None:
    # The book knows after some moves who wins, not when; a hurried inquiry had settled all the others.
    position = after("connect-four", "44553")
    *_, whole = Judge(position.rules).rank(position, Limit(nodes=20_000))
    hurried = Judge(position.rules)
    by_book = hurried.at_a_glance(position)
    assert {str(fact.score) for fact in by_book.values()} == {"loss in at most 50"}
    assert 0 < len(by_book) < len(position.moves())
    for analysis in whole.ranking.compared:
        if analysis.move not in by_book and analysis.score is not None:
            known = replace(analysis, line=analysis.line[1:], score=analysis.score.after_move())
            hurried.remember(position.play(analysis.move), known)
    *_, again = hurried.rank(position, Limit(nodes=20_000))
    assert again.whole.score == whole.whole.score == Score.loss(2)
    assert all(analysis.score == Score.loss(2) for analysis in again.ranking.compared)
