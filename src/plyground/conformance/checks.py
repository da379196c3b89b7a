"""Checks for authors: one call says whether a game, heuristic, search or player does what all other code relies on.

    check_rules(my_game())
    check_heuristic(my_heuristic, rules)
    check_search(my_search, rules)
    check_player(my_player, rules)

Each raises `ConformanceError`, saying what is wrong and in which position, unless all is well. The positions come from
random games that are the same for the same seed.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, cast

from plyground.conformance.answers import check_analyses, check_sees_wins, listed, timeless
from plyground.conformance.playing import check_game, check_mirrored, check_moves, check_outcome, check_text
from plyground.conformance.positions import ConformanceError as ConformanceError
from plyground.conformance.positions import broken, random_game, undecided
from plyground.conformance.tables import check_symmetry, check_tables
from plyground.core.files import takes
from plyground.core.kinds import checked, checked_count, checked_function
from plyground.core.position import Position, image_of
from plyground.core.position_text import parse_position, write_position
from plyground.core.rules import Move, Rules, Side, Symmetry, checked_rules
from plyground.debug.calling import CallError, Role, role_of, signature_of
from plyground.debug.examine import DEPTH_PLIES
from plyground.debug.findings import LIMIT_SECONDS, Finding, Report
from plyground.debug.running import check_function
from plyground.heuristics.base import Heuristic
from plyground.heuristics.data import NO_OPINION
from plyground.players import Player
from plyground.search.base import Effort, Limit, Search, Source
from plyground.search.deepening import FixedDepth, deepening
from plyground.search.score import MAX_HEURISTIC

SHALLOW = Limit(depth=2, nodes=100_000)
"""How far a search is asked to look unless its author says otherwise."""


def check_rules(rules: Rules, games: int = 6, seed: int = 0) -> None:
    """Check the tables of a game, then play it: what is legal, how it ends, its texts, records and symmetries."""
    check_tables(checked_rules(rules))
    for symmetry in rules.symmetries:
        check_symmetry(rules, symmetry)
    for game in range(games):
        generator = random.Random(f"{seed} {game}")
        positions = random_game(rules, generator, careful=game % 2 == 1)
        for position in positions:
            check_moves(position, generator)
            check_outcome(position)
            check_text(position)
        check_game(rules, positions)
        for symmetry in rules.symmetries:
            check_mirrored(positions, symmetry)


def check_heuristic(
    heuristic: Heuristic,
    rules: Rules,
    positions: int = 40,
    seed: int = 0,
    symmetric: bool = False,
    fair: bool = False,
) -> None:
    """Check that a heuristic gives whole numbers in range, and the same one for the same position.

    Claims that not every heuristic makes are checked when asked for: `symmetric`, that the symmetries of the
    game change nothing; `fair`, that it judges a side as it would judge the other one in its place.
    """
    checked_function(heuristic, "heuristic", "position")
    for position in undecided(checked_rules(rules), positions, seed):
        value = heuristic(position)
        if not isinstance(value, int) or isinstance(value, bool):
            raise broken(position, f"the heuristic must return a whole number, got {value!r}")
        if abs(value) > MAX_HEURISTIC:
            raise broken(position, f"the heuristic must stay within ±{MAX_HEURISTIC}, got {value}")
        same = parse_position(rules, write_position(position))
        for twin, what in ((position, "asked again"), (same, "an equal position")):
            if (other := heuristic(twin)) != value:
                raise broken(position, f"the heuristic says {value}, then {other} for {what}")
        for symmetry in rules.symmetries if symmetric else ():
            if (other := heuristic(position.image(symmetry))) != value:
                raise broken(position, f"the heuristic says {value}, but {other} for its image ({symmetry.name})")
        swapped = _sides_swapped(position) if fair else None
        if swapped is not None and (other := heuristic(swapped)) != value:
            raise broken(position, f"the heuristic says {value}, but {other} with the sides exchanged")


class SearchError(ConformanceError):
    """A search is wrong; `findings` say where, and why."""

    def __init__(self, report: Report) -> None:
        first = report.findings[0]
        where = f" (line {first.line}: {first.source})" if first.line else ""
        start = f"; position: {first.start}" if first.start else ""
        super().__init__(f"{report.game}: {first.title}{where}. {first.text}{start}")
        self.report = report

    @property
    def findings(self) -> list[Finding]:
        """What is wrong, as `plyground check` shows it."""
        return self.report.findings


def check_search(
    search: Callable[..., Any],
    rules: Rules,
    limit: Limit = SHALLOW,
    positions: int = 10,
    seed: int = 0,
    full_width: bool = True,
    chance: bool = False,
    depth: int = DEPTH_PLIES,
    heuristic: str = "lines",
    after: str = "",
    seconds: float = LIMIT_SECONDS,
) -> Report:
    """Check a search of any usual form; SearchError, with the first wrong node and its cause, when it is wrong.

    A function such as `search(position, depth)`, with alpha and beta, a flag, a heuristic or an effort, is run on
    positions that expose bugs, as by `plyground check`: each node must be worth what the values below it make it.
    `depth`, `heuristic`, `after` (moves) and `seconds` are for these.

    One of `position, limit` that yields analyses, or of `position, depth, heuristic, effort` as for the player
    `search=mine.py:scout`, must also give legal lines within its limit, the same ones each time (unless it uses random
    numbers, `chance`), and its wins must be wins. A `full_width` search completes at least a depth of 1 (within
    seconds: in some of the positions), looks ever deeper, and two plies deep takes a win at hand and overlooks none of
    the opponent's. One that leaves moves out is not compared node by node.
    """
    checked_rules(rules)
    checked(limit, Limit, "a limit is needed, such as Limit(depth=2)")
    checked_count(positions, "positions")
    roles = _roles(search)
    if roles is None or Role.EFFORT in roles or Role.LIMIT in roles:
        _check_analysing(search, rules, limit, positions, seed, full_width, chance)
    name = getattr(search, "__name__", type(search).__name__)
    if roles is None or Role.DEPTH not in roles or not full_width or chance:
        return Report(name, rules.name, depth, heuristic)
    start = Position(rules, after) if after else None
    report = check_function(search, rules, depth, heuristic, start, seconds)
    if report.findings:
        raise SearchError(report)
    return report


def _roles(search: Callable[..., Any]) -> set[Role] | None:
    """What a function wants to know; None for one that is to be called with a position and a limit."""
    if not callable(search):
        return None
    if takes(search, "position, limit") and not takes(search, "position"):
        names = list(inspect.signature(search).parameters)
        if role_of(names[1]) not in (Role.DEPTH, Role.PLY):
            return None
    try:
        return set(signature_of(search).roles.values())
    except CallError:
        return None


def _check_analysing(
    search: Search | FixedDepth,
    rules: Rules,
    limit: Limit,
    positions: int,
    seed: int,
    full_width: bool,
    chance: bool,
) -> None:
    """Check that a search yields analyses that keep their promises."""
    run, deepest = _deepened(search), 0
    for position in undecided(rules, positions, seed):
        analyses = listed(position, run(position, limit))
        check_analyses(position, analyses, limit)
        repeatable = limit.nodes is not None and limit.seconds is None and not chance
        if repeatable and [timeless(a) for a in run(position, limit)] != [timeless(a) for a in analyses]:
            raise broken(position, f"the search finds something else when asked again with {limit}")
        last = analyses[-1]
        deepest = max(deepest, last.depth if last.source is Source.SEARCH else 1)
        if full_width and last.source is Source.SEARCH and limit.seconds is None and last.depth < 1:
            raise broken(position, f"the search completes no depth within {limit}")
        if full_width and any(after.depth < before.depth for before, after in pairwise(analyses)):
            raise broken(position, f"the depth must grow, got {[analysis.depth for analysis in analyses]}")
        if full_width and analyses[-1].depth >= 2:
            check_sees_wins(position, analyses[-1])
    if full_width and deepest < 1:
        raise ConformanceError(f"{rules.name}: the search completes no depth in any position within {limit}")


def _deepened(search: Search | FixedDepth) -> Search:
    """A search within a limit, made of one to a fixed depth where it is one; TypeError for any other function."""
    if callable(search) and takes(search, "position, depth, heuristic, effort"):
        return deepening(_answering(cast(FixedDepth, search)), NO_OPINION)
    return checked_function(cast(Search, search), "search", "position, limit")


def _answering(search: FixedDepth) -> FixedDepth:
    """The same search to a fixed depth; ConformanceError unless it returns a whole number and a line of moves."""

    def searched(position: Position, depth: int, heuristic: Heuristic, effort: Effort) -> tuple[int, tuple[Move, ...]]:
        answer = search(position, depth, heuristic, effort)
        right = isinstance(answer, Sequence) and len(answer) == 2 and isinstance(answer[1], Sequence)
        if not right or not isinstance(answer[0], int):
            wanted = "a search to a fixed depth takes position, depth, heuristic, effort and returns a value and a line"
            raise broken(position, f"{wanted}, got {answer!r}")
        return answer

    return searched


def check_player(player: Player, rules: Rules, limit: Limit = SHALLOW, games: int = 2, seed: int = 0) -> None:
    """Check that a player has a name and finishes games on both sides with legal moves only."""
    if not hasattr(player, "think"):
        raise TypeError(f"a player is needed, such as load_player('random', rules), got {player!r}")
    checked_rules(rules)
    checked(limit, Limit, "a limit is needed, such as Limit(depth=2)")
    if not isinstance(player.name, str) or not player.name:
        raise ConformanceError(f"a player must have a name, got {player.name!r}")
    for game in range(games):
        generator = random.Random(f"{seed} {game}")
        position, side = Position.start(rules), Side(game % 2)
        while moves := position.moves():
            move = generator.choice(moves)
            if position.to_move is side:
                analyses = listed(position, player.think(position, limit))
                check_analyses(position, analyses, limit)
                move = analyses[-1].line[0]
            position = position.play(move)


def _sides_swapped(position: Position) -> Position | None:
    """The position with the two sides in each other's place and turn; None where the game does not allow it."""
    rules, ply = position.rules, position.ply + 1
    first, second = rules.watches
    boundary = ply == rules.recycle_from or ply >= rules.max_plies
    if boundary or len(first) != len(second):
        return None
    partner = dict(zip((*first, *second), (*second, *first), strict=True))
    layers = tuple(position.layers[partner[layer]] for layer in range(len(position.layers)))
    swap = Symmetry("sides", tuple(range(len(rules.grid.cells))), tuple(partner[i] for i in range(len(layers))))
    cards = frozenset(image_of(rules, swap, Side.FIRST, card) for card in position.cards)
    return Position.of(rules, layers, ply, cards)
