"""Why a move wins, loses or holds: sentences in known positions, and every claim held against the rules' own text."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from benchmarks import reasons

import witness
from boards import after
from command import run
from plyground import Limit, Position, Side, explain, games
from plyground.core.symmetry import canonical
from plyground.games import GAMES
from plyground.judge.claim_checks import CHECKS, holds
from plyground.judge.claim_words import LONGEST_SENTENCE_LETTERS, SENTENCES
from plyground.judge.claims import Claim, ClaimKind
from plyground.judge.explain import NOTHING_CHANGES, Explanation, explained
from plyground.judge.judge import Judge, judge_of
from plyground.judge.keeping import Keeper
from plyground.native import available
from plyground.search.score import Score

FAST = Limit(nodes=20_000)


@pytest.mark.parametrize(
    ("game", "moves", "move", "said"),
    [
        ("connect-four", "454545", "4", "Completes rows 1-2-3-4 of column 4 for x and ends the game."),
        ("connect-four", "43586", "7", "Stops x from completing columns 4-5-6-7 of row 1 at row 1 of column 7."),
        (
            "connect-four",
            "4151",
            "3",
            "Threatens columns 2-3-4-5 of row 1 at row 1 of column 2 and columns 3-4-5-6 of row 1 at row 1 of column 6"
            ": no move stops both.",
        ),
        (
            "connect-four",
            "43586",
            "1",
            "Does not stop x, who completes columns 4-5-6-7 of row 1 at row 1 of column 7.",
        ),
        ("polarized-ladder", "F2 F4 G2 A1 G3 C1 H3", "H4", "Stops x from completing F2-G2-G3-H3-H4 at H4."),
        (
            "polarized-ladder",
            "F2 F4 G2 A1 G3 C1",
            "H4",
            "Threatens to complete F2-G2-G3-H3-H4 at H3.",
        ),
        (
            "double-card",
            "0 7 E 1; 0 6 B 1; 0 6 D 1",
            "0 2 C 1",
            "Completes B1-C1-D1-E1 for colours and ends the game.",
        ),
    ],
)
def test_a_move_s_reason_is_said(game: str, moves: str, move: str, said: str) -> None:
    assert said in explain(after(game, moves), move, FAST).sentences


def test_a_second_pole_is_named_with_its_ladder() -> None:
    position = after("polarized-ladder", "F2 F4 G2 A1 G3 C1 H3")
    claims = explain(position, "H2", FAST).claims
    assert ClaimKind.STOPS in {claim.kind for claim in claims}
    poles = Claim(ClaimKind.POLES, position.to_move.other, cells=1, patterns=(_mask(position, "F2 G2 G3 H3 H4"),))
    assert holds(poles, position, position.parse("H2"), Keeper(judge_of(position.rules)))


def _mask(position: Position, cells: str) -> int:
    return sum(1 << position.rules.grid.parse(cell) for cell in cells.split())


@pytest.mark.skipif(not available, reason="proofs in plain Python take too long")
@pytest.mark.parametrize(
    ("moves", "move", "said"),
    [
        (
            "544554221334225",
            "1",
            "From now on o answers each disc on top of it and so gets columns 1-2-3-4 of row 4; "
            "x makes no line of the other cells.",
        ),
        (
            "2151241212555",
            "4",
            "From now on o answers each disc on top of it: x makes no line of the cells that this leaves.",
        ),
        (
            "32122344133251",
            "5",
            "After 4, o answers each disc on top of it or in another odd column and so gets columns 2-3-4-5, "
            "rows 1-2-3-4; x makes no line of the other cells.",
        ),
        ("242152351243445", "5", "Puts x in zugzwang: whatever x plays, o completes a pattern next."),
        ("222324545415453331", "1", "Leaves o no pattern that can still be completed."),
        ("32133521112345", "4", "Whatever o replies, x completes a pattern with the next move."),
        (
            "351413544341515223",
            "2",
            "Gives o the cell above: o completes columns 2-3-4-5, rows 4-3-2-1 at row 4 of column 2.",
        ),
    ],
)
def test_the_waiting_game_and_zugzwang_are_explained(moves: str, move: str, said: str) -> None:
    position = after("connect-four:rows=4,columns=5", moves)
    found = explain(position, move, FAST)
    assert said in found.sentences
    for claim in found.to_json()["claims"]:  # type: ignore[attr-defined]
        assert not witness.faults(position, move, claim)


def test_that_nothing_helps_is_said_of_a_move_in_a_lost_position() -> None:
    position = after("tic-tac-toe", "C1 C2 A3 C3 A2")
    assert explain(position, "A1", FAST).sentences == (
        "Does not stop x, who completes C1-B2-A3 at B2.",
        "Every move loses in 2 plies.",
    )


@pytest.mark.skipif(not available, reason="proofs in plain Python take too long")
@pytest.mark.parametrize(
    ("moves", "move", "known", "found"),
    [
        ("A1 B1 A2 B2", "C3", None, Score.loss(2)),
        ("A1 B1", "B2", Score.points(12), Score.win(5)),
        ("A1 B1", "B2", Score.win(7, at_most=True), Score.win(5)),
        ("A1 B1 A2 A3", "B2", Score.win(9, at_most=True), Score.win(3)),
    ],
)
def test_a_move_is_worth_what_the_sentences_say(moves: str, move: str, known: Score | None, found: Score) -> None:
    position = after("tic-tac-toe", moves)
    assert explained(judge_of(position.rules), position, position.parse(move), known).score == found


@pytest.mark.parametrize("game", list(GAMES))
def test_every_first_move_has_a_sentence(game: str) -> None:
    position = Position.start(games.load(game))
    for move in position.moves()[:8]:
        found = explained(judge_of(position.rules), position, move, None, Keeper(judge_of(position.rules), 200))
        assert 1 <= len(found.sentences) <= 3


def test_nothing_is_made_up_where_there_is_nothing_to_say() -> None:
    position = after("connect-four:rows=4,columns=4", "1")
    assert Explanation(position, position.moves()[0], None, ()).sentences == (NOTHING_CHANGES,)


def test_every_kind_is_checked_and_has_words() -> None:
    assert set(CHECKS) == set(SENTENCES) == set(ClaimKind)


def test_the_documentation_has_an_example_of_every_kind() -> None:
    shown = (Path(__file__).parent.parent / "docs/puzzles.md").read_text(encoding="utf-8")
    # The tests of the documentation run the examples.
    assert {match[1] for match in re.finditer(r'^\.\.\. +\(.*"([a-z-]+)"\),$', shown, re.M)} == set(ClaimKind)


def test_a_claim_that_is_not_true_does_not_hold() -> None:
    position = after("connect-four", "43586")
    keeper = Keeper(judge_of(position.rules))
    said = explain(position, "7", FAST).claims[0]
    assert holds(said, position, position.parse("7"), keeper)
    assert not holds(said, position, position.parse("1"), keeper)
    for kind in set(ClaimKind) - {ClaimKind.STOPS, ClaimKind.LASTS}:
        wrong = Claim(kind, said.side, said.moves * 2, (), said.cells, said.patterns * 2, ((0, 1),), 99)
        assert not holds(wrong, position, position.parse("7"), keeper), kind


# ------------------------------------------------------------ against a model that knows nothing of the package

RANDOM = {"connect-four": 20, "connect-four:rows=6,columns=7": 20, "polarized-ladder": 20, "double-card": 12}
"""How many moves of each game are explained; the benchmark `reasons` does 500."""


@pytest.mark.skipif(not available, reason="proofs in plain Python take too long")
@pytest.mark.parametrize("game", RANDOM)
def test_every_sentence_is_true_by_the_text_of_the_rules(game: str) -> None:
    chance, judge = random.Random(7), Judge(games.load(game))
    checked = 0
    while checked < RANDOM[game]:
        position = witness.middle_game(judge.rules, chance)
        judgement = judge.judge(position, Limit(nodes=5_000))
        for analysis in (judgement.best, chance.choice(judgement.moves)):
            found = explained(judge, position, analysis.move, analysis.score, Keeper(judge, 5_000))
            assert all(len(sentence) <= LONGEST_SENTENCE_LETTERS for sentence in found.sentences)
            for claim in found.to_json()["claims"]:  # type: ignore[attr-defined]
                faults = witness.faults(position, position.write(found.move), claim, budget=2_000)
                assert not faults, (repr(position), found.to_json(), faults)
            checked += 1


@pytest.mark.slow
@pytest.mark.skipif(not available, reason="proofs in plain Python take too long")
@pytest.mark.parametrize("game", reasons.GAMES)
def test_five_hundred_explanations_are_true_and_most_decided_positions_are_explained(game: str) -> None:
    tally = reasons.measure(game, 250, limit=FAST)
    assert not tally.faults
    assert sum(tally.moves[known] for known in ("decided", "open")) == 500
    assert tally.share >= 0.7
    assert tally.longest <= LONGEST_SENTENCE_LETTERS
    assert tally.sentences["true"] > tally.sentences.total() * 0.95  # the others take the witness too long


@pytest.mark.skipif(not available, reason="proofs in plain Python take too long")
def test_the_witness_notices_a_claim_that_is_not_true() -> None:
    position = after("polarized-ladder", "F2 A1 G2 C1 G3 E1 H3")
    claims = explain(position, "H4", FAST).to_json()["claims"]
    assert isinstance(claims, list)
    said = next(claim for claim in claims if claim["claim"] == "stops")
    assert not witness.faults(position, "H4", said)
    assert witness.faults(position, "B1", said)
    assert witness.faults(position, "H4", said | {"moves": ["B1"]})
    assert witness.faults(position, "H4", said | {"patterns": [["A1", "B1", "B2", "C2", "C3"]]})
    forced = next(claim for claim in claims if claim["claim"] == "forces")
    assert witness.faults(position, "H4", forced | {"number": 6})
    assert witness.faults(position, "H4", forced | {"moves": ["A1"]})


# ------------------------------------------------------------ where it is said


def test_the_command_explains_the_best_move_or_the_one_named() -> None:
    done = run("explain", "tic-tac-toe", "--after", "A1 B1 A2 B2", "--limit", "0.5")
    assert done.stdout.splitlines() == ["A3: win in 1", "Completes A1-A2-A3 for x and ends the game."]
    named = run("explain", "tic-tac-toe", "--after", "A1 B1 A2 B2", "--move", "C3", "--limit", "0.5", "--json")
    said = json.loads(named.stdout)
    assert said["move"] == "C3"
    assert said["claims"][0]["claim"] == "leaves"
    assert said["sentences"][0] == "Does not stop o, who completes B1-B2-B3 at B3."


def test_a_move_that_is_not_legal_and_a_game_that_is_over_are_refused() -> None:
    assert run("explain", "tic-tac-toe", "--move", "Z9").returncode == 2
    done = run("explain", "tic-tac-toe", "--after", "A1 B1 A2 B2 A3")
    assert done.returncode == 1
    assert "nothing to explain" in done.stderr


def test_images_of_a_position_are_explained_by_the_same_kinds() -> None:
    one, other = after("connect-four", "43586"), after("connect-four", "56413")
    assert canonical(one)[0] == canonical(other)[0]
    kinds = [[c.kind for c in explain(p, m, FAST).claims] for p, m in ((one, "7"), (other, "2"))]
    assert kinds[0] == kinds[1]


def test_a_keeper_whose_time_is_up_finds_nothing_more_out() -> None:
    position = Position("double-card", "0 2 D 1")
    judge = judge_of(position.rules)
    assert Keeper(judge, effort=2_000).wins(position, Side.FIRST, 3) is False
    assert Keeper(judge, effort=2_000, seconds_in_all=0).wins(position, Side.FIRST, 3) is None


def test_a_move_that_gives_the_result_away_is_explained_with_a_better_one() -> None:
    asked = ("explain", "connect-four:rows=6,columns=7", "--after", "4455", "--limit", "0.5")
    assert run(*asked, "--move", "1").stdout.splitlines()[-1] == "better: 3 (win in 3)"
    assert "better" not in run(*asked, "--move", "6").stdout  # another way to win
    found = json.loads(run(*asked, "--move", "1", "--json").stdout)
    assert found["better"] == {"move": "3", "score": {"result": "win", "plies": 3}}
    assert json.loads(run(*asked, "--json").stdout)["better"] is None
