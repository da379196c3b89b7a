"""Making books: exact scores of Connect Four, or for any game a winning strategy or a defence.

Scores are solved one position a task on any `concurrent.futures` executor. What is found is written to a journal beside
the book as soon as it is known, so that a build that was killed goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, as_completed
from functools import lru_cache
from pathlib import Path

from plyground import games
from plyground.books.book import Book, Kind, book_of_replies, key_of, shown
from plyground.books.journal import Journal
from plyground.core.notation import parse_position, write_position
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch
from plyground.solve.allowance import Allowance
from plyground.solve.connect_four.solver import ConnectFourSolver, number_at_end
from plyground.solve.defence import longest
from plyground.solve.proof import Prover

DEFENCE_MB = 1024
"""The table with which a defence is proved."""

DEFENCE_NODES = 3_000_000
"""What is spent on each position of a defence but the first, in nodes of the engine's search."""

RANKING_NODES = 1_000_000
"""How far the engine looks to choose among the moves that last."""

ENDLESS = 1e9
"""Seconds that no build takes."""

Progress = Callable[[int, int], None]
"""Called with how many positions are solved and how many there are."""


@lru_cache(maxsize=4)
def _solver(game: str) -> ConnectFourSolver:
    return ConnectFourSolver(games.load(game))


def score_of(game: str, position: str) -> int:
    """The exact score of a position given as text: what one task does."""
    score = _solver(game).solve(parse_position(games.load(game), position)).score
    assert score is not None
    return score


def build_scores(
    rules: Rules,
    plies: int,
    path: Path,
    executor: Executor,
    side: Side | None = None,
    progress: Progress = lambda *_: None,
) -> Book:
    """A book of the exact scores of all positions up to a ply, saved under a path.

    With a side only what can arise when that side plays best (and all its alternatives): far fewer positions.
    """
    journal = Journal(path.with_name(f"{path.name}.journal"), rules.name)
    try:
        start = Position.start(rules)
        if side is None:
            layers = _layers(start, plies)
            _solve(layers[-1], journal, executor, progress)
            for layer in reversed(layers[:-1]):
                for key, position in layer.items():
                    journal.scores[key] = _backed_up(position, journal)
        else:
            _solve_along(start, side, plies, journal, executor, progress)
    finally:
        journal.close()
    book = Book.made(rules.name, Kind.SCORES, plies, journal.scores)
    book.save(path)
    journal.path.unlink()
    return book


def _layers(start: Position, plies: int) -> list[dict[int, Position]]:
    """The positions that go on after 0, 1, ... moves, one of each set of images."""
    layers = [{key_of(start): start}]
    for _ in range(plies):
        layers.append(_following(layers[-1].values()))
    return layers


def _following(positions: Iterable[Position]) -> dict[int, Position]:
    children = (position.play(move) for position in positions for move in position.moves())
    return {key_of(child): child for child in children if child.outcome() is None}


def _solve(layer: dict[int, Position], journal: Journal, executor: Executor, progress: Progress) -> None:
    """Have every position of a layer solved that is not known yet."""
    game = next(iter(layer.values())).rules.name if layer else ""
    missing = [key for key in layer if key not in journal.scores]
    waiting = {executor.submit(score_of, game, write_position(layer[key])): key for key in missing}
    done = len(layer) - len(missing)
    progress(done, len(layer))
    try:
        for future in as_completed(waiting):
            journal.add(waiting[future], future.result())
            done += 1
            progress(done, len(layer))
    finally:
        for future in waiting:
            future.cancel()


def _backed_up(position: Position, journal: Journal) -> int:
    """The score of a position all of whose moves are known."""
    return max(_scores_of_moves(position, journal).values())


def _scores_of_moves(position: Position, journal: Journal) -> dict[Position, int]:
    """For each position a move leads to, the score of the side that moves."""
    scores = {}
    for move in position.moves():
        after = position.play(move)
        ended = number_at_end(position, after)
        scores[after] = -journal.scores[key_of(after)] if ended is None else ended
    return scores


