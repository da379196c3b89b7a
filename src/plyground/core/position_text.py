"""A position as text.

What lies on the board is written, whoever watches it: the rows from the top, a
letter for each thing that can lie on a cell (`x` and `o` for what the sides lay), then who moves:

    .../.x./o.. x

Where a placement covers several cells the number of moves played follows, as the cells do not show it.
Where placements are lifted again, how the board is cut into them matters, so they are listed: the
cards, the number of moves played, and the card laid last.

    1 C 1,7 E 1,1 G 1 3 1 G 1      (three cards, three moves played, the last one the card on G1)
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_

from plyground.core.grid import Grid, Mask, bits
from plyground.core.notation import parse_moves
from plyground.core.position import Position, completes, unsupported
from plyground.core.rules import Move, Placement, Rules, Side

DISCS = "xo"
"""How the first and the second side's discs are written, and whose turn it is."""

LETTERS = "".join(letter for letter in string.ascii_letters if letter not in DISCS)
"""How whatever else can lie on a cell is written, in this order."""

Kind = int
"""What lies on a cell: bit i is set when layer i covers it."""


@lru_cache(maxsize=64)
def discs(rules: Rules) -> dict[Kind, str]:
    """The letter of everything that a placement puts on a cell.

    `x` is what the first side lays, `o` what the second side lays. Where a side lays more than one kind of thing
    that is the first of them without a letter, in the order of its placements; the others follow as a, b, c.
    """
    laid = [_kinds_of(rules, side) for side in Side]
    letters: dict[Kind, str] = {}
    for kinds, disc in zip(laid, DISCS, strict=True):
        if (fresh := next((kind for kind in kinds if kind not in letters), None)) is not None:
            letters[fresh] = disc
    others = [kind for kind in dict.fromkeys(laid[0] + laid[1]) if kind not in letters]
    if len(others) > len(LETTERS):
        raise ValueError(f"{rules.name} lays {len(letters) + len(others)} kinds of things, more than there are letters")
    return letters | dict(zip(others, LETTERS, strict=False))


def disc_at(position: Position, cell: int) -> str:
    """The letter of what lies on a cell, `.` for nothing."""
    kind = _kind(position.layers, cell)
    return discs(position.rules)[kind] if kind else "."


def in_turns(position: Position) -> bool:
    """Whether what lies on the board can come from turns taken one by one; if not, it was set up freely."""
    rules, ply = position.rules, position.ply
    if rules.recycle_from is not None or not _single(rules):
        return True
    kinds = [set(_kinds_of(rules, side)) for side in Side]
    first, second = (
        sum(_cells_of(position.layers, kind).bit_count() for kind in kinds[side] - kinds[side.other]) for side in Side
    )
    return position.occupied.bit_count() == ply and first <= (ply + 1) // 2 and second <= ply // 2


def _cells_of(layers: tuple[Mask, ...], kind: Kind) -> Mask:
    """The cells on which just that lies."""
    cells = -1
    for layer, mask in enumerate(layers):
        cells &= mask if kind >> layer & 1 else ~mask
    return cells


@lru_cache(maxsize=128)
def _kinds_of(rules: Rules, side: Side) -> tuple[Kind, ...]:
    """What a side's placements put on a cell, in their order."""
    return tuple(dict.fromkeys(_kind(p.adds, cell) for p in rules.placements[side] for cell in bits(p.cells)))


def _kind(layers: tuple[Mask, ...], cell: int) -> Kind:
    return sum((mask >> cell & 1) << layer for layer, mask in enumerate(layers))


def _rows(grid: Grid) -> list[list[int]]:
    """The cells of each row, the top row first."""
    rows: list[list[int]] = [[] for _ in range(grid.rows)]
    for cell, (_, row) in enumerate(grid.cells):
        rows[-row].append(cell)
    return rows


@lru_cache(maxsize=64)
def _single(rules: Rules) -> bool:
    """Whether every placement is one cell, so that the discs show how many moves were played."""
    return all(placement.cells.bit_count() == 1 for side in Side for placement in rules.placements[side])


def write_position(position: Position) -> str:
    """A position in one line, for `parse_position`."""
    rules = position.rules
    if rules.recycle_from is not None:
        placements = rules.placements[Side.FIRST]
        cards = ",".join(placements[card].name for card in sorted(position.cards))
        last = placements[position.last.place].name if position.last else "-"
        return f"{cards or '-'} {position.ply} {last}"
    rows = ("".join(disc_at(position, cell) for cell in row) for row in _rows(rules.grid))
    return f"{'/'.join(rows)} {DISCS[position.to_move]}" + ("" if _single(rules) else f" {position.ply}")


