"""A position drawn as text, with coordinates, the last move in ( ) and a winning pattern in [ ].

3  .  .  [x]          Double Card's cells show colour and dot, R or W and ● or ○, and a
2  . [x] (o)          stroke leads to a card's other half:
1 [x] .   o           2  W○ ╷ .    .
   A  B   C           1 (R●)╵ W○ ─ R●
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plyground.core.display import printed_by
from plyground.core.grid import Mask, bits, column_letter
from plyground.core.notation import write_cells
from plyground.core.position import Ending, Position, completes
from plyground.core.position_text import disc_at
from plyground.core.rules import Effect, Move, Pattern, Rules, Side

SYMBOLS = {"red": "R", "white": "W", "filled": "●", "open": "○"}
"""What stands for a layer where several cover one cell; other layers are shown by their first letter."""

PLAIN = str.maketrans({"●": "*", "○": "o", "─": "-", "╷": ",", "╵": "'"})
"""What stands for each symbol where only ASCII can be shown."""

RIGHT, DOWN, UP = "─", "╷", "╵"

# Blue and orange, and dark red and white behind the letters, differ in brightness as well as in hue.
ANSI_COLOURS = {"first": "38;5;39;1", "second": "38;5;214;1", "red": "48;5;124;38;5;231", "white": "48;5;231;38;5;16"}
MARKED = {"(": "4", "[": "7", "<": "7"}
"""How the last move (underlined) and a winning or marked cell (reversed) look besides their brackets."""

DRAWS = {
    Ending.FULL: "the board is full",
    Ending.LIMIT: "the last move allowed was played",
    Ending.STUCK: "the side to move has no move",
}
"""Why a game without a winner is over."""


def board(position: Position, colour: bool = False, ascii_only: bool = False, marked: Mask = 0) -> str:
    """The board in lines, the top row first, without a final new line; marked cells stand in < >."""
    rules, grid = position.rules, position.rules.grid
    links = _links(position)
    last = _last_cells(position)
    won = position.over.cells if position.over else 0
    glyphs = [_glyph(position, cell) for cell in range(len(grid.cells))]
    wide = max(len(column_labels(rules)[-1]), _glyph_width(rules))
    gap = " " if rules.recycle_from is not None else ""
    empty = " " * (wide + 2) + gap
    margin = len(str(grid.rows))
    lines = []
    for row in range(grid.rows, 0, -1):
        line = f"{row:>{margin}} "
        for column in range(1, grid.columns + 1):
            cell = grid.index.get((column, row))
            if cell is None:
                line += empty
                continue
            marks = "[]" if won >> cell & 1 else "<>" if marked >> cell & 1 else "()" if last >> cell & 1 else "  "
            drawn = f"{marks[0]}{glyphs[cell]:>{wide}}{marks[1]}"
            line += (_coloured(position, cell, drawn) if colour else drawn) + links.get(cell, gap)
        lines.append(line.rstrip())
    labels = "".join(f" {label:>{wide}} {gap}" for label in column_labels(rules))
    lines.append((" " * (margin + 1) + labels).rstrip())
    text = "\n".join(lines)
    return text.translate(PLAIN) if ascii_only else text


def labelled(rules: Rules, labels: Mapping[int, str]) -> str:
    """The board in lines with a text on each of some cells, the others as dots."""
    grid, columns = rules.grid, column_labels(rules)
    wide = max(3, 1 + max(map(len, (*labels.values(), *columns))))  # as in `board`
    margin = len(str(grid.rows))
    lines = []
    for row in range(grid.rows, 0, -1):
        cells = [grid.index.get((column, row)) for column in range(1, grid.columns + 1)]
        texts = ("" if cell is None else labels.get(cell, ".") for cell in cells)
        lines.append(f"{row:>{margin}}" + "".join(f"{text:>{wide}}" for text in texts).rstrip())
    lines.append(" " * margin + "".join(f"{label:>{wide}}" for label in columns))
    return "\n".join(lines)


def column_labels(rules: Rules) -> list[str]:
    """What is written under each column: its number where a move is a column, else its letter."""
    placements = rules.placements[Side.FIRST]
    names: dict[int, str] = {}
    for placement in placements:
        for cell in bits(placement.cells):
            column = rules.grid.cells[cell][0]
            if names.setdefault(column, placement.name) != placement.name or len(placements) <= rules.grid.columns:
                return [column_letter(column) for column in range(1, rules.grid.columns + 1)]
    return [names[column] for column in range(1, rules.grid.columns + 1)]


def pattern_picture(rules: Rules, pattern: Pattern) -> list[str]:
    """The part of the board that a pattern takes, in lines: x on its cells, o on its poles."""
    places = {rules.grid.cells[cell]: "x" for cell in bits(pattern.cells)}
    places |= {rules.grid.cells[cell]: "o" for cell in bits(pattern.neutraliser)}
    columns, rows = ([place[i] for place in places] for i in (0, 1))

    def shown(place: tuple[int, int]) -> str:
        return places.get(place, "." if place in rules.grid.index else " ")

    return [
        " ".join(shown((column, row)) for column in range(min(columns), max(columns) + 1))
        for row in range(max(rows), min(rows) - 1, -1)
    ]


def side_by_side(pictures: Sequence[Sequence[str]], gap: int = 3) -> str:
    """Pictures in lines beside each other, standing on one line."""
    high = max(map(len, pictures))
    padded = [[""] * (high - len(picture)) + list(picture) for picture in pictures]
    widths = [max(map(len, picture)) for picture in padded]
    rows = zip(*padded, strict=True)
    joined = ((" " * gap).join(f"{line:{w}}" for line, w in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in joined)


def placement_pictures(rules: Rules) -> list[list[str]]:
    """Where a move names how a card is laid: each such number before a picture of the card; else none.

    A flat card is one line, an upright one two, with the number before its lower half.
    """
    pictures: dict[str, list[str]] = {}
    start = Position.start(rules)
    for place, placement in enumerate(rules.placements[Side.FIRST] if rules.recycle_from is not None else ()):
        number = placement.name.partition(" ")[0]
        if number not in pictures and not placement.rests_on:
            laid = start.play(Move(place))
            low, high = bits(placement.cells)
            flat = rules.grid.cells[low][1] == rules.grid.cells[high][1]
            lower = f"{number} {_glyph(laid, low)}"
            pictures[number] = (
                [f"{lower}{RIGHT}{_glyph(laid, high)}"] if flat else [f"{_glyph(laid, high):>{len(lower)}}", lower]
            )
    return list(pictures.values())


def ended(position: Position, first: str, second: str) -> str:
    """How a finished game ended, in words, with the players' names."""
    outcome = position.outcome()
    assert outcome is not None
    if outcome.winner is None:
        return f"a draw: {DRAWS[outcome.ending]}"
    names, cells = (first, second), write_cells(position.rules, outcome.cells)
    if outcome.ending is not Ending.PATTERN:
        return f"{names[outcome.winner]} wins: {DRAWS[outcome.ending]}"
    if not position.rules.lays_own[outcome.winner] or _is_lost(position, outcome.winner):
        return f"{names[outcome.winner.other]} completed {cells} and loses"
    return f"{names[outcome.winner]} wins with {cells}"


