"""How good a position looks: the named heuristics, those given by weights, nets and functions in a user's own file."""

from __future__ import annotations

from plyground.core.files import names_file
from plyground.core.rules import Rules
from plyground.core.specs import look_up
from plyground.heuristics.base import Heuristic, HeuristicError
from plyground.heuristics.files import load_file
from plyground.heuristics.named import HEURISTICS
from plyground.heuristics.net_file import load_net, names_net
from plyground.heuristics.weights import WEIGHTS_PREFIX, load_weights

__all__ = ["HEURISTICS", "Heuristic", "HeuristicError", "load"]


def load(text: str, rules: Rules) -> Heuristic:
    """The heuristic of that name, `weights:0/1/4/16/64`, `my.net` or `FILE.py:FUNCTION`; ValueError when none fits."""
    if text.startswith(WEIGHTS_PREFIX):
        return load_weights(text, rules)
    if names_file(text):
        return load_file(text)
    if names_net(text):
        return load_net(text, rules)
    return look_up("heuristic", text, HEURISTICS)(rules)
