"""Positions set up by their text: what lies on the board, whoever watches it, and what cannot be."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from click.testing import CliRunner, Result

from boards import VARIANTS, after
from command import run as subprocess_run
from plug_ins import PLUG_INS, crossed, dominoes, impartial, misere, neutral, order_and_chaos, signed, wandering
from plyground import native
from plyground.cli import cli
from plyground.conformance.checks import check_rules
from plyground.conformance.positions import random_game
from plyground.core.position import Ending, Position
from plyground.core.position_text import in_turns, parse_position, write_position
from plyground.core.rules import Move, Placement, Rules, Side
from plyground.games import load
from plyground.heuristics import HEURISTICS
from plyground.players import load as load_player
from plyground.render.look import layers_at, look_of, words_of
from plyground.render.svg import to_svg
from plyground.render.text import board
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort, Limit
from plyground.search.minimax import minimax
from plyground.solve import pairing, proof
from plyground.solve.connect_four.solver import ConnectFourSolver
from plyground.web.views import position_view

PLACING = [game for game in VARIANTS if load(game).recycle_from is None]
"""The games whose boards can be set up freely."""

SMALL = ("tic-tac-toe", "mnk:columns=4,rows=3,line=3", "connect-four:rows=4,columns=4", "polarized-ladder:height=4")


def set_up(game: str, text: str) -> Position:
    return parse_position(load(game), text)


def scattered(game: str, seed: int) -> Position:
    """A board on which discs of either side lie as chance has it, and either side is to move."""
    rules, chance = load(game), random.Random(f"{game} {seed}")
    layers, share = [0, 0], chance.random()
    for _ in range(chance.randrange(1, len(rules.grid.cells))):
        side = Side.FIRST if chance.random() < share else Side.SECOND
        occupied = layers[0] | layers[1]
        free = [p for p in rules.placements[side] if not p.cells & occupied and not p.rests_on & ~occupied]
        layers[side] |= chance.choice(free).cells
    count = (layers[0] | layers[1]).bit_count()
    return Position.arrived(rules, tuple(layers), chance.choice((count, count - 1)), frozenset(), None, rules.patterns)


def undecided(game: str, count: int) -> Iterator[Position]:
    """So many of them in which the game goes on."""
    boards = (scattered(game, seed) for seed in range(10_000))
    going_on = (position for position in boards if position.outcome() is None)
    for _ in range(count):
        yield next(going_on)


def finished(position: Position, chance: random.Random) -> Iterator[Position]:
    """The positions of a random game from there to its end."""
    yield position
    while moves := position.moves():
        position = position.play(chance.choice(moves))
        yield position


# What may be set up.


@pytest.mark.parametrize(
    ("game", "text", "ply", "to_move"),
    [
        ("tic-tac-toe", ".../.x./... o", 1, Side.SECOND),
        ("tic-tac-toe", ".../.x./... x", 0, Side.FIRST),
        ("tic-tac-toe", ".../.o./... x", 0, Side.FIRST),
        ("tic-tac-toe", ".../.o./... o", 1, Side.SECOND),
        ("tic-tac-toe", "xx./.xx/... o", 3, Side.SECOND),
        ("tic-tac-toe", "xx./.xx/... x", 4, Side.FIRST),
        ("tic-tac-toe", "xo./.../... o", 1, Side.SECOND),
        ("polarized-ladder:height=3", "./.x./..... x", 0, Side.FIRST),
        ("connect-four:rows=4,columns=4", "..../..../x.../x..x x", 2, Side.FIRST),
    ],
)
def test_any_number_of_discs_of_each_side_may_be_set_up(game: str, text: str, ply: int, to_move: Side) -> None:
    position = set_up(game, text)
    assert (position.ply, position.to_move, position.outcome()) == (ply, to_move, None)
    assert write_position(position) == text


@pytest.mark.parametrize("game", PLACING)
def test_games_from_boards_set_up_freely_read_back_from_their_texts(game: str) -> None:
    for start in undecided(game, 6):
        for position in finished(start, random.Random(1)):
            again = parse_position(position.rules, write_position(position))
            assert (again, again.outcome()) == (position, position.outcome())


@pytest.mark.parametrize("game", PLACING)
def test_a_game_from_a_board_set_up_freely_ends_with_a_pattern_or_a_full_board(game: str) -> None:
    endings = set()
    for start in undecided(game, 30):
        *_, last = finished(start, random.Random(2))
        outcome = last.outcome()
        assert outcome is not None
        endings.add(outcome.ending)
        assert (outcome.ending is Ending.FULL) == (outcome.winner is None)
    assert endings <= {Ending.PATTERN, Ending.FULL}


def test_the_last_cell_may_be_filled_by_whoever_is_to_move() -> None:
    for side in "xo":
        position = set_up("tic-tac-toe", f"xox/oxo/ox. {side}")
        assert [position.write(move) for move in position.moves()] == ["C1"]
        assert position.play(position.moves()[0]).outcome() is not None


def test_what_comes_from_turns_taken_one_by_one_is_distinguished_from_what_does_not() -> None:
    for game in VARIANTS:
        assert all(map(in_turns, random_game(load(game), random.Random(game))))
    texts = [".../.x./... x", "x../.x./... o", "xo./.../... o", "xxo/.../... x", "x.o/ox./... o"]
    assert not any(in_turns(set_up("tic-tac-toe", text)) for text in texts)
    assert in_turns(set_up("tic-tac-toe", "x.o/.x./... o"))


@pytest.mark.parametrize(
    ("text", "winner", "cells"),
    [
        ("xxx/.../... o", Side.FIRST, ["A3", "B3", "C3"]),
        ("xxx/.../... x", Side.FIRST, ["A3", "B3", "C3"]),
        ("ooo/x.x/.x. o", Side.SECOND, ["A3", "B3", "C3"]),
        ("xxx/.../xxx o", Side.FIRST, ["A1", "B1", "C1", "A3", "B3", "C3"]),
    ],
)
def test_a_board_with_a_completed_pattern_is_decided(text: str, winner: Side, cells: list[str]) -> None:
    position = set_up("tic-tac-toe", text)
    assert position.over is not None
    assert (position.over.winner, position.rules.grid.names_of(position.over.cells)) == (winner, cells)
    assert position.moves() == []


def test_the_mover_wins_where_one_move_can_have_completed_patterns_of_both() -> None:
    cards = after("double-card", "0 4 A 1; 0 4 B 1; 0 4 C 1; 0 4 D 1")
    assert parse_position(cards.rules, write_position(cards)).over == cards.over
    same = parse_position(impartial(), "xxx/.../... x")
    assert same.over is not None
    assert same.over.winner is Side.SECOND


@pytest.mark.parametrize("side", ["x", "o"])
def test_a_board_on_which_both_have_completed_patterns_is_refused_where_no_move_does_that(side: str) -> None:
    for rules in (load("tic-tac-toe"), misere(), neutral()):
        with pytest.raises(ValueError, match=r"x has .* and o has .*, but no single move completes both"):
            parse_position(rules, f"xxx/.../ooo {side}")


@pytest.mark.parametrize(
    ("rules", "text", "reason"),
    [
        (load("tic-tac-toe"), ".../.../... o", "on an empty board x moves first"),
        (load("connect-four"), "/".join(["." * 8] * 6 + ["x" * 7]) + " x", "the rows from the top must have 8 8 8"),
        (impartial(), "o../.../... o", "expected rows of x and . from the top, separated by /, then x or o to move"),
        (dominoes(), "xx.. o", "expected rows of x, o and . from the top, separated by /, then x or o to move, "),
        (dominoes(), "xx.. o 3", "3 moves do not cover 2 cells"),
        (dominoes(), "xxoo o 2", "after 2 moves it is x's turn"),
        (dominoes(), "...x o 1", "no move lays x on D1"),
        (wandering(), "A1,B2 1 A1", "after 1 moves 1 cards lie on the board, got 2"),
        (wandering(), "A1,B2 13 A1", "the game ends after 12 moves, got 13"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(rules: Rules, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match="bad position") as caught:
        parse_position(rules, text)
    assert str(caught.value).startswith(f"bad position {text!r} for {rules.name}: {reason}")


def test_a_game_that_ends_sooner_than_its_board_is_full_has_no_more_discs_than_moves() -> None:
    short = replace(load("tic-tac-toe"), name="short", max_plies=3)
    assert parse_position(short, "xox/.../... o").over is not None
    with pytest.raises(ValueError, match="the game ends after 3 moves, got 4"):
        parse_position(short, "xox/o../... x")


# What lies on the board is written, not who watches it.


@pytest.mark.parametrize("game", PLUG_INS)
def test_positions_read_back_whoever_lays_and_watches_what(game: Callable[[], Rules]) -> None:
    rules = game()
    for seed in range(40):
        for position in random_game(rules, random.Random(seed)):
            again = parse_position(rules, write_position(position))
            assert (again, again.layers, again.outcome()) == (position, position.layers, position.outcome())


@pytest.mark.parametrize(
    ("rules", "moves", "text"),
    [
        (misere(), (0, 4), ".../.o./x.. x"),
        (crossed(), (0, 4), ".../.o./x.. x"),
        (impartial(), (0, 4), ".../.x./x.. x"),
        (order_and_chaos(), (0, 9 + 4, 9 + 8), "..o/.o./x.. o"),
        (neutral(), (0, 4, 9 + 8, 9 + 1), "..a/.o./xa. x"),
        (signed(), (0, 4), ".../.o./x.. x"),
        (dominoes(), (2, 3), "xxoo x 2"),
        (wandering(), (0, 4), "A1,B2 2 B2"),
    ],
)
def test_each_thing_that_can_lie_on_a_cell_has_its_letter(rules: Rules, moves: tuple[int, ...], text: str) -> None:
    position = Position.start(rules)
    for place in moves:
        position = position.play(Move(place))
    assert write_position(position) == text


def test_a_game_with_more_things_than_letters_is_reported() -> None:
    rules = load("mnk:columns=8,rows=8,line=8")
    layers = tuple(f"layer {i}" for i in range(64))
    first = tuple(
        Placement(p.name, tuple(p.cells if i == place else 0 for i in range(64)))
        for place, p in enumerate(rules.placements[Side.FIRST])
    )
    many = replace(rules, name="many", layers=layers, placements=(first, first))
    with pytest.raises(ValueError, match="many lays 64 kinds of things, more than there are letters"):
        write_position(Position.start(many).play(Move(0)))


@pytest.mark.parametrize("game", [misere, crossed])
def test_games_in_which_a_side_watches_what_the_other_lays_conform(game: Callable[[], Rules]) -> None:
    check_rules(game())


@pytest.mark.parametrize("game", [misere, crossed, neutral])
def test_what_a_side_lays_is_drawn_as_its_disc_whoever_watches_it(game: Callable[[], Rules]) -> None:
    position = Position.start(game()).play(Move(0)).play(Move(4))
    assert board(position).splitlines()[1:3] == ["2  . (o) .", "1  x  .  ."]
    laid = [layers_at(position.layers, cell) for cell in (0, 4)]
    assert [words_of(position.rules, layers) for layers in laid] == [["blue"], ["yellow"]]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (load("tic-tac-toe"), {"0": ["blue"], "1": ["yellow"]}),
        (misere(), {"0": ["blue"], "1": ["yellow"]}),
        (crossed(), {"0": ["yellow"], "1": ["blue"]}),
        (impartial(), {"0": ["blue"]}),
        (neutral(), {"0": ["blue"], "1": ["yellow"], "2": ["green"]}),
        (signed(), {"0,1": ["yellow"], "0,2": ["blue"]}),
        (
            load("double-card"),
            {"0,2": ["red", "filled"], "0,3": ["red", "open"], "1,2": ["white", "filled"], "1,3": ["white", "open"]},
        ),
    ],
)
def test_pictures_and_the_page_show_what_is_laid_whoever_watches_it(
    rules: Rules, expected: dict[str, list[str]]
) -> None:
    assert look_of(rules).names == expected


def test_the_page_marks_the_last_disc_where_the_side_that_moved_laid_it() -> None:
    first, second = load("tic-tac-toe").placements
    turned = replace(load("tic-tac-toe"), name="turned", placements=(first, tuple(reversed(second))), symmetries=())
    assert position_view(Position.start(turned).play(Move(0)).play(Move(0)))["last"] == [8]


# The core reads what is set up as the reference does.


@pytest.mark.parametrize("game", PLACING)
def test_the_core_knows_the_moves_and_the_outcome_of_a_board_set_up_freely(game: str) -> None:
    endings = {None: 0, Ending.PATTERN: 1, Ending.FULL: 2, Ending.LIMIT: 3, Ending.STUCK: 4}
    core = native.core_for(load(game))
    for start in undecided(game, 4):
        assert native.perft(start, 2) == sum(len(start.play(move).moves()) for move in start.moves())
        for position in finished(start, random.Random(3)):
            state, over = native.state_of(position), position.outcome()
            assert core.moves(state) == position.moves()
            winner = -1 if over is None or over.winner is None else int(over.winner)
            assert core.outcome(state) == (endings[over.ending if over else None], winner)


@pytest.mark.parametrize("game", SMALL)
def test_heuristics_and_searches_say_the_same_of_a_board_set_up_freely_in_the_core(game: str) -> None:
    from plyground.search import twins as fast

    heuristic = HEURISTICS["lines"](load(game))
    for position in undecided(game, 12):
        assert fast.evaluate(heuristic, position) == heuristic(position)
        slow_effort, fast_effort = Effort(Limit()), Effort(Limit())
        expected = alpha_beta(position, 3, heuristic, slow_effort)
        assert fast.alpha_beta(position, 3, heuristic, fast_effort) == expected
        assert fast_effort.nodes == slow_effort.nodes


@pytest.mark.parametrize("game", SMALL)
def test_the_engine_and_the_proof_search_find_the_truth_of_a_board_set_up_freely(game: str) -> None:
    from plyground.search.engine import EngineSearch

    few = (p for p in undecided(game, 80) if (p.rules.grid.all & ~p.occupied).bit_count() <= 6)
    for position, _ in zip(few, range(8), strict=False):
        true, _ = minimax(position, 7, lambda _: 0, Effort(Limit()))
        *_, found = EngineSearch()(position, Limit())
        assert found.score is not None
        assert (found.score.value, found.proved) == (true, True)
        *_, solution = proof.solve(position)
        winner = None if true == 0 else position.to_move if true > 0 else position.to_move.other
        assert (solution.winner, solution.decided) == (winner, True)


def test_a_pairing_holds_whatever_the_numbers_of_discs() -> None:
    # Four in a row on 4 x 4: the second side holds it with a disc less and not to move.
    position = set_up("mnk:columns=4,rows=4,line=4", "o..x/..../.o../.... x")
    assert pairing.prove(position, Side.SECOND) is not None


# The solver of Connect Four counts on turns taken one by one.

ROWS = "...../...../...../"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("xx... x", "2 x and 0 o with x to move"),
        ("x.... x", "1 x and 0 o with x to move"),
        ("xo... o", "1 x and 1 o with o to move"),
        ("xoo.x o", "2 x and 2 o with o to move"),
    ],
)
def test_the_solver_refuses_boards_that_turns_do_not_lead_to(text: str, counts: str) -> None:
    position = set_up("connect-four:rows=4,columns=5", ROWS + text)
    with pytest.raises(ValueError, match="this solver needs turns taken one by one, got ") as caught:
        ConnectFourSolver(position.rules).solve(position)
    assert counts in str(caught.value)


def test_the_engine_thinks_about_boards_that_its_solver_refuses() -> None:
    position = set_up("connect-four:rows=4,columns=5", "...../...../xxx.o/xxo.x o")
    *_, found = load_player("engine", position.rules).think(position, Limit(nodes=2_000))
    assert position.objection(found.line[0]) is None


# The commands.


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def reported(*arguments: str) -> dict[str, object]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout.splitlines()[-1])
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("game", VARIANTS)
def test_what_show_writes_it_reads_again(game: str) -> None:
    for position in random_game(load(game), random.Random(4))[::7]:
        text = write_position(position)
        shown = reported("show", game, "--position", text)
        assert (shown["position"], shown["ply"]) == (text, position.ply)
        assert shown["moves"] == [position.write(move) for move in position.moves()]


def test_moves_are_played_from_the_position() -> None:
    shown = reported("show", "tic-tac-toe", "--position", "x../.../... x", "--after", "C3 B2")
    assert (shown["position"], shown["to_move"], shown["ply"]) == ("x.x/.o./... x", "first", 2)


def test_a_board_set_up_freely_is_shown_without_a_number_of_moves() -> None:
    assert run("show", "tic-tac-toe", "--position", "x../.../... x").output.splitlines()[-1] == "x (first) to move"
    assert run("show", "tic-tac-toe", "--position", "xxx/.../... x").output.splitlines()[-1] == "x wins with A3-B3-C3"
    assert run("show", "tic-tac-toe", "--position", "x../.../... o").output.endswith("move 2: o (second) to move\n")
    assert "set up freely, x to move" in to_svg(set_up("tic-tac-toe", "x../.../... x"))


LADDER = "./.../...../......./....x..../.........../............. "


@pytest.mark.parametrize("side", ["x", "o"])
def test_a_heuristic_judges_a_lone_disc_whoever_is_to_move(side: str) -> None:
    answer = reported("evaluate", "polarized-ladder", "--heuristic", "position-score", "--position", LADDER + side)
    assert (answer["value"], answer["outcome"]) == (10, None)


def test_a_heuristic_judges_discs_of_one_side_only() -> None:
    four = "......../......../......../......../......../......../xx.xx... "
    for side in "xo":
        answer = reported("evaluate", "connect-four", "--heuristic", "centrality", "--position", four + side)
        assert answer["value"] == 3 + 4 + 7 + 7
    answer = reported("evaluate", "connect-four", "--position", four.replace(".xx.", "xxx.") + "x")
    assert (answer["value"], answer["outcome"] is None) == (None, False)


def test_every_command_about_a_position_takes_its_text() -> None:
    board = ("tic-tac-toe", "--position", "xx./.../... x")
    assert reported("analyse", *board, "--player", "minimax:depth=2")["best"] == "C3"
    assert reported("solve", *board)["winner"] == "first"
    assert reported("prove", "mnk:columns=4,rows=4,line=4", "--position", "o..x/..../.o../.... x")["proved"] is True
    assert run("perft", *board, "--depth", "1").exit_code == 0
    assert run("trace", *board, "--player", "minimax:depth=1").exit_code == 0


def test_the_board_of_a_proof_shows_the_discs() -> None:
    shown = run("prove", "mnk:columns=4,rows=4,line=4", "--position", "o..x/..../.o../.... x").output.splitlines()
    assert (shown[0].split()[1], shown[0].split()[4]) == ("o", "x")


def test_the_engine_ranks_the_moves_of_a_board_set_up_freely() -> None:
    answer = reported(
        "analyse", "connect-four", "--position", "/".join(["." * 8] * 6 + ["xxx.....  o"]), "--depth", "3"
    )
    assert answer["best"] == "4"


def test_solve_refuses_unbalanced_connect_four_and_says_what_else_answers() -> None:
    board = ("connect-four:rows=4,columns=5", "--position", f"{ROWS}xx... x")
    result = subprocess_run("solve", *board)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "Error: this solver needs turns taken one by one, got 2 x and 0 o with x to move; "
        "`solve --within PLIES` searches from any position\n"
    )
    assert reported("solve", *board, "--within", "5")["decided"] is True


@pytest.mark.parametrize("command", ["show", "evaluate", "analyse", "solve", "prove", "trace"])
@pytest.mark.parametrize("text", ["", "x", "\0", "xxx/.../ooo x", "9" * 5000, ".../.../... x x", "- 0 -"])
def test_a_bad_text_is_a_usage_error_that_names_the_option(command: str, text: str) -> None:
    result = run(command, "tic-tac-toe", "--position", text)
    assert result.exit_code == 2
    assert "Error: Invalid value for '--position': bad position " in result.output
