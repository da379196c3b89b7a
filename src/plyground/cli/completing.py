"""What the shell offers when somebody presses Tab: games, players and heuristics with their options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from plyground.core.specs import Option


def complete_game(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Games and their options, and files where a saved game may stand."""
    from plyground.games import GAMES

    return [*_specs(typed, GAMES), *([] if ":" in typed else [_item(typed, kind="file")])]


def complete_player(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Players and their options, heuristics among them."""
    from plyground.referee.entrants import names

    return _specs(typed, names())


def complete_heuristic(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Heuristics, and files that may hold one."""
    from plyground.heuristics import HEURISTICS

    return [*_items(HEURISTICS, typed), _item(typed, kind="file")]


def complete_topic(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Topics of the documentation."""
    from plyground.terminal.topics import topics

    return _items(topics(), typed)


def _items(words: Iterable[str], typed: str) -> list[CompletionItem]:
    return [_item(word) for word in words if word.startswith(typed)]


def _item(word: str, about: str | None = None, kind: str = "plain") -> CompletionItem:
    from click.shell_completion import CompletionItem  # needed only when Tab is pressed

    return CompletionItem(word, type=kind, help=about)


def _specs(typed: str, registry: Mapping[str, Callable[..., object]]) -> list[CompletionItem]:
    """What a spec may go on with: a name, then the keys of its options, then their values."""
    from plyground.core.specs import described, options_of

    name, colon, rest = typed.partition(":")
    if not colon:
        return [
            _item(known, described(known, factory)[1]) for known, factory in registry.items() if known.startswith(name)
        ]
    if name not in registry:
        return []
    *given, last = rest.split(",")
    key, equals, value = last.partition("=")
    options = options_of(registry[name])
    before = typed.removesuffix(last)
    if not equals:
        taken = {each.partition("=")[0] for each in given}
        return _items((f"{before}{each}=" for each in options if each not in taken), typed)
    return _items((f"{before}{key}={each}" for each in _values(options.get(key))), f"{before}{key}={value}")


def _values(option: Option | None) -> list[str]:
    """What an option is likely to be set to."""
    if option is None:
        return []
    if option.name == "heuristic" and str in option.kinds:
        from plyground.heuristics import HEURISTICS

        return list(HEURISTICS)
    if option.name == "level" and option.default is None:
        from plyground.players.levels import LEVELS

        return [str(level.number) for level in LEVELS]
    literals = [kind for kind in option.kinds if isinstance(kind, str)]
    return literals or (["yes", "no"] if bool in option.kinds else [])
