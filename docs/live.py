"""The pictures that become boards to play on, where scripts run: the page without a server lies beside the pages."""

from __future__ import annotations

import json
from pathlib import Path

from pictures import PICTURES, TRACED, TURPIN_GAME, at

FOLDER = "play"
"""Where the page without a server lies in the built documentation."""

BOARDS = {
    "ladder": ("polarized-ladder", "F2 A1 G2 C1 G3 E1 H3 K1"),
    "ladder-dead": ("polarized-ladder", "F2 F4 G2 H2 G3 A1 H3 C1"),
    "ladders-through-cells": ("polarized-ladder", ""),
    "connect-four-win": ("connect-four", "445533"),
    "lines-through-cells": ("connect-four", ""),
    "eight-cards": ("double-card", ""),
    "double-card-win": ("double-card", TURPIN_GAME.rpartition(";")[0]),
    "tree-minimax": ("tic-tac-toe", TRACED),
    "tree-alpha-beta": ("tic-tac-toe", TRACED),
}
"""For each picture the game and the moves to play on from: before the winning move where it shows the end of a game."""


def boards() -> dict[str, dict[str, str]]:
    """The addresses of the boards, by the picture."""
    found = {}
    for name, (game, text) in BOARDS.items():
        assert name in PICTURES, name
        rules = at(game, text).rules  # ValueError for what is not legal
        found[name] = {"game": game, "moves": ";".join(rules.notation.split(rules, text))}
    return found


def write_script(file: Path) -> None:
    """The script of the pages, with the boards that it may show."""
    text = (Path(__file__).parent / "_live" / "live.js").read_text(encoding="utf-8")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.replace("{}", json.dumps(boards()), 1).replace('"FOLDER"', json.dumps(FOLDER), 1))


def write_page(folder: Path) -> None:
    """The page without a server, where the core for browsers is built; else the pages keep their pictures."""
    from plyground.web.site.write import write_site
    from plyground.web.wasm import modules

    if modules():
        write_site(folder / FOLDER)