def parse_position(rules: Rules, text: str) -> Position:
    """The position a text of `write_position` describes; ValueError, saying why, for what cannot be.

    Discs may be set up freely: how many each side has, and whose turn it is, need not fit each other. Moves are
    then counted as one for each disc, or one less where otherwise the other side would be to move: so the game
    still ends with a full board. With a completed pattern on the board the game is over.
    """
    try:
        return _parse_cards(rules, text) if rules.recycle_from is not None else _parse_rows(rules, text)
    except ValueError as error:
        raise ValueError(f"bad position {text!r} for {rules.name}: {error}") from None


def read_position(rules: Rules, text: str) -> Position:
    """The position after the moves of a text, or the one a text of `write_position` describes, whichever it is."""
    if isinstance(text, str) and describes_position(rules, text):
        return parse_position(rules, text)
    return parse_moves(rules, text)[1]


def describes_position(rules: Rules, text: str) -> bool:
    """Whether a text has the form of a position rather than of moves."""
    if rules.recycle_from is not None:
        return _cards_in(rules, text) is not None
    match = re.fullmatch(rf"\s*([A-Za-z./]+)\s+[{DISCS}](?:\s+[0-9]+)?\s*", text)
    return match is not None and ("/" in text or len(match[1]) == rules.grid.columns)


def _parse_rows(rules: Rules, text: str) -> Position:
    kinds, to_move, given = _read_rows(rules, text)
    layers = tuple(sum(1 << cell for cell, kind in kinds.items() if kind >> i & 1) for i in range(len(rules.layers)))
    for cell in sorted(kinds):
        _check_cell(rules, layers, cell)
    ply = _ply_of_discs(len(kinds), to_move) if given is None else _ply_given(rules, given, len(kinds), to_move)
    if ply > rules.max_plies:
        raise ValueError(f"the game ends after {rules.max_plies} moves, got {ply}")
    position = Position.arrived(rules, layers, ply, frozenset(), None, rules.patterns)
    _check_winners(position, rules.placements[to_move.other])
    return position


def _read_rows(rules: Rules, text: str) -> tuple[dict[int, Kind], Side, int | None]:
    """What lies on which cell, who moves and, where the discs do not show it, how many moves were played."""
    kinds, single = {letter: kind for kind, letter in discs(rules).items()}, _single(rules)
    match = re.fullmatch(rf"\s*([{''.join(kinds)}./]+)\s+([{DISCS}])(?:\s+([0-9]{{1,6}}))?\s*", text)
    if match is None or (match[3] is None) != single:
        shown, after = ", ".join(kinds), "" if single else ", then the number of moves played"
        raise ValueError(f"expected rows of {shown} and . from the top, separated by /, then x or o to move{after}")
    rows = _rows(rules.grid)
    if [len(row) for row in match[1].split("/")] != [len(row) for row in rows]:
        raise ValueError(f"the rows from the top must have {' '.join(str(len(row)) for row in rows)} cells")
    symbols = zip((cell for row in rows for cell in row), match[1].replace("/", ""), strict=True)
    laid = {cell: kinds[symbol] for cell, symbol in symbols if symbol != "."}
    return laid, Side(DISCS.index(match[2])), None if single else int(match[3])


def _check_cell(rules: Rules, layers: tuple[Mask, ...], cell: int) -> None:
    """ValueError when nothing that can be laid lies on a cell, or nothing supports it."""
    name, occupied = rules.grid.names[cell], reduce(or_, layers)
    laid = [placement for placement in _covering(rules)[cell] if _lies(placement, layers)]
    if not laid:
        raise ValueError(f"no move lays {discs(rules)[_kind(layers, cell)]} on {name}")
    if all(p.rests_on & ~occupied for p in laid):
        raise ValueError(f"{name} is {unsupported(rules, laid[0].rests_on & ~occupied)}")


@lru_cache(maxsize=64)
def _covering(rules: Rules) -> tuple[tuple[Placement, ...], ...]:
    """For each cell the placements of either side that cover it."""
    laid = [placement for side in Side for placement in rules.placements[side]]
    return tuple(tuple(p for p in laid if p.cells >> cell & 1) for cell in range(len(rules.grid.cells)))


def _lies(placement: Placement, layers: tuple[Mask, ...]) -> bool:
    """Whether a placement may be what lies on its cells."""
    return all(mask & placement.cells == added for mask, added in zip(layers, placement.adds, strict=True))


