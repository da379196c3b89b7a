"""Checking books: answers are walked through, a defence is proved again, of scores a sample is solved again."""

from __future__ import annotations

import random

from plyground.books.book import Book, BookKind
from plyground.books.bounds import BOUNDS
from plyground.books.build import Progress
from plyground.books.results import positions_up_to
from plyground.books.shelf import books_for, winner
from plyground.core.position import Position
from plyground.core.position_text import write_position
from plyground.core.symmetry import canonical
from plyground.search.base import Limit
from plyground.solve.connect_four.goal import Goal
from plyground.solve.connect_four.solver import RESULT, ConnectFourSolver, Window, number_at_end
from plyground.solve.prover import Prover
from plyground.solve.verify import check_strategy


def check(
    book: Book,
    sample: int,
    seed: int,
    plies: int | None = None,
    solver: ConnectFourSolver | None = None,
    progress: Progress = lambda *_: None,
) -> int:
    """How many positions were checked; ValueError at the first one that is wrong.

    Plies: of wins only the answers up to there, then the solver is asked, a given one if it is to have more memory
    or threads. All that follows solved, it is a proof.
    """
    if book.kind is BookKind.STRATEGY:
        assert book.side is not None
        start = Position.start(book.rules)
        return check_strategy(start, book.side, book.plies, book.reply, lambda position: canonical(position)[0])
    if book.kind is BookKind.DEFENCE:
        return _check_defence(book)
    if book.kind is BookKind.RESULTS:
        return _check_results(book, sample, random.Random(seed), solver or ConnectFourSolver(book.rules), progress)
    if book.kind is BookKind.WINS:
        end = book.plies if plies is None else min(plies, book.plies)
        return _check_wins(book, end, sample, random.Random(seed), solver or ConnectFourSolver(book.rules), progress)
    return _check_scores(book, sample, random.Random(seed), solver or ConnectFourSolver(book.rules), progress)


def _check_scores(book: Book, sample: int, chance: random.Random, solver: ConnectFourSolver, progress: Progress) -> int:
    checked = 0
    for _ in range(100 * sample):
        position = Position.start(book.rules)
        for _ in range(chance.randrange(book.last_ply + 1)):
            if position.outcome() is None:
                position = position.play(chance.choice(position.moves()))
        known = None if position.outcome() else book.number(position)
        if known is None:
            continue
        score = _by_moves(book, position)
        if score is None:
            score = solver.solve(position).score
        if score != known:
            raise ValueError(f"the book says {known} at {write_position(position)}, but it is {score}")
        checked += 1
        progress(checked, sample)
        if checked == sample:
            break
    return checked


def _by_moves(book: Book, position: Position) -> int | None:
    """The best of the scores that a book has for the moves; None where it ends, or has not all of them."""
    best: list[int] = []
    for after in map(position.play, position.moves()):
        score = number_at_end(position, after)
        if score is None:
            if (number := book.number(after)) is None:
                return None
            score = -number
        best.append(score)
    return max(best)


def _check_wins(
    book: Book, plies: int, sample: int, chance: random.Random, solver: ConnectFourSolver, progress: Progress
) -> int:
    """Walk all moves of the opponent up to a ply, then have a sample of what follows solved."""
    met: set[bytes] = set()
    waiting, ends = [Position.start(book.rules)], list[Position]()
    while waiting:
        position = waiting.pop()
        described, outcome = canonical(position)[0], position.outcome()
        if described in met:
            continue
        met.add(described)
        if outcome is not None:
            if outcome.winner is not book.side:
                raise ValueError(f"the {_text(book)} side does not win at {write_position(position)}")
        elif position.ply >= plies:
            ends.append(position)
        elif position.to_move is not book.side:
            waiting.extend(map(position.play, position.moves()))
        elif (move := book.reply(position)) is None:
            raise ValueError(f"the book has no answer at {write_position(position)}")
        else:
            waiting.append(position.play(move))
    assert book.side is not None
    goal, chosen = Goal(book.side, solver), chance.sample(ends, min(sample, len(ends)))
    for done, position in enumerate(chosen):
        progress(done, len(chosen))
        if not goal.solved(position, Limit()):
            raise ValueError(f"the {_text(book)} side does not win at {write_position(position)}")
    return len(met)


