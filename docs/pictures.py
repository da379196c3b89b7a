"""Every picture of the documentation, drawn by the program itself: `python docs/pictures.py FOLDER`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from pathlib import Path

import plyground
from plyground import games, heuristics, players
from plyground.books.book import Book
from plyground.books.shelf import SHIPPED
from plyground.core.grid import Mask, bits
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.core.symmetry import canonical
from plyground.render.look import look_of
from plyground.render.shapes import CELL_UNITS
from plyground.render.svg import NO_OVERLAY, PIXELS_PER_UNIT, Overlay, to_svg
from plyground.report import charts
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort, Limit
from plyground.search.deepening import deepening
from plyground.search.minimax import minimax
from plyground.solve import pairing
from plyground.solve.connect_four.solver import ConnectFourSolver
from plyground.steps.trace import TraceNode, trace

INK = "svg,svg.chart{color:#33383f}@media (prefers-color-scheme:dark){svg,svg.chart{color:#d8dbe0}}"
"""A chart stands in a page of its own ground, whose colour of text it cannot see."""

TRACED = "C3 B3 A3 C1 B2 A1"
"""Tic-tac-toe with three empty cells: the smallest tree with something to see."""

TURPIN_GAME = (
    "0 1 A 1; 0 5 E 1; 0 3 C 1; 0 1 G 1; 0 2 H 2; 0 2 H 4; 0 4 F 2; "
    "0 8 F 4; 0 2 C 2; 0 5 A 2; 0 1 A 3; 0 1 D 2; 0 1 A 4"
)
"""The player turpin against itself, colours beginning."""


def at(game: str, moves: str = "") -> Position:
    """A game after some moves."""
    return parse_moves(games.load(game), moves)[1]


def mask_of(rules: Rules, cells: str) -> Mask:
    """The cells of a text such as `F2 G2`."""
    return sum(1 << rules.grid.parse(name) for name in cells.split())


def board(game: str, moves: str = "", overlay: Overlay = NO_OVERLAY) -> str:
    """A position."""
    return to_svg(at(game, moves), overlay)


def beside(pictures: Sequence[tuple[str, str]], wide: int, high: int, a_row: int) -> str:
    """Several pictures in rows, each with a line of text below; of each the lower left part is shown."""
    gap, below = 18, 26
    parts = []
    for number, (picture, caption) in enumerate(pictures):
        x, y = number % a_row * (wide + gap), number // a_row * (high + below)
        left, top, _, tall = box_of(picture)
        low = top + tall - high / PIXELS_PER_UNIT
        parts.append(
            cropped(
                picture,
                (left, low, wide / PIXELS_PER_UNIT, high / PIXELS_PER_UNIT),
                f'width="{wide}" height="{high}" x="{x}" y="{y}"',
            )
        )
        parts.append(f'<text x="{x + wide // 2}" y="{y + high + 16}">{escape(caption)}</text>')
    rows = -(-len(pictures) // a_row)
    return framed("".join(parts), a_row * (wide + gap) - gap, rows * (high + below))


BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)" width="\S+" height="\S+"')
"""The part of a picture that is shown, and its size."""


def box_of(picture: str) -> tuple[float, float, float, float]:
    """Left, top, width and height of what a picture shows, in its own units."""
    found = BOX.search(picture)
    assert found is not None
    left, top, wide, high = map(float, found.groups())
    return left, top, wide, high


def cropped(picture: str, box: tuple[float, float, float, float], size: str) -> str:
    """A part of a picture, placed and sized within another one."""
    return BOX.sub(f'viewBox="{" ".join(f"{number:g}" for number in box)}" {size}', picture, count=1)


def part(rules: Rules, columns: int, rows: int) -> tuple[int, int]:
    """Width and height, in pixels, of the lower left part of a board with its coordinates."""
    left, _, _, high = look_of(rules).box
    below = high + look_of(rules).box[1] - rules.grid.rows * CELL_UNITS
    return round((columns * CELL_UNITS - left) * PIXELS_PER_UNIT), round((rows * CELL_UNITS + below) * PIXELS_PER_UNIT)


def framed(content: str, wide: int, high: int) -> str:
    """A picture of that size."""
    style = f"{INK}text{{font:14px system-ui,sans-serif;text-anchor:middle;fill:currentColor}}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<style>{style}</style>{content}</svg>"
    )


def chart(drawn: str) -> str:
    """A chart of the report in the colours of a page."""
    return drawn.replace("<style>", f"<style>{INK}", 1)


# The games.


def ladder(moves: str, cells: str) -> str:
    """A position of Polarized Ladder with the poles of a ladder marked."""
    position = at("polarized-ladder", moves)
    wanted = mask_of(position.rules, cells)
    poles = next(pattern.neutraliser for pattern in position.rules.patterns if pattern.cells == wanted)
    return to_svg(position, Overlay(poles=poles))


def through_cells(game: str) -> str:
    """How many patterns run through each cell."""
    position = at(game)
    counts = [len(patterns) for patterns in position.rules.patterns_through]
    shades = {cell: count / max(counts) for cell, count in enumerate(counts)}
    return to_svg(position, Overlay({cell: str(count) for cell, count in enumerate(counts)}, shades))


def eight_cards() -> str:
    """The eight ways to lay a card."""
    rules = games.load("double-card")
    start = Position.start(rules)
    shown = []
    for number in range(1, 9):
        laid = start.play(start.parse(f"0 {number} B 1"))
        shown.append((to_svg(laid), f"0 {number} B 1"))
    return beside(shown, *part(rules, 4, 2), 4)


def after_24_moves() -> Position:
    """A Double Card game that nobody has won when all cards lie on the board."""
    position = at("double-card")
    player = players.load("random:seed=8", position.rules)
    heuristic = heuristics.load("turpin", position.rules)
    while not position.recycling:
        # A move that leaves the board as even as can be keeps the game going.
        tried = [(abs(heuristic(after)), move) for move in position.moves() if not (after := position.play(move)).over]
        position = position.play(min(tried)[1] if tried else players.choose(player, position, Limit()))
    return position


def recycled() -> str:
    """A card lifted and laid elsewhere; where it lay is faintly drawn."""
    position = after_24_moves()
    move = next(move for move in position.moves() if not position.play(move).over)
    assert move.lift is not None
    return to_svg(position.play(move), Overlay(ghosts=((position.to_move, move.lift),)))


# The course.


def tree(search: str) -> str:
    """A whole search: small boards, the value of each below it, what was cut off as scissors."""
    position = at("tic-tac-toe", TRACED)
    traced = trace(players.load(f"{search}:depth=3", position.rules), position)
    across, down, size = 104, 150, 76
    parts: list[str] = []
    places = 0

    def place(node: TraceNode, level: int) -> float:
        """Draw a node above its children's middle and return where its middle is."""
        nonlocal places
        below = [place(child, level + 1) for child in node.children]
        y = level * down
        if node.cut:
            below.append(_cut(y))
            places += 1
        if not below:
            below = [places * across + across / 2]
            places += 1
        x = (below[0] + below[-1]) / 2
        for child, middle in zip(node.children, below, strict=False):
            line = f'<line x1="{x}" y1="{y + size + 24}" x2="{middle}" y2="{y + down - 2}" stroke="currentColor"/>'
            parts.append(line)
            assert child.position.last is not None
        small = to_svg(node.position)
        spot = f'width="{size}" height="{size}" x="{x - size / 2}" y="{y}"'
        parts.append(cropped(small, (-4, -4, 3 * CELL_UNITS + 8, 3 * CELL_UNITS + 8), spot))
        parts.append(f'<text x="{x}" y="{y + size + 17}">{verdict(node)}</text>')
        if node.cut:
            parts.append(
                f'<line x1="{x}" y1="{y + size + 24}" x2="{below[-1]}" y2="{y + down}" stroke="#d0402b" '
                'stroke-width="2" stroke-dasharray="5 4"/>'
            )
        return x

    def _cut(y: float) -> float:
        middle = places * across + across / 2
        parts.append(f'<text x="{middle}" y="{y + down + 22}" style="fill:#d0402b;font-size:26px">✂</text>')
        parts.append(f'<text x="{middle}" y="{y + down + 46}" style="fill:#d0402b">not looked at</text>')
        return middle

    place(traced.search.root, 0)
    return framed("".join(parts), places * across, 3 * down + size + 26)


