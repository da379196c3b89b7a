"""The plug-in keeps its promises: pip install -e . && pytest."""

from __future__ import annotations

from my_plugin import first, game, middle

from plyground import check_heuristic, check_rules, play_match


def test_the_game_follows_all_rules_for_games() -> None:
    check_rules(game())


def test_the_heuristic_is_a_heuristic() -> None:
    check_heuristic(middle, game())


def test_the_player_plays_whole_games() -> None:
    match = play_match(game(), first, "random", games=4)
    assert not any(record.fault for record in match.records)
