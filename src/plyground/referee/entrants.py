"""Everybody who can take part: players of this program and bots in processes of their own."""

from __future__ import annotations

from plyground import players
from plyground.core.rules import Rules
from plyground.players.base import Player
from plyground.players.functions import Chooser, player_of_function
from plyground.referee import bots


def load_given(player: str | Player | Chooser, rules: Rules, seed: int | None = None) -> Player:
    """The player that somebody gives: a spec, a `Player` as it is, or a plain function; TypeError for anything else."""
    if isinstance(player, str):
        return load(player, rules, seed)
    if isinstance(player, Player):
        return player
    if callable(player):
        return player_of_function(player, rules)
    raise TypeError(f"a player is a spec, such as 'alpha-beta:depth=3', a Player or a function, got {player!r}")


def load(spec: str, rules: Rules, seed: int | None = None) -> Player:
    """The player or the bot a spec names; ValueError for what does not exist or does not fit the game."""
    return bots.load(spec, rules) if bots.is_bot(spec) else players.load(spec, rules, seed)
