"""The workshop: what a text that somebody types is, or what is wrong with it, and the gallery to start from."""

from __future__ import annotations

import re

from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.games.text import gallery, known_results, rules_of_text, title_of_text
from plyground.native import compile_game, core_for
from plyground.render.svg import THEMES, to_svg
from plyground.web.introductions import continued
from plyground.web.security.trust import too_many
from plyground.web.views import View, board_view, position_view

FAULT = re.compile(r"line (\d+), column (\d+): (.*?)(?:; did you mean '(.*)'\?)?", re.DOTALL)
"""How the compiler says what is wrong, and the nearest word where there is one."""


def gallery_view() -> View:
    """Every game of the gallery with its text, its rule in a sentence, and a picture without its colours."""
    return {"themes": THEMES, "games": [_shown(name, text) for name, text in gallery().items()]}


def _shown(name: str, text: str) -> View:
    rules = rules_of_text(text, name)
    drawn = to_svg(play_texts(Position.start(rules), continued(rules, []))[1])
    return {
        "name": name,
        "title": title_of_text(text),
        "rule": " ".join(rules.guide.goal),
        "text": text,
        "known": known_results().get(name),
        "picture": drawn.replace(THEMES["system"], "/* theme */", 1),
    }


def workshop_view(text: str) -> View:
    """The game that a text describes, its board and what is known at once; or the fault, with its place."""
    try:
        found = compile_game(text)
        if why := too_many(len(found["patterns"])):
            return {"fault": fault_view(why)}
        rules = rules_of_text(text)
        core_for(rules)
    except ValueError as error:
        return {"fault": fault_view(str(error))}
    return {
        "game": rules.name,
        "board": board_view(rules),
        "position": position_view(Position.start(rules)),
        "facts": {
            "cells": len(rules.grid.cells),
            "patterns": pattern_counts([(len(p[0]), p[5]) for p in found["patterns"]]),
            "symmetries": found["symmetries_found"],
            "first_moves": found["first_moves"],
        },
    }


def fault_view(message: str) -> View:
    """What the compiler says, in parts: line and column, the sentence, and the nearest word where there is one."""
    found = FAULT.fullmatch(message)
    line, column, what, nearest = found.groups() if found else (1, 1, message, None)
    return {"line": int(line), "column": int(column), "what": what, "nearest": nearest}


def pattern_counts(patterns: list[tuple[int, bool]]) -> list[View]:
    """How many patterns of each size win, and how many lose; those that win first, then the larger ones."""
    counts: dict[tuple[bool, int], int] = {}
    for cells, loses in patterns:
        counts[loses, cells] = counts.get((loses, cells), 0) + 1
    ordered = sorted(counts.items(), key=lambda entry: (entry[0][0], -entry[0][1]))
    return [{"cells": cells, "loses": loses, "count": count} for (loses, cells), count in ordered]
