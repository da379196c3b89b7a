"""Moves as text: every usual spelling is read, one of them is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from plyground.core.grid import Mask, bits, column_letter, column_number
from plyground.core.kinds import checked
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move, Reading, Rules, Side
from plyground.words import Words, fill, words_in

SEPARATORS = r"[\s,;]+"
"""What may stand between two moves."""

PASS = "pass"
"""How a side passes where the other one moves several times running."""


@dataclass(frozen=True)
class CellNotation:
    """A move is a cell: `G3`, also read as `g3`, `3G` and `3g`."""

    example: str = "a cell, such as C2 (c2, 2C and 2c are read too)"

    def write(self, rules: Rules, move: Move) -> str:
        """The cell's name."""
        return rules.placements[Side.FIRST][move.place].name

    def read(self, rules: Rules, text: str) -> Reading:
        """The placement on that cell."""
        if rules.passes and text.strip().lower() == PASS:
            return Reading(tuple(_named(rules, PASS)))
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
        known = f"columns are 1 to {columns} or a to {column_letter(columns).lower()}"
        if re.fullmatch(r"\d{1,3}", word, re.ASCII):
            column = int(word)
        elif re.fullmatch(r"[A-Za-z]", word, re.ASCII):
            column = column_number(word)
        else:
            raise ValueError(f"{word!r} is not a column; {known}")
        if not 1 <= column <= columns:
            raise ValueError(f"there is no column {word}; {known}")
        return Reading(tuple(_named(rules, str(column))), f"column {word} is full")

    def split(self, rules: Rules, text: str) -> list[str]:
        """Each digit or letter is a move; with ten or more columns they stand apart."""
        return _words(text) if rules.grid.columns > 9 else list("".join(_words(text)))

    def join(self, rules: Rules, moves: list[str]) -> str:
        """`4453`, or with ten or more columns `4 4 5 3`."""
        return (" " if rules.grid.columns > 9 else "").join(moves)


@dataclass(frozen=True)
class PieceNotation:
    """A move is a piece and a cell: `x C2`, also read as `xC2` and `C2 x`."""

    pieces: tuple[str, ...]

    @property
    def example(self) -> str:
        """How to type a move, as an example."""
        return f"a piece and a cell, such as {self.pieces[0]} C2 (C2 {self.pieces[0]} is read too)"

    def write(self, rules: Rules, move: Move) -> str:
        """The piece and the cell's name."""
        return rules.placements[Side.FIRST][move.place].name

    def read(self, rules: Rules, text: str) -> Reading:
        """The placement of that piece on that cell."""
        if text.strip().lower() == PASS:
            return Reading(tuple(_named(rules, PASS)))
        for piece in self.pieces:
            for pattern in (rf"\s*{re.escape(piece)}\s*([A-Za-z]\d+)\s*", rf"\s*([A-Za-z]\d+)\s+{re.escape(piece)}\s*"):
                if (match := re.fullmatch(pattern, text, re.ASCII)) is not None:
                    name = rules.grid.names[rules.grid.parse(match[1])]
                    return Reading(tuple(_named(rules, f"{piece} {name}")))
        raise ValueError(f"{text.strip()!r} is not a piece and a cell; a move is written like {self.pieces[0]} C2")

    def split(self, rules: Rules, text: str) -> list[str]:
        """Moves stand apart by `;`, `,` or a new line; without any of these a piece and a cell make a move."""
        if re.search(r"[;,\n]", text):
            return [part.strip() for part in re.split(r"[;,\n]", text) if part.strip()]
        names = "|".join(re.escape(piece) for piece in self.pieces)
        move = rf"(?:{names})\s*[A-Za-z]\d+|[A-Za-z]\d+\s+(?:{names})|\S+"
        return re.findall(move, text, re.ASCII)

    def join(self, rules: Rules, moves: list[str]) -> str:
        """`x A1; o B2`."""
        return "; ".join(moves)


@dataclass(frozen=True)
class CardNotation:
    """A move lays a two-cell card, `0 5 A 1`, or takes one up and lays it elsewhere, `F 2 F 3 3 A 2`."""

    example: str = (
        "0 5 A 1 lays a card on A1, 5 is how it lies; F 2 F 3 3 A 2 moves the card on F2-F3 to A2, 3 is how it lies"
    )

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
            ways = sorted({int(placement.name.split()[0]) for placement in rules.placements[Side.FIRST]})
            if int(number) not in ways:
                raise ValueError(f"how a card lies is a number from {ways[0]} to {ways[-1]}, got {number}")
            raise ValueError(f"a card does not fit on {letter.upper()}{row} if {number} is how it lies")
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
        """Moves stand apart by `;`, `,` or a new line; without any of these they are separated by their form."""
        if re.search(r"[;,\n]", text):
            return [part.strip() for part in re.split(r"[;,\n]", text) if part.strip()]
        move = r"[A-Za-z]\s*\d+\s*[A-Za-z]\s*\d+\s+\d\s*[A-Za-z]\s*\d+|0\s*\d\s*[A-Za-z]\s*\d+|\S.*"
        return [part.strip() for part in re.findall(move, text, re.ASCII)]

    def join(self, rules: Rules, moves: list[str]) -> str:
        """`0 5 A 1; 0 1 C 1`."""
        return "; ".join(moves)


def plural(count: int, one: str, many: str) -> str:
    """`1 ply`, `2 plies`."""
    return f"{count} {one if count == 1 else many}"


def write_cells(rules: Rules, cells: Mask, words: Words | None = None) -> str:
    """Cells as a person finds them on the board: `B2-C2-D2`, or by the numbers where columns are numbered.

    In English, or in the words of another language.
    """
    if not isinstance(rules.notation, ColumnNotation):
        return "-".join(rules.grid.names_of(cells))
    places = sorted(rules.grid.cells[cell] for cell in bits(cells))
    columns, rows = [str(column) for column, _ in places], [str(row) for _, row in places]
    if len(places) == 1:
        way = "cell"
    elif len(set(rows)) == 1:
        way, rows = "across", rows[:1]
    elif len(set(columns)) == 1:
        way, columns = "upward", columns[:1]
    else:
        way = "slanting"
    words = words or words_in()
    return fill(words["places"][way], {"columns": "-".join(columns), "rows": "-".join(rows)}, words)


def write_columns(rules: Rules, first: int, last: int, words: Words | None = None) -> str:
    """Neighbouring columns as the board names them: `columns A to D`, or `columns 1 to 4` where they are numbered.

    In English, or in the words of another language.
    """
    numbered = isinstance(rules.notation, ColumnNotation)
    names = [str(column) if numbered else column_letter(column) for column in (first, last)]
    words = words or words_in()
    text = words["places"]["column" if first == last else "span"]
    return fill(text, {"first": names[0], "last": names[1]}, words)


def _words(text: str) -> list[str]:
    return [word for word in re.split(SEPARATORS, text) if word]


def _named(rules: Rules, name: str) -> list[Move]:
    """The plain moves whose placement has that name; both sides' placements are named alike."""
    return [Move(i) for i, placement in enumerate(rules.placements[Side.FIRST]) if placement.name == name]


def parse_moves(rules: Rules, text: str, start: Position | None = None) -> tuple[list[Move], Position]:
    """The moves of a text and the position they lead to; IllegalMove names the move and the moves before it."""
    texts = rules.notation.split(rules, checked(text, str, "moves are one text, such as '4453' or 'G3 H4 F2'"))
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
