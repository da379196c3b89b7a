"""Positions to be asked about: from random games, whose truth is known, or that are decided some plies ahead."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from plyground import players
from plyground.books.shelf import shipped_for
from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.judge.judge import Judge
from plyground.play.faults import Fault
from plyground.players import levels
from plyground.players.depth import heuristic_player
from plyground.search.base import NO_LIMIT, Limit
from plyground.search.engine import EngineSearch
from plyground.search.score import ProvedResult, Score

WORTH = {ProvedResult.WIN: 1.0, ProvedResult.DRAW: 0.5, ProvedResult.LOSS: 0.0}
"""What a result is worth, in points."""

UNDECIDED = Score.points(0)
"""What a move is worth that neither wins nor loses as far as one looked; it counts as a draw."""

TRUTH = Limit(nodes=200_000)
"""How closely a position is looked at to know all of it; in nodes, so that the same positions come again."""

EXAM_LEVELS = (1, 2, 3)
"""The levels of the engine whose games are looked at: they go wrong often enough to leave something to find."""

MOST_EXAM_GAMES = 400
"""After how many games it is given up to find more positions whose truth is known."""


MOST_EXAM_CELLS = 100
"""Cells of a board up to which all moves of a position can be proved in reasonable time."""

LOOK_PLIES = range(1, 9)
"""How far positions can ask one to look ahead."""

LOOK_NODES = 300_000
"""Positions visited to compare the moves of one position as far ahead as it asks; where that is not enough, it is not
asked."""

LOOK_SHARE = 0.34
"""The most of the legal moves that may be right where one has to look ahead: chance is to find little."""

LOOK_SLIPS = 0.3
"""How often a random move is made in the games that these positions come from, so that there is something to punish."""

MOST_LOOK_POSITIONS = 12_000
"""After how many positions it is given up to find more that ask to look so far ahead."""


class Phase(StrEnum):
    """A third of a game."""

    OPENING = "opening"
    MIDDLE = "middle"
    END = "end"

    @staticmethod
    def of(plies: int, whole: int) -> Phase:
        """The third of a game of so many plies in which a move is made."""
        return tuple(Phase)[min(2, 3 * plies // whole)]


@dataclass(frozen=True)
class ExamPosition:
    """A position that a submission is asked about."""

    position: Position

    moves: tuple[Move, ...]
    """What led to it from the empty board."""

    phase: Phase

    worth: tuple[tuple[Move, Score], ...] = ()
    """What every legal move is proved to be worth to its mover, best first; empty where that was not asked."""

    plies: int | None = None
    """How far ahead it is known what moves are worth, where it is not to the end: the others are undecided."""

    @property
    def moment(self) -> str:
        """When it is, in words: `After 3 moves`."""
        return f"After {plural(len(self.moves), 'move', 'moves')}" if self.moves else "On the empty board"

    def lost_by(self, move: Move) -> float:
        """What a move gives away, from 0 (it keeps the result) to 1 (a win for a loss)."""
        scores = dict(self.worth)
        return points(self.worth[0][1]) - points(scores[move])


@dataclass(frozen=True)
class ExamAnswer:
    """What a submission said in a position."""

    asked: ExamPosition

    move: Move | None = None
    """None where it was at fault."""

    seconds: float = 0.0
    fault: Fault | None = None

    skipped: bool = False
    """Whether it was not asked at all, after faults in a row: then the fault is the last of these."""


def points(score: Score) -> float:
    """What a score is worth; what is undecided counts as a draw."""
    return WORTH[score.result or ProvedResult.DRAW]


def random_positions(rules: Rules, count: int, seed: int) -> tuple[ExamPosition, ...]:
    """Positions of random games, from their beginning to their end; the same again for the same seed."""
    chance = random.Random(f"positions {seed}")
    found: list[ExamPosition] = []
    while len(found) < count:
        line = _random_line(rules, chance)
        plies = chance.randrange(len(line))
        found.append(_at(rules, line, plies))
    return tuple(found)


def _random_line(rules: Rules, chance: random.Random) -> list[Move]:
    position, line = Position.start(rules), list[Move]()
    while position.outcome() is None:
        line.append(chance.choice(position.moves()))
        position = position.play(line[-1])
    return line


def _at(rules: Rules, line: list[Move], plies: int) -> ExamPosition:
    """The position after so many moves of a game."""
    position = Position.start(rules)
    for move in line[:plies]:
        position = position.play(move)
    return ExamPosition(position, tuple(line[:plies]), Phase.of(plies, len(line)))


def known_positions(rules: Rules, count: int, seed: int) -> tuple[ExamPosition, ...]:
    """Positions in which the result of every move is proved and some moves give something away.

    They come from games of the engine's lower levels. The same again for the same seed, on any machine: no clock has a
    say, and no book of the user's. Fewer than asked for where the judge knows too little; ValueError where it is none.
    """
    if (reason := cannot_be_known(rules)) is not None:
        raise ValueError(reason)
    chance, judge = random.Random(f"truth {seed}"), Judge(rules, shipped_for(rules))
    found: dict[Position, ExamPosition] = {}
    for _ in range(MOST_EXAM_GAMES):
        fresh = [asked for asked in _known_end(judge, _level_line(rules, chance)) if asked.position not in found]
        # The earliest, from which there is most to look ahead, and any other.
        for asked in fresh[-1:] + chance.sample(fresh[:-1], min(1, len(fresh[:-1]))):
            found[asked.position] = asked
            if len(found) == count:
                return tuple(found.values())
    if not found:
        raise ValueError(f"no position of {rules.name} was found in which the result of every move is proved")
    return tuple(found.values())


def lookahead_positions(rules: Rules, plies: int, count: int, seed: int) -> tuple[ExamPosition, ...]:
    """Positions that are decided so many plies ahead, and that no plain search of a smaller depth answers rightly.

    Either there is a forced win in as many plies and in no fewer, and the right moves win; or some moves lose within
    as many plies, and the right ones do not. At most a third of the moves are right. The same again for the same seed,
    on any machine. Fewer than asked for where the game has too few; ValueError where it has none.
    """
    chance, search = random.Random(f"lookahead {plies} {seed}"), EngineSearch()
    shallower = [heuristic_player(rules, "lines", depth) for depth in range(1, plies)]
    mover = players.load("engine:depth=2,guard=no", rules)
    found: dict[Position, ExamPosition] = {}
    seen = 0
    while seen < MOST_LOOK_POSITIONS and len(found) < count:
        position, line, fresh = Position.start(rules), list[Move](), list[ExamPosition]()
        while position.outcome() is None:
            seen += 1
            if len(line) >= 2 and position not in found and (worth := _worth_ahead(search, position, plies)):
                asked = ExamPosition(position, tuple(line), Phase.of(len(line), rules.max_plies), worth, plies)
                if all(asked.lost_by(players.choose(player, position, NO_LIMIT)) > 0 for player in shallower):
                    fresh.append(asked)
            slips = len(line) < 2 or chance.random() < LOOK_SLIPS
            line.append(chance.choice(position.moves()) if slips else players.choose(mover, position, NO_LIMIT))
            position = position.play(line[-1])
        # Few of one game, which are much alike.
        for asked in chance.sample(fresh, min(2, len(fresh), count - len(found))):
            found[asked.position] = asked
    if not found:
        raise ValueError(f"no position of {rules.name} was found that is decided {plies} plies ahead; ask for fewer")
    return tuple(found.values())


def _worth_ahead(search: EngineSearch, position: Position, plies: int) -> tuple[tuple[Move, Score], ...]:
    """What moves are worth so many plies ahead, best first; nothing where they are not decided just there."""
    *_, ranking = search.rank(position, Limit(depth=plies, nodes=LOOK_NODES))
    if ranking.others or ranking.cut_off:
        return ()
    scores = [(each.line[0], each.score or UNDECIDED) for each in ranking.compared]
    worth = tuple((move, score if _decided(score, plies) else UNDECIDED) for move, score in scores)
    decided = [score.number for _, score in worth if score.result is not None]
    best = worth[0][1]
    if not decided or (best.number if best.won else max(decided)) != plies or best.lost:
        return ()
    right = sum(points(score) == points(best) for _, score in worth)
    return worth if right <= LOOK_SHARE * len(worth) else ()


def _decided(score: Score, plies: int) -> bool:
    """Whether a move is known to win or lose within so many plies."""
    return (score.won or score.lost) and score.number <= plies


def cannot_be_known(rules: Rules) -> str | None:
    """Why no position of a game is looked for in which the result of every move is proved; None where one is."""
    cells = len(rules.grid.cells)
    if cells <= MOST_EXAM_CELLS:
        return None
    return (
        f"the result of every move cannot be proved in {rules.name}: a board of {cells} cells is too large, the most "
        f"is {MOST_EXAM_CELLS}; leave quality out of the rubric"
    )


def _known_end(judge: Judge, line: list[Move]) -> Iterator[ExamPosition]:
    """The positions of a game in which some moves give something away, from its end back as far as all is proved.

    It ends at the first position that is not: what comes before it is hardly known, and that takes longest to find out.
    """
    for plies in range(len(line) - 1, -1, -1):
        asked = _at(judge.rules, line, plies)
        if len(asked.position.moves()) < 2:
            continue
        worth = tuple(_proved(judge, asked.position))
        if len(worth) < len(asked.position.moves()):
            return
        if len({score.result for _, score in worth}) > 1:
            best_first = tuple(sorted(worth, key=lambda entry: entry[1], reverse=True))
            yield ExamPosition(asked.position, asked.moves, asked.phase, best_first)


def _level_line(rules: Rules, chance: random.Random) -> list[Move]:
    """A game of two low levels of the engine after two random moves."""
    seated = [levels.level(chance.choice(EXAM_LEVELS)) for _ in range(2)]
    # By their depth alone: the levels themselves also have a limit of time.
    searches = [players.load(f"engine:depth={level.limit.depth},guard=no", rules) for level in seated]
    position, line = Position.start(rules), list[Move]()
    while position.outcome() is None:
        mover = position.to_move
        if len(line) < 2 or chance.random() < seated[mover].slips:
            move = chance.choice(position.moves())
        else:
            move = players.choose(searches[mover], position, NO_LIMIT)
        line.append(move)
        position = position.play(move)
    return line


def _proved(judge: Judge, position: Position) -> Iterator[tuple[Move, Score]]:
    """The moves of a position whose result is proved, and what they are worth."""
    for analysis in judge.judge(position, TRUTH).moves:
        if analysis.score is not None and analysis.proved:
            yield analysis.move, analysis.score
