"""`plyground match`: two players, many games, which one is better and how certain that is."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.completing import complete_player
from plyground.cli.output import write_json, write_text
from plyground.cli.parameters import (
    file_to_write,
    game_argument,
    json_option,
    load_player,
    seed_option,
    time_option,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor

    from plyground.core.rules import Rules
    from plyground.play.clock import TimeControl
    from plyground.play.match import MatchGame
    from plyground.ratings import Sprt, SprtState, Tally
    from plyground.tournament.match import MatchTerms

USUAL_GAMES = 10
"""Games of a match when nothing is asked for."""

MOST_SPRT_GAMES = 20_000
"""Games after which a sequential test ends at the latest."""


def new_file_value(text: str) -> Path:
    """A file that can be written and is not there yet; a usage error otherwise, before hours of play."""
    path = file_to_write(text)
    if path.exists() and path.stat().st_size:
        raise click.BadParameter(f"{text!r} exists already; choose another name")
    return path


def sprt_value(text: str) -> Sprt:
    """A sequential test; a usage error otherwise."""
    from plyground.ratings import Sprt

    try:
        return Sprt.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@game_argument
@click.argument("first", metavar="SPEC", shell_complete=complete_player)
@click.argument("second", metavar="SPEC", shell_complete=complete_player)
@click.option(
    "--games",
    metavar="N",
    type=whole_number(1),
    help=f"Number of games.  [default: {USUAL_GAMES}; with --sprt at most {MOST_SPRT_GAMES}]",
)
@time_option
@click.option(
    "--openings",
    "--opening",
    metavar="N",
    type=whole_number(0),
    default="2",
    show_default=True,
    help="Random moves at the start of each pair of games; 0 starts from the empty board.",
)
@click.option(
    "--balanced", is_flag=True, help="Choose the most even of several openings each, as the engine sees them."
)
@seed_option
@click.option(
    "--sprt",
    metavar="ELO0,ELO1",
    type=sprt_value,
    help="Stop as soon as one of these two Elo differences is established.",
)
@click.option(
    "--concurrency",
    metavar="N",
    type=whole_number(1),
    default="1",
    show_default=True,
    help="Games at the same time.",
)
@click.option("--lenient", is_flag=True, help="Practice: warn a bot about a fault and ask it again.")
@click.option("--save", metavar="FILE", type=new_file_value, help="Save the game records to FILE.")
@json_option
def match(
    game: Rules,
    first: str,
    second: str,
    games: int | None,
    control: TimeControl,
    openings: int,
    balanced: bool,
    seed: int,
    sprt: Sprt | None,
    concurrency: int,
    lenient: bool,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play many games between two players and report the score.

    The score comes with its 95 % interval. Elo is the difference in strength: 0 is equal, +200 is 76 % of the points.
    With few games it is a cautious estimate, closer to 0 than the score itself would suggest. Games come in pairs from
    the same random opening, the second one with the sides swapped. A player that fails or plays an illegal move loses
    that game; one that cannot start ends the match with exit code 1. Records are JSON lines if FILE ends in .json or
    .jsonl, otherwise PGN; they are saved after every game, so an interrupted match loses nothing. The JSON output is
    one object with first, second, games, wins, draws, losses, pairs, score, score_low, score_high, elo, elo_low,
    elo_high, sprt and faults.
    """
    from plyground.cli.progress import progress_bar
    from plyground.ratings import in_words
    from plyground.referee import bots
    from plyground.tournament.match import play_match

    terms = _terms(game, control, openings, balanced, seed)
    if lenient:
        first, second = bots.lenient(first), bots.lenient(second)
    names = [_started(spec, game, seed) for spec in (first, second)]
    most = games or (USUAL_GAMES if sprt is None else MOST_SPRT_GAMES)
    played: list[MatchGame] = []
    try:
        with progress_bar(most) as advance, _workers(concurrency) as (executor, at_once):
            for score in _scores(play_match(terms, first, second, most, executor, at_once), played, save):
                advance(in_words(score))
                if sprt and sprt.state(score.pairs).verdict:
                    break
    finally:  # after Ctrl-C too: what was played counts
        if played:
            _print(names, played, sprt, as_json)