def _check_results(
    book: Book, sample: int, chance: random.Random, solver: ConnectFourSolver, progress: Progress
) -> int:
    """Follow what is said of the first plies as far as the book goes, then have a sample of what that rests on solved.

    What a book of wins knows is left to the check of that one.
    """
    wins = tuple(other for other in books_for(book.rules) if other.kind is BookKind.WINS)
    waiting = [
        (position, _said(book, position)) for layer in positions_up_to(book.rules, book.plies) for position in layer
    ]
    met: set[tuple[bytes, Window]] = set()
    ends: list[tuple[Position, Window]] = []
    while waiting:
        position, claim = waiting.pop()
        seen = canonical(position)[0], claim
        if claim == RESULT or seen in met or winner(position, wins) is not None:
            continue
        met.add(seen)
        support = _support(book, position, claim)
        if support is None:
            ends.append((position, claim))
        else:
            waiting.extend(support)
    chosen = chance.sample(ends, min(sample, len(ends)))
    for done, (position, claim) in enumerate(chosen):
        progress(done, len(chosen))
        score = solver.solve(position, window=_asked(claim)).score
        if score is None or not claim.lower <= score <= claim.upper:
            raise ValueError(f"the book says {book.number(position)} at {write_position(position)}, the solver {score}")
    return len(met)


def _asked(claim: Window) -> Window:
    """The scores between which the solver must tell, no more: half a claim is half the work."""
    if claim.upper == RESULT.upper:
        return Window(claim.lower - 1, claim.lower)
    if claim.lower == RESULT.lower:
        return Window(claim.upper, claim.upper + 1)
    return RESULT


def _said(book: Book, position: Position) -> Window:
    """What the side to move gets by a book of results: what it says of the position, or else of its moves.

    Where a side keeps its result only the positions after its answers are in the book.
    """
    if (known := _looked_up(book, position)) is not None:
        return known
    following = (_looked_up(book, after) for after in map(position.play, position.moves()))
    best = max((-bounds.upper for bounds in following if bounds is not None), default=RESULT.lower)
    return Window(best, RESULT.upper)


def _looked_up(book: Book, position: Position) -> Window | None:
    if (outcome := position.outcome()) is not None:
        return Window(0, 0) if outcome.winner is None else Window(-1, -1)
    number = book.number(position)
    return None if number is None else BOUNDS[number]


def _support(book: Book, position: Position, claim: Window) -> list[tuple[Position, Window]] | None:
    """What must hold of the next positions for a claim to hold, all of which the book says; None if it does not."""
    after = {child: _said(book, child) for child in map(position.play, position.moves())}
    needed: dict[Position, Window] = {}
    if claim.upper < RESULT.upper:  # no move may be better
        needed = {child: Window(-claim.upper, RESULT.upper) for child in after}
    if claim.lower > RESULT.lower:  # one move must be so good
        best = min(after, key=lambda child: after[child].upper)
        needed[best] = Window(needed.get(best, RESULT).lower, -claim.lower)
    said = all(after[child].lower >= low and after[child].upper <= high for child, (low, high) in needed.items())
    return [(child, bounds) for child, bounds in needed.items() if child.outcome() is None] if said else None


def _text(book: Book) -> str:
    assert book.side is not None
    return book.side.text


def _check_defence(book: Book) -> int:
    start = Position.start(book.rules)
    move = book.reply(start)
    if move is None:
        raise ValueError(f"the book has no first move of {book.game}")
    after = start.play(move)
    if Prover(book.rules).can_win(after, after.to_move, book.plies - 1 - after.ply) is not False:
        raise ValueError(f"after {start.write(move)} the game is lost before ply {book.plies}")
    return 1