def verdict(node: TraceNode) -> str:
    """What a decided position is worth."""
    value = node.for_first
    return "x wins" if value > 0 else "o wins" if value < 0 else "draw"


def savings() -> str:
    """Positions that minimax and alpha-beta look at."""
    position = at("connect-four")
    guess = heuristics.load("lines", position.rules)
    rows = []
    for depth in (2, 3, 4):
        for name, search in (("minimax", minimax), ("alpha-beta", alpha_beta)):
            effort = Effort(Limit())
            search(position, depth, guess, effort)
            rows.append((f"{name}, depth {depth}", float(effort.nodes), f"{effort.nodes}"))
    return chart(charts.bars(rows, "positions looked at in Connect Four from the empty board"))


def opinions() -> str:
    """What a heuristic says of each move."""
    position = at("polarized-ladder", "G3 G2 F3 E3")
    guess = heuristics.load("lines", position.rules)
    values = {bits_of(position, move): -guess(position.play(move)) for move in position.moves()}
    low, high = min(values.values()), max(values.values())
    shades = {cell: (value - low) / (high - low) for cell, value in values.items()}
    return to_svg(position, Overlay({cell: str(value) for cell, value in values.items()}, shades))


def bits_of(position: Position, move: Move) -> int:
    """The one cell a move takes."""
    return next(bits(position.rules.placements[position.to_move][move.place].cells))


