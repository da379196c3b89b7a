"""What holds in every position of every game."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import VARIANTS, after, played
from plyground.conformance.checks import check_rules
from plyground.conformance.positions import random_game
from plyground.core.position import IllegalMove, Position, completes, image_of
from plyground.core.position_text import parse_position, write_position
from plyground.core.rules import Move, Side
from plyground.games import GAMES, load

EVERY = pytest.mark.parametrize("game", VARIANTS)


def test_every_registered_game_is_tried() -> None:
    assert {game.partition(":")[0] for game in VARIANTS} == set(GAMES)


@EVERY
def test_the_game_conforms(game: str) -> None:
    check_rules(load(game), games=2, seed=1)


@EVERY
@given(data=st.data())
@settings(max_examples=12)
def test_legal_moves_are_exactly_what_play_accepts(game: str, data: st.DataObject) -> None:
    position = data.draw(played(game))[-1]
    places = st.integers(-3, len(position.rules.placements[0]) + 3)
    lifts = st.none() | places
    if position.cards:
        lifts |= st.sampled_from(sorted(position.cards))
    some = st.builds(Move, places, lifts)
    if legal := position.moves():
        some |= st.sampled_from(legal)
    for move in data.draw(st.lists(some, min_size=1, max_size=30)):
        if move in legal:
            following = position.play(move)
            assert (following.ply, following.last) == (position.ply + 1, move)
        else:
            with pytest.raises(IllegalMove) as caught:
                position.play(move)
            assert str(caught.value).startswith(f"illegal move {tuple(move)} in {position.rules.name}: ")


@EVERY
@given(data=st.data())
@settings(max_examples=12)
def test_the_outcome_is_what_a_look_over_all_patterns_shows(game: str, data: st.DataObject) -> None:
    for position in data.draw(played(game)):
        rules, mover = position.rules, position.to_move.other
        sides = [side for side in Side if any(completes(rules, position.layers, side, p) for p in rules.patterns)]
        outcome = position.outcome()
        if sides:
            assert outcome is not None
            assert outcome.winner is (mover if mover in sides else mover.other)
        else:
            assert outcome is None or outcome.winner is None


@EVERY
@given(data=st.data())
@settings(max_examples=6)
def test_mirrored_games_mirror(game: str, data: st.DataObject) -> None:
    positions = data.draw(played(game))
    rules = positions[0].rules
    symmetry = data.draw(st.sampled_from(rules.symmetries))
    image = Position.start(rules)
    for before, position in pairwise(positions):
        assert position.last is not None
        place, lift = (
            None if part is None else image_of(rules, symmetry, before.to_move, part) for part in position.last
        )
        assert place is not None
        image = image.play(Move(place, lift))
        assert image == position.image(symmetry)
        assert image.lines(Side.FIRST) == position.lines(Side.FIRST)
        ends = [over and (over.winner, over.ending) for over in (image.outcome(), position.outcome())]
        assert ends[0] == ends[1]
    assert image.image(symmetry) == positions[-1]  # all of them are their own reverse


@EVERY
@given(data=st.data())
@settings(max_examples=12)
def test_a_position_reads_back_from_its_text(game: str, data: st.DataObject) -> None:
    position = data.draw(played(game))[-1]
    again = parse_position(position.rules, write_position(position))
    assert again == position
    assert hash(again) == hash(position)
    assert again.outcome() == position.outcome()
    assert again.moves() == position.moves()


@pytest.mark.parametrize("first", ["colours", "dots"])
def test_the_mover_wins_when_both_have_lines(first: str) -> None:
    rules, seen = load(f"double-card:first={first}"), set()
    for seed in range(120):
        position = random_game(rules, random.Random(seed))[-1]
        both = [any(completes(rules, position.layers, side, p) for p in rules.patterns) for side in Side]
        outcome = position.outcome()
        if all(both) and outcome is not None:
            assert outcome.winner is position.to_move.other
            seen.add(outcome.winner)
    assert seen == set(Side)


def test_transposed_moves_lead_to_equal_positions() -> None:
    one, other = after("connect-four", "1232"), after("connect-four", "3212")
    assert one == other
    assert hash(one) == hash(other)
    assert one != after("connect-four", "1223")
    assert len({one, other}) == 1
