"""The public functions and the values they take and return; `plyground` exports all of them.

>>> import plyground
>>> position = plyground.start("connect-four:rows=6,columns=7", "4453")
>>> position.to_move.text, [position.write(move) for move in position.moves()]
('first', ['1', '2', '6', '7', '3', '5', '4'])
"""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

from plyground import players
from plyground.books.book import Book as Book
from plyground.books.shelf import file_of
from plyground.conformance.checks import ConformanceError as ConformanceError
from plyground.conformance.checks import check_heuristic as check_heuristic
from plyground.conformance.checks import check_player as check_player
from plyground.conformance.checks import check_rules as check_rules
from plyground.conformance.checks import check_search as check_search
from plyground.core.kinds import checked, checked_count, checked_whole
from plyground.core.notation import plural
from plyground.core.position import checked_position
from plyground.integrations import notebook as _notebook  # noqa: F401  (it draws what the others only describe)
from plyground.judge.claims import Claim as Claim
from plyground.judge.explain import Explanation as Explanation
from plyground.judge.explain import explain as _explain
from plyground.judge.judge import judge_of, judge_position
from plyground.judge.judgement import Judgement as Judgement
from plyground.judge.review import ReviewedMove as ReviewedMove
from plyground.judge.review import review as review_moves
from plyground.play.game import Game as Game
from plyground.play.match import GameTerms, tally_of
from plyground.play.match import play_game as play_between
from plyground.play.records import GameRecord as GameRecord
from plyground.play.records import PlayedMove as PlayedMove
from plyground.play.records import Result as Result
from plyground.play.records import load_records as load_records
from plyground.play.records import read_records as read_records
from plyground.play.records import save_records as save_records
from plyground.play.records import to_json, to_pgn
from plyground.players import DepthPlayer as DepthPlayer
from plyground.players import Player as Player
from plyground.players import Setting as Setting
from plyground.players.base import NeedsNoClosing as NeedsNoClosing
from plyground.players.functions import Chooser
from plyground.players.levels import level as check_level
from plyground.puzzle import files as puzzle_files
from plyground.puzzle import shelf
from plyground.puzzle.attempt import Answer as Answer
from plyground.puzzle.attempt import Attempt as Attempt
from plyground.puzzle.puzzle import Puzzle as Puzzle
from plyground.puzzle.puzzle import Theme as Theme
from plyground.ratings import Estimate as Estimate
from plyground.ratings import Tally as Tally
from plyground.ratings import elo_between, in_words, share_estimate
from plyground.ratings import expected_score as expected_score
from plyground.referee import entrants
from plyground.report.summary import Summary as Summary
from plyground.report.summary import summarise
from plyground.search.base import NO_LIMIT
from plyground.search.limit import checked_limit
from plyground.solve.door import solver_for as solver_for
from plyground.solve.pairing import Pairing as Pairing
from plyground.solve.pairing import prove
from plyground.solve.verify import check_pairing as check_pairing
from plyground.solve.verify import check_strategy as check_strategy
from plyground.student import MAX_HEURISTIC as MAX_HEURISTIC
from plyground.student import WIN as WIN
from plyground.student import Analysis as Analysis
from plyground.student import CardNotation as CardNotation
from plyground.student import CellNotation as CellNotation
from plyground.student import ColumnNotation as ColumnNotation
from plyground.student import Deepening as Deepening
from plyground.student import Effect as Effect
from plyground.student import Effort as Effort
from plyground.student import Ending as Ending
from plyground.student import Grid as Grid
from plyground.student import Guide as Guide
from plyground.student import Heuristic as Heuristic
from plyground.student import IllegalMove as IllegalMove
from plyground.student import Limit as Limit
from plyground.student import Mask as Mask
from plyground.student import Move as Move
from plyground.student import Notation as Notation
from plyground.student import Outcome as Outcome
from plyground.student import OutOfTime as OutOfTime
from plyground.student import Pattern as Pattern
from plyground.student import PieceNotation as PieceNotation
from plyground.student import Placement as Placement
from plyground.student import Position as Position
from plyground.student import Ranking as Ranking
from plyground.student import Reading as Reading
from plyground.student import Rules as Rules
from plyground.student import Score as Score
from plyground.student import Search as Search
from plyground.student import Side as Side
from plyground.student import Source as Source
from plyground.student import Symmetry as Symmetry
from plyground.student import TimeControl as TimeControl
from plyground.student import WinValue as WinValue
from plyground.student import alpha_beta as alpha_beta
from plyground.student import bits as bits
from plyground.student import canonical as canonical
from plyground.student import deepening as deepening
from plyground.student import load_game as load_game
from plyground.student import load_heuristic as load_heuristic
from plyground.student import minimax as minimax
from plyground.student import start as start
from plyground.student import written as written

