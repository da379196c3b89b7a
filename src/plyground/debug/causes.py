"""The documented causes of wrong nodes: an id, a short name, and what to do, in words that a student understands.

The texts are in `words/causes`, one file for each language, which the page reads too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Cause:
    """Why a node is wrong."""

    id: str
    title: str
    """`the heuristic is seen from the wrong side`."""

    advice: str
    """What is the matter and what to do, in one or two sentences."""


_TEXTS = files("plyground.words").joinpath("causes", "en.json").read_text(encoding="utf-8")  # in a zip file too

CAUSES: dict[str, Cause] = {name: Cause(name, **texts) for name, texts in json.loads(_TEXTS).items()}
"""Every cause, by its id."""
