"""Plain functions, files and rules of a script as players, heuristics and games; and what is no such thing."""

from __future__ import annotations

import math
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import plyground as pg
from command import run as command
from plyground import games
from plyground.terminal.console import NO_BREAK

RING = """
from itertools import product

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


def sized(size=3, name: str = "sized"):
    if type(size) is not int:
        raise ValueError(f"size is {size!r}")
    return ring()
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
        (lambda: pg.deepening(5, corners), "a search is a function of position, depth, heuristic, effort, got 5"),  # type: ignore[arg-type]
        (lambda: pg.check_search(pg.alpha_beta, RULES, limit=3), "a limit is needed, such as Limit(depth=2), got 3"),  # type: ignore[arg-type]
        (lambda: pg.start("tic-tac-toe").at(3), "a cell is a text, such as 'A1', got 3"),  # type: ignore[arg-type]
        (lambda: pg.start("tic-tac-toe").parse(3), "a move is read from a text (a cell, such as C2"),  # type: ignore[arg-type]
        (lambda: pg.start("tic-tac-toe").write("A1"), "only a Move can be written as text, got 'A1'"),  # type: ignore[arg-type]
        (lambda: pg.start("tic-tac-toe").lines("x"), "a side is Side.FIRST or Side.SECOND, got 'x'"),  # type: ignore[arg-type]
        (lambda: pg.canonical("tic-tac-toe"), "a position is needed"),  # type: ignore[arg-type]
        (lambda: pg.check_pairing("A1", pg.Side.FIRST, []), "a position is needed"),  # type: ignore[arg-type]
        (lambda: pg.prove_pairing(pg.start(RULES), "first"), "a side is Side.FIRST or Side.SECOND, got 'first'"),  # type: ignore[arg-type]
        (lambda: pg.GameRecord.of("tic-tac-toe", ["A1"]), "moves are one text, such as '4453'"),  # type: ignore[arg-type]
        (lambda: pg.record_to_pgn("game.pgn"), "a GameRecord is needed, such as play_game() returns, got"),  # type: ignore[arg-type]
        (lambda: pg.record_to_json(3), "a GameRecord is needed, such as play_game() returns, got 3"),  # type: ignore[arg-type]
        (lambda: pg.read_records(3), "records are read from a text, got 3"),  # type: ignore[arg-type]
        (lambda: pg.load_book(3), "a book is its name or its file, such as 'double-card', got 3"),  # type: ignore[arg-type]
        (lambda: pg.puzzles(level="3"), "a level must be a whole number, got '3'"),  # type: ignore[arg-type]
        (lambda: pg.play_game("tic-tac-toe", "random", "random", seed="a"), "seed must be a whole number, got 'a'"),  # type: ignore[arg-type]
        (lambda: pg.play_match("tic-tac-toe", "random", "random", seed="a"), "seed must be a whole number, got 'a'"),  # type: ignore[arg-type]
        (lambda: pg.play_match(RULES, "random", "random", opening="2"), "the moves of an opening must be a whole"),  # type: ignore[arg-type]
        (lambda: pg.run_tournament("tic-tac-toe", 5), "players are a list of specs"),  # type: ignore[arg-type]
        (lambda: pg.Score.points(1.5), "the plies or points of a score must be a whole number, got 1.5"),  # type: ignore[arg-type]
        (lambda: pg.TimeControl("3"), "seconds per move must be a number, got '3'"),  # type: ignore[arg-type]
        (lambda: pg.TimeControl.parse(3), "a time control is read from a text, such as '300+2', got 3"),  # type: ignore[arg-type]
        (lambda: pg.Game("tic-tac-toe"), "rules are needed, such as load_game('connect-four'), got 'tic-tac-toe'"),  # type: ignore[arg-type]
        (lambda: pg.Game(RULES).play("A1"), "a played move is needed, such as PlayedMove(game.position.parse('4'))"),  # type: ignore[arg-type]
        (lambda: pg.Tally() + 3, "unsupported operand type"),  # type: ignore[operator]
        (lambda: pg.check_player("random", RULES), "a player is needed, such as load_player('random', rules)"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_type_is_a_type_error_that_says_what_is_wanted(call: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pg.play_match("tic-tac-toe", "random", "random", games=0), "games must be 1 or more, got 0"),
        (lambda: pg.run_tournament("tic-tac-toe", ["random"], processes=0), "processes must be 1 or more, got 0"),
        (lambda: pg.check_search(pg.alpha_beta, RULES, positions=0), "positions must be 1 or more, got 0"),
        (lambda: pg.Limit(seconds=math.inf), "seconds must be finite, got inf; leave them out for no limit"),
        (lambda: list(pg.bits(-1)), "a mask is a set of cells and never below 0, got -1"),
        (lambda: pg.Grid(((0, 1),)), "columns and rows are counted from 1, got (0, 1)"),
        (lambda: pg.Grid(((1, 1), (1, 1))), "two cells have the same column and row"),
        (lambda: pg.Ranking(()).best, "a ranking without moves has no best move"),
    ],
)
def test_a_value_that_cannot_be_right_is_a_value_error(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_puzzles_are_saved_and_loaded_by_the_name_of_a_file(tmp_path: Path) -> None:
    shipped, file = pg.puzzles("polarized-ladder")[:2], str(tmp_path / "few.jsonl")
    pg.save_puzzles(shipped, file)
    assert pg.load_puzzles(file) == shipped


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
        (":rong", "did you mean 'ring'? known: fails, number, ring, sized"),
        (":sized,size=4", ":sized:size=4"),
        (":sized,size=4", "options come after a colon, as in "),
        (":sized:size=x", "size must be a whole number, got 'x'"),
        (":sized:sise=4", "did you mean 'size'?"),
        (":number", "must be a function that returns Rules, got 3"),
        (":fails", "failed: ZeroDivisionError: division by zero (mine.py, line 32)"),
    ],
)
def test_a_file_without_a_game_says_what_is_wrong(ring: Path, name: str, message: str) -> None:
    with pytest.raises(ValueError, match="mine") as caught:
        pg.load_game(f"{ring}{name}")
    assert message in str(caught.value)


def test_a_record_runs_no_file(ring: Path) -> None:
    text = pg.record_to_json(pg.GameRecord.of("tic-tac-toe", "B2")).replace("tic-tac-toe", f"{ring}:never")
    with pytest.raises(ValueError, match="a record does not run files; name the game too"):
        pg.read_records(text)


@pytest.mark.parametrize("spec", ["mine.py:ring", "mine.py:sized:size=4"])
@pytest.mark.parametrize("ending", ["quit", "resign"])
def test_the_command_printed_for_a_saved_game_in_a_file_works(ring: Path, spec: str, ending: str) -> None:
    folder, people = ring.parent, ("--first", "human", "--second", "human", "--names", "Ada,Bo")
    done = command("play", spec, *people, "--save", "a game.pgn", given=f"A1\n{ending}\n", where=folder)
    assert done.returncode == 0, done.stderr
    words = shlex.split(done.stderr.replace(NO_BREAK, " ").partition(" with: ")[2])
    typed = words[next(i for i, word in enumerate(words) if word in ("play", "review")) :]
    if ending == "quit":
        assert typed == ["play", spec, "--resume", "a game.pgn"]
    else:
        assert typed == ["review", "a game.pgn", "--rules", spec]
    again = command(*typed, given="A2\nquit\n", where=folder)
    assert again.returncode == 0, again.stderr
    assert "Ada" in again.stdout + again.stderr


@pytest.fixture
def saved_ring(ring: Path) -> Path:
    ring.with_name("g.pgn").write_text('[Game "mine.py:ring"]\n\n1. A1 A2 2. B1 *\n')
    return ring.parent


@pytest.mark.parametrize(
    "arguments", [("play", "--resume", "g.pgn"), ("review", "g.pgn"), ("show", "g.pgn"), ("analyse", "g.pgn")]
)
def test_a_record_of_a_game_in_a_file_is_not_called_broken(saved_ring: Path, arguments: tuple[str, ...]) -> None:
    done = command(*arguments, where=saved_ring)
    assert done.returncode == 1
    assert "broken" not in done.stderr
    assert "plyground play mine.py:ring --resume FILE, plyground review FILE --rules mine.py:ring" in done.stderr


def test_commands_about_a_saved_position_take_the_game_of_a_file(saved_ring: Path) -> None:
    shown = command("show", "g.pgn", "--rules", "mine.py:ring", "--ply", "1", where=saved_ring)
    assert shown.returncode == 0, shown.stderr
    assert "move 2: o (second) to move" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("review", "g.pgn", "--rules", "mine.py:rong"), "did you mean 'ring'?"),
        (("review", "t.pgn", "--rules", "mine.py:ring"), "t.pgn is a game of tic-tac-toe, not mine.py:ring"),
        (("show", "t.pgn", "--rules", "mine.py:ring"), "t.pgn is a game of tic-tac-toe, not mine.py:ring"),
        (("show", "t.pgn", "--game", "2"), "games in t.pgn: 1, got 2"),
        (("show", "tic-tac-toe", "--rules", "mine.py:ring"), "--rules is for a saved game, such as game.pgn"),
    ],
)
def test_rules_that_do_not_fit_a_saved_game_are_a_usage_error(
    saved_ring: Path, arguments: tuple[str, ...], message: str
) -> None:
    (saved_ring / "t.pgn").write_text('[Game "tic-tac-toe"]\n\n1. B2 *\n')
    done = command(*arguments, where=saved_ring)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_a_heuristic_with_the_wrong_number_of_arguments_is_shown_as_it_should_be(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def mine(position, side):\n    return 1\n")
    with pytest.raises(ValueError, match=r"mine\(position, side\) must take position, as in def mine\(position\)"):
        pg.load_player(f"alpha-beta:heuristic={file}:mine", "tic-tac-toe")


def test_a_review_names_every_turning_point() -> None:
    found = pg.review(pg.GameRecord.of("tic-tac-toe", "A1 A2 B1 B2 C2"))
    assert [each.position.ply for each in found] == list(range(6))
    blunders = [(each.position.ply, each.cost.words) for each in found if each.cost and each.grade == "blunder"]
    assert blunders == [(1, "cost the draw"), (4, "cost the win")]
