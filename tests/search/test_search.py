"""Minimax and alpha-beta: equal answers, fewer nodes, nearer wins, limits kept."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import after, any_position, drawn, facts
from plyground import heuristics, players
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.games import load
from plyground.heuristics.base import Heuristic
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Analysis, Effort, Limit, OutOfTime
from plyground.search.deepening import Deepening, FixedDepth, deepening
from plyground.search.minimax import minimax
from plyground.search.score import Score

SMALL = ("tic-tac-toe", "mnk:columns=4,rows=3", "connect-four:rows=4,columns=5", "polarized-ladder:height=3")


def lines(position: Position) -> Heuristic:
    return heuristics.load("lines", position.rules)


def deepest(position: Position, limit: Limit) -> Analysis:
    *_, analysis = Deepening(alpha_beta, lines(position), exhaustive=True)(position, limit)
    return analysis


@given(
    any_position(*SMALL, "connect-four", "polarized-ladder:variant=open,height=5").filter(
        lambda position: position.outcome() is None
    ),
    st.integers(1, 3),
)
@settings(max_examples=40)
def test_alpha_beta_finds_what_minimax_finds_with_no_more_nodes(position: Position, depth: int) -> None:
    efforts = Effort(Limit()), Effort(Limit())
    plain = minimax(position, depth, lines(position), efforts[0])
    pruned = alpha_beta(position, depth, lines(position), efforts[1])
    assert pruned == plain
    assert efforts[1].nodes <= efforts[0].nodes
    assert efforts[1].evaluations <= efforts[0].evaluations


def test_alpha_beta_looks_at_far_fewer_nodes() -> None:
    position, efforts = after("connect-four:rows=6,columns=7"), (Effort(Limit()), Effort(Limit()))
    assert minimax(position, 4, lines(position), efforts[0]) == alpha_beta(position, 4, lines(position), efforts[1])
    assert efforts[0].nodes == 1 + 7 + 49 + 343 + 2401
    assert efforts[1].nodes < efforts[0].nodes / 2


def solved(position: Position) -> Score:
    """The value by the definition: every line of play to the end of the game, nearer ends worth more."""
    over = position.outcome()
    if over is None:
        return max(solved(position.play(move)).before_move() for move in position.moves())
    if over.winner is None:
        return Score.draw()
    return Score.win(0) if over.winner is position.to_move else Score.loss(0)


@given(any_position("tic-tac-toe").filter(lambda position: position.outcome() is None and position.ply >= 2))
@settings(max_examples=15)
def test_a_search_to_the_end_gives_the_value_of_the_game(position: Position) -> None:
    analysis = deepest(position, Limit())
    assert analysis.score == solved(position)
    assert analysis.proved


def test_tic_tac_toe_is_a_draw() -> None:
    analysis = deepest(after("tic-tac-toe"), Limit())
    assert (analysis.score, analysis.proved, analysis.text) == (Score.draw(), True, "draw")


def test_a_win_at_hand_is_taken_and_not_one_farther_away() -> None:
    position = drawn(
        "connect-four:rows=4,columns=5",
        """
        . . . . .
        . . . . .
        o o o . .
        x x x . .
        """,
        "x",
    )
    analysis = deepest(position, Limit(depth=5))
    assert position.write(analysis.line[0]) == "4"
    assert (analysis.score, analysis.text, analysis.proved) == (Score.win(1), "win in 1", True)
    assert analysis.depth == 1


def test_a_threat_is_stopped() -> None:
    position = after("connect-four:rows=6,columns=7", "41424")
    assert position.write(deepest(position, Limit(depth=2)).line[0]) == "4"


def test_a_loss_that_cannot_be_helped_is_put_off() -> None:
    position = drawn(
        "connect-four:rows=4,columns=6",
        """
        . . . . . .
        . . . . . .
        . . o o . .
        . . x x x .
        """,
        "o",
    )
    analysis = deepest(position, Limit(depth=4))
    assert (analysis.score, analysis.text) == (Score.loss(2), "loss in 2")
    assert [position.write(move) for move in analysis.line] in (["1", "2"], ["2", "6"], ["6", "2"])


@pytest.mark.parametrize("search", [minimax, alpha_beta])
def test_the_first_of_equal_moves_is_chosen(search: FixedDepth) -> None:
    position = after("connect-four")
    assert search(position, 2, lambda _: 0, Effort(Limit())) == (0, (position.parse("1"), Move(1)))


def test_deepening_yields_every_depth_up_to_the_limit() -> None:
    position = after("connect-four")
    analyses = list(deepening(alpha_beta, lines(position))(position, Limit(depth=3)))
    assert [analysis.depth for analysis in analyses] == [1, 2, 3]
    assert [analysis.nodes for analysis in analyses] == sorted(analysis.nodes for analysis in analyses)
    assert all(len(analysis.line) == analysis.depth for analysis in analyses)


def test_deepening_stops_when_nothing_is_left_to_find() -> None:
    position = after("tic-tac-toe", "A1 B2 C3 B1 B3 A2 C2")
    analyses = list(Deepening(minimax, lines(position), exhaustive=True)(position, Limit()))
    assert analyses[-1].depth <= 2
    assert analyses[-1].proved


@pytest.mark.parametrize("nodes", [1, 5, 50, 500])
@pytest.mark.parametrize("search", ["minimax", "alpha-beta"])
def test_a_node_limit_is_kept_and_gives_the_same_answer_twice(search: str, nodes: int) -> None:
    position = after("connect-four", "4453")
    player = players.load(search, position.rules)
    runs = [list(player.think(position, Limit(nodes=nodes))) for _ in range(2)]
    assert all(analysis.nodes <= nodes for analysis in runs[0])
    assert [(a.line, a.score, a.depth, a.nodes) for a in runs[0]] == [
        (a.line, a.score, a.depth, a.nodes) for a in runs[1]
    ]
    assert position.objection(runs[0][-1].line[0]) is None


def test_no_time_at_all_still_gives_a_legal_move() -> None:
    position = after("connect-four", "444444")
    (analysis,) = deepening(alpha_beta, lines(position))(position, Limit(seconds=1e-9))
    assert analysis.depth == 0
    assert position.objection(analysis.line[0]) is None


def test_a_search_out_of_time_says_so() -> None:
    position = after("connect-four")
    with pytest.raises(OutOfTime):
        minimax(position, 3, lines(position), Effort(Limit(nodes=10)))


@pytest.mark.parametrize("field", ["depth", "nodes", "seconds"])
def test_a_limit_must_be_above_nothing(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field} must be above 0, got 0"):
        Limit(**{field: 0})


def test_the_stricter_of_two_limits_counts() -> None:
    assert Limit(depth=3, nodes=100).within(Limit(depth=5, seconds=2.0)) == Limit(3, 100, 2.0)
    assert Limit(seconds=3.0).within(Limit(seconds=1.0)) == Limit(seconds=1.0)


def test_scores_are_shown_in_words() -> None:
    reported = [
        Analysis((), score, 1, 1, 0.0).text for score in (Score.points(12), Score.points(-3), Score.draw(), None)
    ]
    assert reported == ["+12", "-3", "draw", "no score"]
    assert Analysis((), Score.win(5), 5, 1, 0.0).text == "win in 5"
    assert Analysis((), Score.loss(4), 5, 1, 0.0).text == "loss in 4"
    assert Analysis((), Score.win(7, at_most=True), 5, 1, 0.0).text == "win in at most 7"


def test_the_courses_demo_search_has_its_known_figures() -> None:
    reported = facts("heuristics.json")["demo_search"]
    position = Position.start(load(reported["game"]))
    effort = Effort(Limit())
    score, _ = minimax(position, reported["depth"], heuristics.load(reported["heuristic"], position.rules), effort)
    assert effort.evaluations == reported["evaluations"]
    assert score / 2 == reported["root"]
    assert len(position.moves()) == reported["values_at_level_2"]


def test_the_random_player_is_the_same_for_the_same_seed() -> None:
    position = after("gomoku")
    chosen = [
        [players.choose(players.load("random", position.rules, seed), position, Limit()) for seed in range(9)]
        for _ in "ab"
    ]
    assert chosen[0] == chosen[1]
    assert len(set(chosen[0])) > 1


def test_alpha_beta_does_not_lose_tic_tac_toe_to_the_random_player() -> None:
    position = after("tic-tac-toe")
    pair = players.load("alpha-beta:depth=5", position.rules), players.load("random", position.rules, seed=1)
    while position.outcome() is None:
        position = position.play(players.choose(pair[position.to_move], position, Limit()))
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is not Side.SECOND
