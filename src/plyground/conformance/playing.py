"""Checks of a game while it is played: its moves, outcomes, texts, records and mirrored games."""

from __future__ import annotations

import random
from itertools import pairwise

from plyground.conformance.positions import broken
from plyground.core.grid import bits
from plyground.core.position import Ending, IllegalMove, Outcome, Position, image_of
from plyground.core.position_text import parse_position, write_position
from plyground.core.rules import Effect, Move, Pattern, Rules, Symmetry
from plyground.core.specs import Spec
from plyground.games import GAMES
from plyground.play.records import GameRecord, PlayedMove, Result, from_json, from_pgn, to_json, to_pgn


def check_moves(position: Position, generator: random.Random) -> None:
    """The legal moves are exactly those that `play` accepts, each has a text of its own, and nothing is changed."""
    moves, before = position.moves(), position._key
    if moves != position.moves() or len(set(moves)) != len(moves):
        raise broken(position, "moves() must give the same moves each time, none of them twice")
    if bool(moves) != (position.outcome() is None):
        raise broken(position, "there must be moves exactly while there is no outcome")
    legal = set(moves)
    places = range(-1, len(position.rules.placements[position.to_move]) + 1)
    others = [Move(place) for place in places]
    lifts = [*sorted(position.cards), *generator.choices(places, k=4)]
    others += [Move(generator.choice(places), lift) for lift in lifts for _ in range(4)]
    for move in others:
        if (position.objection(move) is None) != (move in legal):
            raise broken(position, f"objection() and moves() disagree about {tuple(move)}")
    for move in [move for move in others if move not in legal][:8]:
        try:
            position.play(move)
        except IllegalMove:
            continue
        raise broken(position, f"{tuple(move)} was played although it is illegal")
    texts = {}
    for move in moves:
        text = position.write(move)
        if text in texts:
            raise broken(position, f"{text!r} is the text of two legal moves")
        texts[text] = move
    # Reading looks through all placements, so of many texts a few must do.
    for text, move in generator.sample(sorted(texts.items()), min(8, len(texts))):
        try:
            got = position.parse(text)
        except IllegalMove as error:
            raise broken(position, f"{text!r} is the text of {tuple(move)}, but it is not read back: {error}") from None
        if got != move:
            raise broken(position, f"{text!r} is the text of {tuple(move)} and read as {tuple(got)}")
    if position._key != before:
        raise broken(position, "looking at a position changed it")


def check_outcome(position: Position) -> None:
    """The outcome is what a look over every pattern, cell by cell, gives."""
    rules, got = position.rules, position.outcome()
    mover = position.to_move.other
    for side in (mover, mover.other) if rules.mover_wins_ties else (mover.other, mover):
        cells = 0
        for pattern in rules.patterns:
            holder = side.other if pattern.effect is Effect.LOSE else side
            own = pattern.owner in (None, holder) and any(
                _has(position, layer, pattern) for layer in rules.watches[holder] if pattern.layer in (None, layer)
            )
            poles = list(bits(pattern.neutraliser))
            dead = any(all(position.layers[i] >> c & 1 for c in poles) for i in rules.watches[side.other])
            if own and not (poles and dead):
                cells |= pattern.cells
        if cells:
            if got != Outcome(side, Ending.PATTERN, cells):
                raise broken(position, f"the {side.text} side has {' '.join(rules.grid.names_of(cells))}, got {got}")
            return
    stuck = not Position.of(rules, position.layers, position.ply, position.cards, position.last).moves()
    expected = None
    if position.occupied == rules.grid.all:
        expected = Outcome(rules.full_winner, Ending.FULL)
    elif position.ply >= rules.max_plies:
        expected = Outcome(None, Ending.LIMIT)
    elif stuck:
        expected = Outcome(None, Ending.STUCK)
    if got != expected:
        raise broken(position, f"nobody has a pattern: expected {expected}, got {got}")


def _has(position: Position, layer: int, pattern: Pattern) -> bool:
    """Whether a layer has a pattern, cell by cell."""
    for cell in bits(pattern.cells):
        wanted = 1 - layer if pattern.swapped >> cell & 1 else layer
        if not position.layers[wanted] >> cell & 1:
            return False
    return not any(position.layers[layer] >> cell & 1 for cell in bits(pattern.barred))


def check_text(position: Position) -> None:
    """A position reads back from its text."""
    again = parse_position(position.rules, write_position(position))
    if again != position or hash(again) != hash(position) or again.outcome() != position.outcome():
        raise broken(position, "the position reads back from its text as another one")


def check_game(rules: Rules, positions: list[Position]) -> None:
    """Turns alternate, the game ends, and its moves read back from one text and from both kinds of record."""
    last, moves = positions[-1], [position.last for position in positions[1:] if position.last is not None]
    if len(positions) > rules.max_plies + 1:
        raise broken(last, f"a game must end after {rules.max_plies} moves")
    for before, after in pairwise(positions):
        if after.ply != before.ply + 1 or after.to_move is not before.to_move.other:
            raise broken(after, "a move must lead to the opponent's turn")
    texts = [rules.notation.write(rules, move) for move in moves]
    if rules.notation.split(rules, rules.notation.join(rules, texts)) != texts:
        raise broken(last, f"the moves {texts} written together are cut apart differently")
    again = Position.start(rules)
    for move in moves:
        again = again.play(move)
    if again != last or hash(again) != hash(last):
        raise broken(last, "the same moves must lead to an equal position with an equal hash")
    if Spec.parse(rules.name).name not in GAMES:
        return  # a record names its game, so only those of the registry can be read back
    outcome = last.outcome()
    result = Result.OPEN if outcome is None else Result.won_by(outcome.winner)
    record = GameRecord(rules, tuple(PlayedMove(move) for move in moves), result=result)
    if from_pgn(to_pgn(record)) != record or from_json(to_json(record)) != record:
        raise broken(last, f"the game {texts} reads back from its record as another one")


def check_mirrored(positions: list[Position], symmetry: Symmetry) -> None:
    """The mirrored game is legal, move by move, and ends like the game itself."""
    image = positions[0].image(symmetry)
    for before, after in pairwise(positions):
        if after.last is None or len(image.moves()) != len(before.moves()):
            raise broken(before, f"its image ({symmetry.name}) has {len(image.moves())} moves")
        image = image.play(_image_move(before, symmetry, after.last))
        if image != after.image(symmetry):
            raise broken(after, f"the mirrored game ({symmetry.name}) leads elsewhere")
        ends = [o and (o.winner, o.ending) for o in (after.outcome(), image.outcome())]
        if ends[0] != ends[1]:
            raise broken(after, f"its image ({symmetry.name}) ends as {ends[1]} instead of {ends[0]}")


def _image_move(position: Position, symmetry: Symmetry, move: Move) -> Move:
    lift = move.lift
    if lift is not None:
        lift = image_of(position.rules, symmetry, position.to_move, lift)
    return Move(image_of(position.rules, symmetry, position.to_move, move.place), lift)
