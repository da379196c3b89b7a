"""`plyground analyse`: every legal move with its score, and the threats on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.parameters import json_option, load_player, position_arguments, seconds_value

if TYPE_CHECKING:
    from plyground.position import Position
    from plyground.search.base import Analysis, Ranking

Told = dict[str, object]


@click.command()
@position_arguments
@click.option("--player", "spec", metavar="SPEC", default="engine", show_default=True, help="Who is asked.")
@click.option("--limit", metavar="SECONDS", type=seconds_value, default="3", show_default=True, help="Time to think.")
@click.option("--depth", metavar="N", type=click.IntRange(1), help="Plies to look ahead at the most.")
@click.option("--seed", metavar="N", type=click.IntRange(0), default=0, show_default=True, help="For those who guess.")
@json_option
def analyse(position: Position, spec: str, limit: float, depth: int | None, seed: int, as_json: bool) -> None:
    """Rank every legal move of a position and name the threats of both sides.

    Scores are for the side to move, in the player's own numbers; what is proved is told in words, its plies
    counted to the end of the game. The JSON is one line a depth with depth, nodes, seconds, best, score and
    line, and a last line with best, moves (move, score, verdict, proved, depth, line), threats and outcome.
    """
    from plyground.cli.core import note_missing_core
    from plyground.cli.show import standing
    from plyground.ranking import rank
    from plyground.search.base import Limit
    from plyground.terminal.console import drawn
    from plyground.terminal.thinking import LiveLine

    player = load_player(spec, position.rules, seed, "'--player'")
    ranking: Ranking = ()
    try:
        if not position.outcome():
            note_missing_core()
            with LiveLine(player.name) as line:
                for ranking in rank(player, position, Limit(depth, seconds=limit)):
                    best = ranking[0]
                    line.found = f", depth {best.depth}, {position.write(best.line[0])} ({best.verdict})"
                    if as_json:
                        _write(_progress(position, best))
    finally:  # after Ctrl-C too: what was found counts
        if as_json:
            _write(_told(position, ranking))
        else:
            click.echo(drawn(position), color=True)
            click.echo(standing(position))
            _show(position, ranking)


def _write(told: Told) -> None:
    import json

    click.echo(json.dumps(told, ensure_ascii=False))


def _progress(position: Position, best: Analysis) -> Told:
    return {
        "depth": best.depth,
        "nodes": best.nodes,
        "seconds": round(best.seconds, 3),
        "best": position.write(best.line[0]),
        "score": best.score,
        "line": [position.write(move) for move in best.line],
    }


def _told(position: Position, ranking: Ranking) -> Told:
    from plyground.cli.show import outcome_told
    from plyground.explain import threats

    names_of = position.rules.grid.names_of
    return {
        "best": position.write(ranking[0].line[0]) if ranking else None,
        "moves": [
            {
                "move": position.write(analysis.line[0]),
                "score": analysis.score,
                "verdict": analysis.verdict,
                "proved": analysis.final,
                "depth": analysis.depth,
                "line": [position.write(move) for move in analysis.line],
            }
            for analysis in ranking
        ],
        "threats": [
            {
                "side": threat.side.text,
                "kind": position.rules.families[threat.family],
                "cells": names_of(threat.cells),
                "missing": names_of(threat.missing)[0],
                "at_once": threat.at_once,
            }
            for threat in threats(position)
        ],
        "outcome": outcome_told(position),
    }


def _show(position: Position, ranking: Ranking) -> None:
    from plyground.explain import threats
    from plyground.notation import write_moves

    if ranking:
        width = max(len(position.write(analysis.line[0])) for analysis in ranking)
        said = max(len(analysis.verdict) for analysis in ranking)
        for analysis in ranking:
            depth = f"depth {analysis.depth}" if analysis.depth else "not searched"
            line = write_moves(position.rules, analysis.line)
            click.echo(f"{position.write(analysis.line[0]):>{width}}  {analysis.verdict:>{said}}  {depth}  {line}")
    if not position.outcome():
        found = threats(position)
        click.echo("threats:" if found else "no threats")
        for threat in found:
            click.echo(f"  {threat.text(position.rules)}")
