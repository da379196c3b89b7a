"""What a page without a server needs for games as text: what boards, pieces and sentences are made of, and the gallery.

What is a few shapes for every board is data; what depends on the size of a board is made by `alone/looks.js`, and the
rest by `alone/text_games.js`, as Python makes it. A test compares all of it.
"""

from __future__ import annotations

from itertools import product

from plyground import games
from plyground.core.grid import Grid
from plyground.core.notation import CardNotation, CellNotation, ColumnNotation, PieceNotation
from plyground.heuristics.engine import GROWTH
from plyground.render import shapes
from plyground.render.look import COLOUR_NAMES, GROUNDS, OPEN_LAYERS, BoardKind, face_of, marks_of
from plyground.solve.connect_four.solver import WIDEST_BITS
from plyground.web.core_data import FORMAT as CORE_FORMAT
from plyground.web.security.trust import MOST_PATTERNS
from plyground.web.site.game_data import FORMAT, levels_view
from plyground.web.views import View
from plyground.web.wasm import ENGINES, PLAYING, SOLVING, WITH_SOLVER
from plyground.web.workshop import gallery_view
from plyground.words import words_in

SAMPLE = Grid.rectangle(3, 3)
"""A board whose ground shows what does not depend on the size."""


def texts_data() -> View:
    """What makes the data files of a game of its text."""
    sample = games.load("tic-tac-toe")
    return {
        "format": FORMAT,
        "core_format": CORE_FORMAT,
        "engines": ENGINES,
        "endings": {"player": PLAYING, "solver": SOLVING},
        "with_solver": WITH_SOLVER,
        "widest_bits": WIDEST_BITS,
        "growth": GROWTH,
        "most_patterns": MOST_PATTERNS,
        "levels": levels_view(sample),
        "places": words_in()["places"],
        "examples": [
            CellNotation().example,
            ColumnNotation().example,
            PieceNotation(("{piece}",)).example,
            CardNotation().example,
        ],
        "look": _look_data(),
    }


def _look_data() -> View:
    colours, ways = (*shapes.TILES, *shapes.PIECES), [""] + ["".join(w) for w in ("n", "e", "s", "w")]
    plain = [kind for kind in BoardKind if kind is not BoardKind.CARDS]
    dots = {"": None, "filled": False, "open": True}
    grounds = {kind: GROUNDS[kind](SAMPLE) for kind in BoardKind}
    side = SAMPLE.columns * shapes.CELL_UNITS
    return {
        "colours": colours,
        "tiles": shapes.TILES,
        "open": sorted(OPEN_LAYERS),
        "names": COLOUR_NAMES,
        "paints": [gradient._asdict() for gradient in shapes.GRADIENTS],
        "hexagon_step": shapes.HEXAGON_STEP,
        "grounds": {
            kind: {
                "under": [coat.to_json() for coat in ground.under],
                "over": [coat.to_json() for coat in ground.over],
                "box": [*ground.box[:2], ground.box[2] - side, ground.box[3] - side],
            }
            for kind, ground in grounds.items()
        },
        "faces": {kind: {colour: face_of(kind, colour).to_json() for colour in colours[2:]} for kind in plain},
        "cards": {
            f"{colour} {dot} {joined}": face_of(BoardKind.CARDS, colour, is_open, joined).to_json()
            for colour, (dot, is_open), joined in product(colours, dots.items(), ways)
        },
        "marks": {kind: marks_of(kind) for kind in BoardKind},
        "chips": {
            "discs": {colour: shapes.disc(colour, 46) for colour in shapes.PIECES},
            "halves": shapes.halves("{one}", "{other}"),
            "dots": {str(list(given)): shapes.dots(*given) for given in _pairs_of_dots()},
        },
    }


def _pairs_of_dots() -> list[tuple[bool, ...]]:
    return [(False,), (True,), *product((False, True), repeat=2)]


def gallery_data() -> View:
    """The gallery as the server shows it."""
    return {"format": FORMAT} | gallery_view()
