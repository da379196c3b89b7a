"""The games: one file each, the registry that finds them by name, and what people call them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from plyground.core import specs
from plyground.core.catalogue import rules_loaded_by
from plyground.core.registry import Registry, function
from plyground.core.rules import Rules
from plyground.games.connect_four import connect_four
from plyground.games.double_card import double_card
from plyground.games.mnk import gomoku, mnk, tic_tac_toe
from plyground.games.polarized_ladder import polarized_ladder

GAMES: Registry[Callable[..., Rules]] = Registry(
    {
        "polarized-ladder": polarized_ladder,
        "connect-four": connect_four,
        "double-card": double_card,
        "mnk": mnk,
        "tic-tac-toe": tic_tac_toe,
        "gomoku": gomoku,
    },
    games=function,
)
"""What builds the rules of each game, by its name in specs and records."""


TITLES = {"mnk": "K in a row", "tic-tac-toe": "Tic-tac-toe"}
"""What people call a game, where its name in specs does not show it."""


def title(spec: str) -> str:
    """What people call the game that a spec names: `Polarized Ladder`, `Connect Four (rows 6, columns 7)`."""
    parsed = specs.Spec.parse(spec)
    name = TITLES.get(parsed.name) or " ".join(word.capitalize() for word in parsed.name.split("-"))
    options = ", ".join(f"{key} {value}" for key, value in parsed.options)
    return f"{name} ({options})" if options else name


@lru_cache(maxsize=256)
def load(spec: str) -> Rules:
    """The rules a spec names, `connect-four:rows=6,columns=7`; ValueError for what does not exist."""
    return specs.build("game", spec, GAMES)


rules_loaded_by(load)
