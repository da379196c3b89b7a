"""Why a move wins, loses or holds: sentences in known positions, and every claim held against the rules' own text."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks import reasons

import witness
from boards import after
from command import run
from plyground import Limit, Position, Side, explain, games
from plyground.core.rules import Move
from plyground.core.symmetry import canonical
from plyground.games import GAMES
from plyground.judge.claim_words import LONGEST_SENTENCE_LETTERS
from plyground.judge.claims import Claim, ClaimKind
from plyground.judge.explain import Explanation, explained
from plyground.judge.judge import Judge, judge_of
from plyground.judge.oracle import KINDS, ProofOracle
from plyground.native import _core
from plyground.search.score import ProvedResult, Score
from plyground.words import LANGUAGES, SLOT, Words, fill, words_in

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
            "Does not stop x from completing columns 4-5-6-7 of row 1 at row 1 of column 7.",
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
            "Completes B1-C1-D1-E1, which decides the game for colours.",
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
    assert ProofOracle(judge_of(position.rules)).holds(poles, position, position.parse("H2"))


def _mask(position: Position, cells: str) -> int:
    return sum(1 << position.rules.grid.parse(cell) for cell in cells.split())


@pytest.mark.parametrize(
    ("moves", "move", "said"),
    [
        (
            "544554221334225",
            "1",
            "From now on o can answer each disc on top of it and so complete columns 1-2-3-4 of row 4; "
            "x can then complete no line.",
        ),
        (
            "2151241212555",
            "4",
            "From now on o can answer each disc on top of it, and x can then complete no line.",
        ),
        (
            "32122344133251",
            "5",
            "After 4, o can answer each disc on top of it or in another column with an odd number of empty cells, "
            "and so complete columns 2-3-4-5, rows 1-2-3-4.",
        ),
        ("242152351243445", "5", "Puts x in zugzwang: after any move of x, o can complete a line."),
        ("222324545415453331", "1", "Leaves o no line that can still be completed."),
        ("32133521112345", "4", "After any reply of o, x can complete a line with the next move."),
        (
            "351413544341515223",
            "2",
            "Gives o the cell above: o can complete columns 2-3-4-5, rows 4-3-2-1 at row 4 of column 2.",
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
        "Does not stop x from completing C1-B2-A3 at B2.",
        "Every move loses: x can win with the next move.",
    )


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
        found = explained(judge_of(position.rules), position, move, None, ProofOracle(judge_of(position.rules), 200))
        assert 1 <= len(found.sentences) <= 3


def test_nothing_is_made_up_where_there_is_nothing_to_say() -> None:
    position = after("connect-four:rows=4,columns=4", "1")
    assert Explanation(position, position.moves()[0], None, ()).sentences == (
        "Changes little: no line of either side is closer to completion or further from it.",
    )


def test_every_kind_has_words() -> None:
    for language in LANGUAGES:
        keys = words_in(language)["claims"].keys()
        assert {kind for kind in ClaimKind if kind in keys} == set(ClaimKind)


def test_the_documentation_has_an_example_of_every_kind() -> None:
    shown = (Path(__file__).parents[2] / "docs/puzzles.md").read_text(encoding="utf-8")
    # The tests of the documentation run the examples.
    assert {match[1] for match in re.finditer(r'^\.\.\. +\(.*"([a-z-]+)"\),$', shown, re.M)} == set(ClaimKind)


def test_a_claim_that_is_not_true_does_not_hold() -> None:
    position = after("connect-four", "43586")
    oracle = ProofOracle(judge_of(position.rules))
    said = explain(position, "7", FAST).claims[0]
    assert oracle.holds(said, position, position.parse("7"))
    assert not oracle.holds(said, position, position.parse("1"))
    for kind in set(ClaimKind) - {ClaimKind.STOPS, ClaimKind.LASTS}:
        wrong = Claim(kind, said.side, said.moves * 2, (), said.cells, said.patterns * 2, ((0, 1),), 99)
        assert not oracle.holds(wrong, position, position.parse("7")), kind


# ------------------------------------------------------------ against a model that knows nothing of the package

RANDOM = {"connect-four": 20, "connect-four:rows=6,columns=7": 20, "polarized-ladder": 20, "double-card": 12}
"""How many moves of each game are explained; the benchmark `reasons` does 500."""


@pytest.mark.parametrize("game", RANDOM)
def test_every_sentence_is_true_by_the_text_of_the_rules(game: str) -> None:
    chance, judge = random.Random(7), Judge(games.load(game))
    checked = 0
    while checked < RANDOM[game]:
        position = witness.middle_game(judge.rules, chance)
        judgement = judge.judge(position, Limit(nodes=5_000))
        for analysis in (judgement.best, chance.choice(judgement.moves)):
            found = explained(judge, position, analysis.move, analysis.score, ProofOracle(judge, 5_000))
            assert all(len(sentence) <= LONGEST_SENTENCE_LETTERS for sentence in found.sentences)
            for claim in found.to_json()["claims"]:  # type: ignore[attr-defined]
                faults = witness.faults(position, position.write(found.move), claim, budget=2_000)
                assert not faults, (repr(position), found.to_json(), faults)
            checked += 1


@pytest.mark.slow
@pytest.mark.parametrize("game", reasons.GAMES)
def test_five_hundred_explanations_are_true_and_most_decided_positions_are_explained(game: str) -> None:
    tally = reasons.measure(game, 250, limit=FAST)
    assert not tally.faults
    assert sum(tally.moves[known] for known in ("decided", "open")) == 500
    assert tally.share >= 0.7
    assert tally.longest <= LONGEST_SENTENCE_LETTERS
    assert tally.sentences["true"] > tally.sentences.total() * 0.95  # the others take the witness too long


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


# ------------------------------------------------------------ the same as ever

FOUND = [json.loads(line) for line in (Path(__file__).parents[1] / "data/claims.jsonl").read_text().splitlines()]
"""Positions of all games with the claims that the search in plain Python found and checked, before the core had one:
game, position, move, what was known about it, positions for one question; the claims, and the score they made exact."""


@pytest.mark.parametrize("game", sorted({found["game"] for found in FOUND}))
def test_the_core_finds_the_claims_that_plain_python_found(game: str) -> None:
    for found in FOUND:
        if found["game"] != game:
            continue
        position = Position(game, found["position"])
        place = found["move"]
        move = Move(*place) if isinstance(place, list) else Move(place)
        oracle = ProofOracle(Judge(position.rules, books=()), found["effort"])
        claims, score = oracle.claims(position, move, score_of(found["known"]))
        assert [claim.to_json(position) for claim in claims] == found["claims"], found
        assert score == score_of(found["score"]), found


def score_of(data: list[str | int | bool] | None) -> Score | None:
    if data is None:
        return None
    result, number, at_most = data
    return Score(None if result is None else ProvedResult(str(result)), int(number), bool(at_most))


def test_python_and_the_core_number_the_kinds_alike() -> None:
    assert tuple(_core.claim_kinds()) == KINDS


def test_the_claims_found_before_are_of_every_kind() -> None:
    assert {claim["claim"] for found in FOUND for claim in found["claims"]} == set(ClaimKind)


# ------------------------------------------------------------ effort


def test_an_oracle_that_has_spent_its_effort_finds_nothing_more_out() -> None:
    position = Position("double-card", "0 2 D 1")
    oracle = ProofOracle(Judge(position.rules, books=()), 2_000, effort_in_all=100)
    assert oracle.wins(position, Side.FIRST, 7) is None
    assert oracle.wins(position, Side.FIRST, 3) is None
    assert oracle.length(position, Side.FIRST, 5) is None


def test_a_claim_about_a_move_that_is_not_legal_is_not_true_and_none_is_found() -> None:
    position = after("connect-four", "444444")
    oracle = ProofOracle(judge_of(position.rules))
    full = Move(3)
    assert not oracle.holds(Claim(ClaimKind.BUILDS, Side.FIRST, number=1), position, full)
    with pytest.raises(ValueError, match="the move to explain is not legal"):
        oracle.claims(position, full, None)


def test_a_claim_that_contradicts_what_is_said_to_be_proved_is_an_error() -> None:
    position = after("tic-tac-toe", "A1 B1 A2 B2")
    with pytest.raises(RuntimeError, match=r"two proofs contradict each other: loss in at most 1 and .* please report"):
        ProofOracle(judge_of(position.rules)).claims(position, position.parse("C3"), Score.loss(1, at_most=True))


# ------------------------------------------------------------ words


def test_every_language_has_the_same_texts_with_the_same_slots() -> None:
    """A count may have another noun, as a language asks for it, and a short text fewer slots."""
    texts = {language: dict(slots_of(words_in(language))) for language in LANGUAGES}
    for language in LANGUAGES:
        assert texts[language] == texts["en"], language


def slots_of(words: Words) -> Iterator[tuple[str, set[str]]]:
    for part in ("places", "claims"):
        for key, text in words[part].items():
            for number, one in enumerate([text] if isinstance(text, str) else text):
                yield f"{part} {key} {number}", {match[1] for match in SLOT.finditer(one)}


def test_a_slot_for_which_nothing_was_given_and_a_language_that_there_is_not_are_errors() -> None:
    with pytest.raises(KeyError, match="who"):
        fill("Stops {who}.", {}, words_in())
    with pytest.raises(KeyError, match="no language 'xx'; there are en, de, fr"):
        words_in("xx")
    assert fill("{n:moves}, {m:moves}", {"n": 1, "m": 2}, words_in()) == "1 move, 2 moves"


def test_an_explanation_is_said_in_other_languages_too() -> None:
    found = explain(after("connect-four", "43586"), "7", FAST)
    assert found.sentences_in("de")[0].startswith("Hindert x daran, Spalten 4-5-6-7 in Reihe 1")
    assert found.sentences_in("fr")[0].startswith("Empêche x de compléter les colonnes 4-5-6-7 de la ligne 1")


# ------------------------------------------------------------ where it is said


def test_the_command_explains_the_best_move_or_the_one_named() -> None:
    done = run("explain", "tic-tac-toe", "--after", "A1 B1 A2 B2", "--limit", "0.5")
    assert done.stdout.splitlines() == ["A3: win in 1 move", "Completes A1-A2-A3 for x and ends the game."]
    named = run("explain", "tic-tac-toe", "--after", "A1 B1 A2 B2", "--move", "C3", "--limit", "0.5", "--json")
    said = json.loads(named.stdout)
    assert said["move"] == "C3"
    assert said["claims"][0]["claim"] == "leaves"
    assert said["sentences"][0] == "Does not stop o from completing B1-B2-B3 at B3."


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


def test_an_oracle_whose_time_is_up_finds_nothing_more_out() -> None:
    position = Position("double-card", "0 2 D 1")
    judge = judge_of(position.rules)
    assert ProofOracle(judge, effort=2_000).wins(position, Side.FIRST, 3) is False
    assert ProofOracle(judge, effort=2_000, seconds=0).wins(position, Side.FIRST, 3) is None


def test_a_move_that_gives_the_result_away_is_explained_with_a_better_one() -> None:
    asked = ("explain", "connect-four:rows=6,columns=7", "--after", "4455", "--limit", "0.5")
    assert run(*asked, "--move", "1").stdout.splitlines()[-1] == "better: 3 (win in 2 moves)"
    assert "better" not in run(*asked, "--move", "6").stdout  # another way to win
    found = json.loads(run(*asked, "--move", "1", "--json").stdout)
    assert found["better"] == {"move": "3", "score": {"result": "win", "plies": 3}}
    assert json.loads(run(*asked, "--json").stdout)["better"] is None