def growth() -> str:
    """Positions looked at in all when each depth is done."""
    position = at("connect-four")
    search = deepening(alpha_beta, heuristics.load("lines", position.rules))
    found = list(search(position, Limit(depth=5)))
    rows = [(f"depth {a.depth}: move {position.write(a.line[0])}", float(a.nodes), f"{a.nodes}") for a in found]
    return chart(charts.bars(rows, "positions looked at until each depth was done"))


def small_tournament() -> str:
    """Ratings with error bars."""
    field = {
        "depth 3": "alpha-beta:depth=3",
        "depth 2": "alpha-beta:depth=2",
        "depth 1": "minimax:depth=1",
        "random": "random",
    }
    summary = plyground.run_tournament("connect-four:rows=5,columns=5", field, rounds=8, processes=None, time="none")
    rows = [(line.name, line.elo) for line in summary.standings]
    return chart(charts.error_bars(rows, "Elo with 95 % intervals"))


# What is known.


def pairs() -> str:
    """The pairing by which nobody loses Polarized Ladder."""
    position = at("polarized-ladder")
    proof = pairing.prove(position, Side.SECOND)
    assert proof is not None
    return to_svg(position, Overlay(pairs=proof.pairs), "Polarized Ladder: one pair inside every ladder")


def first_moves() -> str:
    """Double Card: every first move up to symmetry, and the answer that wins."""
    book = Book.load(SHIPPED / "double-card.book")
    start = Position.start(book.rules)
    seen, shown = set(), []
    for move in start.moves():
        after = start.play(move)
        kind = canonical(after)[0]
        if kind in seen:
            continue
        seen.add(kind)
        reply = book.reply(after)
        assert reply is not None
        shown.append((to_svg(after.play(reply)), f"{start.write(move)}, then {after.write(reply)}"))
    return beside(shown, *part(book.rules, 8, 3), 2)


