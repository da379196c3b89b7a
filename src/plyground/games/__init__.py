"""The games: one file each, the registry that finds them by name, and what people call them."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from plyground.core import specs
from plyground.core.catalogue import rules_loaded_by, titled_by
from plyground.core.files import described, load_function, names_file
from plyground.core.registry import Registry, function
from plyground.core.rules import Rules
from plyground.games.connect_four import connect_four
from plyground.games.double_card import double_card
from plyground.games.mnk import gomoku, mnk, tic_tac_toe
from plyground.games.polarized_ladder import polarized_ladder
from plyground.games.text import ENDING, carried_text, gallery, load_text, rules_of_text, title_of_text

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

SIZES = {"connect-four": ("rows", "columns"), "mnk": ("rows", "columns")}
"""The options of a game that are written as the size of its board, `6 x 7`."""


def title(spec: str) -> str:
    """What people call the game that a spec names: `Polarized Ladder`, `Connect Four 6 x 7`, `Gomoku (size 13)`."""
    if (source := gallery().get(spec) if spec not in GAMES.entries else None) or (source := _carried(spec)):
        return title_of_text(source)
    try:
        parsed = specs.Spec.parse(by_new_names(spec))
    except ValueError:  # rules that somebody named freely
        return spec
    own = parsed.name.rpartition(":")[2].replace("_", "-")
    name = TITLES.get(parsed.name) or " ".join(word.capitalize() for word in own.split("-"))
    options, sizes = dict(parsed.options), SIZES.get(parsed.name, ())
    if options.keys() & set(sizes):
        known = specs.options_of(GAMES[parsed.name])
        name += " " + " x ".join(str(options.pop(key, known[key].default)) for key in sizes)
    rest = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in options.items())
    return f"{name} ({rest})" if rest else name


def _carried(spec: str) -> str | None:
    try:
        return carried_text(spec)
    except ValueError:
        return None


RENAMED = {"mnk": {"width": "columns", "height": "rows", "k": "line"}}
"""What the options of a game were called before, and are called now."""


def by_new_names(text: str) -> str:
    """A spec with the options called as they are now; the text itself where nothing is called as before."""
    try:
        spec = specs.Spec.parse(text)
    except ValueError:
        return text
    now = RENAMED.get(spec.name, {})
    if not any(key in now for key, _ in spec.options):
        return text
    return str(specs.Spec(spec.name, tuple((now.get(key, key), value) for key, value in spec.options)))


GIVEN: dict[str, Rules] = {}
"""Rules that are registered nowhere and were given to this process, by their names: from a file, or as a value."""


class NotLoadedError(ValueError):
    """A record is of a game in a file, and nobody has loaded that game."""


@lru_cache(maxsize=256)
def _registered(spec: str) -> Rules:
    texts = gallery()
    if spec in texts and spec not in GAMES.entries:
        return rules_of_text(texts[spec], spec)
    if carried_text(spec) is not None:
        return load_text(spec)
    spec = by_new_names(spec)
    name = specs.Spec.parse(spec).name
    if name in texts and name not in GAMES.entries:
        return specs.build("game", spec, {name: _takes_no_options})
    own, other = (get_close_matches(name, names, n=1, cutoff=0.5) for names in (GAMES, texts))
    if name not in GAMES and other and not own:
        raise specs.unknown("game", name, {*GAMES, *texts})
    return specs.build("game", spec, GAMES)


def _takes_no_options() -> Rules:
    """Stands for a game of the gallery that is given options."""
    raise ValueError("a game of the gallery has no options")


def load(spec: str) -> Rules:
    """The rules a spec names, `connect-four:rows=6,columns=7`; ValueError for what does not exist.

    A name that comes with a record, or over the web, runs no file: of games in files only those are known that
    `load_given` has loaded.
    """
    if spec in GIVEN:
        return GIVEN[spec]
    if names_file(spec):
        typed = shlex.quote(spec)
        raise NotLoadedError(
            f"game {spec!r} is in a file, and a record does not run files; name the game too: "
            f"plyground play {typed} --resume FILE, plyground review FILE --rules {typed}; "
            f"in Python call plyground.load_game({spec!r}) first, or install the game as a plug-in"
        )
    return _registered(spec)


def load_given(game: str | Rules) -> Rules:
    """The rules that somebody gives: a spec, `FILE.py:FUNCTION`, or the rules themselves, which are then known by name.

    ValueError for what does not exist, and for rules that are called like another game.
    """
    if isinstance(game, str):
        if game.endswith(ENDING):
            return _known(load_text(game))
        return _from_file(game) if names_file(game) else load(game)
    if not isinstance(game, Rules):
        raise TypeError(f"a game is a spec, such as 'connect-four:rows=6', or Rules, got {game!r}")
    return _known(game)


def _known(rules: Rules) -> Rules:
    """The same rules, known by their name from now on."""
    if carried_text(rules.name) is not None:
        return rules  # its name is enough to load it anywhere
    if specs.Spec.parse(rules.name).name in GAMES:
        if load(rules.name) != rules:
            raise ValueError(f"there is another game called {rules.name!r}; give these rules a name of their own")
    else:
        GIVEN[rules.name] = rules
    return rules


def _from_file(text: str) -> Rules:
    """The rules that a function of a file returns, called by what was typed, so that the same text finds them again."""
    file = Path(_file_of(text))
    GIVEN[text] = _returned(text, file.stat().st_mtime_ns if file.is_file() else 0)
    return GIVEN[text]


def _file_of(text: str) -> str:
    return specs.Spec.parse(text).name.rpartition(":")[0]


@lru_cache(maxsize=32)
def _returned(text: str, changed: int) -> Rules:
    """What the function returns; asked again when the file was changed."""
    name = specs.Spec.parse(text).name
    file, _, called = name.rpartition(":")
    if "," in called:
        right = f"{file}:{called.replace(',', ':', 1)}"
        raise ValueError(f"bad game {text!r}: options come after a colon, as in {right}")
    function = load_function("game", name)
    try:
        rules = specs.build("game", text, {name: function})
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(f"game {text!r} failed: {described(error, _file_of(text))}") from error
    if not isinstance(rules, Rules):
        raise ValueError(f"game {text!r} must be a function that returns Rules, got {rules!r}")
    return replace(rules, name=text)


rules_loaded_by(load_given)
titled_by(title)
