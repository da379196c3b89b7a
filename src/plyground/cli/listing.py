"""`plyground games`, `plyground players` and `plyground heuristics`: what exists, a row each."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType

import click

from plyground.cli.output import write_json
from plyground.cli.parameters import json_option


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games and their options.

    Below them stands the gallery of games as text. The JSON output is a list of objects with name, summary and
    options; games of the gallery have no options.
    """
    from plyground.games import GAMES
    from plyground.games.text import gallery, goal_of_text

    others = {name: goal_of_text(text) for name, text in gallery().items() if name not in GAMES}
    _list(GAMES, as_json, others)
    if not as_json:
        click.echo("\ngames as text, known by name; a file.game of your own is one too")
        width = max(map(len, others))
        for name, goal in others.items():
            _print_row(f"{name:{width}}  {goal}")


@click.command()
@json_option
def players(as_json: bool) -> None:
    """List the players and their options."""
    from plyground.referee.entrants import names

    _list(names(), as_json)
    if not as_json:
        _print_levels()


def _print_levels() -> None:
    """The engine's levels with what they are rated in each game that was measured."""
    from plyground.games import load, title
    from plyground.players.levels import ANCHOR_ELO, RATINGS
    from plyground.players.opponents import offers

    heads = [title(game) for game in RATINGS]
    click.echo(f"\nlevels of the engine, rated in games against each other (level 1 is set to {ANCHOR_ELO})")
    click.echo(f"{'level':14}  {'answers':17}  {'  '.join(heads)}")
    for of_games in zip(*(offers(load(game)) for game in RATINGS), strict=True):
        rated = "  ".join(f"{offer.rating:>{len(head)}}" for offer, head in zip(of_games, heads, strict=True))
        level = of_games[0].level
        _print_row(f"{level.number:>2}  {level.name:10}  {of_games[0].answers:17}  {rated}  {level.about}")


@click.command()
@json_option
def heuristics(as_json: bool) -> None:
    """List the heuristics, what they count, and for which games.

    Use one as the option of a player, alpha-beta:depth=3,heuristic=lavoie, or see what it thinks of a position with
    evaluate. Your own weights are weights:0/1/4/16/64, your own function is FILE.py:FUNCTION. The JSON output is a list
    of objects with name, summary and games.
    """
    from plyground.core.specs import described
    from plyground.games import GAMES
    from plyground.heuristics import HEURISTICS

    rows = [
        (*described(name, factory)[:2], [game for game in GAMES if _fits(factory, game)])
        for name, factory in HEURISTICS.items()
    ]
    if as_json:
        listed = [{"name": name, "summary": summary, "games": known} for name, summary, known in rows]
        write_json(listed)
        return
    width = max(len(name) for name, _, _ in rows)
    for name, summary, known in rows:
        where = "every game" if len(known) == len(GAMES) else " ".join(known)
        _print_row(f"{name:{width}}  {summary}  [{where}]")


def _fits(factory: Callable[..., object], game: str) -> bool:
    """Whether a heuristic can be built for a game."""
    from plyground.games import load

    try:
        factory(load(game))
    except ValueError:
        return False
    return True


def _list(
    registry: Mapping[str, Callable[..., object]], as_json: bool, others: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Rows of what is registered; as JSON also of others without options, by their summaries."""
    from plyground.core.specs import described, options_of

    rows = [described(name, factory) for name, factory in registry.items()]
    if as_json:
        listed = [
            {
                "name": name,
                "summary": summary,
                "options": [
                    {"name": option.name, "default": option.default, "expected": option.expected}
                    for option in options_of(registry[name]).values()
                ],
            }
            for name, summary, _ in rows
        ]
        write_json([*listed, *({"name": name, "summary": summary, "options": []} for name, summary in others.items())])
        return
    width = max(len(name) for name, _, _ in rows)
    for name, summary, options in rows:
        _print_row(f"{name:{width}}  {summary}{f'  [{options}]' if options else ''}")


def _print_row(row: str) -> None:
    """Print a row; on a screen that is too narrow for it, in several lines that break between words."""
    from plyground.terminal.console import wrapped

    click.echo(wrapped(row, shutil.get_terminal_size().columns) if sys.stdout.isatty() else row)
