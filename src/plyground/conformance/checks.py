"""One call that checks whether a new game, heuristic, search or player keeps the promises all others rely on.

    check_rules(my_game())
    check_heuristic(my_heuristic, rules)
    check_search(my_search, rules)
    check_player(my_player, rules)

Each returns nothing when all is well and raises `ConformanceError`, saying what is wrong and in which position,
otherwise. The positions come from random games that are the same for the same seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from plyground.core.grid import Mask, bits, move_mask
from plyground.core.notation import parse_position, write_position
from plyground.core.position import Ending, IllegalMove, Outcome, Position, image_of
from plyground.core.rules import Move, Placement, Rules, Side, Symmetry
from plyground.core.specs import Spec
from plyground.games import GAMES, load
from plyground.heuristics.base import Heuristic
from plyground.play.records import GameRecord, PlayedMove, Result, from_json, from_pgn, to_json, to_pgn
from plyground.players import Player
from plyground.search.base import Analysis, Limit, Search, Source
from plyground.search.score import MAX_HEURISTIC, Score

SHALLOW = Limit(depth=2, nodes=100_000)
"""How far a search is asked to look unless its author says otherwise."""

PROOF_NODES = 20_000
"""How many positions a claim of a forced win may take to be checked; longer claims are taken on trust."""


FROM_EACH_GAME = 5
"""How many positions of a random game are shown to a heuristic or a search."""


class ConformanceError(AssertionError):
    """A promise that is not kept."""


def random_game(rules: Rules, generator: random.Random, careful: bool = False) -> list[Position]:
    """Every position of a random game, the empty board first; a careful one avoids to end as long as it can."""
    positions = [Position.start(rules)]
    while moves := positions[-1].moves():
        following = positions[-1].play(generator.choice(moves))
        for _ in range(8 if careful else 0):
            if following.outcome() is None:
                break
            following = positions[-1].play(generator.choice(moves))
        positions.append(following)
    return positions


def check_rules(rules: Rules, games: int = 6, seed: int = 0) -> None:
    """Check the tables of a game, then play it: what is legal, how it ends, its texts, records and symmetries."""
    _check_tables(rules)
    for symmetry in rules.symmetries:
        _check_symmetry(rules, symmetry)
    for game in range(games):
        generator = random.Random(f"{seed} {game}")
        positions = random_game(rules, generator, careful=game % 2 == 1)
        for position in positions:
            _check_moves(position, generator)
            _check_outcome(position)
            _check_text(position)
        _check_game(rules, positions)
        for symmetry in rules.symmetries:
            _check_mirrored(positions, symmetry)


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
    for position in _undecided(rules, positions, seed):
        value = heuristic(position)
        if not isinstance(value, int) or isinstance(value, bool):
            raise _broken(position, f"the heuristic must return a whole number, got {value!r}")
        if abs(value) > MAX_HEURISTIC:
            raise _broken(position, f"the heuristic must stay within ±{MAX_HEURISTIC}, got {value}")
        same = parse_position(rules, write_position(position))
        for twin, what in ((position, "asked again"), (same, "an equal position")):
            if (other := heuristic(twin)) != value:
                raise _broken(position, f"the heuristic says {value}, then {other} for {what}")
        for symmetry in rules.symmetries if symmetric else ():
            if (other := heuristic(position.image(symmetry))) != value:
                raise _broken(position, f"the heuristic says {value}, but {other} for its image ({symmetry.name})")
        swapped = _sides_swapped(position) if fair else None
        if swapped is not None and (other := heuristic(swapped)) != value:
            raise _broken(position, f"the heuristic says {value}, but {other} with the sides exchanged")


def check_search(
    search: Search,
    rules: Rules,
    limit: Limit = SHALLOW,
    positions: int = 10,
    seed: int = 0,
    full_width: bool = True,
    chance: bool = False,
) -> None:
    """Check that a search gives legal lines within its limit, the same ones each time, and that its wins are wins.

    With a limit of nodes the same search must find the same again, unless it draws lots (`chance`); without one
    it may remember and see more.
    A `full_width` search completes at least a depth of 1, looks ever deeper, and two plies deep takes a win at hand
    and overlooks none of the opponent's.
    """
    for position in _undecided(rules, positions, seed):
        analyses = list(search(position, limit))
        _check_analyses(position, analyses, limit)
        repeatable = limit.nodes is not None and limit.seconds is None and not chance
        if repeatable and [_timeless(a) for a in search(position, limit)] != [_timeless(a) for a in analyses]:
            raise _broken(position, f"the search finds something else when asked again with {limit}")
        searched = analyses[-1].source is Source.SEARCH and limit.seconds is None
        if full_width and searched and analyses[-1].depth < 1:
            raise _broken(position, f"the search completes no depth within {limit}")
        if full_width and any(after.depth < before.depth for before, after in pairwise(analyses)):
            raise _broken(position, f"the depth must grow, got {[analysis.depth for analysis in analyses]}")
        if full_width and analyses[-1].depth >= 2:
            _check_sees_wins(position, analyses[-1])


def check_player(player: Player, rules: Rules, limit: Limit = SHALLOW, games: int = 2, seed: int = 0) -> None:
    """Check that a player has a name and finishes games on both sides with legal moves only."""
    if not isinstance(player.name, str) or not player.name:
        raise ConformanceError(f"a player must have a name, got {player.name!r}")
    for game in range(games):
        generator = random.Random(f"{seed} {game}")
        position, side = Position.start(rules), Side(game % 2)
        while moves := position.moves():
            move = generator.choice(moves)
            if position.to_move is side:
                analyses = list(player.think(position, limit))
                _check_analyses(position, analyses, limit)
                move = analyses[-1].line[0]
            position = position.play(move)


def _broken(position: Position, what: str) -> ConformanceError:
    return ConformanceError(f"{position.rules.name}: {what}; position: {write_position(position)}")


def _undecided(rules: Rules, count: int, seed: int) -> Iterator[Position]:
    """So many positions with something to decide, a few from each of several random games."""
    for game in range(-(-count // FROM_EACH_GAME)):
        generator = random.Random(f"{seed} {game}")
        *undecided, _ = random_game(rules, generator, careful=game % 2 == 1)
        for _ in range(min(FROM_EACH_GAME, count - game * FROM_EACH_GAME)):
            yield generator.choice(undecided)


# The tables of a game.


def _check_tables(rules: Rules) -> None:
    def require(kept: bool, promise: str) -> None:
        if not kept:
            raise ConformanceError(f"{rules.name}: {promise}")

    board, layers = rules.grid.all, range(len(rules.layers))
    require(rules == rules and hash(rules) == hash(rules), "rules must be equal to themselves and hash alike")
    if Spec.parse(rules.name).name in GAMES:
        require(load(rules.name) == rules, "the name must be a spec that loads the same rules again")
    require(
        len(set(rules.sides)) == len(rules.sides) == 2 and all(rules.sides),
        f"sides must be two different names, got {rules.sides!r}",
    )
    for what, of_each in (("watches", rules.watches), ("placements", rules.placements)):
        require(len(of_each) == 2, f"{what} must have an entry for each of the two sides, got {len(of_each)}")
    require(rules.max_plies > 0, f"max_plies must be above 0, got {rules.max_plies}")
    for side in Side:
        watched = rules.watches[side]
        require(bool(watched) and set(watched) <= set(layers), f"the {side.text} side watches {watched}, not layers")
    require(not set(rules.watches[0]) & set(rules.watches[1]), "no layer can serve both sides")
    for number, pattern in enumerate(rules.patterns):
        where = f"pattern {number} ({' '.join(rules.grid.names_of(pattern.cells & board))})"
        require(pattern.cells != 0 and not pattern.cells & ~board, f"{where} must have cells, all on the board")
        require(
            not pattern.neutraliser & (~board | pattern.cells), f"{where} has a neutraliser off the board or inside"
        )
        require(0 <= pattern.family < len(rules.families), f"{where} is of family {pattern.family}, which has no name")
    require(
        [p.name for p in rules.placements[0]] == [p.name for p in rules.placements[1]],
        "both sides' placements must have the same names in the same order",
    )
    for side in Side:
        for placement in rules.placements[side]:
            where = f"placement {placement.name!r} of the {side.text} side"
            require(len(placement.adds) == len(layers), f"{where} must say what it adds to each of the layers")
            require(placement.cells != 0, f"{where} must cover a cell")
            require(not placement.cells & ~board, f"{where} reaches off the board")
            require(not placement.rests_on & (~board | placement.cells), f"{where} rests off the board or on itself")
        distinct = {(p.adds, p.rests_on) for p in rules.placements[side]}
        require(len(distinct) == len(rules.placements[side]), f"two placements of the {side.text} side are the same")


def _check_symmetry(rules: Rules, symmetry: Symmetry) -> None:
    def require(kept: bool, promise: str) -> None:
        if not kept:
            raise ConformanceError(f"{rules.name}: symmetry {symmetry.name!r} {promise}")

    require(sorted(symmetry.cells) == list(range(len(rules.grid.cells))), "must be a permutation of the cells")
    require(sorted(symmetry.layers) == list(range(len(rules.layers))), "must be a permutation of the layers")
    for side in Side:
        watched = set(rules.watches[side])
        require({symmetry.layers[layer] for layer in watched} == watched, f"changes the goals of the {side.text} side")
        placements = {(p.adds, p.rests_on) for p in rules.placements[side]}
        for placement in rules.placements[side]:
            image = _image_adds(symmetry, placement), move_mask(placement.rests_on, symmetry.cells)
            require(image in placements, f"takes placement {placement.name!r} to something that is none")
    patterns = {(p.cells, p.neutraliser) for p in rules.patterns}
    for pattern in rules.patterns:
        image_cells = move_mask(pattern.cells, symmetry.cells), move_mask(pattern.neutraliser, symmetry.cells)
        names = " ".join(rules.grid.names_of(pattern.cells))
        require(image_cells in patterns, f"takes pattern {names} to something that is none")


def _image_adds(symmetry: Symmetry, placement: Placement) -> tuple[Mask, ...]:
    adds = [0] * len(placement.adds)
    for layer, mask in enumerate(placement.adds):
        adds[symmetry.layers[layer]] = move_mask(mask, symmetry.cells)
    return tuple(adds)


# Playing it.


def _check_moves(position: Position, generator: random.Random) -> None:
    """The legal moves are exactly those that `play` accepts, each has a text of its own, and nothing is changed."""
    moves, before = position.moves(), position._key
    if moves != position.moves() or len(set(moves)) != len(moves):
        raise _broken(position, "moves() must give the same moves each time, none of them twice")
    if bool(moves) != (position.outcome() is None):
        raise _broken(position, "there must be moves exactly while there is no outcome")
    legal = set(moves)
    places = range(-1, len(position.rules.placements[position.to_move]) + 1)
    others = [Move(place) for place in places]
    lifts = [*sorted(position.cards), *generator.choices(places, k=4)]
    others += [Move(generator.choice(places), lift) for lift in lifts for _ in range(4)]
    for move in others:
        if (position.objection(move) is None) != (move in legal):
            raise _broken(position, f"objection() and moves() disagree about {tuple(move)}")
    for move in [move for move in others if move not in legal][:8]:
        try:
            position.play(move)
        except IllegalMove:
            continue
        raise _broken(position, f"{tuple(move)} was played although it is illegal")
    texts = {}
    for move in moves:
        text = position.write(move)
        if text in texts:
            raise _broken(position, f"{text!r} is the text of two legal moves")
        texts[text] = move
    # Reading looks through all placements, so of many texts a few must do.
    for text, move in generator.sample(sorted(texts.items()), min(8, len(texts))):
        if (got := position.parse(text)) != move:
            raise _broken(position, f"{text!r} is the text of {tuple(move)} and read as {tuple(got)}")
    if position._key != before:
        raise _broken(position, "looking at a position changed it")


def _check_outcome(position: Position) -> None:
    """The outcome is what a look over every pattern, cell by cell, gives."""
    rules, got = position.rules, position.outcome()
    mover = position.to_move.other
    for side in (mover, mover.other):
        cells = 0
        for pattern in rules.patterns:
            own = any(all(position.layers[i] >> c & 1 for c in bits(pattern.cells)) for i in rules.watches[side])
            poles = list(bits(pattern.neutraliser))
            dead = any(all(position.layers[i] >> c & 1 for c in poles) for i in rules.watches[side.other])
            if own and not (poles and dead):
                cells |= pattern.cells
        if cells:
            if got != Outcome(side, Ending.PATTERN, cells):
                raise _broken(position, f"the {side.text} side has {' '.join(rules.grid.names_of(cells))}, got {got}")
            return
    stuck = not Position.of(rules, position.layers, position.ply, position.cards, position.last).moves()
    expected = None
    if position.occupied == rules.grid.all:
        expected = Outcome(None, Ending.FULL)
    elif position.ply >= rules.max_plies:
        expected = Outcome(None, Ending.LIMIT)
    elif stuck:
        expected = Outcome(None, Ending.STUCK)
    if got != expected:
        raise _broken(position, f"nobody has a pattern: expected {expected}, got {got}")


def _check_text(position: Position) -> None:
    """A position reads back from its text."""
    again = parse_position(position.rules, write_position(position))
    if again != position or hash(again) != hash(position) or again.outcome() != position.outcome():
        raise _broken(position, "the position reads back from its text as another one")


def _check_game(rules: Rules, positions: list[Position]) -> None:
    """Turns alternate, the game ends, and its moves read back from one text and from both kinds of record."""
    last, moves = positions[-1], [position.last for position in positions[1:] if position.last is not None]
    if len(positions) > rules.max_plies + 1:
        raise _broken(last, f"a game must end after {rules.max_plies} moves")
    for before, after in pairwise(positions):
        if after.ply != before.ply + 1 or after.to_move is not before.to_move.other:
            raise _broken(after, "a move must lead to the opponent's turn")
    texts = [rules.notation.write(rules, move) for move in moves]
    if rules.notation.split(rules, rules.notation.join(rules, texts)) != texts:
        raise _broken(last, f"the moves {texts} written together are cut apart differently")
    again = Position.start(rules)
    for move in moves:
        again = again.play(move)
    if again != last or hash(again) != hash(last):
        raise _broken(last, "the same moves must lead to an equal position with an equal hash")
    if Spec.parse(rules.name).name not in GAMES:
        return  # a record names its game, so only those of the registry can be read back
    outcome = last.outcome()
    result = Result.OPEN if outcome is None else Result.won_by(outcome.winner)
    record = GameRecord(rules, tuple(PlayedMove(move) for move in moves), result=result)
    if from_pgn(to_pgn(record)) != record or from_json(to_json(record)) != record:
        raise _broken(last, f"the game {texts} reads back from its record as another one")


def _check_mirrored(positions: list[Position], symmetry: Symmetry) -> None:
    """The mirrored game is legal, move by move, and ends like the game itself."""
    image = positions[0].image(symmetry)
    for before, after in pairwise(positions):
        if after.last is None or len(image.moves()) != len(before.moves()):
            raise _broken(before, f"its image ({symmetry.name}) has {len(image.moves())} moves")
        image = image.play(_image_move(before, symmetry, after.last))
        if image != after.image(symmetry):
            raise _broken(after, f"the mirrored game ({symmetry.name}) leads elsewhere")
        ends = [o and (o.winner, o.ending) for o in (after.outcome(), image.outcome())]
        if ends[0] != ends[1]:
            raise _broken(after, f"its image ({symmetry.name}) ends as {ends[1]} instead of {ends[0]}")


def _image_move(position: Position, symmetry: Symmetry, move: Move) -> Move:
    lift = move.lift
    if lift is not None:
        lift = image_of(position.rules, symmetry, position.to_move, lift)
    return Move(image_of(position.rules, symmetry, position.to_move, move.place), lift)


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


# What a search says.


def _timeless(analysis: Analysis) -> Analysis:
    return replace(analysis, seconds=0.0)


def _check_analyses(position: Position, analyses: list[Analysis], limit: Limit) -> None:
    if not analyses:
        raise _broken(position, "a search must yield at least one analysis")
    for analysis in analyses:
        if not analysis.line:
            raise _broken(position, "an analysis must name a move while the game goes on")
        at = position
        for move in analysis.line:
            if (reason := at.objection(move)) is not None:
                raise _broken(position, f"the line {analysis.line} has an illegal move {tuple(move)}: {reason}")
            at = at.play(move)
        if analysis.score is not None and not isinstance(analysis.score, Score):
            raise _broken(position, f"the score must be a Score or None, got {analysis.score!r}")
        for what, spent, allowed in (
            ("depth", analysis.depth, limit.depth),
            ("nodes", analysis.nodes, limit.nodes),
        ):
            if allowed is not None and spent > allowed:
                raise _broken(position, f"the limit is {what} {allowed}, the search says it spent {spent}")
        _check_mate(position, analysis)
    for before, after in pairwise(analyses):
        if after.nodes < before.nodes or after.seconds < before.seconds:
            raise _broken(position, f"nodes and seconds must grow: {after} came after {before}")


def _check_mate(position: Position, analysis: Analysis) -> None:
    """A claimed win or loss is one, as far as that can be looked up at a bearable price."""
    score = analysis.score
    if score is None or score.plies is None or len(position.moves()) ** score.plies > PROOF_NODES:
        return
    winner = position.to_move if score.won else position.to_move.other
    if not _forced(position, winner, score.plies):
        raise _broken(position, f"the search says '{score}', which cannot be forced")


def _forced(position: Position, winner: Side, plies: int) -> bool:
    """Whether a side can force its win within so many plies."""
    if over := position.outcome():
        return over.winner is winner
    if plies == 0:
        return False
    choose = any if position.to_move is winner else all
    return choose(_forced(position.play(move), winner, plies - 1) for move in position.moves())


def _check_sees_wins(position: Position, analysis: Analysis) -> None:
    """A win at hand is taken; otherwise no win is left to the opponent when there is a way to prevent it."""
    mover, chosen = position.to_move, position.play(analysis.line[0])
    following = [position.play(move) for move in position.moves()]
    if any(_forced(child, mover, 0) for child in following):
        if not _forced(chosen, mover, 0):
            raise _broken(position, f"a win at hand was passed over for {position.write(analysis.line[0])!r}")
    elif len(following) ** 2 <= PROOF_NODES and _lets_win(chosen) and not all(_lets_win(child) for child in following):
        raise _broken(position, f"{position.write(analysis.line[0])!r} leaves the opponent a win that can be prevented")


def _lets_win(position: Position) -> bool:
    return _forced(position, position.to_move, 1)