def _ply_of_discs(count: int, to_move: Side) -> int:
    """The moves of so many discs: as many, or one less where otherwise the other side would be to move."""
    if count == 0 and to_move is Side.SECOND:
        raise ValueError(f"on an empty board {DISCS[0]} moves first")
    return count - ((count ^ to_move) & 1)


def _ply_given(rules: Rules, ply: int, occupied: int, to_move: Side) -> int:
    """The moves that a text names, where they can cover so many cells and lead to that side's turn."""
    sizes = [placement.cells.bit_count() for side in Side for placement in rules.placements[side]]
    if not ply * min(sizes) <= occupied <= ply * max(sizes):
        raise ValueError(f"{ply} moves do not cover {occupied} cells")
    if ply & 1 != to_move:
        raise ValueError(f"after {ply} moves it is {DISCS[ply & 1]}'s turn")
    return ply


def _check_winners(position: Position, laid_last: Iterable[Placement]) -> None:
    """ValueError when both sides have completed patterns, and none of the placements can have completed both."""
    rules, layers = position.rules, position.layers
    won = [_completed(rules, layers, side) for side in Side if position.over is not None]
    if not won or not all(won):
        return
    for placement in laid_last:
        before = tuple(mask & ~placement.cells for mask in layers)
        if _lies(placement, layers) and not any(_completed(rules, before, side) for side in Side):
            return
    first, second = (f"{rules.sides[side]} has {' '.join(rules.grid.names_of(won[side]))}" for side in Side)
    raise ValueError(f"{first} and {second}, but no single move completes both")


def _completed(rules: Rules, layers: tuple[Mask, ...], side: Side) -> Mask:
    """The cells of the patterns that a side has completed."""
    done = (pattern.cells for pattern in rules.patterns if completes(rules, layers, side, pattern))
    return reduce(or_, done, 0)


def _parse_cards(rules: Rules, text: str) -> Position:
    placements = rules.placements[Side.FIRST]
    index = {placement.name: i for i, placement in enumerate(placements)}
    names, ply, last = _read_cards(rules, text)
    for name in [*names, *last]:
        if name not in index:
            raise ValueError(f"a card cannot lie as {name}")
    cards, limit = [index[name] for name in names], rules.recycle_from or 0
    if len(cards) != min(ply, limit):
        raise ValueError(f"after {ply} moves {min(ply, limit)} cards lie on the board, got {len(cards)}")
    if bool(last) != bool(ply) or not set(last) <= set(names):
        raise ValueError("the last card must be one of those on the board, or - before the first move")
    if ply > rules.max_plies:
        raise ValueError(f"the game ends after {rules.max_plies} moves, got {ply}")
    layers = _layers_of(rules, [placements[card] for card in cards])
    laid_last = index[last[0]] if last else None
    position = Position.arrived(
        rules, layers, ply, frozenset(cards), None if laid_last is None else Move(laid_last), rules.patterns
    )
    _check_winners(position, [] if laid_last is None else [placements[laid_last]])
    return position


def _cards_in(rules: Rules, text: str) -> re.Match[str] | None:
    """The cards, the number of moves and the last card that a text names; every name has as many words."""
    name = r"[^\s,]+" + r" [^\s,]+" * rules.placements[Side.FIRST][0].name.count(" ")
    return re.fullmatch(rf"\s*(-|{name}(?:,{name})*) ([0-9]{{1,6}}) (-|{name})\s*", text)


def _read_cards(rules: Rules, text: str) -> tuple[list[str], int, list[str]]:
    """The cards of a text, its number of moves, and the last card if there is one."""
    match = _cards_in(rules, text)
    if match is None:
        raise ValueError(
            "expected the cards separated by commas (or -), the number of moves played, the last card (or -)"
        )
    return [] if match[1] == "-" else match[1].split(","), int(match[2]), [] if match[3] == "-" else [match[3]]


def _layers_of(rules: Rules, cards: list[Placement]) -> tuple[Mask, ...]:
    """The layers with these cards on the board; ValueError when two overlap, or one is not supported."""
    layers, occupied = (0,) * len(rules.layers), 0
    for card in cards:
        if occupied & card.cells:
            raise ValueError(f"card {card.name} overlaps another")
        occupied |= card.cells
        layers = tuple(mask | added for mask, added in zip(layers, card.adds, strict=True))
    for card in cards:
        if missing := card.rests_on & ~occupied:
            raise ValueError(f"card {card.name} is {unsupported(rules, missing)}")
    return layers
