"""Every legal move with its score: ranked, proved where it can be, by any player."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boards import after
from command import bot_spec
from plyground import games, heuristics, players
from plyground.cli import cli
from plyground.core.position import Position
from plyground.players import rank
from plyground.search.base import Effort, Limit, Ranking
from plyground.search.minimax import minimax
from plyground.search.score import Score

TIC_TAC_TOE = games.load("tic-tac-toe")

PY_BOT = "def choose(position, limit):\n    return 'A1'\n"
JSON_BOT = """\
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind != "end":
        print(json.dumps({"name": "bot"} if kind == "start" else {"move": "A1"}), flush=True)
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["analyse", *arguments])


def ranked(spec: str, position: Position, limit: Limit = Limit()) -> Ranking:  # noqa: B008
    *_, ranking = rank(players.load(spec, position.rules, seed=1), position, limit)
    return ranking


@pytest.mark.parametrize("spec", ["minimax:depth=3", "alpha-beta:depth=3"])
def test_each_move_has_the_score_a_search_of_its_position_gives(spec: str) -> None:
    position = after("connect-four:rows=4,columns=5", "3231")
    lines = heuristics.load("lines", position.rules)
    ranking = ranked(spec, position)
    assert ranking.others == ()
    for analysis in ranking:
        value, _ = minimax(position.play(analysis.line[0]), analysis.depth - 1, lines, Effort(Limit()), plies=1)
        assert analysis.score == Score.of_value(-value)


def test_every_legal_move_is_there_once_best_first() -> None:
    position = after("connect-four", "4455")
    ranking = ranked("alpha-beta:depth=2", position)
    assert sorted(analysis.line[0] for analysis in ranking) == sorted(position.moves())
    scores = [analysis.score for analysis in ranking if analysis.score is not None]
    assert len(scores) == len(ranking)
    assert scores == sorted(scores, reverse=True)


def test_a_full_search_shows_wins_losses_and_draws_in_words() -> None:
    # 2  o o .
    # 1  x x .
    position = after("tic-tac-toe", "A1 A2 B1 B2")
    words = {position.write(a.line[0]): a.text for a in ranked("alpha-beta:depth=9", position)}
    assert words == {"C1": "win in 1", "C2": "draw", "A3": "loss in 2", "B3": "loss in 2", "C3": "loss in 2"}


def test_a_game_seen_to_its_end_is_a_proved_draw() -> None:
    ranking = ranked("alpha-beta:depth=9", after("tic-tac-toe", "A1 B2"))
    assert {analysis.text for analysis in ranking} == {"draw"}
    assert all(analysis.proved for analysis in ranking)


@pytest.mark.parametrize("spec", ["mcts:nodes=500", "random", "beam:depth=3", "engine:level=2", "engine:level=1"])
def test_any_player_can_be_asked(spec: str) -> None:
    position = after("tic-tac-toe", "A1 B2")
    ranking = ranked(spec, position, Limit(seconds=5))
    assert sorted(analysis.line[0] for analysis in ranking) == sorted(position.moves())


def test_the_old_programs_rank_by_their_own_values() -> None:
    position = after("polarized-ladder:variant=open", "G3 H4 F2")
    best = ranked("ayoub-qabbani:level=1", position).best
    *_, chosen = players.load("ayoub-qabbani:level=1", position.rules).think(position, Limit())
    assert (best.line, best.score, best.points) == (chosen.line, chosen.score, chosen.points)
    assert best.points is not None


def test_without_time_for_a_single_depth_the_moves_not_searched_come_last() -> None:
    ranking = ranked("alpha-beta", after("tic-tac-toe", ""), Limit(nodes=5))
    assert len(ranking) == 9
    assert ranking.compared == ()
    assert [analysis.depth for analysis in ranking] == [1, 1, 1, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "spec", ["minimax:depth=3", "alpha-beta:depth=3", "beam:depth=3", "mcts:nodes=500", "random", "engine:nodes=500"]
)
def test_a_player_given_which_moves_are_allowed_chooses_one_of_them(spec: str) -> None:
    position = after("tic-tac-toe", "A1")
    player = players.load(spec, position.rules, seed=1)
    for move in position.moves():
        assert {analysis.move for analysis in player.think(position, Limit(seconds=5), [move])} == {move}
    two = position.moves()[3:5]
    assert {analysis.move for analysis in player.think(position, Limit(seconds=5), two)} <= set(two)