def exact_scores() -> str:
    """The exact score of each column in the middle of a game."""
    position = at("connect-four:rows=6,columns=7", "7677254651541422651351")
    solved = ConnectFourSolver(position.rules).solve_moves(position)
    scores, shades = {}, {}
    for move, solution in solved.items():
        assert solution.score is not None
        cell = bits_of(position, move)
        scores[cell] = f"{solution.score:+d}" if solution.score else "0"
        shades[cell] = max(-1.0, min(1.0, solution.score / 6))
    return to_svg(position, Overlay(scores, shades))


# The program.


def flow() -> str:
    """Which part knows which: arrows point to what a part is built on."""
    columns = [
        [("rules", "a game as data")],
        [("position", "what may happen next")],
        [("heuristics", "how good it looks"), ("search, solve", "looking ahead, knowing")],
        [("judge", "what is known")],
        [("players", "who chooses moves")],
        [("match", "one game, one record"), ("referee", "bots in other processes")],
        [("tournament, ratings", "many games, who is better"), ("report, render", "tables, boards, HTML")],
        [("cli", "the command line"), ("web", "the page in a browser")],
    ]
    wide, high, gap, a_row = 190, 58, 46, 4
    parts = [
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" '
        'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="currentColor"/></marker></defs>'
    ]
    centres: list[tuple[float, float]] = []
    tops: list[float] = []
    for number, boxes in enumerate(columns):
        x, row = number % a_row * (wide + gap), number // a_row
        for place, (name, about) in enumerate(boxes):
            y = row * 210 + 40 + (place - (len(boxes) - 1) / 2) * (high + 14)
            parts.append(
                f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="8" fill="#1f5fbf" fill-opacity=".12" '
                'stroke="#3b82d6"/>'
            )
            parts.append(f'<text x="{x + wide / 2}" y="{y + 25}" style="font-weight:600">{name}</text>')
            parts.append(f'<text x="{x + wide / 2}" y="{y + 45}" style="font-size:12px">{about}</text>')
        centres.append((x, row * 210 + 40 + high / 2))
        tops.append(centres[-1][1] - high / 2 - (len(boxes) - 1) / 2 * (high + 14))
    for (from_x, from_y), (to_x, to_y), top in zip(centres, centres[1:], tops[1:], strict=False):
        if from_y == to_y:
            path = f"M{from_x + wide + 4} {from_y}H{to_x - 5}"
        else:
            middle = (from_y + high / 2 + top) / 2
            path = f"M{from_x + wide / 2} {from_y + high / 2 + 4}V{middle}H{to_x + wide / 2}V{top - 5}"
        parts.append(f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1.6" marker-end="url(#tip)"/>')
    return framed("".join(parts), a_row * (wide + gap) - gap, 370)


PICTURES: dict[str, Callable[[], str]] = {
    "ladder": partial(ladder, "F2 A1 G2 C1 G3 E1 H3 K1 H4", "F2 G2 G3 H3 H4"),
    "ladder-dead": partial(ladder, "F2 F4 G2 H2 G3 A1 H3 C1 H4", "F2 G2 G3 H3 H4"),
    "ladders-through-cells": partial(through_cells, "polarized-ladder"),
    "connect-four-win": partial(board, "connect-four", "4455336"),
    "lines-through-cells": partial(through_cells, "connect-four"),
    "eight-cards": eight_cards,
    "double-card-win": partial(board, "double-card", TURPIN_GAME),
    "double-card-recycled": recycled,
    "tree-minimax": partial(tree, "minimax"),
    "tree-alpha-beta": partial(tree, "alpha-beta"),
    "savings": savings,
    "opinions": opinions,
    "growth": growth,
    "small-tournament": small_tournament,
    "pairs": pairs,
    "first-moves": first_moves,
    "exact-scores": exact_scores,
    "flow": flow,
}
"""What draws each picture, by the name of its file."""


def draw_all(folder: Path) -> None:
    """Draw every picture that is not there yet or has changed."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        file, drawn = folder / f"{name}.svg", draw()
        if not file.exists() or file.read_text(encoding="utf-8") != drawn:
            file.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]))
