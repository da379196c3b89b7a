"""What is said to people, as data: one file for each language, which terminal, page and reports read.

A text is a template with named slots, `{who}`; `{number:lines}` is a count with its noun, from `counts`. Where a text
may get too long there is a list, the longest first. Every file has the same keys, and slots in the same texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TypedDict

FOLDER = Path(__file__).parent
"""Where the files are; the page is served from there too."""

LANGUAGES = ("en", "de", "fr")

SLOT = re.compile(r"\{(\w+)(?::([\w-]+))?\}")

Template = str | list[str]


class Words(TypedDict):
    """The texts of one language."""

    counts: dict[str, list[str]]
    """For each noun how one of them is written, and how many."""

    places: dict[str, str]
    """How cells are named, and lists of them."""

    claims: dict[str, Template]
    """What is true about a move."""

    ideas: dict[str, str]
    """What a hint begins with: by claims the idea behind a move, and then the cells that matter."""

    grades: dict[str, str]
    """How good a move was."""

    costs: dict[str, str]
    """What it gave away."""

    moments: dict[str, str]
    """What stood before the move that decided a game."""


def one_line(text: str) -> str:
    """What somebody else wrote, kept to its place in a table and off the terminal's controls."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


@cache
def words_in(language: str = "en") -> Words:
    """The texts of a language; KeyError for one that there is not."""
    if language not in LANGUAGES:
        raise KeyError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    words: Words = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return words


def fill(template: str, slots: Mapping[str, str | int], words: Words) -> str:
    """A text with what belongs into its slots; KeyError names one for which nothing was given."""

    def value(match: re.Match[str]) -> str:
        slot = slots[match[1]]
        if not match[2]:
            return str(slot)
        one, many = words["counts"][match[2]]
        return (one if slot == 1 else many).replace("{n}", str(slot))

    return SLOT.sub(value, template)
