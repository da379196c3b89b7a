"""Moves and positions as text: every spelling people type is read, one is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from plyground.grid import Mask, bits, column_letter, column_number
from plyground.position import IllegalMove, Position
from plyground.rules import Move, Placement, Reading, Rules, Side

SEPARATORS = r"[\s,;]+"
"""What may stand between two moves."""


@dataclass(frozen=True)
class CellNotation:
    """A move is a cell: `G3`, also read as `g3`, `3G` and `3g`."""

    example: str = "a cell, such as C2 (c2, 2C and 2c are read too)"

    def write(self, rules: Rules, move: Move) -> str:
        """The cell's name."""
        return rules.placements[Side.FIRST][move.place].name

    def read(self, rules: Rules, text: str) -> Reading:
        """The placement on that cell."""
        name = rules.grid.names[rules.grid.parse(text)]
        return Reading(tuple(_named(rules, name)))

    def split(self, rules: Rules, text: str) -> list[str]:
        """Cells stand apart."""
        return _words(text)

    def join(self, rules: Rules, moves: list[str]) -> str:
        """Cells stand apart."""
        return " ".join(moves)


@dataclass(frozen=True)
class ColumnNotation:
    """A move is a column: `4`, also read as `d`. Several are written together, `4453`, up to nine columns."""

    example: str = "a column, such as 4 (or d)"

    def write(self, rules: Rules, move: Move) -> str:
        """The column's number."""
        return rules.placements[Side.FIRST][move.place].name

    def read(self, rules: Rules, text: str) -> Reading:
        """The placements in that column, of which only the lowest empty one can be legal."""
        word, columns = text.strip(), rules.grid.columns
        if re.fullmatch(r"\d{1,3}", word, re.ASCII):
            column = int(word)
        elif re.fullmatch(r"[A-Za-z]", word, re.ASCII):
            column = column_number(word)
        else:
            raise ValueError(f"{word!r} is not a column; columns are 1 to {columns}")
        if not 1 <= column <= columns:
            raise ValueError(
                f"there is no column {word}; columns are 1 to {columns} or a to {column_letter(columns).lower()}"
            )
        return Reading(tuple(_named(rules, str(column))), f"column {word} is full")

    def split(self, rules: Rules, text: str) -> list[str]:
        """Each digit or letter is a move; with ten or more columns they stand apart."""
        return _words(text) if rules.grid.columns > 9 else list("".join(_words(text)))

    def join(self, rules: Rules, moves: list[str]) -> str:
        """`4453`, or with ten or more columns `4 4 5 3`."""
        return (" " if rules.grid.columns > 9 else "").join(moves)


@dataclass(frozen=True)
class CardNotation:
    """A move lays a two-cell card, `0 5 A 2`, or takes one up and lays it elsewhere, `F 2 F 3 3 A 2`."""

    example: str = "0 5 A 2 lays placement 5 on A2; F 2 F 3 3 A 2 moves the card on F2-F3 to A2 as placement 3"

    def write(self, rules: Rules, move: Move) -> str:
        """Letters in capitals, everything apart, of the lifted card the lower or left cell first."""
        placements = rules.placements[Side.FIRST]
        if move.lift is None:
            return f"0 {placements[move.place].name}"
        source = (f"{name[0]} {name[1:]}" for name in rules.grid.names_of(placements[move.lift].cells))
        return f"{' '.join(source)} {placements[move.place].name}"

    def read(self, rules: Rules, text: str) -> Reading:
        """The move; of a lifted card every placement that covers its two cells, as the text does not say which."""
        words = re.findall(r"[A-Za-z]|\d+", text, re.ASCII)
        shape = "".join("c" if word.isalpha() else "n" for word in words)
        if re.sub(SEPARATORS, "", text) != "".join(words) or shape not in ("nncn", "cncnncn"):
            raise ValueError(f"it is not written as a move: {self.example}")
        *source, number, letter, row = words
        name = f"{int(number)} {letter.upper()} {int(row)}"
        laid = _named(rules, name)
        if not laid:
            raise ValueError(f"no card can be laid as placement {number} on {letter.upper()}{row}")
        if source == ["0"]:
            return Reading(tuple(laid))
        if len(source) == 1:
            raise ValueError(f"a card is laid with 0 in front, got {source[0]}")
        here, there = rules.grid.parse(source[0] + source[1]), rules.grid.parse(source[2] + source[3])
        cells = 1 << here | 1 << there
        lifts = [i for i, placement in enumerate(rules.placements[Side.FIRST]) if placement.cells == cells]
        if not lifts:
            names = rules.grid.names
            raise ValueError(f"{names[here]} and {names[there]} cannot be the two cells of one card")
        return Reading(tuple(Move(laid[0].place, lift) for lift in lifts))

    def split(self, rules: Rules, text: str) -> list[str]:
        """Moves stand apart by `;`, `,` or a new line; without any of these they are told apart by their form."""
        if re.search(r"[;,\n]", text):
            return [part.strip() for part in re.split(r"[;,\n]", text) if part.strip()]
        move = r"[A-Za-z]\s*\d+\s*[A-Za-z]\s*\d+\s+\d\s*[A-Za-z]\s*\d+|0\s*\d\s*[A-Za-z]\s*\d+|\S.*"
        return [part.strip() for part in re.findall(move, text, re.ASCII)]

    def join(self, rules: Rules, moves: list[str]) -> str:
        """`0 5 A 2; 0 1 C 1`."""
        return "; ".join(moves)


