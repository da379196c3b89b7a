"""What else is read as a move, and how cells are called in sentences, as data: the notation itself stays in Python."""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.notation import write_cells
from plyground.core.rules import Move, Rules, Side

View = dict[str, object]


def spellings(rules: Rules) -> dict[str, str]:
    """What else is read as a placement's text, as far as the notation says so: `d` and `3g`, in small letters."""
    texts = [rules.notation.write(rules, Move(place)) for place in range(len(rules.placements[Side.FIRST]))]
    found: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        for typed in _candidates(text):
            if typed not in found and _means(rules, typed, text):
                found[typed] = text
    return found


def _candidates(text: str) -> Iterator[str]:
    small = text.lower()
    yield small
    yield small.replace(" ", "")
    letters = small.rstrip("0123456789")
    if letters and letters != small:
        yield small[len(letters) :] + letters
    if small.isdecimal() and int(small) <= 26:
        yield chr(ord("a") + int(small) - 1)


def _means(rules: Rules, typed: str, text: str) -> bool:
    try:
        return rules.notation.read(rules, typed).moves == rules.notation.read(rules, text).moves
    except ValueError:
        return False


def places(rules: Rules) -> View:
    """How cells are called in sentences: each cell, and all cells of each pattern."""
    return {
        "cells": [write_cells(rules, 1 << cell) for cell in range(len(rules.grid.cells))],
        "patterns": [write_cells(rules, pattern.cells) for pattern in rules.patterns],
    }
