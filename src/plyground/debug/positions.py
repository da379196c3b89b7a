"""Positions in which bugs show: wins and losses at each distance, full boards, both sides to move, quiet middles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.debug.recording import Watched

LARGER, FEW_LARGER = 4, 2
"""How much larger trees may be where none is small enough, and how many of them are searched."""

SEED = 33
"""The positions are the same for everybody."""


@dataclass(frozen=True)
class Test:
    """A position and how deep it is searched."""

    position: Watched
    depth: int
    cost: int
    """About how many positions minimax looks at."""

    moves: tuple[Move, ...] | None = None
    """The moves from the empty board; None where they are not known."""


def tests(rules: Rules, depth: int, most: int) -> list[Test]:
    """Positions with their depths, from small trees to large ones; none that costs much more than `most` positions.

    They come from whole games, each seen from its last moves backwards: there wins and losses are near, boards are
    nearly full, and trees are small. Middles and the empty board follow. If every tree of the whole depth is larger
    than that, the smallest ones are there, up to `LARGER` times as large: a search that prunes may well end.
    """
    found: dict[tuple[object, int], Test] = {}
    larger: dict[object, Test] = {}
    for line in _interesting(rules):
        position = line[-1]
        watched = Watched.copy(position)
        for plies in range(1, depth + 1):
            cost = estimate(position, plies)
            if cost > most:
                if plies == depth and cost <= most * LARGER:
                    larger.setdefault(position._key, Test(watched, plies, cost, _moves(line)))
                break
            found.setdefault((position._key, plies), Test(watched, plies, cost, _moves(line)))
    spare = [] if any(test.depth == depth for test in found.values()) else larger.values()
    few = sorted(spare, key=lambda test: test.cost)[:FEW_LARGER]
    return sorted([*found.values(), *few], key=lambda test: test.cost)


def samples(rules: Rules, count: int) -> list[Position]:
    """This many different positions in which the game goes on, from ends and middles of games."""
    found = list(dict.fromkeys(line[-1] for line in _interesting(rules)))
    step = max(1, len(found) // count)
    return found[::step][:count]


def estimate(position: Position, depth: int) -> int:
    """About how many positions a minimax of this depth looks at."""
    width, total, level = len(position.moves()), 1, 1
    left = position.rules.max_plies - position.ply
    empty = (position.rules.grid.all & ~position.occupied).bit_count()
    for ply in range(min(depth, left)):
        level *= max(min(width, empty) - (ply if width >= empty else 0), 1) if not position.recycling else width
        total += level
    return total


def _interesting(rules: Rules) -> Iterator[list[Position]]:
    """The last positions of some games, then their middles, then the empty board and what follows it.

    Each comes with all positions from the empty board to it.
    """
    ends, middles = [], []
    for number in range(16):
        generator = random.Random(f"{SEED} {rules.name} {number}")
        game = _game(rules, generator, careful=number % 3, narrow=number % 4 == 3)
        going = _going(game)
        ends += [game[: going - back + 1] for back in (1, 2, 3, 4, 5) if back <= going]
        middles += [game[: going * part // 8 + 1] for part in (3, 4, 5, 6)]
    for number in range(2):
        game = _full(rules, random.Random(f"{SEED} {rules.name} full {number}"))
        ends += [game[: end + 1] for end in range(max(0, len(game) - 6), _going(game))]
    yield from ends
    yield from middles
    start = Position.start(rules)
    yield [start]
    yield [start, start.play(start.moves()[len(start.moves()) // 2])]


def _going(game: list[Position]) -> int:
    """In how many positions of a game it goes on."""
    return sum(position.outcome() is None for position in game)


def _moves(line: list[Position]) -> tuple[Move, ...]:
    """The moves that lead through some positions."""
    return tuple(position.last for position in line[1:] if position.last is not None)


def _game(rules: Rules, generator: random.Random, careful: int, narrow: bool) -> list[Position]:
    """Every position of a random game; a careful one avoids its end, a narrow one keeps its number of moves small."""
    positions = [Position.start(rules)]
    while moves := positions[-1].moves():
        at = positions[-1]
        following = at.play(generator.choice(moves))
        for _ in range(6 * careful):
            if following.outcome() is None:
                break
            following = at.play(generator.choice(moves))
        if narrow and following.outcome() is None:
            others = [at.play(generator.choice(moves)) for _ in range(3)]
            going = [each for each in (following, *others) if each.outcome() is None]
            following = min(going, key=lambda each: len(each.moves()))
        positions.append(following)
        if at.recycling and len(positions) > 40:
            break
    return positions


ATTEMPTS = 6
"""Games that are tried to find one without a winner."""

FEW = 10
"""Moves, and replies to each, that are tried at each step of such a game."""


def _full(rules: Rules, generator: random.Random) -> list[Position]:
    """Every position of a game that nobody wins, empty where none is found soon or games go on for too long."""
    if rules.recycle_from is not None:
        return []
    for _ in range(ATTEMPTS):
        game = [Position.start(rules)]
        while (over := game[-1].outcome()) is None:
            moves = game[-1].moves()
            generator.shuffle(moves)
            going = [each for each in (game[-1].play(move) for move in moves[:FEW]) if not _won(each)]
            quiet = (each for each in going if not any(_won(each.play(move)) for move in each.moves()[:FEW]))
            game.append(next(quiet, going[0] if going else game[-1].play(moves[0])))
        if over.winner is None:
            return game
    return []


def _won(position: Position) -> bool:
    over = position.outcome()
    return over is not None and over.winner is not None