def plural(count: int, one: str, many: str) -> str:
    """`1 ply`, `2 plies`."""
    return f"{count} {one if count == 1 else many}"


def write_cells(rules: Rules, cells: Mask) -> str:
    """Cells as a person finds them on the board: `B2-C2-D2`, or by the numbers where columns are numbered."""
    if not isinstance(rules.notation, ColumnNotation):
        return "-".join(rules.grid.names_of(cells))
    places = sorted(rules.grid.cells[cell] for cell in bits(cells))
    columns, rows = [str(column) for column, _ in places], [str(row) for _, row in places]
    if len(places) == 1:
        return f"row {rows[0]} of column {columns[0]}"
    if len(set(rows)) == 1:
        return f"columns {'-'.join(columns)} of row {rows[0]}"
    if len(set(columns)) == 1:
        return f"rows {'-'.join(rows)} of column {columns[0]}"
    return f"columns {'-'.join(columns)}, rows {'-'.join(rows)}"


def _words(text: str) -> list[str]:
    return [word for word in re.split(SEPARATORS, text) if word]


def _named(rules: Rules, name: str) -> list[Move]:
    """The plain moves whose placement has that name; both sides' placements are named alike."""
    return [Move(i) for i, placement in enumerate(rules.placements[Side.FIRST]) if placement.name == name]


def parse_moves(rules: Rules, text: str, start: Position | None = None) -> tuple[list[Move], Position]:
    """The moves of a text and the position they lead to; IllegalMove names the move and what went before."""
    texts = rules.notation.split(rules, text)
    return play_texts(start or Position.start(rules), texts)


def play_texts(position: Position, texts: Iterable[str]) -> tuple[list[Move], Position]:
    """The same for moves that are one text each."""
    moves: list[Move] = []
    written: list[str] = []
    for text in texts:
        try:
            move = position.parse(text)
        except IllegalMove as error:
            head, name, reason = str(error).partition(f" in {position.rules.name}")
            after = f" after {position.rules.notation.join(position.rules, written)}" if written else ""
            raise IllegalMove(f"{head}{name}{after}{reason}") from None
        moves.append(move)
        written.append(position.write(move))
        position = position.play(move)
    return moves, position


def write_moves(rules: Rules, moves: Iterable[Move]) -> str:
    """Moves as one text that `parse_moves` reads back."""
    return rules.notation.join(rules, [rules.notation.write(rules, move) for move in moves])


# A position as text. Where every placement is one cell: the rows from the top, `x` and `o` for the
# sides' discs, then who moves:
#
#     .../.x./o.. x
#
# Where placements are larger, how the board is cut into them matters, so they are listed: the cards,
# the number of moves played, and the card laid last.
#
#     1 C 1,7 E 1,1 G 1 3 1 G 1      (three cards, three moves played, the last one the card on G1)

DISCS = "xo"
"""How the first and the second side's discs are written."""


def write_position(position: Position) -> str:
    """A position in one line, for `parse_position`."""
    rules = position.rules
    if rules.recycle_from is not None:
        placements = rules.placements[Side.FIRST]
        cards = ",".join(placements[card].name for card in sorted(position.cards))
        last = placements[position.last.place].name if position.last else "-"
        return f"{cards or '-'} {position.ply} {last}"
    rows = []
    for row in range(rules.grid.rows, 0, -1):
        cells = [cell for cell, (_, at) in enumerate(rules.grid.cells) if at == row]
        rows.append("".join(_disc(position, cell) for cell in cells))
    return f"{'/'.join(rows)} {DISCS[position.to_move]}"


