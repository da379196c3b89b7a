"""Who plays what: taken from what was given, asked for where somebody can answer, else the defaults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plyground import games
from plyground.core.rules import Rules
from plyground.core.specs import described
from plyground.players import HUMAN
from plyground.players.opponents import USUAL, at_level, offers, quick
from plyground.terminal.console import Console

MODES = {
    "human-AI": "you move first",
    "AI-human": "the program moves first",
    "human-human": "two people at this keyboard",
    "AI-AI": "watch two programs",
}
MAX_NAME = 40


@dataclass(frozen=True)
class Wish:
    """What is known about a game before it begins; None is not known yet."""

    rules: Rules | None = None
    first: str | None = None
    """A player's spec, `human` for a person."""
    second: str | None = None
    names: tuple[str, str] | None = None


@dataclass(frozen=True)
class Lineup:
    """What a game begins with."""

    rules: Rules
    specs: tuple[str, str]
    names: tuple[str | None, str | None]
    """None for a program that is called by its spec."""


def complete(wish: Wish, console: Console) -> Lineup:
    """The wish with what was missing asked for; without anybody to ask, the first game played by quick programs."""
    rules = wish.rules or _ask_game(console)
    kinds = _ask_mode(wish, console)
    names = wish.names or _ask_names(kinds, console)
    first, second = _ask_levels(kinds, console)
    return Lineup(rules, (first, second), names)


def check_name(text: str) -> str:
    """A name as it is shown and recorded; ValueError when it cannot be."""
    name = text.strip()
    if not (0 < len(name) <= MAX_NAME and name.isprintable()):
        raise ValueError(f"a name is 1 to {MAX_NAME} printable characters, got {text!r}")
    return name


def _ask_game(console: Console) -> Rules:
    if not console.asks:
        return games.load(next(iter(games.GAMES)))
    listed = [described(name, factory)[:2] for name, factory in games.GAMES.items()]
    while True:
        spec = console.choose("Which game?", "Game", listed, 0, games.title)
        try:
            return games.load(spec)
        except ValueError as error:
            console.say(str(error))


def _ask_mode(wish: Wish, console: Console) -> tuple[str | None, str | None]:
    """The spec of each player, None for a program whose level is still to be chosen."""
    if wish.first is not None and wish.second is not None:
        return wish.first, wish.second
    if not console.asks:
        return wish.first or quick(), wish.second or quick()
    if wish.first is None and wish.second is None:
        first, second = console.choose("Who plays?", "Mode", list(MODES.items()), 0).split("-")
        return (HUMAN if first == HUMAN else None), (HUMAN if second == HUMAN else None)
    missing = None if HUMAN in (wish.first, wish.second) else HUMAN  # who gives one opponent wants to play it
    return wish.first or missing, wish.second or missing


def _ask_levels(specs: tuple[str | None, str | None], console: Console) -> Iterator[str]:
    """The specs with a level chosen for each that is missing."""
    titles = (
        ("Level of the first program?", "Level of the second program?") if specs == (None, None) else ("Level?",) * 2
    )
    listed = [(str(offer.level.number), offer.text) for offer in offers()]
    for spec, title in zip(specs, titles, strict=True):
        yield spec or at_level(console.choose(title, "Level", listed, USUAL - 1))


def _ask_names(specs: tuple[str | None, str | None], console: Console) -> tuple[str | None, str | None]:
    """Names of the people; two of them get different ones."""
    if specs == (HUMAN, HUMAN):
        ada = _ask_name("Name of the first player", "Ada", console)
        return ada, _ask_name("Name of the second player", "Grace", console)
    first, second = (_ask_name("Your name", "Ada", console) if spec == HUMAN else None for spec in specs)
    return first, second


def _ask_name(question: str, default: str, console: Console) -> str:
    if not console.asks:
        return default
    while True:
        answer = console.ask(f"{question} [{default}]: ")
        try:
            return check_name(answer or default)
        except ValueError as error:
            console.say(str(error))
