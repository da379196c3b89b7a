"""The old programs: their own searches, depths and win values, the same in plain Python and in the native core."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from plyground import games, heuristics, players
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.heritage.programs import (
    CAMERON_TIAGO,
    LAVOIE,
    TEAM_TWO,
    TURPIN,
    WRITTEN_ORDER,
    Preset,
    ayoub_qabbani,
    by_ladders,
    hazar_isik,
)
from plyground.players import PLAYERS, DepthPlayer, choose
from plyground.search.base import Effort, Limit

LADDER = games.load("polarized-ladder")
OPEN = games.load("polarized-ladder:variant=open")

ANSWERS = json.loads((Path(__file__).parents[1] / "data" / "old-programs.json").read_text(encoding="utf-8"))["answers"]
"""What the original programs say of some positions."""


def after(rules: Rules, moves: str) -> Position:
    return parse_moves(rules, moves)[1]


def some_position(rules: Rules, plies: int, seed: int) -> Position:
    """A game of random moves that is not over."""
    chance = random.Random(seed)
    while True:
        position = Position.start(rules)
        for _ in range(plies):
            if position.outcome():
                break
            position = position.play(chance.choice(position.moves()))
        if not position.outcome():
            return position


def old_program(spec: str, rules: Rules) -> DepthPlayer:
    player = players.load(spec, rules)
    assert isinstance(player, DepthPlayer)
    return player


def doubling_score(position: Position, side: Side) -> int:
    """Ladder scores read off the definition: 2, doubled by each own disc, halved by one pole taken."""
    total = 0
    for layer, ladder in position.live(side):
        own = (ladder.cells & position.layers[layer]).bit_count()
        poles = (ladder.neutraliser & position.layers[1 - layer]).bit_count()
        total += 2 ** (own + 1) // 2**poles
    return total


@pytest.mark.parametrize("answers", ANSWERS, ids=lambda answers: answers["player"])
def test_every_answer_of_the_original_is_ours_too(answers: dict[str, object]) -> None:
    rules = games.load(str(answers["game"]))
    expected = answers["moves" if "moves" in answers else "scores"]
    assert isinstance(expected, dict)
    found = {}
    for moves in expected:
        position = after(rules, moves)
        *_, analysis = players.load(str(answers["player"]), rules).think(position, Limit())
        found[moves] = position.write(analysis.line[0]) if "moves" in answers else analysis.points
    assert found == expected


@pytest.mark.parametrize(
    ("empty", "depth"), [(49, 2), (33, 2), (32, 3), (13, 3), (12, 4), (5, 4), (4, None), (1, None)]
)
def test_cameron_tiago_looks_deeper_the_fewer_cells_are_empty(empty: int, depth: int | None) -> None:
    position = some_position(LADDER, 49 - empty, seed=1)
    assert CAMERON_TIAGO.limit(position) == Limit(depth, seconds=3)


def test_cameron_tiago_searches_the_last_four_cells_to_the_end() -> None:
    position = some_position(LADDER, 45, seed=2)
    *_, analysis = old_program("cameron-tiago", LADDER).think(position, Limit())
    assert analysis.proved


@pytest.mark.parametrize("preset", [TEAM_TWO, LAVOIE], ids=["team-two", "lavoie"])
@pytest.mark.parametrize("plies", [0, 30])
def test_team_two_and_lavoie_look_four_plies_ahead_from_the_first_move_on(preset: Preset, plies: int) -> None:
    assert preset.limit(some_position(LADDER, plies, seed=3)) == Limit(4, seconds=3)


def test_team_two_keeps_four_moves_of_a_search_to_depth_two_with_cameron_tiagos_heuristic() -> None:
    assert (TEAM_TWO.search, TEAM_TWO.heuristic) == ("beam", "cameron-tiago")
    player = players.load("team-two", LADDER)
    like = players.load("beam:depth=4,width=4,shallow=2,heuristic=cameron-tiago", games.load("polarized-ladder"))
    position = some_position(LADDER, 36, seed=4)
    assert choose(player, position, Limit()) == choose(like, position, Limit())


def test_lavoies_win_counts_a_hundred_for_each_level_left_and_one_more() -> None:
    # x holds four cells of the right ladder A1 B1 B2 C2 C3.
    position = after(LADDER, "A1 M1 B1 L1 B2 K1 C2 J1")
    *_, analysis = old_program("lavoie", LADDER).think(position, Limit())
    assert [position.write(move) for move in analysis.line] == ["C3"]
    assert analysis.points == 100 * (3 + 1)


def test_lavoie_counts_its_levels_from_four_even_where_fewer_plies_are_left() -> None:
    rules = games.load("polarized-ladder:height=3")
    # x lacks C2 and C3 of the ladder A1 B1 B2 C2 C3, and o has just let it have C2.
    position = after(rules, "A1 E1 B1 D1 B2 C1 C2 D2")
    *_, analysis = old_program("lavoie", rules).think(position, Limit())
    assert ([position.write(move) for move in analysis.line], analysis.points) == (["C3"], 100 * (3 + 1))


def test_the_plies_of_hazar_isik_are_counted_below_each_move() -> None:
    assert hazar_isik(3, "centrality").limit(Position.start(games.load("connect-four"))) == Limit(4)


def test_hazar_isiks_win_counts_the_empty_cells() -> None:
    rules = games.load("connect-four")
    position = after(rules, "112233")  # x completes 1 2 3 4 with its fourth disc; 56 - 7 cells stay empty
    *_, analysis = old_program("hazar-isik:plies=3", rules).think(position, Limit())
    assert (position.write(analysis.line[0]), analysis.points) == ("4", 9999 * (49 + 1))


def test_the_second_players_win_is_as_bad_for_the_first() -> None:
    rules = games.load("connect-four:rows=4,columns=5")
    position = after(rules, "1223344")  # o has 2 3 4 in row 2; x may stop it at one end only
    *_, analysis = old_program("hazar-isik:plies=2", rules).think(position, Limit())
    assert analysis.points == hazar_isik(2, "centrality").own.win(0, position.play(analysis.line[0]))


def test_ayoub_qabbanis_win_counts_the_levels_left() -> None:
    position = after(OPEN, "A1 M1 B1 L1 B2 K1 C2 J1")
    *_, analysis = old_program("ayoub-qabbani:level=3", OPEN).think(position, Limit())
    assert (position.write(analysis.line[0]), analysis.points) == ("C3", (3 + 10) * 1000)


def test_level_one_of_ayoub_qabbani_takes_a_win_first() -> None:
    position = after(OPEN, "A1 G3 B1 F3 B2 H3 C2 G2")  # C3 wins; elsewhere there is more to gain
    *_, analysis = old_program("ayoub-qabbani:level=1", OPEN).think(position, Limit())
    assert (position.write(analysis.line[0]), analysis.points) == ("C3", (1 + 10) * 1000)


@pytest.mark.parametrize(
    ("move", "seen"),
    [
        ("M1", 2 + 2 // 2),  # one ladder: x's in full, its own half
        ("B1", 4 + 2 + 2 // 2),  # x's ladder from A1 has a disc, so it is worth 4, and is none of o's any more
        ("C1", 2 + 2 + 2 + 2 * (2 // 2)),  # two ladders, and a pole of another one of x, which counts in full too
    ],
)
def test_level_one_of_ayoub_qabbani_counts_ladders_as_they_were_before_the_move(move: str, seen: int) -> None:
    player = old_program("ayoub-qabbani:level=1", OPEN)
    assert player.heuristic(after(OPEN, f"A1 {move}")) == -seen


def test_ayoub_qabbani_tries_the_cells_in_the_order_of_its_source() -> None:
    order = by_ladders(OPEN)
    cells = sorted(range(49), key=lambda cell: order[cell])
    assert [OPEN.grid.names[cell] for cell in cells] == WRITTEN_ORDER.split()
    player = old_program("ayoub-qabbani:level=1", OPEN)
    assert OPEN.grid.names[choose(player, Position.start(OPEN), Limit()).place] == "G3"


def test_on_another_board_ayoub_qabbani_tries_the_cells_with_the_most_ladders_first() -> None:
    rules = games.load("polarized-ladder:variant=open,height=5")
    order = by_ladders(rules)
    cells = sorted(range(25), key=lambda cell: order[cell])
    through = [len(rules.patterns_through[cell]) for cell in cells]
    assert through == sorted(through, reverse=True)


def test_level_two_of_ayoub_qabbani_values_a_leaf_by_the_gain_of_the_last_move() -> None:
    rules = games.load("polarized-ladder:variant=open,height=4")
    position = some_position(rules, 5, seed=5)  # nobody can have five discs two plies later

    def gain(before: Position, after: Position) -> int:
        side = before.to_move
        mine = doubling_score(after, side) - doubling_score(before, side)
        return mine + doubling_score(before, side.other) - doubling_score(after, side.other)

    worth = []
    for move in position.moves():
        middle = position.play(move)
        worth.append(min(-gain(middle, middle.play(reply)) for reply in middle.moves()))
    *_, analysis = old_program("ayoub-qabbani:level=2", rules).think(position, Limit())
    assert analysis.points == max(worth)


def test_as_the_program_a_leaf_is_worth_twice_the_difference_before_the_last_move() -> None:
    rules = games.load("polarized-ladder:variant=open,height=4")
    position = some_position(rules, 5, seed=5)  # nobody can have five discs two plies later
    me = position.to_move

    def difference(position: Position) -> int:
        return doubling_score(position, me) - doubling_score(position, me.other)

    worth = max(2 * difference(position.play(move)) for move in position.moves())
    *_, analysis = old_program("ayoub-qabbani:level=2,as=program", rules).think(position, Limit())
    assert analysis.points == worth


def test_turpin_completes_a_line_at_once() -> None:
    # Red filled cells on A1 B1 C1, white open ones above them; colours, who moves second, wins on D1.
    rules = games.load("double-card:first=dots")
    position = after(rules, "0 4 A 1; 0 4 B 1; 0 4 C 1")
    over = position.play(choose(players.load("turpin", rules), position, Limit())).outcome()
    assert over is not None
    assert over.winner is Side.SECOND


def self_play(spec: str, game: str) -> Position:
    """The end of a game of a player against itself."""
    rules = games.load(game)
    player, position = players.load(spec, rules), Position.start(rules)
    while not position.outcome():
        position = position.play(choose(player, position, Limit()))
    return position


def test_turpin_wins_against_itself_in_thirteen_moves_with_the_goal_that_begins() -> None:
    colours, dots = (self_play("turpin", f"double-card:first={goal}") for goal in ("colours", "dots"))
    assert colours.layers == (*dots.layers[2:], *dots.layers[:2])
    assert (colours.ply, colours.over and colours.over.winner) == (13, Side.FIRST)


def test_turpin_takes_the_last_of_equal_moves_if_asked() -> None:
    rules = games.load("double-card")
    position = some_position(rules, 6, seed=7)
    search, heuristic = old_program("turpin", rules).search, heuristics.load("turpin", rules)
    worth = {move: -search(position.play(move), 1, heuristic, Effort(Limit()))[0] for move in position.moves()}
    best = [move for move, value in worth.items() if value == max(worth.values())]
    *_, first = players.load("turpin", rules).think(position, Limit())
    *_, last = players.load("turpin:ties=last", rules).think(position, Limit())
    assert (first.move, last.move) == (best[0], best[-1])
    assert (first.points, first.nodes) == (last.points, last.nodes)
    *_, ranking = old_program("turpin:ties=last", rules).rank(position, Limit())
    assert ranking.best.move == last.move


def test_a_win_on_the_very_last_cell_is_worth_nothing_to_hazar_isik() -> None:
    rules = games.load("connect-four:rows=4,columns=4")
    wins = 0
    for seed in range(400):
        position = some_position(rules, 15, seed)
        over = position.play(position.moves()[0]).outcome()
        assert over is not None
        *_, found = players.load("hazar-isik:plies=1", rules).think(position, Limit())
        assert found.points == 0
        wins += over.winner is not None
    assert wins > 0


@pytest.mark.parametrize(
    ("option", "first", "middle", "late"),
    [("tournament", 2, 3, 4), ("report", 3, 4, 5), ("1", 1, 1, 1), ("6", 6, 6, 6)],
)
def test_cameron_tiago_is_as_deep_as_it_is_asked_to_be(option: str, first: int, middle: int, late: int) -> None:
    player = old_program(f"cameron-tiago:depth={option}", LADDER)
    found = [player.own_limit(some_position(LADDER, plies, seed=1)).depth for plies in (0, 20, 40)]
    assert found == [first, middle, late]


def test_ayoub_qabbani_weighs_single_moves_unless_asked_for_more() -> None:
    assert players.load("ayoub-qabbani", OPEN).name == "ayoub-qabbani"
    assert old_program("ayoub-qabbani", OPEN).own_limit(Position.start(OPEN)).depth == 1


def test_a_card_shares_cells_with_at_most_29_lines_of_four_and_a_cell_with_16() -> None:
    rules = games.load("double-card")
    assert max(len(lines) for lines in rules.patterns_touched[Side.FIRST]) == 29
    assert (max(len(lines) for lines in rules.patterns_through), len(rules.patterns)) == (16, 222)


def test_turpin_stays_within_two_plies_and_three_seconds() -> None:
    position = Position.start(games.load("double-card"))
    assert TURPIN.limit(position) == Limit(2, seconds=3)


@pytest.mark.parametrize(
    ("spec", "game", "plies"),
    [
        ("cameron-tiago", "polarized-ladder", 30),
        ("cameron-tiago", "polarized-ladder:variant=open", 40),
        ("hazar-isik:plies=2", "connect-four:rows=4,columns=4", 13),
        ("turpin:ties=last", "double-card", 8),
        ("team-two", "polarized-ladder", 38),
        ("lavoie", "polarized-ladder", 36),
        ("hazar-isik:plies=3", "connect-four", 8),
        ("hazar-isik:plies=3,heuristic=centrality", "connect-four:rows=6,columns=7", 9),
        ("hazar-isik:plies=2,heuristic=completable", "connect-four", 10),
        ("ayoub-qabbani:level=1", "polarized-ladder:variant=open", 20),
        ("ayoub-qabbani:level=3", "polarized-ladder:variant=open", 38),
        ("ayoub-qabbani:level=3,as=program", "polarized-ladder:variant=open", 38),
        ("turpin", "double-card:first=dots", 12),
    ],
)
def test_the_native_twin_plays_the_same(spec: str, game: str, plies: int) -> None:
    rules = games.load(game)
    player = old_program(spec, rules)
    assert player.twin is not None
    position = some_position(rules, plies, seed=6)
    depth = Limit(player.own_limit(position).depth)  # and no seconds, which would count in Python only
    fast = replace(player, own_limit=lambda _: depth)
    slow = replace(fast, twin=None)
    found = [
        [(a.line, a.score, a.points, a.depth, a.nodes, a.proved) for a in player.think(position, Limit())]
        for player in (fast, slow)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("cameron-tiago", "connect-four"),
        ("team-two", "gomoku"),
        ("lavoie", "double-card"),
        ("hazar-isik", "polarized-ladder"),
        ("ayoub-qabbani", "tic-tac-toe"),
        ("turpin", "connect-four"),
    ],
)
def test_a_game_the_program_does_not_know_is_refused(spec: str, game: str) -> None:
    with pytest.raises(ValueError, match=f"bad player '{spec}': it plays only [a-z-]+, got {game}"):
        players.load(spec, games.load(game))


@pytest.mark.parametrize(
    ("spec", "game", "reason"),
    [
        ("hazar-isik:plies=0", "connect-four", "plies must be 1 or more, got 0"),
        ("hazar-isik:heuristic=lines", "connect-four", "heuristic must be 'completable' or"),
        ("cameron-tiago:depth=0", "polarized-ladder", "depth must be 1 or more, got 0"),
        ("turpin:ties=middle", "double-card", "ties must be 'first' or"),
        ("ayoub-qabbani:level=50", "polarized-ladder", "level must be 1 to 49, got 50"),
        ("ayoub-qabbani:as=source", "polarized-ladder", "as must be 'report' or 'program', got 'source'"),
        ("lavoie:depth=5", "polarized-ladder", "unknown option of lavoie 'depth'"),
    ],
)
def test_an_option_it_never_had_is_refused(spec: str, game: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        players.load(spec, games.load(game))


def test_every_old_program_is_listed_with_its_game_and_year() -> None:
    for name in ("cameron-tiago", "team-two", "lavoie", "hazar-isik", "ayoub-qabbani", "turpin"):
        assert (PLAYERS[name].__doc__ or "").startswith(
            ("Polarized Ladder, 201", "Connect Four, 2021", "Double Card, 2019")
        )


def test_levels_of_ayoub_qabbani_are_depths() -> None:
    assert ayoub_qabbani(4).limit(Position.start(OPEN)) == Limit(4)