# Assignments, not imports under another name, so that type checkers find them.
judge = judge_position
load_puzzles = puzzle_files.load
prove_pairing = prove
record_to_json = to_json
record_to_pgn = to_pgn
save_puzzles = puzzle_files.save

HALF_A_SECOND = Limit(seconds=0.5)


def load_player(spec: str | Player | Chooser, rules: str | Rules, seed: int | None = None) -> Player:
    """The player or bot of a spec, or a player made of a plain function; ValueError for what does not fit the game.

    A function of a position, or of a position and a limit, that returns a move or its text is a player. One that
    returns a whole number is a heuristic, and alpha-beta looks three plies ahead with it.

    >>> def leftmost(position):
    ...     return position.moves()[0]
    >>> load_player(leftmost, "connect-four").name
    'leftmost'
    """
    return entrants.load_given(spec, load_game(rules), seed)


def analyse(position: Position, player: str | Player | Chooser = players.DEFAULT, limit: Limit = NO_LIMIT) -> Analysis:
    """What a player thinks of a position: its best answer within a limit.

    >>> analysis = analyse(start("tic-tac-toe", "A1 B1 A2 B2"), "alpha-beta:depth=3")
    >>> str(analysis.score), analysis.moves
    ('win in 1', ('A3',))
    """
    checked_position(position)
    if position.outcome() is not None:
        raise ValueError(f"the game of {position.rules.name} is over: there is nothing to analyse")
    *_, analysis = load_player(player, position.rules).think(position, checked_limit(limit))
    return replace(analysis, position=position)


def review(record: GameRecord, limit: Limit = HALF_A_SECOND) -> list[ReviewedMove]:
    """The judge's score of every position of a game and of the move played there, within a limit for each.

    The `grade` of a move says how good it was, its `cost` what it gave away; the last entry is the position in which
    the game ended.

    >>> game = GameRecord.of("tic-tac-toe", "A1 A2 B1 B2 C2", "*")
    >>> [(each.cost.words, each.position.write(each.played)) for each in review(game) if each.grade == "blunder"]
    [('cost the draw', 'A2'), ('cost the win', 'C2')]
    """
    checked(record, GameRecord, "a review needs a GameRecord, such as play_game() returns")
    start, moves = next(record.positions()), [played.move for played in record.moves]
    return list(review_moves(judge_of(record.rules), start, moves, checked_limit(limit)))[::-1]


def explain(position: Position, move: Move | str | None = None, limit: Limit = NO_LIMIT) -> Explanation:
    """Why a move wins, loses or holds, by default the best one: claims that are checked, and their sentences.

    >>> explain(start("connect-four", "43586"), "7").sentences[0]
    'Stops x from completing columns 4-5-6-7 of row 1 at row 1 of column 7.'
    """
    checked_position(position)
    chosen = position.parse(move) if isinstance(move, str) else move
    if chosen is not None and (reason := position.objection(checked(chosen, Move, "a move is a Move or its text"))):
        raise IllegalMove(f"illegal move {tuple(chosen)} in {position.rules.name}: {reason}")
    return _explain(judge_of(position.rules), position, chosen, checked_limit(limit))


