"""Players that a thinking process keeps from move to move."""

from __future__ import annotations

import weakref

import pytest

from plyground import games, players
from plyground.web.thinking import worker
from plyground.web.thinking.player_cache import PlayerCache

RULES = games.load("connect-four")
SMALL = "engine:guard=false,table=1"


def use(cache: PlayerCache, room: str, spec: str = SMALL) -> players.Player:
    with cache.borrow(room, "first", spec, RULES) as player:
        return player


def think(moves: str, **more: object) -> dict[str, object]:
    job = {"player": "engine:depth=9,guard=false", "game": "connect-four", "moves": list(moves), "seconds": 600.0}
    *_, last = worker.think(job | more)
    return last


def test_a_room_s_next_search_finds_the_table_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "CACHE", PlayerCache(64))
    cold = think("44", room="mine", side="first")
    warm = think("44", room="mine", side="first")  # taken back and played again: all of it has been met
    assert warm["depth"] == cold["depth"] == 9
    assert int(str(warm["nodes"])) < int(str(cold["nodes"]))


def test_the_next_move_is_thought_about_by_the_same_player() -> None:
    cache = PlayerCache(64)
    assert use(cache, "mine", "engine:guard=false") is use(cache, "mine", "engine:guard=false")


def test_what_is_kept_is_for_the_same_side_of_the_same_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "CACHE", PlayerCache(256))
    cold = think("44")["nodes"]
    think("44", room="mine", side="first")
    assert think("44", room="mine", side="second")["nodes"] == cold
    assert think("44", room="other", side="first")["nodes"] == cold
    assert think("44")["nodes"] == cold


def test_the_players_used_last_are_kept_as_far_as_their_tables_fit() -> None:
    cache = PlayerCache(3)
    kept = {room: use(cache, room) for room in "abc"}
    assert use(cache, "a") is kept["a"]
    use(cache, "d")
    assert (len(cache), cache.used_mb) == (3, 3)
    assert use(cache, "c") is kept["c"]
    assert use(cache, "a") is kept["a"]
    assert use(cache, "b") is not kept["b"]


def test_a_player_that_had_to_go_gives_its_memory_back() -> None:
    cache = PlayerCache(2)
    oldest = weakref.ref(use(cache, "a"))
    assert oldest() is not None
    use(cache, "b")
    with cache.borrow("c", "first", SMALL, RULES):
        assert oldest() is None  # before the new one thinks
        assert cache.used_mb == 1


def test_a_player_larger_than_all_there_is_is_not_kept() -> None:
    cache = PlayerCache(2)
    use(cache, "a", "engine:guard=false,table=3")
    assert len(cache) == 0


@pytest.mark.parametrize(
    ("spec", "megabytes"), [("engine", 64 + 32 + 16), ("engine:level=10", 64 + 32 + 16), ("engine:guard=false", 64)]
)
def test_all_tables_of_a_player_are_counted(spec: str, megabytes: int) -> None:
    cache = PlayerCache(1000)
    use(cache, "a", spec)
    assert cache.used_mb == megabytes


@pytest.mark.parametrize(
    "spec",
    [*(f"engine:level={level}" for level in range(1, 10)), "random:seed=1", "mcts:seed=1", "alpha-beta", "hazar-isik"],
)
def test_levels_and_seeds_play_as_if_they_had_just_been_made(spec: str) -> None:
    cache = PlayerCache(1000)
    use(cache, "a", spec)
    assert len(cache) == 0


def test_a_player_whose_thinking_was_broken_off_is_not_kept() -> None:
    cache = PlayerCache(2)
    use(cache, "a")
    with pytest.raises(KeyboardInterrupt), cache.borrow("a", "first", SMALL, RULES):
        raise KeyboardInterrupt
    assert len(cache) == 0


def test_a_room_that_is_forgotten_loses_the_players_of_both_sides() -> None:
    cache = PlayerCache(9)
    for room in "ab":
        for side in ("first", "second"):
            with cache.borrow(room, side, SMALL, RULES):
                pass
    cache.forget("a")
    assert len(cache) == 2
    cache.forget("nobody's")
    assert len(cache) == 2