def _disc(position: Position, cell: int) -> str:
    for side in Side:
        if any(position.layers[layer] >> cell & 1 for layer in position.rules.watches[side]):
            return DISCS[side]
    return "."


def parse_position(rules: Rules, text: str) -> Position:
    """The position a text of `write_position` tells; ValueError for one that no game can reach by its counts.

    A position in which the game went on after a completed pattern is not told apart from a decided one.
    """
    try:
        return _parse_cards(rules, text) if rules.recycle_from is not None else _parse_rows(rules, text)
    except ValueError as error:
        raise ValueError(f"bad position {text!r} for {rules.name}: {error}") from None


def _parse_rows(rules: Rules, text: str) -> Position:
    match = re.fullmatch(rf"\s*([{DISCS}./]+)\s+([{DISCS}])\s*", text)
    if match is None:
        raise ValueError("it must be rows of x, o and . from the top, parted by /, then x or o to move")
    rows = match[1].split("/")
    widths = [sum(at == row for _, at in rules.grid.cells) for row in range(rules.grid.rows, 0, -1)]
    if [len(row) for row in rows] != widths:
        raise ValueError(f"the rows from the top must have {' '.join(map(str, widths))} cells")
    symbols = "".join(reversed(rows))
    counts = [symbols.count(disc) for disc in DISCS]
    ply = sum(counts)
    if counts[0] - counts[1] not in (0, 1):
        raise ValueError(f"{counts[0]} x and {counts[1]} o cannot come from turns taken one by one")
    if DISCS[ply & 1] != match[2]:
        raise ValueError(f"after {ply} moves it is {DISCS[ply & 1]}'s turn")
    layers = [0] * len(rules.layers)
    laid: list[Placement] = []
    for side, disc in zip(Side, DISCS, strict=True):
        single = {p.cells: p for p in rules.placements[side]}
        for cell, symbol in enumerate(symbols):
            if symbol == disc:
                laid.append(single[1 << cell])
                for layer, added in enumerate(laid[-1].adds):
                    layers[layer] |= added
    _check_support(rules, laid)
    return Position.arrived(rules, tuple(layers), ply, frozenset(), None, rules.patterns)


def _parse_cards(rules: Rules, text: str) -> Position:
    match = re.fullmatch(r"\s*(-|\d [A-Z] \d+(?:,\d [A-Z] \d+)*) (\d+) (-|\d [A-Z] \d+)\s*", text, re.ASCII)
    if match is None:
        raise ValueError("it must be cards parted by commas (or -), the number of moves, the last card (or -)")
    placements = rules.placements[Side.FIRST]
    index = {placement.name: i for i, placement in enumerate(placements)}
    names = [] if match[1] == "-" else match[1].split(",")
    for name in [*names, match[3]]:
        if name != "-" and name not in index:
            raise ValueError(f"there is no placement {name}")
    cards, ply = [index[name] for name in names], int(match[2])
    limit = rules.recycle_from or 0
    if len(cards) != min(ply, limit):
        raise ValueError(f"after {ply} moves {min(ply, limit)} cards lie on the board, got {len(cards)}")
    if (match[3] == "-") != (ply == 0) or (ply and match[3] not in names):
        raise ValueError("the last card must be one of those on the board, or - before the first move")
    if ply > rules.max_plies:
        raise ValueError(f"the game ends after {rules.max_plies} moves")
    layers, occupied = [0] * len(rules.layers), 0
    for card in cards:
        if occupied & placements[card].cells:
            raise ValueError(f"card {placements[card].name} overlaps another")
        occupied |= placements[card].cells
        for layer, added in enumerate(placements[card].adds):
            layers[layer] |= added
    _check_support(rules, [placements[card] for card in cards])
    last = Move(index[match[3]]) if ply else None
    return Position.arrived(rules, tuple(layers), ply, frozenset(cards), last, rules.patterns)


def _check_support(rules: Rules, laid: list[Placement]) -> None:
    occupied = 0
    for placement in laid:
        occupied |= placement.cells
    for placement in laid:
        if missing := rules.grid.names_of(placement.rests_on & ~occupied):
            raise ValueError(f"{placement.name} hangs over the empty {' and '.join(missing)}")
