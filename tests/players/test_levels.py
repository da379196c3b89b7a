"""The engine as a player: its levels, its limits, and what it does without a native core."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from plyground import games, players
from plyground.cli import cli
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.players import CorePlayer, DepthPlayer, EnginePlayer, choose
from plyground.players.levels import ANCHOR_ELO, CAP_SECONDS, LEVELS, ROUNDING_ELO, rating
from plyground.players.opponents import offers
from plyground.search.base import Limit

CONNECT_FOUR = games.load("connect-four")


def engine(spec: str, seed: int | None = 1) -> EnginePlayer:
    player = players.load(spec, CONNECT_FOUR, seed)
    assert isinstance(player, EnginePlayer)
    return player


def test_there_are_ten_levels_and_none_slips_more_or_is_quicker_than_the_one_below() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 11))
    for below, above in pairwise(LEVELS):
        assert above.slips <= below.slips
        assert above.seconds >= below.seconds


@pytest.mark.parametrize("name", ["connect-four:rows=6,columns=7", "double-card", "polarized-ladder"])
def test_every_level_is_rated_and_never_far_below_the_one_below(name: str) -> None:
    rated = [rating(level.number, games.load(name)) for level in LEVELS]
    assert rated[0] == ANCHOR_ELO
    assert all(one is not None and other is not None and other >= one - ROUNDING_ELO for one, other in pairwise(rated))


def test_a_game_that_was_not_measured_has_no_ratings() -> None:
    assert rating(1, games.load("gomoku")) is None
    offer = offers(games.load("gomoku"))[2]
    assert (offer.text, offer.to_json()["rating"]) == (f"Casual, {offer.answers}", None)


def test_level_one_slips_about_half_of_the_time() -> None:
    # x to move wins with 4; a move at random finds that one time in eight
    _, position = parse_moves(CONNECT_FOUR, "112233")
    player = engine("engine:level=1")
    moves = Counter(position.write(choose(player, position, Limit())) for _ in range(200))
    assert 80 <= moves["4"] <= 140
    assert len(moves) == 8


@pytest.mark.parametrize("number", [level.number for level in LEVELS if not level.slips])
def test_a_level_that_never_slips_takes_the_win_and_stops_the_other(number: int) -> None:
    player = engine(f"engine:level={number}")
    for moves in ("112233", "11223"):
        _, position = parse_moves(CONNECT_FOUR, moves)
        assert position.write(choose(player, position, Limit(seconds=0.5))) == "4"


@pytest.mark.parametrize("spec", ["engine:level=1", "engine:level=6", "engine:nodes=3000"])
def test_the_same_seed_and_nodes_give_the_same_moves(spec: str) -> None:
    played = []
    for _ in range(2):
        player, position = engine(spec, seed=5), Position.start(CONNECT_FOUR)
        while not position.outcome() and position.ply < 12:
            position = position.play(choose(player, position, Limit()))
        played.append(position)
    assert played[0] == played[1]


def test_the_stricter_of_level_own_limit_and_games_limit_counts() -> None:
    assert engine("engine:level=8,nodes=50").within(Limit(depth=4, seconds=9)) == Limit(4, 50, CAP_SECONDS)
    assert engine("engine").within(Limit(nodes=7)) == Limit(nodes=7)


def test_without_any_limit_it_thinks_for_three_seconds() -> None:
    assert engine("engine").within(Limit()) == Limit(seconds=3)


def test_its_name_shows_what_was_asked_for() -> None:
    assert engine("engine:threads=2,level=7,table=8").name == "engine:level=7,threads=2,table=8"
    assert engine("engine:threads=1").name == "engine"


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("engine:level=11", "a level is 1 to 10, got 11"),
        ("engine:seconds=0", "seconds must be above 0, got 0"),
        ("engine:heuristic=nothing", "unknown heuristic 'nothing'"),
        ("engine:treads=2", "did you mean 'threads'"),
    ],
)
def test_a_bad_option_is_refused(spec: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        players.load(spec, CONNECT_FOUR)


def test_it_thinks_in_the_core() -> None:
    assert isinstance(engine("engine:guard=no").thinker, CorePlayer)


def test_a_game_that_the_core_cannot_play_is_played_by_a_plain_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.players.engine.supports", lambda rules: False)
    player = engine("engine:depth=3,guard=no")
    assert isinstance(player.thinker, DepthPlayer)
    _, position = parse_moves(CONNECT_FOUR, "4455")
    *_, analysis = player.think(position, Limit())
    assert analysis.text == "win in 3"


def test_a_function_of_a_file_works_as_its_heuristic(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def few(position):\n    return -len(position.moves())\n")
    _, position = parse_moves(CONNECT_FOUR, "112233")
    assert position.write(choose(engine(f"engine:depth=2,heuristic={file}:few"), position, Limit())) == "4"


def test_the_levels_are_listed_with_their_thinking_time() -> None:
    listed = CliRunner().invoke(cli, ["players"]).stdout
    assert "levels of the engine" in listed
    assert " 1  Beginner    answers at once" in listed
    assert "10  Everything  takes about 2 s" in listed
