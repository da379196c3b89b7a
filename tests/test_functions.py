"""Plain functions, files and rules of a script as players, heuristics and games; and what is no such thing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plyground as pg
from command import run as command
from plyground import games

RING = """
from plyground import CellNotation, Grid, Pattern, Placement, Rules


def ring():
    grid = Grid(tuple((c, r) for r in (1, 2, 3) for c in (1, 2, 3) if (c, r) != (2, 2)))
    cells = range(len(grid.cells))
    return Rules(
        name="ring",
        grid=grid,
        layers=("first", "second"),
        sides=("x", "o"),
        watches=((0,), (1,)),
        patterns=tuple(Pattern(line, family=direction) for direction, line in grid.lines(3)),
        families=("row", "column", "rising", "falling"),
        placements=(
            tuple(Placement(grid.names[i], (1 << i, 0)) for i in cells),
            tuple(Placement(grid.names[i], (0, 1 << i)) for i in cells),
        ),
        max_plies=len(grid.cells),
        notation=CellNotation(),
    )


def number():
    return 3


def fails():
    return 1 / 0
"""


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(RING)
    return file


def first_move(position: pg.Position) -> pg.Move:
    return position.moves()[0]


def first_text(position: pg.Position, limit: pg.Limit) -> str:
    return position.write(position.moves()[0])


def corners(position: pg.Position) -> int:
    mine = sum(position.at(cell) == position.rules.sides[position.to_move] for cell in ("A1", "A3", "C1", "C3"))
    theirs = sum(position.at(cell) == position.rules.sides[position.to_move.other] for cell in ("A1", "A3", "C1", "C3"))
    return mine - theirs


@pytest.mark.parametrize("function", [first_move, first_text])
def test_a_function_that_gives_moves_or_their_texts_plays(function: Any) -> None:
    match = pg.play_match("tic-tac-toe", function, "alpha-beta:depth=3", games=4)
    assert match.tally.games == 4
    assert all(record.fault is None for record in match.records)
    assert match.records[0].first == function.__name__
    assert pg.play_game("tic-tac-toe", function, function).move_texts() == ["A1", "B1", "C1", "A2", "B2", "C2", "A3"]


def test_a_function_that_gives_numbers_is_a_heuristic_for_three_plies() -> None:
    analysis = pg.analyse(pg.start("tic-tac-toe"), corners)
    assert (analysis.depth, analysis.moves[0]) == (3, "A1")
    assert pg.play_match("tic-tac-toe", corners, first_move, games=2).tally.points == 2


def test_what_somebody_elses_function_raises_in_a_game_loses_it_and_is_noted() -> None:
    def fails_later(position: pg.Position) -> str:
        return "B2" if position.ply == 0 else str(1 / 0)

    record = pg.play_game("tic-tac-toe", fails_later, "random", seed=1)
    assert record.fault is not None
    assert "ZeroDivisionError" in record.fault.why


RULES = pg.load_game("tic-tac-toe")


def two_things(position: pg.Position, other: object) -> int:
    """No heuristic: it wants something besides the position."""
    return 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pg.start(5), "a game is a spec, such as 'connect-four:rows=6', or Rules, got 5"),  # type: ignore[arg-type]
        (lambda: pg.start("tic-tac-toe").play(4), "a move is a Move or a text"),  # type: ignore[arg-type]
        (lambda: pg.analyse("tic-tac-toe"), "a position is needed, such as start("),  # type: ignore[arg-type]
        (lambda: pg.judge("tic-tac-toe"), "a position is needed, such as start("),  # type: ignore[arg-type]
        (lambda: pg.judge(pg.start("tic-tac-toe"), 3), "a limit is needed, such as Limit(seconds=1), got 3"),  # type: ignore[arg-type]
        (lambda: pg.solve_position(None), "a position is needed"),  # type: ignore[arg-type]
        (lambda: pg.review("game.pgn"), "a review needs a GameRecord, such as play_game() returns, got 'game.pgn'"),  # type: ignore[arg-type]
        (lambda: pg.play_match("tic-tac-toe", 5, "random"), "a player is a spec, such as"),  # type: ignore[arg-type]
        (lambda: pg.play_game("tic-tac-toe", "random", None), "a player is a spec, such as"),  # type: ignore[arg-type]
        (lambda: pg.load_heuristic(corners, "tic-tac-toe"), "a heuristic is a name, such as 'lines', got"),  # type: ignore[arg-type]
        (lambda: pg.Limit(seconds="3"), "seconds must be a number, got '3'"),  # type: ignore[arg-type]
        (lambda: pg.play_match("tic-tac-toe", lambda: "4", "random"), "<lambda> must take a position, and a limit if"),
        (lambda: pg.play_match("tic-tac-toe", lambda position: None, "random"), "must return a move, its text, or a"),
        (lambda: pg.run_tournament("tic-tac-toe", [first_move, "random"]), "a player of a tournament is a spec"),  # type: ignore[list-item]
        (lambda: pg.run_tournament("tic-tac-toe", "random"), "players are a list of specs"),
        (lambda: pg.Limit(depth="3"), "depth must be a whole number, got '3'"),  # type: ignore[arg-type]
        (lambda: pg.Limit(nodes=1.5), "nodes must be a whole number, got 1.5"),  # type: ignore[arg-type]
        (lambda: pg.start("tic-tac-toe", ["A1", "B1"]), "moves are one text, such as '4453'"),  # type: ignore[arg-type]
        (lambda: pg.explain("tic-tac-toe"), "a position is needed, such as start("),  # type: ignore[arg-type]
        (lambda: pg.explain(pg.start("tic-tac-toe"), 5), "a move is a Move or its text, got 5"),  # type: ignore[arg-type]
        (lambda: pg.play_match("tic-tac-toe", "random", "random", games="3"), "games must be a whole number, got '3'"),  # type: ignore[arg-type]
        (lambda: pg.daily_puzzle("2026-01-01"), "a day is a datetime.date, got '2026-01-01'"),  # type: ignore[arg-type]
        (lambda: pg.puzzles(5), "a game is a spec, such as"),  # type: ignore[arg-type]
        (lambda: pg.prove_pairing("tic-tac-toe", pg.Side.FIRST), "a position is needed"),  # type: ignore[arg-type]
        (lambda: pg.solver_for("connect-four"), "rules are needed, such as load_game('connect-four')"),  # type: ignore[arg-type]
        (lambda: pg.check_rules("tic-tac-toe"), "rules are needed, such as load_game("),  # type: ignore[arg-type]
        (lambda: pg.check_heuristic("lines", RULES), "a heuristic is a function of position, got 'lines'"),  # type: ignore[arg-type]
        (lambda: pg.check_heuristic(two_things, RULES), "the heuristic 'two_things' must take position, as in def"),  # type: ignore[arg-type]
        (lambda: pg.deepening(pg.alpha_beta, two_things), "the heuristic 'two_things' must take position, as in def"),  # type: ignore[arg-type]
        (lambda: pg.check_player("random", RULES), "a player is needed, such as load_player('random', rules)"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_type_is_a_type_error_that_says_what_is_wanted(call: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert message in str(caught.value)


def test_a_match_needs_a_game_to_play() -> None:
    with pytest.raises(ValueError, match="games must be 1 or more, got 0"):
        pg.play_match("tic-tac-toe", "random", "random", games=0)


def test_rules_of_a_script_are_used_in_matches_tournaments_and_records(ring: Path) -> None:
    namespace: dict[str, Any] = {}
    exec(RING, namespace)
    rules = namespace["ring"]()
    match = pg.play_match(rules, "alpha-beta:depth=3", "random", games=2)
    assert {record.rules for record in match.records} == {rules}
    assert pg.read_records(pg.record_to_json(match.records[0])) == [match.records[0]]
    summary = pg.run_tournament(rules, ["alpha-beta:depth=3", "random"])
    assert summary.played == 2
    assert pg.judge(pg.start(rules, "A1 A2")).moves


def test_rules_called_like_another_game_are_refused(ring: Path) -> None:
    from dataclasses import replace

    other = replace(pg.load_game("connect-four"), name="tic-tac-toe")
    with pytest.raises(ValueError, match="there is another game called 'tic-tac-toe'"):
        pg.play_match(other, "random", "random", games=2)


def test_a_game_in_a_file_is_named_by_its_function(ring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ring.parent)
    shown = command("show", "mine.py:ring", "--after", "A1 A2")
    assert shown.returncode == 0, shown.stderr
    assert "1  x  .  ." in shown.stdout
    played = command("match", "mine.py:ring", "alpha-beta:depth=2", "random", "--games", "4", "--concurrency", "2")
    assert played.returncode == 0, played.stderr
    assert "after 4 games" in played.stdout
    assert pg.load_game("mine.py:ring").name == "mine.py:ring"
    assert games.title("mine.py:ring") == "Ring"
    pg.check_rules(pg.load_game("mine.py:ring"), games=2)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "name the function in it too, such as"),
        (":rong", "did you mean 'ring'?"),
        (":number", "must be a function that returns Rules, got 3"),
        (":fails", "failed: ZeroDivisionError: division by zero (mine.py, line 30)"),
    ],
)
def test_a_file_without_a_game_says_what_is_wrong(ring: Path, name: str, message: str) -> None:
    with pytest.raises(ValueError, match="mine") as caught:
        pg.load_game(f"{ring}{name}")
    assert message in str(caught.value)


def test_a_record_runs_no_file(ring: Path) -> None:
    text = pg.record_to_json(pg.GameRecord.of("tic-tac-toe", "B2")).replace("tic-tac-toe", f"{ring}:never")
    with pytest.raises(ValueError, match="a record does not run files; load it first"):
        pg.read_records(text)


def test_a_heuristic_with_the_wrong_number_of_arguments_is_shown_as_it_should_be(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def mine(position, side):\n    return 1\n")
    with pytest.raises(ValueError, match=r"mine\(position, side\) must take position, as in def mine\(position\)"):
        pg.load_player(f"alpha-beta:heuristic={file}:mine", "tic-tac-toe")


def test_a_review_names_every_turning_point() -> None:
    found = pg.review(pg.GameRecord.of("tic-tac-toe", "A1 A2 B1 B2 C2"))
    assert [each.position.ply for each in found] == list(range(6))
    assert [(each.position.ply, str(each.mark)) for each in found if each.mark] == [
        (1, "lost the draw"),
        (4, "lost the win"),
    ]
