"""The second player wins Double Card by force, by ply 16 and no sooner, whichever goal each side plays for."""

import random

import pytest

from plyground import games
from plyground.books.book import Book, BookKind
from plyground.books.shelf import SHIPPED
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.core.symmetry import canonical
from plyground.solve.proof import solve
from plyground.solve.verify import check_strategy

GOALS = ["double-card", "double-card:first=dots"]

LAST_PLY = 16
"""The ply by which the second player has won."""


@pytest.fixture(scope="module")
def book() -> Book:
    return Book.load(SHIPPED / "double-card.book")


def key(position: Position) -> bytes:
    return canonical(position)[0]


def test_the_certificate_is_a_strategy_of_the_second_player(book: Book) -> None:
    assert (book.kind, book.side, book.plies) == (BookKind.STRATEGY, Side.SECOND, LAST_PLY)


@pytest.mark.parametrize("game", GOALS)
def test_a_sample_of_the_first_players_moves_loses_to_the_certificate(game: str, book: Book) -> None:
    chance = random.Random(game)
    start = Position.start(games.load(game))
    walked = check_strategy(start, Side.SECOND, LAST_PLY, book.reply, key, lambda ply: chance.random() < 0.25)
    assert walked > 50


@pytest.mark.slow
@pytest.mark.parametrize("game", GOALS)
def test_every_move_of_the_first_player_loses_to_the_certificate(game: str, book: Book) -> None:
    start = Position.start(games.load(game))
    assert check_strategy(start, Side.SECOND, LAST_PLY, book.reply, key) == len(book)


def test_a_certificate_with_a_gap_is_refuted(book: Book) -> None:
    start = Position.start(games.load("double-card"))
    with pytest.raises(ValueError, match=r"the strategy has no answer at .* 5 "):
        check_strategy(start, Side.SECOND, LAST_PLY, lambda p: None if p.ply == 5 else book.reply(p), key)


def test_a_certificate_that_promises_too_much_is_refuted(book: Book) -> None:
    start = Position.start(games.load("double-card"))
    with pytest.raises(ValueError, match=r"wins after ply 4 only|has not won"):
        check_strategy(start, Side.SECOND, 4, book.reply, key)


def test_a_certificate_that_answers_badly_is_refuted(book: Book) -> None:
    def careless(position: Position) -> Move | None:
        return position.moves()[0]

    start = Position.start(games.load("double-card"))
    with pytest.raises(ValueError, match=r"has not won|gives the win away|wins after ply 16 only"):
        check_strategy(start, Side.SECOND, LAST_PLY, careless, key)


@pytest.mark.slow
def test_solve_proves_the_theorem_shows_it_at_once_and_that_no_win_is_shorter() -> None:
    start = Position.start(games.load("double-card"))
    first, *_, last = [reported for reported in solve(start, seconds=300) if reported.winner is not None]
    assert first.winner is Side.SECOND
    assert not first.shortest
    assert last.verdict == f"second wins by force in {LAST_PLY} plies"
    assert last.excluded[Side.SECOND] == LAST_PLY - 1
    position = start
    for move in last.line:
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner, position.ply) == (Side.SECOND, LAST_PLY)
