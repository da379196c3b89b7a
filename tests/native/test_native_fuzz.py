"""Bytes and numbers that nobody meant, given to the core: it answers, or says what is wrong, and never crashes.

With `make test-native-sanitized` it also stops at the first byte that it reads or writes where there is none.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from fuzzing import ALLOWED, damaged, wrong
from native_positions import GAMES, random_game
from plyground import games, native
from plyground.books.book import Book, BookKind
from plyground.books.hashed import key_of
from plyground.books.shelf import books_for
from plyground.core.position import Position
from plyground.core.symmetry import group, image_data
from plyground.games.text import gallery
from plyground.native import _core, core_for, rules_data, state_of

QUICK_INPUTS, MANY_INPUTS = 250, 20_000
"""Of each kind in the quick tests, and in `make test-all`."""

NUMBERS = (-1, 0, 1, 2, 7, 8, 63, 64, 255, 256, 257, 1 << 15, 1 << 31, (1 << 31) - 1, 1 << 32, -(1 << 31), 1 << 63)


def changed(value: Any, chance: random.Random) -> Any:
    """A value of numbers, bytes and lists in each other with a place or two changed."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        value = _with_a_change(value, chance)
    return value


def _with_a_change(value: Any, chance: random.Random) -> Any:
    if isinstance(value, bytes):
        return damaged(value, chance) if chance.random() < 0.5 else value[: chance.randrange(len(value) + 1)]
    if isinstance(value, dict):
        key = chance.choice(list(value))
        return value | {key: _with_a_change(value[key], chance)}
    if isinstance(value, list | tuple) and value and chance.random() < 0.9:
        items = list(value)
        at = chance.randrange(len(items))
        match chance.randrange(6):
            case 0:
                del items[at]
            case 1:
                items.insert(at, items[chance.randrange(len(items))])
            case _:
                items[at] = _with_a_change(items[at], chance)
        return type(value)(items)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) and chance.random() < 0.5:
        return value + chance.choice((-1, 1, 2, 8))
    if value is None or isinstance(value, int):
        return chance.choice(NUMBERS)
    return value


@cache
def some_positions(game: str) -> list[Position]:
    return [position for seed in range(3) for position in random_game(game, seed)]


def use(core: _core.Core, state: _core.State) -> None:
    """Ask a position what is cheap to know."""
    core.outcome(state)
    core.key(state)
    moves = core.moves(state)
    core.perft(state, 1)
    engine = core.engine(core.evaluator([], [], [], [], [], []), 1 << 16, 1)
    engine.begin(state, 50, None, False, moves[:2])
    engine.deepen(2)


def a_game(chance: random.Random) -> None:
    """The tables of a game."""
    rules = games.load(chance.choice(GAMES))
    core = _core.Core(**changed(rules_data(rules), chance))
    layers = len(rules.layers) + chance.choice((0, 0, 0, 1))
    use(core, core.state(bytes(32 * layers), 0, [], None))


def a_state(chance: random.Random) -> None:
    """A position."""
    position = chance.choice(some_positions(chance.choice(GAMES)))
    layers = b"".join(layer.to_bytes(32, "little") for layer in position.layers)
    given = [layers, position.ply, sorted(position.cards), position.last and tuple(position.last)]
    core = core_for(position.rules)
    use(core, core.state(*changed(given, chance)))


def a_book(chance: random.Random) -> None:
    """A book, asked about positions of its game."""
    game, book = chance.choice(some_books())
    rules, core = games.load(game), core_for(games.load(game))
    given = changed({**book.core_data(rules), "entries": book.entries.written()}, chance)
    asked = core.book(**given)
    for position in chance.sample(some_positions(game), 5):
        asked.number(state_of(position))
        asked.reply(core, state_of(position))
    books = _core.Books(core, [asked], list(map(image_data, group(rules))))
    for position in chance.sample(some_positions(game), 5):
        books.entries(state_of(position))
        books.score_of(state_of(position))
        books.exact_number(state_of(position))
        books.possible_numbers(state_of(position), chance.choice((0, 1, 3, 7, 8)))


@cache
def some_books() -> list[tuple[str, Book]]:
    chance = random.Random(7)
    known = {key_of(position): chance.choice((-3, 1, 5)) for position in some_positions("tic-tac-toe")}
    shipped = [book for game in ("double-card", "connect-four") for book in books_for(games.load(game))]
    small = [(book.game, book) for book in shipped if len(book.entries.written()) < 1 << 20]
    return [("tic-tac-toe", Book.made("tic-tac-toe", BookKind.SCORES, 9, known)), *small]


def a_heuristic(chance: random.Random) -> None:
    """A heuristic as weights, or a net."""
    position = chance.choice(some_positions("connect-four"))
    core = core_for(position.rules)
    lines = [([[0, 3], [1]], [[2], [1, 2]])]
    given = [[[[5, 1], [2]]], lines, [[(3, [1, 2])]], [[1, 2]], [(([1], [2]), [[3], [4]])], [(bytes(64), [1] * 8, 8)]]
    core.evaluate(core.evaluator(*changed(given, chance)), state_of(position))


def a_text(chance: random.Random) -> None:
    """A game as text."""
    source = damaged(chance.choice(list(gallery().values())).encode(), chance)
    native.compile_game(source.decode(errors="replace"))


KINDS: dict[str, Callable[[random.Random], None]] = {
    each.__name__: each for each in (a_game, a_state, a_book, a_heuristic, a_text)
}


def try_all(kind: str, inputs: int) -> None:
    for number in range(inputs):
        chance = random.Random(f"{kind} {number}")
        found = wrong(lambda: KINDS[kind](chance), ALLOWED["core"])  # noqa: B023
        assert not found, f"{kind}, input {number}\n{found}"


@pytest.mark.parametrize("kind", KINDS)
def test_what_nobody_meant_is_answered_or_refused(kind: str) -> None:
    try_all(kind, QUICK_INPUTS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_nobody_meant_is_answered_or_refused_however_often_one_tries(kind: str) -> None:
    try_all(kind, MANY_INPUTS)
