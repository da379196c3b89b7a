"""What a page needs to draw a game of any rules: cells, pieces, legal moves, outcome. It learns no rule from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from plyground.core.grid import Mask, bits
from plyground.core.notation import ColumnNotation, write_cells
from plyground.core.position import Position
from plyground.core.rules import Move, Pattern, Placement, Rules, Side, cells_called
from plyground.core.specs import Spec
from plyground.games import title
from plyground.games.goals import answer
from plyground.games.guide import guide
from plyground.games.lessons import lesson
from plyground.heuristics.evaluation import threats
from plyground.play.records import GameRecord, to_pgn
from plyground.players.opponents import offers
from plyground.puzzle.puzzle import Puzzle, Theme
from plyground.render.look import look_of
from plyground.solve import pairing

if TYPE_CHECKING:
    from plyground.web.rooms.room import Room

View = dict[str, object]

PAIRS_TRIED = 20_000
"""How far pairings are looked for."""


@lru_cache(maxsize=256)
def board_view(rules: Rules) -> View:
    """The board itself, the same for all positions of a game."""
    grid, words = rules.grid, guide(rules)
    return {
        "game": rules.name,
        "sides": list(rules.sides),
        "title": title(rules.name),
        "watches": [list(layers) for layers in rules.watches],
        "columns": grid.columns,
        "rows": grid.rows,
        "cells": [
            {"name": name, "column": column, "row": row}
            for name, (column, row) in zip(grid.names, grid.cells, strict=True)
        ],
        "numbered": isinstance(rules.notation, ColumnNotation),
        "example": rules.notation.example,
        "patterns": [
            {"cells": list(bits(p.cells)), "poles": list(bits(p.neutraliser)), "family": rules.families[p.family]}
            for p in rules.patterns
        ],
        "turns": _has_choices(rules),
        "look": look_of(rules).to_json(),
        "guide": {"goal": list(words.goal), "special": list(words.special), "typing": words.typing},
    }


def _has_choices(rules: Rules) -> bool:
    """Whether one chooses what to lay before a move is made: how a card lies, or which piece."""
    placements = rules.placements[Side.FIRST]
    return any(p.cells.bit_count() > 1 for p in placements) or len({p.cells for p in placements}) < len(placements)


def position_view(position: Position, moves: bool = True) -> View:
    """A position: what lies where, what may be played (None when not asked for), how it ended."""
    rules = position.rules
    outcome = position.outcome()
    return {
        "ply": position.ply,
        "to_move": position.to_move.text,
        "pieces": _pieces(position),
        "last": [] if position.last is None else _cells(rules.placements[position.to_move.other][position.last.place]),
        "moves": [move_view(position, move) for move in position.moves()] if moves else None,
        "lift": position.recycling,
        "outcome": None
        if outcome is None
        else {
            "winner": None if outcome.winner is None else outcome.winner.text,
            "ending": outcome.ending.value,
            "cells": list(bits(outcome.cells)),
        },
    }


def line_view(positions: list[Position]) -> list[View]:
    """A line of play: each position with the move that led to it, the last one with its legal moves."""
    shown = [position_view(position, moves=position is positions[-1]) for position in positions]
    for before, after, view in zip(positions, positions[1:], shown[1:], strict=False):
        assert after.last is not None
        view["played"] = move_view(before, after.last)
    return shown


def board_after(rules: Rules, moves: Iterable[Move]) -> View:
    """The board of a game under way, as far as its moves are known."""
    position = Position.start(rules)
    for move in moves:
        position = position.play(move)
    return position_view(position, moves=False)


def record_view(record: GameRecord) -> View:
    """A game that was played, to be replayed."""
    return {
        "game": record.rules.name,
        "title": title(record.rules.name),
        "moves": record.move_texts(),
        "first": record.first,
        "second": record.second,
        "result": record.result.value,
        "termination": record.termination,
        "scores": [None if played.score is None else played.score.to_json() for played in record.moves],
        "pgn": to_pgn(record),
    }


def move_view(position: Position, move: Move) -> View:
    """A move: its text, the cells it fills and with what, the cells it empties, and where a click means it."""
    placements = position.rules.placements[position.to_move]
    view: View = {"move": position.write(move)} | laid_view(position.rules, placements[move.place])
    if move.lift is not None:
        view["lift"] = _cells(placements[move.lift])
    return view


def laid_view(rules: Rules, placement: Placement) -> View:
    """What a placement fills and with what, and where a click means it, if that is anywhere else."""
    view: View = {"cells": _cells(placement), "kinds": _kinds(placement)}
    hot = cells_called(rules, placement.name)
    if hot != placement.cells:
        view["hot"] = list(bits(hot))
    return view


@lru_cache(maxsize=1024)
def title_view(player: str, rules: Rules) -> View:
    """What people call a program, and a few words about it: `3 Casual`, `answers at once`."""
    spec = Spec.parse(player)
    number = dict(spec.options).get("level")
    if number is None or not (number.isdecimal() and 0 < int(number) <= len(offers())):
        return {"name": player, "level": None}
    offer = offers(rules)[int(number) - 1]
    return {"name": f"{number} {offer.level.name}", "level": offer.to_json()}


def lobby_view(room: Room) -> View:
    """A game in a list of games."""
    game = room.game
    titles = [None if seat.player is None else title_view(seat.player, game.rules)["name"] for seat in room.seats]
    return {
        "id": room.id,
        "game": game.rules.name,
        "title": title(game.rules.name),
        "names": [called or name for called, name in zip(titles, game.names, strict=True)],
        "free": not all(seat.taken for seat in room.seats),
        "ply": len(game.moves),
        "clock": game.control.game,
        "moves": game.move_texts(),
    }


def lesson_view(rules: Rules) -> View:
    """The steps of a game's lesson, ready to be drawn."""
    steps = []
    for step in lesson(rules):
        position, pattern = step.position(rules), step.drawn(rules)
        drawn = [] if pattern is None else [_drawn(pattern)]
        steps.append(
            {
                "text": step.text,
                "moves": rules.notation.split(rules, step.moves),
                "position": position_view(position, moves=step.goal is not None),
                "shown": {"patterns": drawn, "try": step.goal is not None},
                "goal": step.goal,
                "theme": step.theme,
                "theme_words": Theme(step.theme).words if step.theme else "",
            }
        )
    return {"game": rules.name, "title": title(rules.name), "board": board_view(rules), "steps": steps}


