"""Where rules come from when only their spec is given: whatever knows the games registers here."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.rules import Rules

_LOADERS: list[Callable[[str | Rules], Rules]] = []


def rules_loaded_by(load: Callable[[str | Rules], Rules]) -> None:
    """Register what finds games: ValueError for one that does not exist, TypeError for what is not a game."""
    _LOADERS[:] = [load]


def rules_of(game: str | Rules) -> Rules:
    """The rules a spec names, or the rules themselves; RuntimeError when no games are there to choose from."""
    if isinstance(game, Rules):
        return game
    if not _LOADERS:
        raise RuntimeError(f"cannot load {game!r}: no games are known yet; import plyground.games first")
    return _LOADERS[0](game)
