"""Reviews of 200 games: whoever is stronger has the better accuracy, and what a review says of a move is true."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest

from plyground import Limit, games, players
from plyground.core.rules import Side
from plyground.judge.judge import Judge
from plyground.judge.review import Loss, review, summarise
from plyground.play.match import GameTerms, play_game
from plyground.play.openings import openings

GAME = "connect-four:rows=6,columns=7"
LEVELS = (1, 3, 5)
"""Higher ones search deeper than the judge may here, so it could not grade them."""

GAMES = 67
"""Of each level, half of them as the second player."""

OPPONENT = "engine:level=3"
OPENING_PLIES = 2
"""Moves drawn by lot, so that games differ: few, since they say nothing of the players."""

LIMIT, LONGER = Limit(nodes=20_000), Limit(nodes=100_000)


@pytest.mark.slow
def test_accuracy_rises_with_the_level_and_no_loser_has_100_percent() -> None:
    rules = games.load(GAME)
    judge, level_accuracy = Judge(rules), list[float]()
    for level in LEVELS:
        points = list[int]()
        for number, opening in enumerate(islice(openings(rules, OPENING_PLIES, level), GAMES)):
            side = Side(number % 2)
            mine, other = (players.load(spec, rules, number) for spec in (f"engine:level={level}", OPPONENT))
            pair = (mine, other) if side is Side.FIRST else (other, mine)
            record = play_game(rules, *pair, GameTerms(opening=opening))
            start = next(record.positions())
            moves = [played.move for played in record.moves]
            found = list(review(judge, start, moves, LIMIT))
            summary = summarise(found)
            for each in found:
                if each.better is not None:
                    assert each.played is not None
                    assert each.better.score is not None
                    assert each.worth is not None
                    assert each.better.move != each.played
                    if each.cost is None or each.cost.what is Loss.POINTS:
                        continue  # an opinion, which a deeper search may correct
                    exact = judge.judge(each.position, LONGER).ranking
                    better, played = (exact.find(move).score for move in (each.better.move, each.played))
                    if better is not None and played is not None and better.proved and played.proved:
                        assert (better.won, not better.lost) >= (played.won, not played.lost)
            winner = record.result.winner
            if winner is not None:
                lost = summary.accuracy[Side(winner).other]
                assert lost is not None
                assert lost < 100
            if (accuracy := summary.accuracy[side]) is not None:
                points.append(accuracy)
        level_accuracy.append(sum(points) / len(points))
    assert all(one < other for one, other in pairwise(level_accuracy)), level_accuracy
