"""The puzzles that came with the program, as data for a page without a server."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from plyground.games import title
from plyground.puzzle import shelf
from plyground.puzzle.files import to_json
from plyground.puzzle.puzzle import Puzzle, Theme
from plyground.web.site.game_data import FORMAT
from plyground.web.views import View, puzzle_view

EPOCH = datetime.date(1970, 1, 1).toordinal()
"""The number of the day from which browsers count."""


def shelf_data(games: Iterable[str]) -> View:
    """The packs of some games in the order in which they take turns, each without what it takes to solve it."""
    packs = [_pack(game) for game in sorted(games) if shelf.names(game)]
    themes = {"themes": [theme.value for theme in Theme], "theme_words": [theme.words for theme in Theme]}
    return {"format": FORMAT, "epoch": EPOCH, **themes, "packs": packs}


def _pack(game: str) -> View:
    names = shelf.names(game)
    return {
        "game": game,
        "title": title(game),
        "stride": shelf.stride(len(names)),
        "puzzles": [puzzle_view(shelf.find(name)) for name in names],
    }


def solutions_data(game: str) -> View:
    """How the puzzles of a game are solved, by their names."""
    return {"format": FORMAT, "puzzles": {name: _solved(shelf.find(name)) for name in shelf.names(game)}}


def _solved(puzzle: Puzzle) -> View:
    position = puzzle.position
    return {
        "after": position.write_line(puzzle.after),
        "answers": position.write_line(puzzle.answers),
        "line": position.write_line(puzzle.line),
        "tree": to_json(puzzle)["tree"],
        "explanation": puzzle.explanation,
        "claims": puzzle.claims,
    }
