import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from boards import after
from plyground import games, players
from plyground.books.shelf import SHIPPED
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.judge.judge import Judge
from plyground.players import EnginePlayer, choose
from plyground.search.base import Limit
from plyground.solve import pairing
from plyground.solve.prover import Prover

BLINK = Limit(seconds=0.01)

FORCED: list[dict[str, str]] = json.loads((Path(__file__).parents[1] / "data" / "forced-wins.json").read_text("utf-8"))
"""Positions out of random games in which a forced win was found by proof search and by no plain search as long."""


def played(game: str, specs: tuple[str, str], seed: int, limit: Limit) -> Position:
    rules = games.load(game)
    sides = [players.load(spec, rules, seed) for spec in specs]
    position = Position.start(rules)
    while position.outcome() is None:
        position = position.play(choose(sides[position.to_move], position, limit))
    return position


@pytest.mark.parametrize(
    ("game", "rival"),
    [
        ("polarized-ladder", "random"),
        ("polarized-ladder", "lavoie"),
        ("polarized-ladder", "engine:guard=no"),
        ("polarized-ladder:variant=open", "random"),
        ("polarized-ladder:variant=open", "engine:guard=no"),
    ],
)
@pytest.mark.parametrize("side", Side)
def test_the_engine_never_loses_polarized_ladder_even_in_a_hundredth_of_a_second(
    game: str, rival: str, side: Side
) -> None:
    specs = ("engine", rival) if side is Side.FIRST else (rival, "engine")
    outcome = played(game, specs, 1, BLINK).outcome()
    assert outcome is not None
    assert outcome.winner is not side.other


def test_it_says_that_it_cannot_lose() -> None:
    position = after("polarized-ladder", "G3")
    *_, analysis = players.load("engine", position.rules).think(position, Limit(nodes=500))
    assert analysis.note == "cannot lose"
    assert analysis.text.endswith(", cannot lose")


@pytest.mark.parametrize("game", ["double-card", "double-card:first=dots", "double-card:max_moves=40"])
def test_the_engine_as_second_player_wins_double_card_by_the_book(game: str) -> None:
    for seed in range(3):
        position = played(game, ("random", "engine"), seed, BLINK)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is Side.SECOND
        assert position.ply <= 16


@pytest.mark.parametrize("found", FORCED, ids=lambda found: str(found["moves"]))
def test_a_forced_win_of_the_middle_game_is_found_that_the_search_alone_misses(found: dict[str, str]) -> None:
    position, limit = after(found["game"], found["moves"]), Limit(nodes=int(found["nodes"]))
    *_, plain = players.load("engine:guard=no", position.rules).think(position, limit)
    assert not plain.proved
    *_, guarded = players.load("engine", position.rules).think(position, limit)
    assert guarded.score is not None
    assert guarded.score.won
    after_it = position.play(guarded.line[0])
    assert Prover(position.rules, 16).can_win(after_it, position.to_move, guarded.score.number - 1) is True


def test_a_long_forced_win_is_reported_as_one_that_may_be_shorter() -> None:
    position = after(FORCED[0]["game"], FORCED[0]["moves"])
    *_, analysis = players.load("engine", position.rules).think(position, Limit(nodes=5000))
    assert analysis.score is not None
    assert analysis.score.won
    assert analysis.score.at_most
    assert analysis.text.startswith("win in at most ")


def test_the_first_player_of_double_card_begins_with_the_card_that_lasts_longest() -> None:
    position = after("double-card")
    *_, analysis = players.load("engine", position.rules).think(position, BLINK)
    assert analysis.text == "loss in 16, lost against best play; the longest defence"
    assert position.write(analysis.line[0]) == "0 1 A 1"


def test_the_first_player_of_double_card_lasts_longer_with_the_defence() -> None:
    rules = games.load("double-card")
    limit, rival = Limit(nodes=10_000), players.load("engine:level=5", rules)
    engine = players.load("engine", rules)
    assert isinstance(engine, EnginePlayer)
    assert engine.guard is not None
    ends = []
    unknowing = replace(engine.guard, judge=Judge(rules, books=()))
    for first in (replace(engine, guard=unknowing), engine):
        position = Position.start(rules)
        while position.outcome() is None:
            mine = position.to_move is Side.FIRST
            position = position.play(choose(first, position, limit) if mine else choose(rival, position, Limit()))
        ends.append(position)
    without, knowing = ends
    assert without.outcome().winner is Side.SECOND  # type: ignore[union-attr]
    assert knowing.outcome().winner is Side.FIRST or knowing.ply > without.ply  # type: ignore[union-attr]


def test_with_a_node_limit_the_defence_is_the_same_again() -> None:
    position = after("double-card", "0 2 D 1; 0 2 E 1; 0 1 A 1; 0 3 G 1")
    limit = Limit(nodes=20_000)
    chosen = {choose(players.load("engine", position.rules), position, limit) for _ in range(3)}
    assert len(chosen) == 1


def test_a_named_book_of_another_game_is_refused(tmp_path: Path) -> None:
    shipped = SHIPPED / "double-card.book"
    with pytest.raises(ValueError, match="is about double-card, not tic-tac-toe"):
        players.load(f"engine:book={shipped}", games.load("tic-tac-toe"))


def test_pairings_of_a_large_board_are_not_sought_move_by_move() -> None:
    position = after("gomoku", "H8 A1")
    assert pairing.keeping(position) == ()
    assert choose(players.load("engine:nodes=500", position.rules), position, Limit()) in position.moves()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["polarized-ladder", "polarized-ladder:variant=open"])
def test_five_hundred_games_against_chance_bring_no_loss(game: str) -> None:
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
