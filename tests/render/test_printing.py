"""What `print` and a prompt show of the values that a newcomer meets first."""

from __future__ import annotations

import pytest

import plyground as pg
from plyground import Move

FORK = pg.start("tic-tac-toe", "A1 B1 A2 A3")
"""x wins in three plies."""


def test_the_repr_of_a_move_is_short_and_evaluates_to_it() -> None:
    for move, text in ((Move(3), "Move(3)"), (Move(3, 5), "Move(3, lift=5)")):
        assert repr(move) == text
        assert eval(text) == move


def test_an_outcome_prints_who_has_won_and_how() -> None:
    assert str(pg.start("tic-tac-toe", "A1 B1 A2 B2 A3").outcome()) == "first wins (pattern)"
    assert str(pg.start("tic-tac-toe", "A1 B2 A3 A2 C2 B3 B1 C1 C3").outcome()) == "draw (full)"


def test_a_judgement_prints_a_line_for_each_move_and_its_repr_is_short() -> None:
    judgement = pg.judge(FORK)
    first, best, *others = str(judgement).splitlines()
    assert first == "win in 3"
    assert best.split()[0] == FORK.write(judgement.best.move)
    assert "win in 3" in best
    assert len(others) + 1 == len(FORK.moves())
    assert repr(judgement) == f"<Judgement of {FORK!r}: win in 3>"


def test_an_analysis_prints_its_moves_and_without_a_position_its_score() -> None:
    found = pg.analyse(FORK, "alpha-beta:depth=3")
    assert str(found).startswith(f"{' '.join(found.moves)}: win in 3 (depth ")
    assert str(pg.Analysis(found.line, found.score, 0, 0, 0.0)) == "win in 3"


def test_a_match_prints_its_score_with_the_interval() -> None:
    match = pg.play_match("tic-tac-toe", "alpha-beta:depth=9", "random", games=2)
    assert str(match).startswith("alpha-beta:depth=9 against random: +")
    assert "(95 %: " in repr(match)


def test_a_reviewed_move_prints_what_was_wrong_with_it() -> None:
    record = pg.GameRecord.of("tic-tac-toe", "A1 A2 B1 B2 C2")
    reported = [str(each) for each in pg.review(record)]
    assert reported[0] == "1. A1 (draw)"
    assert reported[1].startswith("2. o played A2: blunder, cost the draw; B2 was better (draw)")
    assert reported[-1].startswith("6. (")


def test_a_puzzle_prints_its_board_and_its_task() -> None:
    puzzle = pg.puzzles("polarized-ladder", "forced-win")[0]
    assert str(puzzle) == f"{puzzle.position}\n{puzzle.task}"
    assert repr(puzzle) == f"<Puzzle {puzzle.id} of polarized-ladder: {puzzle.task}>"


def test_unknown_themes_and_levels_of_puzzles_are_refused_with_what_exists() -> None:
    with pytest.raises(ValueError, match=r"unknown theme 'zugzwangs'; did you mean 'zugzwang'\? known: at-once, "):
        pg.puzzles(theme="zugzwangs")
    with pytest.raises(ValueError, match="a level is 1 to 10, got 77"):
        pg.puzzles(level=77)


def test_a_plain_function_meets_an_old_program() -> None:
    def first_of_all(position: pg.Position) -> pg.Move:
        return position.moves()[0]

    match = pg.play_match("polarized-ladder", first_of_all, "lavoie", games=2)
    assert match.tally.games == 2
    assert {record.first for record in match.records} == {"first_of_all", "lavoie"}
