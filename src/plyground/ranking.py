"""Every legal move with its score: what a player thinks of each, not only of the one it would choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from plyground.players import DepthPlayer, EnginePlayer, Player
from plyground.position import Position
from plyground.rules import Move
from plyground.search.base import Analysis, Effort, Limit, OutOfTime, Ranking
from plyground.search.plain import ordered
from plyground.solve.guard import GuardedPlayer


@runtime_checkable
class Ranker(Protocol):
    """A player that can rank all moves in one search."""

    def rank(self, position: Position, limit: Limit) -> Iterator[Ranking]:
        """Ever better rankings; at least one, for a game that goes on."""


@dataclass(frozen=True, slots=True, eq=False)
class Only(Position):
    """A position in which one of the legal moves is to be played, so that a search tells what that is worth."""

    move: Move

    def moves(self) -> list[Move]:
        """That move."""
        return [self.move]

    @staticmethod
    def of(position: Position, move: Move) -> Only:
        """The same position, that move to be played."""
        return Only(position.rules, position.layers, position.ply, position.cards, position.last, position.over, move)


def rank(player: Player, position: Position, limit: Limit) -> Iterator[Ranking]:
    """Ever better rankings of the legal moves within a limit; at least one, for a game that goes on."""
    if isinstance(player, EnginePlayer):
        return rank(player.thinker, position, player.within(limit))
    if isinstance(player, GuardedPlayer):
        return rank(player.thinker, position, limit)
    if isinstance(player, Ranker):
        return player.rank(position, limit)
    if isinstance(player, DepthPlayer):
        return _by_depth(player, position, limit)
    return _by_turns(player, position, limit)


def best_first(analyses: list[Analysis]) -> Ranking:
    """A ranking of analyses, those of moves that were not searched at the end."""
    return tuple(sorted(analyses, key=lambda analysis: (analysis.depth == 0, -analysis.score)))


def _by_depth(player: DepthPlayer, position: Position, limit: Limit) -> Iterator[Ranking]:
    """All moves to depth 1, then all to depth 2 and so on, so that their scores can be compared."""
    limit = player.own_limit(position).within(limit)
    effort = Effort(limit)
    left = position.rules.max_plies - position.ply
    roots = {move: Only.of(position, move) for move in ordered(position.moves(), player.order)}
    found = {move: Analysis((move,), 0, 0, 0, 0.0) for move in roots}
    complete = False
    try:
        for depth in range(1, (left if limit.depth is None else min(left, limit.depth)) + 1):
            deeper = dict(found)
            for move, before in found.items():
                if not before.final:
                    asked = effort.evaluations
                    score, line = player.search(roots[move], depth, player.heuristic, effort)
                    proved = effort.evaluations == asked
                    deeper[move] = Analysis(line, score, depth, effort.nodes, effort.seconds, proved)
                    if not complete:
                        found = deeper
            found, complete = deeper, True
            yield best_first(list(found.values()))
            if all(analysis.final for analysis in found.values()):
                return
    except OutOfTime:
        if not complete:
            yield best_first(list(found.values()))


def _by_turns(player: Player, position: Position, limit: Limit) -> Iterator[Ranking]:
    """One move after the other, each with an equal share of the limit."""
    moves = position.moves()
    share = Limit(
        limit.depth,
        None if limit.nodes is None else max(1, limit.nodes // len(moves)),
        None if limit.seconds is None else limit.seconds / len(moves),
    )
    found = {move: Analysis((move,), 0, 0, 0, 0.0) for move in moves}
    nodes, seconds = 0, 0.0
    for move in moves:
        *_, analysis = player.think(Only.of(position, move), share)
        nodes, seconds = nodes + analysis.nodes, seconds + analysis.seconds
        found[move] = replace(analysis, nodes=nodes, seconds=seconds)
        yield best_first(list(found.values()))
