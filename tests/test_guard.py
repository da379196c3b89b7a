import random
from pathlib import Path

import pytest

from plyground import games, players
from plyground.notation import parse_moves
from plyground.players import choose
from plyground.position import Position
from plyground.rules import Side
from plyground.search.base import Limit
from plyground.solve import pairing
from plyground.solve.guard import tries

BLINK = Limit(seconds=0.01)


def after(game: str, moves: str = "") -> Position:
    return parse_moves(games.load(game), moves)[1]


def played(game: str, specs: tuple[str, str], seed: int, limit: Limit) -> Position:
    rules = games.load(game)
    sides = [players.load(spec, rules, seed) for spec in specs]
    position = Position.start(rules)
    while position.outcome() is None:
        position = position.play(choose(sides[position.to_move], position, limit))
    return position


@pytest.mark.parametrize("game", ["polarized-ladder", "polarized-ladder:variant=open"])
@pytest.mark.parametrize("rival", ["random", "lavoie", "engine:guard=no"])
@pytest.mark.parametrize("side", Side)
def test_the_engine_never_loses_polarized_ladder_even_in_a_hundredth_of_a_second(
    game: str, rival: str, side: Side
) -> None:
    if rival == "lavoie" and "open" in game:
        pytest.skip("it plays the grounded game")
    specs = ("engine", rival) if side is Side.FIRST else (rival, "engine")
    outcome = played(game, specs, 1, BLINK).outcome()
    assert outcome is not None
    assert outcome.winner is not side.other


def test_it_says_that_it_cannot_lose() -> None:
    position = after("polarized-ladder", "G3")
    *_, analysis = players.load("engine", position.rules).think(position, Limit(nodes=500))
    assert analysis.note == "cannot lose"
    assert analysis.verdict.endswith(", cannot lose")


@pytest.mark.parametrize("game", ["double-card", "double-card:first=dots", "double-card:max_moves=40"])
def test_the_engine_as_second_player_wins_double_card_by_the_book(game: str) -> None:
    for seed in range(3):
        position = played(game, ("random", "engine"), seed, BLINK)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is Side.SECOND
        assert position.ply <= 16


def test_a_forced_win_beyond_a_shallow_search_is_found() -> None:
    position = after("mnk:width=7,height=7,k=4", "D4 A1 D5 A7")
    *_, analysis = players.load("engine", position.rules).think(position, Limit(seconds=2))
    assert analysis.mate is not None
    assert analysis.mate > 0


def test_a_named_book_of_another_game_is_refused(tmp_path: Path) -> None:
    shipped = Path(players.__file__).parent / "books" / "shipped" / "double-card.book"
    with pytest.raises(ValueError, match="is about double-card, not tic-tac-toe"):
        players.load(f"engine:book={shipped}", games.load("tic-tac-toe"))


def test_pairings_of_a_large_board_are_not_sought_move_by_move() -> None:
    position = after("gomoku", "H8 A1")
    assert pairing.keeping(position) == ()
    assert choose(players.load("engine:nodes=500", position.rules), position, Limit()) in position.moves()


def test_the_effort_for_pairings_is_a_share_of_the_limit() -> None:
    position = after("polarized-ladder")
    moves = len(position.moves())
    assert tries(position, Limit(depth=3)) == pairing.EFFORT
    assert tries(position, Limit(nodes=100_000)) == 15_000 // moves
    assert tries(position, Limit(nodes=100_000, seconds=0.05)) == 7_500 // moves


@pytest.mark.slow
@pytest.mark.parametrize("game", ["polarized-ladder", "polarized-ladder:variant=open"])
def test_a_thousand_games_against_chance_bring_no_loss(game: str) -> None:
    for seed in range(500):
        side = Side(seed & 1)
        specs = ("engine:nodes=50", "random") if side is Side.FIRST else ("random", "engine:nodes=50")
        outcome = played(game, specs, seed, Limit()).outcome()
        assert outcome is not None
        assert outcome.winner is not side.other


def test_the_guard_keeps_a_draw_from_any_position_that_has_one() -> None:
    chance = random.Random(5)
    rules = games.load("polarized-ladder")
    engine = players.load("engine:nodes=200", rules)
    position = after("polarized-ladder", "G3 F4 H2")
    while position.outcome() is None:
        mine = position.to_move is Side.SECOND
        move = choose(engine, position, Limit()) if mine else chance.choice(position.moves())
        position = position.play(move)
    assert position.outcome().winner is not Side.FIRST  # type: ignore[union-attr]
