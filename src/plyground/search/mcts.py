"""Monte Carlo tree search (UCT): play games at random, most often through the moves that did well so far."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.heuristics.base import Heuristic
from plyground.search.base import Analysis, Effort, Limit, OutOfTime, Ranking, unsearched
from plyground.search.score import Score

SCORE = 1000
"""What a certain win would score: an analysis scores the mean result, from -1000 to 1000."""


@dataclass(slots=True)
class GameNode:
    """A position of the tree and how the games through it ended."""

    position: Position
    untried: list[Move]
    tried: dict[Move, GameNode] = field(default_factory=dict)
    games: int = 0
    points: float = 0.0
    """Sum of the results, from -1 to 1 each, for the side that moved here."""

    def promise(self, child: GameNode, exploration: float) -> float:
        """A child's upper confidence bound: its mean result, and more the fewer games it had."""
        return child.points / child.games + exploration * math.sqrt(math.log(self.games) / child.games)

    def ranked(self) -> list[tuple[Move, GameNode]]:
        """The moves tried, the most played first: the search keeps coming back to what is good."""
        return sorted(self.tried.items(), key=lambda entry: -entry[1].games)


@dataclass(frozen=True)
class MonteCarlo:
    """A search that grows its tree one game at a time; the same again for the same random numbers and nodes.

    Without a heuristic a game is played to its end at random. With one it stops at the new position, and the
    heuristic guesses the result. Every move made on the way is a node; a limit of depth means nothing here.
    """

    generator: random.Random

    exploration: float = 1.4
    """How much a move that was rarely tried is preferred."""

    heuristic: Heuristic | None = None

    unit: int = 100
    """What the heuristic calls a clear advantage."""

    def __call__(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """The most played line, yielded again whenever the number of games has doubled."""
        for root, effort in self.grow(position, limit):
            yield analysis_of(root, effort)

    def grow(self, position: Position, limit: Limit) -> Iterator[tuple[GameNode, Effort]]:
        """The tree and what it took, whenever the number of games has doubled and at the end."""
        effort, root = Effort(limit), self._node(position)
        report_at = 1
        try:
            while True:
                self._play(root, effort)
                if root.games == report_at:
                    yield root, effort
                    report_at *= 2
        except OutOfTime:
            yield root, effort

    def _node(self, position: Position) -> GameNode:
        untried = position.moves()
        self.generator.shuffle(untried)
        return GameNode(position, untried)

    def _play(self, root: GameNode, effort: Effort) -> None:
        """Walk down by promise, add a node, find how the game ends from there, and note it in every node on the way."""
        path = [root]
        while not path[-1].untried and path[-1].tried:
            parent = path[-1]
            effort.visit(parent.position)
            path.append(max(parent.tried.values(), key=lambda child: parent.promise(child, self.exploration)))
        last = path[-1]
        if last.untried:
            effort.visit(last.position)
            move = last.untried.pop()
            last.tried[move] = self._node(last.position.play(move))
            path.append(last.tried[move])
        result = self._result(path[-1].position, effort)
        for node in path:
            node.games += 1
            node.points += result if node.position.to_move is Side.SECOND else -result

    def _result(self, position: Position, effort: Effort) -> float:
        """How a game from a position ends for the first side, from -1 to 1."""
        if self.heuristic and not position.outcome():
            value = math.tanh(effort.evaluate(self.heuristic, position) / self.unit)
            return value if position.to_move is Side.FIRST else -value
        while not (over := position.outcome()):
            effort.visit(position)
            position = position.play(self.generator.choice(position.moves()))
        return 0.0 if over.winner is None else 1.0 if over.winner is Side.FIRST else -1.0


def analysis_of(root: GameNode, effort: Effort) -> Analysis:
    """The most played line from a node; any move when there was no time for one game."""
    moves = root.ranked()
    if not moves:
        return Analysis(tuple(root.untried[:1]), None, 0, effort.nodes, effort.seconds)
    return _of_move(*moves[0], effort)


def ranking_of(root: GameNode, effort: Effort) -> Ranking:
    """All moves, the most played first; those that were never tried are not compared."""
    tried = [_of_move(move, node, effort) for move, node in root.ranked()]
    # How far the games went that one of the moves began says nothing about another.
    depth = tried[0].depth if tried else 0
    return Ranking(tuple(replace(analysis, depth=depth) for analysis in tried), tuple(map(unsearched, root.untried)))


def _of_move(move: Move, node: GameNode, effort: Effort) -> Analysis:
    """What became of the games that began with a move."""
    points = round(SCORE * node.points / node.games) if node.games else 0
    line = [move]
    while moves := node.ranked():
        move, node = moves[0]
        line.append(move)
    return Analysis(tuple(line), Score.points(points), len(line), effort.nodes, effort.seconds, points)