def _solve_along(
    start: Position, side: Side, plies: int, journal: Journal, executor: Executor, progress: Progress
) -> None:
    """Solve what follows where a side is to move; go on with its best moves and all of the opponent's."""
    layer = {key_of(start): start}
    for ply in range(plies):
        following = _following(layer.values())
        if ply & 1 == side:
            _solve(following, journal, executor, progress)
            best = {}
            for position in layer.values():
                scores = _scores_of_moves(position, journal)
                top = max(scores.values())
                best.update({key_of(after): after for after, score in scores.items() if score == top})
            following = {key: after for key, after in best.items() if after.outcome() is None}
        layer = following


def build_strategy(rules: Rules, plies: int, path: Path, seconds: float | None = None) -> Book:
    """A book by which a side wins from the start within so many plies; ValueError when neither can or time is up."""
    start, prover = Position.start(rules), Prover(rules)
    for side in (Side.SECOND, Side.FIRST):
        if prover.can_win(start, side, plies, seconds=seconds):
            replies = prover.strategy(start, side, plies, seconds)
            if replies is not None:
                book = book_of_replies(rules.name, Kind.STRATEGY, side, plies, replies)
                book.save(path)
                return book
    raise ValueError(f"no side was found to win {rules.name} by force within {plies} plies")


def build_defence(
    rules: Rules, plies: int, path: Path, seconds: float | None = None, progress: Progress = lambda *_: None
) -> Book:
    """A book of the first side's move after which it cannot have lost before so many plies, and of its next one.

    The first move is proved to last; ValueError when none is, or the seconds for that are over. The next one, after
    each reply, is the engine's choice among those that a search of fixed size has not proved to lose sooner.
    """
    prover, thinker, start = Prover(rules, DEFENCE_MB), EngineSearch(), Position.start(rules)
    journal = Journal(path.with_name(f"{path.name}.journal"), rules.name)
    try:
        if (key := key_of(start)) not in journal.scores:
            move = _lasting(start, plies, Allowance(prover, start, Limit(seconds=seconds or ENDLESS), 1.0))
            journal.add(key, shown(start, move))
        first = start.play(_moved(start, journal.scores[key]))
        replied = {key_of(after): after for after in map(first.play, first.moves()) if after.outcome() is None}
        for done, (key, position) in enumerate(replied.items()):
            progress(done, len(replied))
            if key not in journal.scores:
                allowance = Allowance(prover, position, Limit(nodes=DEFENCE_NODES), 1.0)
                kept = longest(position, allowance, plies - position.ply).moves
                *_, ranking = thinker.rank(position, Limit(nodes=RANKING_NODES))
                ranked = [analysis.line[0] for analysis in ranking if analysis.line[0] in kept]
                journal.add(key, shown(position, (*ranked, *kept)[0]))
    finally:
        journal.close()
    book = Book.made(rules.name, Kind.DEFENCE, plies, journal.scores, Side.FIRST)
    book.save(path)
    journal.path.unlink()
    return book


def _lasting(start: Position, plies: int, allowance: Allowance) -> Move:
    """A move after which the opponent cannot force a win before so many plies; ValueError when none is found."""
    # Shorter wins are asked for first, so that hopeless moves are soon out.
    found = longest(start, allowance, plies - 1)
    if found.within is not None:
        raise ValueError(f"no first move of {start.rules.name} lasts until ply {plies}: all lose by ply {found.within}")
    for move in found.moves:  # so far the plies were asked by twos: that before the last is left
        if allowance.can_win(start.play(move), start.to_move.other, plies - 2) is False:
            return move
    raise ValueError(f"out of time: no first move of {start.rules.name} was found that lasts until ply {plies}")


def _moved(position: Position, number: int) -> Move:
    """The legal move that a book names by its number."""
    return next(move for move in position.moves() if shown(position, move) == number)
