"""Puzzles: what they hold, how they are answered, found, kept in files and offered."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from statistics import mean

import pytest
from benchmarks import puzzles as bench
from click.testing import CliRunner

from command import run
from plyground import Attempt, Puzzle, Score, Theme, daily_puzzle, puzzles
from plyground.cli import cli
from plyground.core.grid import bits, column_number
from plyground.core.notation import write_columns
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move
from plyground.core.symmetry import canonical
from plyground.games import load as load_game
from plyground.judge.ideas import half_around
from plyground.puzzle import shelf
from plyground.puzzle.check import check
from plyground.puzzle.files import from_json, to_json, to_line
from plyground.puzzle.files import load as load_puzzles
from plyground.puzzle.files import save as save_puzzles
from plyground.puzzle.mine import HIGHEST_TRIED_LEVEL, Miner
from plyground.puzzle.puzzle import Branch, Tree, level_by_need
from plyground.render.text import board
from plyground.terminal.console import NO_BREAK
from plyground.terminal.rules import rules_text, typing

GAMES = ("connect-four", "connect-four:rows=6,columns=7", "polarized-ladder", "double-card")


@pytest.fixture(params=GAMES)
def some(request: pytest.FixtureRequest) -> list[Puzzle]:
    """A few of the shipped puzzles of each game."""
    return [shelf.find(name) for name in shelf.names(request.param)[:12]]


def leaves(tree: Tree) -> int:
    return sum(leaves(branch.tree) or 1 for branch in tree.values())


# ------------------------------------------------------------ answering


def test_every_way_through_a_puzzle_ends_solved(some: list[Puzzle]) -> None:
    for puzzle in some:
        waiting, solved = [Attempt(puzzle)], 0
        while waiting:
            attempt = waiting.pop()
            solved += attempt.solved
            waiting += [attempt.answer(move).attempt for move in attempt.right]
        assert solved == leaves(puzzle.tree) >= 1


def test_a_move_that_is_not_right_changes_nothing(some: list[Puzzle]) -> None:
    for puzzle in some:
        attempt = Attempt(puzzle)
        for move in puzzle.position.moves():
            answer = attempt.answer(move)
            assert answer.right == (move in puzzle.answers)
            if not answer.right:
                assert answer.attempt == attempt
                assert answer.reply is None


def test_an_illegal_answer_is_refused_with_a_reason() -> None:
    puzzle = puzzles("connect-four")[0]
    with pytest.raises(IllegalMove, match="there is no column 9"):
        Attempt(puzzle).answer("9")


def test_a_solved_puzzle_takes_no_answer() -> None:
    puzzle = puzzles("polarized-ladder")[0]
    solved = Attempt(puzzle, puzzle.line)
    assert solved.solved
    with pytest.raises(ValueError, match="is solved; there is nothing left to answer"):
        solved.answer("A1")


# ------------------------------------------------------------ files


def test_a_puzzle_survives_a_file_of_either_form(some: list[Puzzle], tmp_path: Path) -> None:
    for name in ("some.jsonl", "some.csv"):
        save_puzzles(some, tmp_path / name)
        assert load_puzzles(tmp_path / name) == some


def test_a_line_has_all_that_is_promised(some: list[Puzzle]) -> None:
    for puzzle in some:
        said = json.loads(to_line(puzzle))
        assert Score.from_json(said["goal"]) == puzzle.goal
        assert said["side"] in ("first", "second")
        assert said["answers"] == list(said["tree"])
        assert said["theme"] in set(Theme)
        assert set(said["difficulty"]) == {"level", "fails", "plies"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"side": "nobody"}, "side must be"),
        ({"answers": ["1"]}, "answers must be"),
        ({"tree": {}}, "at least one right move"),
        ({"theme": "magic"}, "unknown theme 'magic'; known: at-once, card, double-threat"),
        ({"goal": 3}, "a score is"),
        ({"after": "99"}, "no column 9"),
        ({"game": "chess"}, "chess"),
        ({"difficulty": 3}, "a puzzle is an object with"),
    ],
)
def test_a_broken_puzzle_is_refused(change: dict[str, object], message: str, tmp_path: Path) -> None:
    said = to_json(puzzles("connect-four")[0]) | change
    with pytest.raises(ValueError, match=message):
        from_json(said)
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps(said))
    with pytest.raises(ValueError, match=r"broken\.jsonl: puzzle 1: "):
        load_puzzles(path)


# ------------------------------------------------------------ the packs


def test_no_two_shipped_puzzles_are_images_of_each_other() -> None:
    for game in {str(entry["game"]) for entry in shelf.entries().values()}:
        described = [canonical(puzzle.position)[0] for puzzle in puzzles(game)]
        assert len(described) == len(set(described)) > 0


def test_every_shipped_puzzle_can_be_read_and_has_a_solution() -> None:
    for puzzle in puzzles():
        assert 1 <= len(puzzle.answers) <= 3
        assert 1 <= puzzle.difficulty.level <= 10
        assert puzzle.goal.proved


def test_the_shipped_puzzles_take_no_more_room_than_was_agreed() -> None:
    assert sum(path.stat().st_size for path in shelf.SHIPPED.iterdir()) <= 600_000


def test_each_day_has_its_puzzle_and_none_comes_again_before_all_came() -> None:
    first = datetime.date(2026, 11, 17)
    for game in GAMES:
        count = len(shelf.names(game))
        days = [daily_puzzle(first + datetime.timedelta(days=n), game).id for n in range(count + 1)]
        assert len(set(days)) == count
        assert days[0] == days[count]
    assert {daily_puzzle(first + datetime.timedelta(days=n)).rules.name for n in range(len(GAMES))} == set(GAMES)


def test_a_puzzle_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no puzzle 'x'"):
        shelf.find("x")
    with pytest.raises(ValueError, match="no puzzles of tic-tac-toe"):
        daily_puzzle(game="tic-tac-toe")


# ------------------------------------------------------------ finding


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_finds_the_same_puzzles(game: str) -> None:
    found = [list(islice(Miner(load_game(game), 5).puzzles(), 3)) for _ in range(2)]
    assert found[0] == found[1]
    assert len({puzzle.id for puzzle in found[0]}) == 3


def test_only_the_themes_and_levels_asked_for_are_found() -> None:
    miner = Miner(load_game("connect-four:rows=6,columns=7"), 1, frozenset({Theme.ZUGZWANG}), 3)
    found = list(islice(miner.puzzles(), 4))
    assert len(found) == 4
    for puzzle in found:
        assert puzzle.theme is Theme.ZUGZWANG
        assert {1, 2} <= set(puzzle.difficulty.fails)


# ------------------------------------------------------------ checking

SAMPLED = 15
"""Every fifteenth of the shipped puzzles is checked here; the slow test and `plyground puzzles check` do all."""

SAMPLE_NODES = 100_000
"""Positions for one question about a sampled puzzle."""


@pytest.mark.parametrize("game", GAMES)
def test_shipped_puzzles_stand_the_check_of_a_plain_walk(game: str) -> None:
    some = puzzles(game)[::SAMPLED]
    found = [check(puzzle, SAMPLE_NODES) for puzzle in some]
    assert [each.faults for each in found if each.faults] == []
    assert sum(each.verified for each in found) > len(found) * 0.7  # the others take more positions


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_puzzle_is_verified_by_a_plain_walk(game: str) -> None:
    found = [check(puzzle) for puzzle in puzzles(game)]
    assert [(each.puzzle.id, each.faults) for each in found if not each.verified] == []


@pytest.mark.slow
def test_every_right_move_of_the_shipped_puzzles_on_the_small_board_is_that_of_another_solver() -> None:
    pytest.importorskip("bitbully")
    solver, shipped = bench.Bitbully(), puzzles(bench.SMALL)
    assert len(shipped) == 150
    assert [fault for puzzle in shipped for fault in bench.other_solver(puzzle, solver)] == []


def test_a_puzzle_with_a_wrong_solution_is_found_out() -> None:
    puzzle = next(each for each in puzzles("connect-four:rows=6,columns=7") if each.goal.won)
    move, branch = next(iter(puzzle.tree.items()))
    other = next(each for each in puzzle.position.moves() if each not in puzzle.tree)
    wrong = {
        "the right ones are": replace(puzzle, tree={other: Branch()}),
        "is not worth win in 7": replace(puzzle, goal=Score.win(7)),
        "is not worth draw": replace(puzzle, goal=Score.draw()),
        "not ['1', ": replace(puzzle, tree={each: Branch() for each in puzzle.position.moves()}),
    }
    for fault, each in wrong.items():
        assert any(fault in said for said in check(each).faults), fault
    assert branch in puzzle.tree.values()
    assert move in puzzle.answers


def test_a_walk_that_would_be_too_long_is_not_taken_for_a_proof() -> None:
    puzzle = max(puzzles("connect-four"), key=lambda each: each.goal.number)
    checked = check(puzzle, budget=5)
    assert checked.undecided
    assert not checked.verified


def test_a_shorter_defence_is_found_out() -> None:
    for puzzle in puzzles("polarized-ladder"):
        for move, branch in puzzle.tree.items():
            if puzzle.goal == Score.win(5) and branch.reply is not None:
                after = puzzle.position.play(move)
                poor = next(each for each in after.moves() if each != branch.reply)
                tree = puzzle.tree | {move: Branch(poor, branch.tree)}
                assert check(replace(puzzle, tree=tree)).faults
                return
    pytest.fail("no puzzle with a reply")


# ------------------------------------------------------------ the command line


def test_puzzles_are_solved_at_the_terminal() -> None:
    puzzle = puzzles("connect-four:rows=6,columns=7")[0]
    attempt, typed = Attempt(puzzle), list[str]()
    while not attempt.solved:
        typed.append(attempt.position.write(next(iter(attempt.right))))
        attempt = attempt.answer(typed[-1]).attempt
    # Neither a slip of the keyboard nor a look at the help is help with the puzzle.
    done = run("puzzles", "play", "--id", puzzle.id, given="".join(f"{text}\n" for text in ("99", "help", *typed)))
    assert done.returncode == 0, done.stderr
    assert puzzle.task in done.stdout
    assert f"{puzzle.theme.words}, level {puzzle.difficulty.level}" in done.stderr
    assert done.stdout.splitlines()[-1] == "solved without help: 1 of 1"


def test_a_wrong_move_a_hint_and_a_skip_are_answered() -> None:
    puzzle = puzzles("polarized-ladder")[0]
    wrong = next(move for move in puzzle.position.moves() if move not in puzzle.tree)
    text = puzzle.position.write(wrong)
    done = run("puzzles", "play", "--id", puzzle.id, given=f"{text}\nZ9\nhint\nhint\nhelp\nskip\n")
    assert f"{text} is not right; try again" in done.stdout
    assert "there is no cell Z9" in done.stderr
    assert f"hint: {puzzle.position.write(puzzle.answers[0])} is right" in done.stderr
    assert "solution: " in done.stdout
    assert done.stdout.splitlines()[-1] == "solved without help: 0 of 1"


def half(position: Position, move: Move) -> str:
    return write_columns(position.rules, *half_around(position, move))


def test_the_first_hint_keeps_the_move_to_itself_and_is_given_anew_at_each_step() -> None:
    puzzle = next(each for each in puzzles("double-card") if each.steps > 1)
    first, reply, second = puzzle.line[:3]
    typed = puzzle.position.write(first)
    later = puzzle.position.play(first).play(reply)
    done = run("puzzles", "play", "--id", puzzle.id, given=f"hint\nhint\n{typed}\nhint\nquit\n")
    hints = [line.partition("hint: ")[2] for line in done.stderr.splitlines() if "hint: " in line]
    assert hints == [
        f"look at {half(puzzle.position, first)}; type hint again for the move",
        f"{typed} is right",
        f"look at {half(later, second)}; type hint again for the move",
    ]


def test_the_first_hint_is_a_true_part_of_the_board(some: list[Puzzle]) -> None:
    for puzzle in some:
        grid, move = puzzle.rules.grid, puzzle.answers[0]
        named = re.fullmatch(r"columns (\w+) to (\w+)", half(puzzle.position, move))
        assert named is not None
        low, high = (int(name) if name.isdigit() else column_number(name) for name in named.groups())
        covered = [grid.cells[cell][0] for cell in bits(puzzle.rules.placements[puzzle.side][move.place].cells)]
        assert 1 <= low <= min(covered) <= max(covered) <= high <= grid.columns
        assert high - low + 1 == (grid.columns + 1) // 2


def test_the_rules_and_the_board_are_shown_in_a_puzzle_and_a_slip_is_understood() -> None:
    puzzle = puzzles("double-card")[0]
    done = run("puzzles", "play", "--id", puzzle.id, given="rules\nboard\nrulse\nhelp\nquit\n")
    assert rules_text(puzzle.position).replace(NO_BREAK, " ") in done.stderr
    for way in range(1, 9):
        assert re.search(rf" {way} [RW]", done.stderr), f"no picture of way {way}"
    assert done.stdout.count(f"{board(puzzle.position)}\n") == 2
    assert "'rulse' is not a move; did you mean the command 'rules'?" in done.stderr
    assert "rules (explain the game), board (draw the board again)" in done.stderr


def test_each_theme_is_said_in_words() -> None:
    words = {theme.words for theme in Theme}
    assert len(words) == len(Theme)
    assert not words & set(map(str, Theme))


def test_make_keeps_what_was_found_before_ctrl_c(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = puzzles("connect-four")[0]

    def interrupted(miner: Miner) -> Iterator[Puzzle]:
        yield first
        raise KeyboardInterrupt

    monkeypatch.setattr(Miner, "puzzles", interrupted)
    path = tmp_path / "found.jsonl"
    done = CliRunner().invoke(cli, ["puzzles", "make", "connect-four", "-o", str(path)])
    assert done.exit_code != 0
    assert load_puzzles(path) == [first]


def test_make_refuses_a_file_that_cannot_be_written_before_it_looks_for_puzzles(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "nowhere" / "x", "there is no writable folder"), (tmp_path, "is a folder")):
        done = CliRunner().invoke(cli, ["puzzles", "make", "connect-four", "-o", str(path)])
        assert done.exit_code == 2
        assert reason in done.stderr


def test_make_writes_a_file_that_play_reads(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    done = run("puzzles", "make", "connect-four:rows=6,columns=7", "--count", "2", "--seed", "3", "-o", str(path))
    assert done.returncode == 0, done.stderr
    assert len(load_puzzles(path)) == 2
    played = run("puzzles", "play", str(path), "--seed", "1", given="quit\n")
    assert played.returncode == 0
    assert "type a move, or hint, help or quit\n\npuzzle 1 of 2" in played.stderr


def test_the_command_checks_a_file(tmp_path: Path) -> None:
    some = [puzzle for puzzle in puzzles("double-card") if puzzle.goal == Score.win(3)][:2]
    path = tmp_path / "some.jsonl"
    save_puzzles(some, path)
    done = run("puzzles", "check", str(path))
    assert (done.returncode, done.stdout) == (0, f"{path}: 2 puzzles checked, 0 wrong, 0 undecided\n")
    other = next(each for each in some[0].position.moves() if each not in some[0].tree)
    save_puzzles([replace(some[0], tree={other: Branch()})], path)
    done = run("puzzles", "check", str(path))
    assert done.returncode == 1
    assert "the right ones are" in done.stdout


@pytest.mark.parametrize("game", ["connect-four", "polarized-ladder", "double-card"])
def test_help_during_a_puzzle_gives_no_right_move_away(game: str) -> None:
    for name in shelf.names(game)[:20]:
        puzzle = shelf.find(name)
        typed = typing(puzzle.position, Attempt(puzzle).right)
        assert puzzle.position.parse(typed.rpartition(", such as ")[2]) not in puzzle.answers


def test_the_shipped_puzzles_are_listed() -> None:
    done = run("puzzles", "list", "double-card", "--json")
    assert done.stdout == run("puzzles", "list", "--game", "double-card", "--json").stdout  # as it was written before
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == shelf.names("double-card")


def test_a_wish_that_no_puzzle_fulfils_is_refused() -> None:
    twice = run("puzzles", "list", "double-card", "--game", "connect-four")
    assert (twice.returncode, "give the game once" in twice.stderr) == (2, True)
    assert "there is no file 'own.jsonl'" in run("puzzles", "play", "own.jsonl").stderr
    assert run("puzzles", "play", "double-card", "--level", "5", given="quit\n").returncode == 0
    done = run("puzzles", "play", "tic-tac-toe")
    assert done.returncode == 1
    assert "there is no such puzzle" in done.stderr


@pytest.mark.parametrize("game", ["connect-four", "double-card", "polarized-ladder"])
def test_players_of_known_strength_solve_fewer_puzzles_at_each_level(game: str) -> None:
    """The levels of the engine without their slips, as they were tried when the puzzles were found."""
    packed = [entry for entry in shelf.entries().values() if str(entry["game"]).startswith(game)]
    by_level: dict[int, list[float]] = {}
    for entry in packed:
        puzzle = shelf.find(str(entry["id"]))
        solvers = HIGHEST_TRIED_LEVEL - len(puzzle.difficulty.fails)
        by_level.setdefault(puzzle.difficulty.level, []).append(solvers / HIGHEST_TRIED_LEVEL)
    success = [mean(found) for _, found in sorted(by_level.items()) if len(found) >= 5]
    assert len(success) >= 6
    assert all(easier >= harder for easier, harder in pairwise(success)), success
    assert success[-1] < 0.6


def test_a_level_is_what_a_puzzle_needs() -> None:
    wins = [level_by_need(Score.win(2 * moves - 1), (), False) for moves in (1, 2, 3, 4, 5, 8, 10)]
    assert wins == [1, 2, 3, 3, 4, 5, 6]
    assert level_by_need(Score.win(5), (1, 2), True) == 4
    assert level_by_need(Score.draw(), (1, 2, 3, 4, 5), True) == 6
    for name in shelf.names(level=1):
        assert shelf.find(name).goal == Score.win(1)
    for name in shelf.names(level=2):
        assert shelf.find(name).goal == Score.win(3)


@pytest.mark.parametrize("seed", range(30))
def test_newcomers_begin_with_level_1_in_the_terminal(seed: int) -> None:
    done = CliRunner().invoke(cli, ["puzzles", "play", "--seed", str(seed)], input="quit\n")
    assert "level 1\n" in done.stderr