@dataclass(frozen=True, slots=True)
class Value:
    """What is proved about a position."""

    decided: bool
    """False when the time was not enough."""

    winner: Side | None = None
    """Who wins by force; None for a draw, or when it is not decided."""

    plies: int | None = None
    """How many moves the winner needs at most."""

    @property
    def verdict(self) -> str:
        """The answer in words: `first wins in 5 plies`, `draw`, `not decided`."""
        if self.winner is not None and self.plies is not None:
            return f"{self.winner.text} wins in {plural(self.plies, 'ply', 'plies')}"
        return "draw" if self.decided else "not decided"


def solve_position(position: Position, seconds: float | None = None) -> Value:
    """Who wins a position by force and how soon, or that nobody does: proved, never guessed.

    >>> solve_position(start("connect-four:rows=4,columns=5")).verdict
    'draw'
    """
    checked_position(position)
    *_, judgement = judge_of(position.rules).prove(position, Limit(seconds=seconds), all_moves=False)
    score = judgement.score
    if score is None or not score.proved:
        return Value(decided=False)
    if score.plies is None:
        return Value(decided=True)
    return Value(True, position.to_move if score.won else position.to_move.other, score.plies)


def load_book(name: str) -> Book:
    """A book of the program or of the user by its name, or a book by its file; ValueError when there is none.

    >>> load_book("double-card").kind.value
    'strategy'
    """
    return Book.load(file_of(checked(name, str, "a book is its name or its file, such as 'double-card'")))


def puzzles(game: str | Rules | None = None, theme: str | None = None, level: int | None = None) -> list[Puzzle]:
    """The puzzles that come with the program: of a game, a theme, a difficulty, or all of them.

    >>> puzzle = puzzles("polarized-ladder", "forced-win")[0]
    >>> attempt = Attempt(puzzle)
    >>> attempt.answer(puzzle.answers[0]).right
    True
    """
    rules = None if game is None else load_game(game).name
    wanted = None if theme is None else Theme(theme)
    if level is not None:
        check_level(level)
    return [shelf.find(name) for name in shelf.names(rules, wanted, level)]


def daily_puzzle(day: datetime.date | None = None, game: str | Rules | None = None) -> Puzzle:
    """The puzzle of a day, by default of today (in UTC); of a game, by default of a different one each day.

    >>> daily_puzzle().side in Side
    True
    """
    rules = None if game is None else load_game(game).name
    wanted = datetime.datetime.now(datetime.UTC).date() if day is None else day
    return shelf.find(shelf.daily_name(checked(wanted, datetime.date, "a day is a datetime.date"), rules))


def make_puzzles(
    game: str | Rules, count: int, seed: int = 0, theme: str | None = None, level: int = 1
) -> list[Puzzle]:
    """This many new puzzles, found in games between levels of the engine; the same ones for the same seed.

    Every level below `level` fails on them.

    >>> [puzzle.goal.won for puzzle in make_puzzles("connect-four:rows=6,columns=7", 1, theme="zugzwang")]
    [True]
    """
    from plyground.puzzle.mine import Miner

    checked_count(count, "count")
    themes = frozenset(Theme if theme is None else [Theme(theme)])
    return list(islice(Miner(load_game(game), seed, themes, level).puzzles(), count))


def play_game(
    game: str | Rules,
    first: str | Player | Chooser,
    second: str | Player | Chooser,
    limit: Limit = NO_LIMIT,
    seed: int | None = None,
) -> GameRecord:
    """The record of a game between two players, each a spec, a `Player` or a function (see `load_player`).

    >>> record = play_game("tic-tac-toe", "alpha-beta:depth=3", "random", seed=1)
    >>> record.result.value, record.termination
    ('1-0', 'pattern')
    """
    rules = load_game(game)
    if seed is not None:
        checked_whole(seed, "seed")
    one, other = (load_player(player, rules, seed) for player in (first, second))
    return play_between(rules, one, other, GameTerms(checked_limit(limit), seed=seed))


