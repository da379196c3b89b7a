"""Everybody who can take part: players of this program, bots, and players with somebody's files in a sandbox.

A player whose heuristic is a file runs that file's code. With `isolated=yes` in its spec it runs in a process of its
own, kept from the rest of the machine like a bot: alpha-beta:depth=3,heuristic=mine.py:threats,isolated=yes
"""

from __future__ import annotations

import re
from collections.abc import Callable

from plyground import players
from plyground.core.files import files_named
from plyground.core.rules import Rules
from plyground.play.faults import Fault
from plyground.players.base import Player
from plyground.players.depth import file_search_player
from plyground.players.functions import Chooser, player_of_function
from plyground.referee import bots
from plyground.referee.sandbox.interface import Program
from plyground.referee.sandbox.view import USUAL_ACCESS, Access

ISOLATED = re.compile(r"([:,])\s*isolated=([^,]*)(,?)")
"""The option of a player that is to run like a bot, wherever it stands in the spec."""


def names() -> dict[str, Callable[..., object]]:
    """Whatever a spec of a player may begin with, and the function whose parameters are its options."""

    def human() -> None:
        """A person at the keyboard."""

    return {players.HUMAN: human, **players.PLAYERS, "search": file_search_player, **bots.BOTS}


def load_given(player: str | Player | Chooser, rules: Rules, seed: int | None = None) -> Player:
    """The player that somebody gives: a spec, a `Player` as it is, or a plain function; TypeError for anything else."""
    if isinstance(player, str):
        return load(player, rules, seed)
    if isinstance(player, Player):
        return player
    if callable(player):
        return player_of_function(player, rules)
    raise TypeError(f"a player is a spec, such as 'alpha-beta:depth=3', a Player or a function, got {player!r}")


def load(
    spec: str, rules: Rules, seed: int | None = None, isolated: bool = False, access: Access = USUAL_ACCESS
) -> Player:
    """The player or the bot a spec names; ValueError for what does not exist or does not fit the game.

    With `isolated` a player with code of somebody's file is isolated unless its spec says otherwise. `access` is what
    a process of its own is given.
    """
    if bots.is_bot(spec):
        return bots.load(spec, rules, access)
    plain, wish = _split_wish(spec)
    if _isolated(plain, wish, isolated):
        return _in_a_sandbox(spec, plain, rules, seed, access)
    return players.load(plain, rules, seed)


def check(spec: str, rules: Rules, access: Access = USUAL_ACCESS) -> None:
    """ValueError unless a spec names a player or a bot for a tournament of this game.

    Code of somebody's file runs in its sandbox only, here too.
    """
    entrant = load(spec, rules, isolated=True, access=access)
    if isinstance(entrant, bots.ProcessBot) and not bots.is_bot(spec):
        try:
            with entrant:
                entrant.start()
        except Fault as fault:
            last = fault.stderr.splitlines()[-1] if fault.stderr else str(fault)
            raise ValueError(re.sub(r"^[\w.]+: ", "", last)) from None


def _split_wish(spec: str) -> tuple[str, str | None]:
    """A player's spec without the wish to be isolated, and that."""
    found = ISOLATED.search(spec)
    if found is None:
        return spec, None
    before, wish, after = found.groups()
    if wish not in ("yes", "no"):
        raise ValueError(f"bad spec {spec!r}: isolated must be yes or no, got {wish!r}")
    return spec[: found.start()] + (before if after else "") + spec[found.end() :], wish


def _isolated(plain: str, wish: str | None, usual: bool) -> bool:
    return wish == "yes" or (wish is None and usual and has_code(plain))


def has_code(spec: str) -> bool:
    """Whether a player's spec names a Python file, whose code it would run."""
    return any(file.endswith(".py") for file in files_named(spec))


def _in_a_sandbox(spec: str, plain: str, rules: Rules, seed: int | None, access: Access) -> Player:
    runner = "submission" if access.program is Program.STUDENT else "player"
    given = [rules.name, plain, *([] if seed is None else [str(seed)])]
    words = bots.interpreter_of(access, f"plyground.referee.protocols.{runner}", *given)
    return bots.ProcessBot(spec, words, rules, bots.DIALOGUES["ugi"], bots.USUAL_LIMITS, access=access)