def answer_view(rules: Rules, number: int, text: str) -> View:
    """What a step of a lesson says to a move, and the board after it; ValueError where the step asks for none."""
    steps = lesson(rules)
    if not 0 <= number < len(steps) or (goal := steps[number].goal) is None:
        raise ValueError(f"the lesson of {rules.name} has no task {number}; steps are 0 to {len(steps) - 1}")
    before = steps[number].position(rules)
    move = before.parse(text)
    found = answer(goal, before, move)
    after = before.play(move)
    return {
        "correct": found.correct,
        "why": found.why,
        "mover": before.to_move.text,
        "reply": None if found.reply is None else move_view(after, found.reply),
        "played": move_view(before, move),
        "position": position_view(after, moves=False),
    }


def puzzle_view(puzzle: Puzzle) -> View:
    """A puzzle in a list: what is to be done in it, and nothing of how."""
    return {
        "id": puzzle.id,
        "game": puzzle.rules.name,
        "title": title(puzzle.rules.name),
        "side": puzzle.side.text,
        "goal": puzzle.goal.to_json(),
        "task": puzzle.task,
        "theme": puzzle.theme.value,
        "theme_words": puzzle.theme.words,
        "difficulty": puzzle.difficulty.to_json(),
        "steps": puzzle.steps,
    }


def _drawn(pattern: Pattern) -> View:
    return {"cells": list(bits(pattern.cells)), "poles": list(bits(pattern.neutraliser)), "kind": "s0"}


def certificate_view(position: Position) -> View:
    """The pairings by which a side cannot lose from here on, where they are found soon."""
    proofs: list[View] = []
    if not position.outcome() and pairing.objection(position.rules) is None:
        for side in Side:
            try:
                pairs = pairing.find(pairing.open_to(position, side.other), PAIRS_TRIED)
            except pairing.EffortSpentError:
                continue
            if pairs is not None:
                proofs.append({"side": side.text, "pairs": [list(pair) for pair in pairs]})
    return {"proofs": proofs}


def look_view(position: Position) -> View:
    """What is going on in a position: threats, and the patterns whose poles matter."""
    return {
        "threats": [
            {
                "side": int(t.side),
                "cells": list(bits(t.cells)),
                "missing": list(bits(t.missing)),
                "where": write_cells(position.rules, t.missing),
                "at_once": t.at_once,
            }
            for t in threats(position)
        ],
        "poles": list(_poles(position)),
    }


def _poles(position: Position) -> Iterator[View]:
    """Patterns a side has two cells of or more, and the opponent a pole: in danger with one, dead with both."""
    rules = position.rules
    for side in Side:
        mine, theirs = (_watched(position, of) for of in (side, side.other))
        for pattern in rules.patterns:
            taken = pattern.neutraliser & theirs
            if taken and (pattern.cells & mine).bit_count() > 1 and not pattern.cells & theirs:
                yield {
                    "side": int(side),
                    "cells": list(bits(pattern.cells)),
                    "poles": list(bits(pattern.neutraliser)),
                    "where": write_cells(rules, pattern.cells),
                    "dead": taken == pattern.neutraliser,
                }


def _watched(position: Position, side: Side) -> Mask:
    mask = 0
    for layer in position.rules.watches[side]:
        mask |= position.layers[layer]
    return mask


def _pieces(position: Position) -> list[View]:
    rules = position.rules
    if position.cards:
        placements = rules.placements[Side.FIRST]
        return [
            {"cells": _cells(placements[card]), "kinds": _kinds(placements[card])} for card in sorted(position.cards)
        ]
    return [
        {"cells": [cell], "kinds": [[i for i, layer in enumerate(position.layers) if layer >> cell & 1]]}
        for cell in bits(position.occupied)
    ]


def _cells(placement: Placement) -> list[int]:
    return list(bits(placement.cells))


def _kinds(placement: Placement) -> list[list[int]]:
    """For each of its cells the layers that it adds there."""
    return [[i for i, added in enumerate(placement.adds) if added >> cell & 1] for cell in bits(placement.cells)]