@dataclass(frozen=True, repr=False)
class Match:
    """The games of two players, as the one named first sees them."""

    records: tuple[GameRecord, ...]
    tally: Tally

    @property
    def elo(self) -> Estimate:
        """How much better the one named first is, with its 95 % interval."""
        return elo_between(self.tally)

    @property
    def score(self) -> Estimate:
        """Its points per game, with their 95 % interval."""
        return share_estimate(self.tally)

    def __repr__(self) -> str:
        return f"<Match: {self}>"

    def __str__(self) -> str:
        """`corners against random: +5 =2 -3, 60.0 % (95 %: 31.9 to 82.4 %)`."""
        names = f"{self.records[0].first} against {self.records[0].second}: " if self.records else ""
        return f"{names}{in_words(self.tally)}"


def play_match(
    game: str | Rules,
    one: str | Player | Chooser,
    other: str | Player | Chooser,
    games: int = 10,
    limit: Limit = NO_LIMIT,
    opening: int = 2,
    seed: int = 0,
    balanced: bool = False,
) -> Match:
    """Games in pairs from random openings, or the most even of several each, played with both sides.

    A player is a spec, a `Player`, or a plain function (see `load_player`).

    >>> match = play_match("tic-tac-toe", "alpha-beta:depth=4", "random", games=10)
    >>> match.tally.points > 5
    True
    >>> def corners(position):
    ...     return sum(position.at(cell) == "x" for cell in ("A1", "A3", "C1", "C3")) * (-1) ** position.ply
    >>> play_match("tic-tac-toe", corners, "random", games=2).tally.games
    2
    """
    from plyground.tournament import match

    rules, games = load_game(game), checked_count(games, "games")
    terms = match.MatchTerms(rules, checked_limit(limit), opening, checked_whole(seed, "seed"), balanced)
    first, second = (player if isinstance(player, str) else load_player(player, rules) for player in (one, other))
    played = list(match.play_match(terms, first, second, games))
    return Match(tuple(game.record for game in played), tally_of(played))


def run_tournament(
    game: str | Rules,
    players: Iterable[str] | Mapping[str, str],
    rounds: int = 1,
    format: Literal["round-robin", "gauntlet", "swiss", "knockout"] = "round-robin",  # noqa: A002  (as in a plan)
    seed: int = 0,
    store: Path | None = None,
    processes: int | None = 1,
    executor: Executor | None = None,
    **terms: str | int,
) -> Summary:
    """The result of a tournament: standings, Elo with intervals, who beat whom.

    Players are specs, `NAME=SPEC`, or a table of names and specs; `terms` are time, depth, nodes and opening. The games
    are kept in a store if one is named. One process is this one, more are started; None is one per core. An `executor`
    as of `concurrent.futures` plays the games instead, `processes` at a time. RuntimeError when one cannot be played.

    >>> summary = run_tournament("tic-tac-toe", ["alpha-beta:depth=4", "random"], rounds=2)
    >>> summary.played, summary.names[0]
    (4, 'alpha-beta:depth=4')
    """
    from plyground.tournament import executors
    from plyground.tournament.plan import plan_of
    from plyground.tournament.play import SOFTWARE
    from plyground.tournament.run import run
    from plyground.tournament.store import Store

    if isinstance(players, str) or not isinstance(players, Iterable):
        raise TypeError(f"players are a list of specs or a table of names and specs, got {players!r}")
    checked_count(1 if processes is None else processes, "processes")
    entered = dict(players) if isinstance(players, Mapping) else list(players)
    for spec in entered.values() if isinstance(entered, dict) else entered:
        checked(spec, str, "a player of a tournament is a spec, such as 'alpha-beta:depth=3'")
    plan = plan_of(
        {"game": load_game(game).name, "players": entered, "rounds": rounds, "format": format, "seed": seed, **terms}
    )
    plan.check_players(store)
    with tempfile.TemporaryDirectory() as folder:
        path = store or Path(folder) / "tournament.db"
        with (
            Store.create(path, "tournament", plan.to_json(), SOFTWARE, [each.spec for each in plan.entrants]) as opened,
            executors.chosen(executor, processes) as where,
        ):
            for played in run(plan, opened, *where):
                if not played.played:
                    raise RuntimeError(f"game {played.id} could not be played: {played.game_record().comment}")
            return summarise(opened)