def test_the_command_writes_a_json_line_a_depth_and_a_last_one_with_all_moves() -> None:
    result = run("tic-tac-toe", "--after", "A1 A2 B1", "--player", "alpha-beta:depth=3", "--json")
    assert result.exit_code == 0, result.output
    *deeper, last = map(json.loads, result.stdout.splitlines())
    assert [line["depth"] for line in deeper] == [1, 2, 3]
    assert (last["best"], len(last["moves"])) == ("C1", 6)
    assert last["moves"][0]["move"] == last["moves"][0]["line"][0] == "C1"
    keys = {"move", "score", "verdict", "proved", "source", "text", "depth", "nodes", "seconds", "line"}
    assert [set(reported) for reported in last["moves"]] == [keys] * 6
    assert last["moves"][0]["score"] == deeper[-1]["score"]
    assert (last["moves"][0]["verdict"], last["moves"][0]["proved"]) == (None, False)
    assert [
        (reported["score"], reported["verdict"], reported["proved"], reported["text"]) for reported in last["moves"][1:]
    ] == [(None, {"result": "loss", "plies": 2}, True, "loss in 2")] * 5
    assert last["not_compared"] == []
    assert last["threats"] == [
        {"side": "first", "kind": "row", "cells": ["A1", "B1", "C1"], "missing": "C1", "at_once": True}
    ]


def test_the_command_shows_verdicts_and_threats() -> None:
    result = run("tic-tac-toe", "--after", "A1 A2 B1 B2", "--player", "minimax:depth=5")
    assert result.exit_code == 0, result.output
    assert "C1   win in 1  proved (search)  C1" in result.stdout
    assert "A3  loss in 2" in result.stdout
    assert "  x: row A1-B1 + C1, at once" in result.stdout
    assert "  o: row A2-B2 + C2, at once" in result.stdout


def test_the_depth_asked_for_is_kept() -> None:
    # After these moves the books know one move only.
    result = run("connect-four", "--after", "12", "--depth", "2", "--limit", "60", "--json")
    moves = json.loads(result.stdout.splitlines()[-1])["moves"]
    assert {move["depth"] for move in moves if move["source"] == "search"} == {2}
    alone = run("connect-four", "--depth", "2", "--limit", "60", "--json", "--player", "engine:guard=no")
    assert [move["depth"] for move in json.loads(alone.stdout.splitlines()[-1])["moves"]] == [2] * 8


def test_a_decided_position_has_an_outcome_and_no_moves() -> None:
    result = run("connect-four", "--after", "1212121", "--json")
    assert result.exit_code == 0
    reported = json.loads(result.stdout)
    assert (reported["best"], reported["moves"], reported["outcome"]["winner"]) == (None, [], "first")


def test_a_bad_player_is_a_usage_error() -> None:
    result = run("connect-four", "--player", "enigne")
    assert result.exit_code == 2
    assert "did you mean 'engine'" in " ".join(result.output.split())


@pytest.mark.parametrize("kind", ["py", "cmd"])
def test_a_bot_shows_the_move_it_chose_and_why_there_are_no_scores(kind: str, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(PY_BOT if kind == "py" else JSON_BOT)
    spec = f"py:{bot}" if kind == "py" else f"{bot_spec(bot)},protocol=json"
    done = run("tic-tac-toe", "--after", "B2", "--player", spec, "--limit", "5")
    assert done.exit_code == 0, done.output
    assert "A1  no score" in done.stdout
    assert "the player reports only the move it chose" in done.stdout


def test_a_bot_that_cannot_start_is_named(tmp_path: Path) -> None:
    done = run("tic-tac-toe", "--player", f"py:{tmp_path / 'nothing.py'}")
    assert done.exit_code == 2
    assert "there is no file" in done.stderr


def test_drawn_moves_are_ranked_by_evaluation_only_where_that_is_asked_for() -> None:
    plain = run("polarized-ladder", "--limit", "600")
    assert "evaluation" not in plain.output
    asked = run("polarized-ladder", "--limit", "600", "--opinions")
    assert "draw  proved (pairing), evaluation " in asked.output


def test_only_the_engine_ranks_drawn_moves() -> None:
    done = run("tic-tac-toe", "--opinions", "--player", "minimax:depth=2")
    assert done.exit_code == 2
    assert "needs an engine as --player, got 'minimax:depth=2'" in done.output
