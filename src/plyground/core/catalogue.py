"""Finds the rules of a spec, and what people call a game; the package of the games registers how."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.rules import Rules

_LOADERS: list[Callable[[str | Rules], Rules]] = []
_TITLES: list[Callable[[str], str]] = []


def rules_loaded_by(load: Callable[[str | Rules], Rules]) -> None:
    """Register the function that finds games; it raises ValueError or TypeError for anything else."""
    _LOADERS[:] = [load]


def titled_by(title: Callable[[str], str]) -> None:
    """Register the function that makes a title of the name of rules."""
    _TITLES[:] = [title]


def title_of(rules: Rules) -> str:
    """What people call a game, `Connect Four 6 x 7`; the name of its rules if no games are registered yet."""
    return _TITLES[0](rules.name) if _TITLES else rules.name


def rules_of(game: str | Rules) -> Rules:
    """The rules of a spec, or the given rules themselves."""
    if isinstance(game, Rules):
        return game
    if not _LOADERS:
        import plyground

        return plyground.load_game(game)  # the package's public name, which registers the games
    return _LOADERS[0](game)
