"""`plyground analyse`: every legal move with its score, and the threats on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.output import write_json, write_text
from plyground.cli.parameters import (
    json_option,
    limit_option,
    load_player,
    player_option,
    position_arguments,
    seed_option,
    whole_number,
)

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.search.base import Analysis, Ranking

Json = dict[str, object]


@click.command()
@position_arguments
@player_option("engine", "Player that scores the moves.")
@limit_option("Time to think.")
@click.option("--depth", metavar="N", type=whole_number(1), help="Maximum search depth in plies.")
@click.option("--opinions", is_flag=True, help="Also rank moves that are proved to draw, by the engine's evaluation.")
@seed_option
@json_option
def analyse(
    position: Position, spec: str, limit: float, depth: int | None, opinions: bool, seed: int, as_json: bool
) -> None:
    """Score every legal move of a position and list the threats.

    A proved score is written in words, with the number of plies to the end of the game. Any other score is the player's
    evaluation for the side to move, in its own units. Moves are ranked only against moves searched to the same depth;
    the others are listed separately. Comparing all moves takes longer than choosing one, so in a game the same player
    searches deeper; a note says so where it may choose another move. The JSON output is one line per depth with the
    best move, and a last line with best, moves, not_compared (each move with score, verdict, proved, source, text,
    depth and line), threats, reasons (why the best move is best), note (what limits the comparison, or null) and
    outcome.
    """
    from plyground.cli.show import standing
    from plyground.players import rank
    from plyground.players.engine import EnginePlayer
    from plyground.search.base import Limit, Ranking
    from plyground.terminal.console import drawn
    from plyground.terminal.live_line import LiveLine

    player = load_player(spec, position.rules, seed, "'--player'")
    ranking, limits = Ranking(()), Limit(depth, seconds=limit)
    if opinions and not isinstance(player, EnginePlayer):
        player.close()
        raise click.UsageError(f"--opinions are the engine's, so it needs an engine as --player, got {spec!r}")
    try:
        if not position.outcome():
            with LiveLine(player.name) as line:
                engine = player if isinstance(player, EnginePlayer) else None
                found = engine.rank(position, limits, opinions) if engine else rank(player, position, limits)
                for ranking in found:
                    best = ranking.best
                    line.found = f", depth {best.depth}, {position.write(best.move)} ({best.brief})"
                    if as_json:
                        write_json(_progress(position, ranking))
    finally:  # after Ctrl-C too: what was found counts
        player.close()
        if as_json:
            write_json(_found(position, ranking))
        else:
            click.echo(drawn(position), color=True)
            click.echo(standing(position))
            _show(position, ranking)


def _progress(position: Position, ranking: Ranking) -> Json:
    written = ranking.best.to_json(position)
    nodes = max(analysis.nodes for analysis in ranking)
    return {"depth": ranking.best.depth, "best": written.pop("move"), **written, "nodes": nodes}


def _found(position: Position, ranking: Ranking) -> Json:
    from plyground.cli.show import outcome_json
    from plyground.heuristics.evaluation import threats

    names_of = position.rules.grid.names_of
    return {
        "best": position.write(ranking.best.move) if len(ranking) else None,
        "moves": [analysis.to_json(position) for analysis in ranking.compared],
        "not_compared": [analysis.to_json(position) for analysis in ranking.others],
        "threats": [
            {
                "side": threat.side.text,
                "kind": position.rules.families[threat.family],
                "cells": names_of(threat.cells),
                "missing": names_of(threat.missing)[0],
                "at_once": threat.at_once,
            }
            for threat in (() if position.outcome() else threats(position))
        ],
        "reasons": list(_reasons(position, ranking)),
        "note": _note(position, ranking),
        "outcome": outcome_json(position),
    }


def _reasons(position: Position, ranking: Ranking) -> tuple[str, ...]:
    """Why the best move is worth what it is worth, in sentences; none when the game is over."""
    from plyground.judge.explain import explained
    from plyground.judge.judge import judge_of

    if not len(ranking):
        return ()
    return explained(judge_of(position.rules), position, ranking.best.move, ranking.best.score).sentences


def _note(position: Position, ranking: Ranking) -> str | None:
    """Why a player that looks for one move may choose another than the best of the comparison."""
    if not (ranking.cut_off and ranking.compared):
        return None
    best, depth = position.write(ranking.best.move), ranking.best.depth
    return f"{best} is best at depth {depth}; in a game the player searches deeper and may choose another move"


def _show(position: Position, ranking: Ranking) -> None:
    from plyground.heuristics.evaluation import threats

    for analysis in ranking.compared:
        write_text(_row(position, ranking, analysis), position.rules)
    if note := _note(position, ranking):
        write_text(f"note: {note}", position.rules)
    known = [analysis for analysis in ranking.others if analysis.score is not None]
    if ranking.chosen and not known:
        click.echo("the player reports only the move it chose")
    elif ranking.others:
        if known:
            click.echo("not compared yet:")
        for analysis in known:
            write_text(_row(position, ranking, analysis), position.rules)
        rest = [position.write(analysis.move) for analysis in ranking.others if analysis.score is None]
        if rest:
            between = "; " if any(" " in move for move in rest) else " "
            write_text(f"not searched: {between.join(rest)}", position.rules)
    if not position.outcome():
        if len(ranking):
            click.echo(f"why {position.write(ranking.best.move)}:")
        for reason in _reasons(position, ranking):
            write_text(f"  {reason}", position.rules)
        found = threats(position)
        click.echo("threats:" if found else "no threats")
        for threat in found:
            write_text(f"  {threat.text(position.rules)}")


def _row(position: Position, ranking: Ranking, analysis: Analysis) -> str:
    """A move with its score, where that comes from and the play that follows."""
    from plyground.core.notation import write_moves
    from plyground.search.score import Score

    listed = [*ranking.compared, *(each for each in ranking.others if each.score is not None)]
    width = max(len(position.write(each.move)) for each in listed)
    said = max(len(each.brief) for each in listed)
    depth = f"depth {analysis.depth}" if analysis.depth else "no search"
    where = f"proved ({analysis.source})" if analysis.proved else depth
    if analysis.proved and analysis.score == Score.draw() and analysis.points is not None:
        where += f", evaluation {analysis.points:+}"
    line = write_moves(position.rules, analysis.line)
    return f"{position.write(analysis.move):>{width}}  {analysis.brief:>{said}}  {where}  {line}"
