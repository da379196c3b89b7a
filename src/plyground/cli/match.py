"""`plyground match`: two players, many games, which one is better and how certain that is."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.parameters import game_argument, json_option, load_player, seconds_value

if TYPE_CHECKING:
    from plyground.core.rules import Rules
    from plyground.play.match import MatchGame
    from plyground.ratings import Tally


def new_file_value(text: str) -> Path:
    """A file that can be written and is not there yet; a usage error otherwise, before hours of play."""
    path = Path(text)
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise click.BadParameter(f"there is no writable folder {str(path.parent)!r}")
    if path.is_dir() or (path.exists() and path.stat().st_size):
        raise click.BadParameter(f"{text!r} exists already; choose another name")
    return path


@click.command()
@game_argument
@click.argument("first", metavar="SPEC")
@click.argument("second", metavar="SPEC")
@click.option("--games", metavar="N", type=click.IntRange(1), default=10, show_default=True, help="Number of games.")
@click.option("--limit", metavar="SECONDS", type=seconds_value, default="3", show_default=True, help="Time per move.")
@click.option(
    "--openings",
    metavar="N",
    type=click.IntRange(0),
    default=2,
    show_default=True,
    help="Random moves at the start of each pair of games; 0 starts from the empty board.",
)
@click.option("--seed", metavar="N", type=click.IntRange(0), default=0, show_default=True, help="Random seed.")
@click.option("--lenient", is_flag=True, help="Practice: warn a bot about a fault and ask it again.")
@click.option("--save", metavar="FILE", type=new_file_value, help="Save the game records to FILE.")
@json_option
def match(
    game: Rules,
    first: str,
    second: str,
    games: int,
    limit: float,
    openings: int,
    seed: int,
    lenient: bool,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play many games between two players and report the score.

    The score comes with its error bar. Games come in pairs from the same random opening, the second one with the
    sides swapped. A player that fails or plays an illegal move loses that game. Records are JSON lines where FILE ends
    in .json or .jsonl, otherwise PGN; they are saved after every game, so an interrupted match loses nothing. The JSON
    output is one object with first, second, games, wins, draws, losses, score, error, elo, elo_error and faults.
    """
    from plyground.cli.core import note_missing_core
    from plyground.cli.progress import progress_bar
    from plyground.play.match import play_match
    from plyground.play.records import save_records
    from plyground.referee import bots, entrants
    from plyground.search.base import Limit

    if lenient:
        first, second = bots.lenient(first), bots.lenient(second)
    names = [load_player(spec, game, seed, "'SPEC'").name for spec in (first, second)]
    note_missing_core()
    played: list[MatchGame] = []
    try:
        with progress_bar(games) as advance:
            for one in play_match(game, first, second, games, Limit(seconds=limit), openings, seed, entrants.load):
                played.append(one)
                if save:
                    save_records(save, (earlier.record for earlier in played))
                advance(_in_words(_tally(played)))
    finally:  # after Ctrl-C too: what was played counts
        if played:
            _print(names, played, as_json)


def _tally(played: list[MatchGame]) -> Tally:
    """How the player named first did."""
    from plyground.ratings import GameScore, tally

    # Seats by number, not by name: a player may meet itself.
    seats = (("1", "2"), ("2", "1"))
    scores = [GameScore(*seats[game.swapped], game.points, str(game.number // 2)) for game in played]
    return tally(scores, "1")


def _in_words(score: Tally) -> str:
    from plyground.ratings.elo import Z95

    return f"+{score.wins} ={score.draws} -{score.losses}  {score.share:.1%} ± {Z95 * score.deviation:.1%}"


def _print(names: list[str], played: list[MatchGame], as_json: bool) -> None:
    from plyground.core.notation import plural
    from plyground.ratings.elo import Z95, elo_between

    score = _tally(played)
    elo = elo_between(score)
    faults = [sum(game.at_fault == player for game in played) for player in (0, 1)]
    if as_json:
        import json

        scored = {
            "first": names[0],
            "second": names[1],
            "games": score.games,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "score": score.share,
            "error": Z95 * score.deviation,
            "elo": elo.value if math.isfinite(elo.value) else None,
            "elo_error": elo.error if math.isfinite(elo.error) else None,
            "faults": faults,
        }
        click.echo(json.dumps(scored, ensure_ascii=False))
        return
    click.echo(f"{names[0]} against {names[1]}: {_in_words(score)} after {plural(score.games, 'game', 'games')}")
    if math.isfinite(elo.error):
        click.echo(f"Elo {elo.value:+.0f} ± {elo.error:.0f} (95 %)")
    for name, count in zip(names, faults, strict=True):
        if count:
            click.echo(f"{name} lost {plural(count, 'game', 'games')} by a fault")
    for game in played:
        rules, fault = game.record.rules, game.record.fault
        for side, warnings in zip(rules.sides, game.record.warnings, strict=True):
            for warning in warnings:
                click.echo(f"  game {game.number + 1}: warned, {side}: {warning}")
        if fault is not None:
            click.echo(f"  game {game.number + 1}: {fault.kind.value}, {fault.text(rules)}")
