"""Choosing a program to play against: a level of the engine, or an old program with options of its own."""

from __future__ import annotations

from plyground.core.rules import Rules
from plyground.core.specs import Option, Spec, described, options_of
from plyground.games import title
from plyground.players import DEFAULT, PLAYERS, load
from plyground.players.levels import LEVELS
from plyground.players.opponents import USUAL_LEVEL, at_level, offers, old_programs, option_notes
from plyground.terminal.console import Console
from plyground.terminal.menu import Choice, Menu


def ask_opponent(title: str, prompt: str, rules: Rules, console: Console, others: tuple[Choice, ...] = ()) -> str:
    """The spec of a program that plays a game, or the key of another choice."""
    engine = Choice(DEFAULT, f"ten levels, from {LEVELS[0].name} to {LEVELS[-1].name}", "The engine")
    programs = (described(name, PLAYERS[name]) for name in old_programs(rules))
    choices = (engine, *(Choice(name, summary) for name, summary, _ in programs), *others)
    chosen = console.choose(Menu(title, prompt, choices, noun="player"))
    if chosen in {choice.key for choice in others}:
        return chosen
    return _with_options(chosen, rules, console)


def _with_options(spec: str, rules: Rules, console: Console) -> str:
    """The spec with what it leaves open asked for."""
    if Spec.parse(spec).options:
        return spec
    if spec == DEFAULT:
        return at_level(console.choose(_levels(rules)))
    while True:
        chosen = _ask_options(spec, console)
        try:
            load(chosen, rules)
            return chosen
        except ValueError as error:
            console.say(str(error))


def _ask_options(player: str, console: Console) -> str:
    """The spec of a player with its options, those that are as usual left out."""
    options = options_of(PLAYERS[player]).values()
    given = [(option, _ask_option(player, option, console)) for option in options]
    return str(Spec(player, tuple((option.name, value) for option, value in given if value != str(option.default))))


def _levels(rules: Rules) -> Menu:
    listed = tuple(
        Choice(str(offer.level.number), _rated(offer.rating) + offer.answers, offer.level.name)
        for offer in offers(rules)
    )
    return Menu("Which level?", "Level", listed, USUAL_LEVEL - 1, f"a level is 1 to {len(listed)}")


def _rated(rating: int | None) -> str:
    return "" if rating is None else f"rated about {rating:4}  "


def _ask_option(player: str, option: Option, console: Console) -> str:
    """The value of an option as text."""
    notes = option_notes(player, option.name)
    literals = [kind for kind in option.kinds if isinstance(kind, str)]
    name = title(option.name)
    if literals:
        choices = tuple(Choice(value, notes.get(value, "")) for value in literals)
        return console.choose(Menu(f"{name} of {player}?", name, choices, literals.index(str(option.default))))
    listed = "".join(f"\n{value:>5}  {word}" for value, word in notes.items())
    console.say(f"{name} of {player}?{listed}")
    while True:
        answer = console.ask(f"{name} [{option.default}]: ") or str(option.default)
        try:
            option.read(answer)
            return answer
        except ValueError as error:
            console.say(str(error))
