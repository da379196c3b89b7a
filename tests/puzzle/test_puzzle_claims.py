"""Every sentence about a shipped puzzle: proved again by the judge, true by the witness, and said in today's words."""

from __future__ import annotations

import pytest

import witness
from plyground import Puzzle, puzzles
from plyground.judge.claim_words import sentence
from plyground.judge.judge import judge_of
from plyground.judge.oracle import ProofOracle
from said_again import claim_of

GAMES = {"connect-four": 150, "connect-four:rows=6,columns=7": 150, "polarized-ladder": 300, "double-card": 300}
"""How many puzzles of each game are shipped."""

SAMPLED = 10
"""The quick tests look at every tenth puzzle, the slow ones at all."""

PROOF_NODES = 3_000_000
"""Positions that the judge may look at for one question."""

SAMPLE_NODES, ALL_NODES = 50_000, 500_000_000
"""Positions that the witness may look at for one question, of the sample and of all."""


def unproved(puzzle: Puzzle) -> list[object]:
    """The claims about a puzzle that solver and proof search do not confirm."""
    oracle, move = ProofOracle(judge_of(puzzle.rules), PROOF_NODES), puzzle.answers[0]
    found = [(said, claim_of(said, puzzle.position, move)) for said in puzzle.claims]
    return [said for said, claim in found if not oracle.holds(claim, puzzle.position, move)]


def untrue(puzzle: Puzzle, budget: int) -> list[object]:
    """The claims about a puzzle that are not true by the text of the rules; those too that take too long."""
    move = puzzle.position.write(puzzle.answers[0])
    return [said for said in puzzle.claims if not witness.true(puzzle.position, move, said, budget)]


@pytest.mark.parametrize("game", GAMES)
def test_sampled_claims_about_shipped_puzzles_are_proved_again(game: str) -> None:
    some = puzzles(game)[::SAMPLED]
    assert len(some) == GAMES[game] // SAMPLED
    assert {puzzle.id: said for puzzle in some if (said := unproved(puzzle))} == {}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_claim_about_a_shipped_puzzle_is_proved_again(game: str) -> None:
    assert {puzzle.id: said for puzzle in puzzles(game) if (said := unproved(puzzle))} == {}


@pytest.mark.parametrize("game", GAMES)
def test_sampled_claims_about_shipped_puzzles_are_not_false_by_the_text_of_the_rules(game: str) -> None:
    for puzzle in puzzles(game)[::SAMPLED]:
        move = puzzle.position.write(puzzle.answers[0])
        for said in puzzle.claims:
            assert witness.faults(puzzle.position, move, said, SAMPLE_NODES) == [], puzzle.id


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_claim_about_a_shipped_puzzle_is_true_by_the_text_of_the_rules(game: str) -> None:
    assert {puzzle.id: said for puzzle in puzzles(game) if (said := untrue(puzzle, ALL_NODES))} == {}


def test_a_shipped_explanation_says_its_claims_in_today_s_words() -> None:
    for puzzle in puzzles():
        position, move = puzzle.position, puzzle.answers[0]
        claims = [claim_of(said, position, move) for said in puzzle.claims]
        assert " ".join(sentence(claim, position) for claim in claims) == puzzle.explanation
        assert [claim.to_json(position) for claim in claims] == list(puzzle.claims)


def test_a_claim_that_was_changed_is_found_out_by_both() -> None:
    puzzle = next(each for each in puzzles("connect-four") if each.claims[-1]["claim"] == "only")
    said = dict(puzzle.claims[-1])
    position, move, oracle = puzzle.position, puzzle.answers[0], ProofOracle(judge_of(puzzle.rules))
    assert oracle.holds(claim_of(said, position, move), position, move)
    sooner = said | {"number": int(str(said["number"])) - 2}
    assert not oracle.holds(claim_of(sooner, position, move), position, move)
    assert witness.faults(position, position.write(move), sooner, SAMPLE_NODES)
