"""Making books of the moves with which a side wins Connect Four from the start, on boards too large for scores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plyground.books.book import Book, BookKind, book_of_replies
from plyground.books.hashed import key_of
from plyground.books.journal import Journal
from plyground.books.proving import Proving
from plyground.core.notation import parse_moves
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move, Rules, Side
from plyground.solve.connect_four.along import Along
from plyground.solve.connect_four.best_first import BestFirst
from plyground.solve.connect_four.goal import Goal
from plyground.solve.connect_four.solver import ConnectFourSolver


def build_wins(rules: Rules, side: Side, plies: int, path: Path, proving: Proving, follow: Path | None = None) -> Book:
    """A book of a side's first moves that win Connect Four from the start; ValueError when it cannot win.

    Follow: a file of lines whose moves the side plays; without one the proof looks for its own.
    """
    table_bytes, threads = proving.table_bytes, proving.threads
    start, suggested = Position.start(rules), None if follow is None else suggestions(rules, side, follow)
    journal = Journal(path.with_name(f"{path.name}.journal"), f"{rules.name} {side.text} wins")

    def known(position: Position) -> bool | None:
        found = journal.scores.get(key_of(position))
        return None if found is None else found > 0

    def note(position: Position, wins: bool) -> None:
        journal.add(key_of(position), 1 if wins else -1)
        proving.report(f"{goal.visited:,} positions visited; {proof.state}")

    proof: Along | BestFirst
    try:
        if suggested is not None:
            goal = Goal(side, ConnectFourSolver(rules, table_bytes, threads), known=known, report=note)
            proof = Along(start, goal, suggested.reply)
            proof.run()
        else:
            goal = Goal(side, ConnectFourSolver(rules, table_bytes, shared=True), known=known, report=note)
            proof = BestFirst(start, goal)
            if not proof.run(threads):
                journal.path.unlink()
                raise ValueError(f"the {side.text} side cannot force a win of {rules.name}")
        book = book_of_replies(rules.name, BookKind.WINS, side, plies, proof.strategy(plies))
    finally:
        journal.close()
    book.save(path)
    journal.path.unlink()
    return book


def suggestions(rules: Rules, side: Side, file: Path) -> Book:
    """The answers of a side in the lines of a file, which nobody has checked; ValueError for lines that disagree.

    A line is a row of moves from the start; empty ones and those that begin with # are skipped.
    """
    found = book_of_replies(rules.name, BookKind.WINS, side, rules.max_plies, _answers(rules, side, file))
    if not len(found):
        raise ValueError(f"{file} has no line with a move of the {side.text} side")
    return found


def _answers(rules: Rules, side: Side, file: Path) -> Iterator[tuple[Position, Move]]:
    so_far: dict[int, tuple[int, int]] = {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"{file} is not a text file: {error}") from None
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        position = Position.start(rules)
        try:
            moves, _ = parse_moves(rules, text)
        except IllegalMove as error:
            raise ValueError(f"{file}, line {number}: {error}") from None
        for move in moves:
            after = position.play(move)
            if position.to_move is side:
                key, leads_to = key_of(position), key_of(after)
                other, where = so_far.setdefault(key, (leads_to, number))
                if other != leads_to:
                    raise ValueError(
                        f"{file}: lines {where} and {number} make different moves after ply {position.ply}"
                    )
                yield position, move
            position = after
