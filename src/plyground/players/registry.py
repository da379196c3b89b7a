"""Players by name: the program's own and those of plug-ins."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable

from plyground.core import specs
from plyground.core.files import names_file, takes
from plyground.core.registry import Registry, function
from plyground.core.rules import Rules
from plyground.heritage import programs
from plyground.players.base import HUMAN, Player, Setting
from plyground.players.depth import beam_player, deepened_player, file_search_player, player_of_search
from plyground.players.engine import engine_player
from plyground.players.functions import player_of_function
from plyground.players.monte_carlo import mcts_player, random_player
from plyground.players.old_programs import (
    ayoub_qabbani_player,
    cameron_tiago_player,
    hazar_isik_player,
    preset,
    turpin_player,
)
from plyground.search.alpha_beta import alpha_beta
from plyground.search.minimax import minimax


def offered(name: str, given: object) -> Callable[..., Player]:
    """What a plug-in offers as a player: a function of a position that chooses moves, or one of a `Setting`.

    The one is a player as it is; of the other it is checked that it returns a `Player`: ValueError, where it is used,
    if it does not, or if it takes something else.
    """
    factory = function(name, given)
    if next(iter(inspect.signature(factory).parameters), "") == "position":

        def chooser(setting: Setting, /) -> Player:
            try:
                return player_of_function(factory, setting.rules, name)
            except TypeError as error:
                raise ValueError(str(error)) from None

        chooser.__doc__ = factory.__doc__
        return chooser
    if not takes(factory, "setting"):
        raise TypeError(f"expected a function of a position, or of a Setting and options, got {name}{_taken(factory)}")

    @functools.wraps(factory)
    def build(setting: Setting, /, **options: object) -> Player:
        player = factory(setting, **options)
        if not isinstance(player, Player):
            raise ValueError(f"the plug-in returned {type(player).__name__} instead of a Player: name, think, close")
        return player

    return build


def _taken(factory: Callable[..., object]) -> str:
    return str(inspect.signature(factory))


PLAYERS: Registry[Callable[..., Player]] = Registry(
    {
        "engine": engine_player,
        "random": random_player,
        "minimax": deepened_player(
            "minimax",
            minimax,
            "Looks at every line of play, one ply deeper each time, in plain Python.",
            2,
            alpha_beta,
            True,
        ),
        "alpha-beta": deepened_player(
            "alpha-beta", alpha_beta, "Minimax without the lines that cannot matter, in plain Python.", 3, minimax, True
        ),
        "beam": beam_player,
        "mcts": mcts_player,
        "cameron-tiago": cameron_tiago_player,
        "team-two": preset("team-two", programs.TEAM_TWO),
        "lavoie": preset("lavoie", programs.LAVOIE),
        "hazar-isik": hazar_isik_player,
        "ayoub-qabbani": ayoub_qabbani_player,
        "turpin": turpin_player,
    },
    players=offered,
    searches=player_of_search,
)
"""What builds each player for a setting, by its name in specs."""

OLD_PROGRAMS = ("cameron-tiago", "team-two", "lavoie", "hazar-isik", "ayoub-qabbani", "turpin")
"""The players that bring back the programs this one grew from."""


SEARCH = "search="
"""What the spec of a player begins with whose search is in a file: `search=mine.py:scout,depth=4`."""


WEIGHTS = re.compile(r"weights:[0-9]+([/|][0-9]+){1,60}(\+[a-z]{1,12}/[0-9]{1,6}){0,4}")
"""A heuristic that is nothing but numbers."""

OF_THE_MACHINE = ("threads", "table", "book", "net")
"""Options that take as much of the machine, or the file of it, as they say."""


def registered_only(text: str) -> str:
    """A player's spec that somebody else has written, as it is read here.

    ValueError when it does not name registered things and numbers alone, but a file, a command, code or the machine.
    """
    spec = specs.Spec.parse(text)
    specs.look_up("player", spec.name, PLAYERS)
    for key, value in spec.options:
        if key == "heuristic" and WEIGHTS.fullmatch(value):
            continue
        if not all(char.isalnum() or char in "-+._" for char in value) or ".py" in value or ".net" in value:
            raise ValueError(f"{key}={value!r} is not allowed here; only names and numbers are")
        if key in OF_THE_MACHINE:
            raise ValueError(f"{key} cannot be set from outside")
    return str(spec)


def load(spec: str, rules: Rules, seed: int | None = None) -> Player:
    """The player a spec names, ready for a game; ValueError for what does not exist or does not fit the game.

    Bots in processes of their own are the referee's, see `plyground.referee.entrants`.
    """
    if spec.strip() == HUMAN:
        raise ValueError(f"{HUMAN!r} is a person, who plays in `plyground play` or on the page; choose a program here")
    setting = Setting(rules, seed)
    if spec.startswith(SEARCH):
        return specs.build("player", f"search:{spec}", {"search": file_search_player}, setting, written_as=spec)
    file, _, rest = spec.partition(":")
    if names_file(file):
        function = f"{file}:{rest.partition(',')[0] or 'NAME'}"
        raise ValueError(
            f"bad player {spec!r}: a file can be a bot, py:{file}; a search, {SEARCH}{function}; or a heuristic, "
            f"alpha-beta:heuristic={function}"
        )
    return specs.build("player", spec, PLAYERS, setting)