def _is_lost(position: Position, winner: Side) -> bool:
    """Whether a finished game was decided by patterns that lose for the side that completed them."""
    rules, layers = position.rules, position.layers
    complete = [pattern for pattern in rules.patterns if completes(rules, layers, winner, pattern)]
    return bool(complete) and all(pattern.effect is Effect.LOSE for pattern in complete)


def _glyph_width(rules: Rules) -> int:
    """How many layers can cover one cell, each taking one letter."""
    return max(
        sum(added >> cell & 1 for added in placement.adds)
        for placements in rules.placements
        for placement in placements
        for cell in bits(placement.cells)
    )


def _layer_names(position: Position, cell: int) -> list[str]:
    """The names of the layers that cover a cell."""
    return [name for name, mask in zip(position.rules.layers, position.layers, strict=True) if mask >> cell & 1]


def _glyph(position: Position, cell: int) -> str:
    names = _layer_names(position, cell)
    if not names:
        return "."
    if len(names) == 1 and names[0] in ("first", "second"):
        return disc_at(position, cell)
    return "".join(SYMBOLS.get(name, name[0].upper()) for name in names)


def _coloured(position: Position, cell: int, text: str) -> str:
    names = _layer_names(position, cell)
    codes = [ANSI_COLOURS[name] for name in names if name in ANSI_COLOURS] or (["2"] if not names else [])
    codes += [MARKED[text[0]]] if text[0] in MARKED else []
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text


def _last_cells(position: Position) -> Mask:
    if position.last is None:
        return 0
    return position.rules.placements[position.to_move.other][position.last.place].cells


def _links(position: Position) -> dict[int, str]:
    """Behind which cells a stroke leads to the other half of a card, and which."""
    grid, links = position.rules.grid, {}
    for card in position.cards:
        here, there = bits(position.rules.placements[Side.FIRST][card].cells)
        if grid.cells[here][1] == grid.cells[there][1]:
            links[here] = RIGHT
        else:
            links[here], links[there] = UP, DOWN
    return links


printed_by(Position, board)
