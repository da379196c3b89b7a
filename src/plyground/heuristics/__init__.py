"""How good a position looks: the named heuristics, and those in a user's own file."""

from __future__ import annotations

from plyground.heuristics.base import Heuristic, HeuristicError
from plyground.heuristics.files import load_file
from plyground.heuristics.named import HEURISTICS
from plyground.rules import Rules
from plyground.specs import look_up

__all__ = ["HEURISTICS", "Heuristic", "HeuristicError", "load"]


def load(text: str, rules: Rules) -> Heuristic:
    """The heuristic called so, or `FILE.py:FUNCTION`; ValueError when there is none or it does not fit the game."""
    if ".py:" in text:
        return load_file(text)
    return look_up("heuristic", text, HEURISTICS)(rules)