def _terms(game: Rules, control: TimeControl, openings: int, balanced: bool, seed: int) -> MatchTerms:
    from plyground.play.clock import UNLIMITED
    from plyground.search.base import Limit
    from plyground.tournament.match import MatchTerms

    if openings >= game.max_plies:
        longest = f"an opening in {game.name} has 0 to {game.max_plies - 1} moves, got {openings}"
        raise click.BadParameter(longest, param_hint="'--openings'")
    # A time per move is a limit that programs keep by themselves; games are lost by a time per game only.
    clock = UNLIMITED if control.game is None else control
    return MatchTerms(game, Limit(seconds=control.move), openings, seed, balanced=balanced, control=clock)


def _scores(games: Iterable[MatchGame], played: list[MatchGame], save: Path | None) -> Iterator[Tally]:
    """The score after each game, which is added to those played and saved."""
    from plyground.play.match import tally_of
    from plyground.play.records import append_record
    from plyground.ratings import Tally

    pairs = Tally()
    for game in games:
        played.append(game)
        if save is not None:
            append_record(save, game.record)
        score = pairs + tally_of(played[-1 - game.number % 2 :])
        if game.number % 2:
            pairs = score
        yield score


def _started(spec: str, rules: Rules, seed: int) -> str:
    """The name of a player that can start; a failure of the command when it cannot."""
    from plyground.play.faults import Fault
    from plyground.play.guests import Guest

    with closing(load_player(spec, rules, seed, "'SPEC'")) as player:
        try:
            if isinstance(player, Guest):
                player.start()
        except (Fault, OSError) as error:
            wrote = getattr(error, "stderr", "").strip()
            last = f"; it wrote: {wrote.splitlines()[-1]}" if wrote else ""
            raise click.ClickException(f"{spec} cannot start: {error}{last}") from None
        return player.name


def _workers(count: int) -> AbstractContextManager[tuple[Executor, int]]:
    """Processes that play several games at once; this one for one game after the other."""
    from plyground.tournament import executors

    return executors.in_process() if count == 1 else executors.local(count)


def _print(names: Sequence[str], played: Sequence[MatchGame], sprt: Sprt | None, as_json: bool) -> None:
    from plyground.core.notation import plural
    from plyground.play.match import tally_of
    from plyground.ratings import in_words
    from plyground.ratings.sprt import sentence
    from plyground.report.tables import elo_sentence

    score = tally_of(played)
    state = sprt.state(score.pairs) if sprt else None
    faults = [sum(game.at_fault == player for game in played) for player in (0, 1)]
    if as_json:
        write_json(_to_json(names, score, faults) | _sprt_to_json(sprt, state))
        return
    write_text(f"{names[0]} against {names[1]}: {in_words(score)} after {plural(score.games, 'game', 'games')}")
    write_text(elo_sentence(score))
    if score.all_split:
        write_text(
            "every pair was split: who stood better after the opening won, and the match says little about the players;"
            " try --balanced, or other --openings"
        )
    if sprt and state:
        write_text(sentence(sprt, state, *names))
    for name, count in zip(names, faults, strict=True):
        if count:
            write_text(f"{name} lost {plural(count, 'game', 'games')} by a fault")
    for game in played:
        _print_faults(game)


def _to_json(names: Sequence[str], score: Tally, faults: Sequence[int]) -> dict[str, object]:
    from plyground.ratings import elo_between, share_estimate

    share, elo = share_estimate(score), elo_between(score)
    return {
        "first": names[0],
        "second": names[1],
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "pairs": score.pairs,
        "score": share.value,
        "score_low": share.low,
        "score_high": share.high,
        "elo": elo.value,
        "elo_low": elo.low,
        "elo_high": elo.high,
        "faults": faults,
    }


def _sprt_to_json(sprt: Sprt | None, state: SprtState | None) -> dict[str, object]:
    return {"sprt": None if state is None else {"test": str(sprt), **state._asdict()}}


def _print_faults(game: MatchGame) -> None:
    """Print what was forgiven in a game, and why it was lost without being decided."""
    rules, fault = game.record.rules, game.record.fault
    for side, warnings in zip(rules.sides, game.record.warnings, strict=True):
        for warning in warnings:
            write_text(f"  game {game.number + 1}: warned, {side}: {warning}")
    if fault is not None:
        write_text(f"  game {game.number + 1}: {fault.kind.value}, {fault.text(rules)}")
