"""Everybody who can take part: players of this program and bots in processes of their own."""

from __future__ import annotations

from plyground import players
from plyground.core.rules import Rules
from plyground.players.base import Player
from plyground.referee import bots


def load(spec: str, rules: Rules, seed: int | None = None) -> Player:
    """The player or the bot a spec names; ValueError for what does not exist or does not fit the game."""
    return bots.load(spec, rules) if bots.is_bot(spec) else players.load(spec, rules, seed)
