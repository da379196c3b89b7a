"""Batches of games: the same games as the reference plays, as arrays."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time

import pytest

np = pytest.importorskip("numpy")
from plyground import games  # noqa: E402
from plyground.core.position import Position  # noqa: E402
from plyground.core.rules import Move, Side  # noqa: E402
from plyground.native import core_for  # noqa: E402
from plyground.native.batch import Batch  # noqa: E402
from plyground.native.builds import MissingCore  # noqa: E402

GAMES = [*games.GAMES, "connect-four:rows=6,columns=7", "polarized-ladder:variant=open", "double-card:first=dots"]


class Follower:
    """A game of a batch as the reference plays it."""

    def __init__(self, batch: Batch) -> None:
        self.names = batch.actions.names
        self.position = Position.start(batch.rules)
        self.in_hand: int | None = None

    def named(self, place: int) -> str:
        return self.position.rules.placements[self.position.to_move][place].name

    def legal(self) -> set[str]:
        moves = self.position.moves()
        if not self.position.recycling:
            return {self.named(move.place) for move in moves}
        if self.in_hand is None:
            return {self.named(move.lift) for move in moves if move.lift is not None}
        return {self.named(move.place) for move in moves if move.lift == self.in_hand}

    def act(self, action: int) -> None:
        name, moves = self.names[action], self.position.moves()
        if self.position.recycling and self.in_hand is None:
            self.in_hand = next(m.lift for m in moves if m.lift is not None and self.named(m.lift) == name)
            return
        [move] = [m for m in moves if self.named(m.place) == name and m.lift == self.in_hand]
        self.position, self.in_hand = self.position.play(Move(*move)), None

    def planes(self) -> list[int]:
        """The masks that the planes must show."""
        position, rules = self.position, self.position.rules
        side = position.to_move
        seen = [position.layers[layer] for layer in (*rules.watches[side], *rules.watches[side.other])]
        if rules.recycle_from is not None:
            seen.append(0 if self.in_hand is None else rules.placements[side][self.in_hand].cells)
        return [*seen, rules.grid.all]


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_plays_the_games_of_the_reference(name: str) -> None:
    batch = Batch(name, 3, auto_reset=False, seed=7)
    rules, followers = batch.rules, [Follower(batch) for _ in range(3)]
    for _ in range(2 * rules.max_plies):
        for game, follower in enumerate(followers):
            position = follower.position
            legal = {batch.actions.names[action] for action in np.flatnonzero(batch.masks[game])}
            assert legal == follower.legal()
            assert batch.to_move[game] == position.to_move
            assert batch.position(game) == position
            for plane, mask in zip(batch.observations[game], follower.planes(), strict=True):
                shown = {(column + 1, row + 1) for row, column in np.argwhere(plane)}
                assert shown == {place for cell, place in enumerate(rules.grid.cells) if mask >> cell & 1}
        if batch.dones.all():
            break
        sides, open_before = batch.to_move.copy(), [not follower.position.outcome() for follower in followers]
        actions = batch.sample().copy()
        batch.step(actions)
        for game, follower in enumerate(followers):
            if not open_before[game]:
                assert batch.rewards[game] == 0
                continue
            follower.act(actions[game])
            outcome = follower.position.outcome()
            assert batch.dones[game] == (outcome is not None)
            winner = None if outcome is None else outcome.winner
            assert batch.rewards[game] == (0 if winner is None else 1 if winner == sides[game] else -1)
    assert batch.dones.all()
    assert not batch.masks.any()


@pytest.mark.parametrize("name", GAMES)
def test_without_observations_the_games_are_the_same(name: str) -> None:
    seen, unseen = Batch(name, 4, seed=5), Batch(name, 4, seed=5, observed=False)
    assert unseen.observations.shape == (0, *seen.observations.shape[1:])
    for _ in range(seen.rules.max_plies):
        actions = seen.sample().copy()
        assert (unseen.sample() == actions).all()
        for one, other in zip(seen.step(actions)[1:], unseen.step(actions)[1:], strict=True):
            assert np.array_equal(one, other)
        assert (seen.to_move == unseen.to_move).all()


def test_the_actions_of_connect_four_are_its_columns() -> None:
    assert Batch("connect-four:rows=6,columns=7", 1).actions.names == tuple("1234567")


def test_a_finished_game_begins_anew_by_itself() -> None:
    batch = Batch("tic-tac-toe", 1)
    for action in (0, 3, 1, 4):
        assert not batch.step([action]).dones[0]
    step = batch.step([2])
    assert step.dones[0]
    assert step.rewards[0] == 1
    assert batch.position(0) == Position.start(batch.rules)
    assert step.masks.all()


def test_the_same_seed_draws_the_same_actions_and_another_one_others() -> None:
    def drawn(seed: int) -> list[list[int]]:
        batch = Batch("connect-four", 8, seed=seed)
        return [batch.step(batch.sample()) and batch.to_move.tolist() + batch.sample().tolist() for _ in range(20)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    batch = Batch("connect-four", 8, seed=1)
    first = batch.sample().tolist()
    batch.step(first)
    batch.reset(seed=1)
    assert batch.sample().tolist() == first


@pytest.mark.parametrize(
    ("name", "games"), [("connect-four:rows=4,columns=4", 1), ("tic-tac-toe", 2), ("mnk:columns=7", 3)]
)
def test_every_legal_action_is_drawn_and_no_other(name: str, games: int) -> None:
    batch, drawn = Batch(name, games, seed=3), set[tuple[int, int]]()
    for action in range(2):
        batch.step([action] * games)
    for _ in range(1000):
        drawn |= set(enumerate(batch.sample().tolist()))
    assert drawn == set(map(tuple, np.argwhere(batch.masks).tolist()))


def test_a_random_opponent_answers_and_moves_first_in_every_other_game() -> None:
    batch = Batch("tic-tac-toe", 4, opponent="random", seed=3)
    assert batch.to_move.tolist() == [0, 1, 0, 1]
    assert [batch.position(game).ply for game in range(4)] == [0, 1, 0, 1]
    results = {-1: 0, 0: 0, 1: 0}
    for _ in range(400):
        step = batch.step(batch.sample())
        assert batch.to_move.tolist() == [0, 1, 0, 1]
        for reward in step.rewards[step.dones]:
            results[int(reward)] += 1
    assert all(results.values())


def test_an_illegal_action_is_refused_and_no_game_has_moved() -> None:
    batch = Batch("tic-tac-toe", 2)
    batch.step([0, 0])
    for bad in ([1, 0], [1, 9], [1, -1]):
        with pytest.raises(ValueError, match=f"illegal action {bad[1]} in game 1"):
            batch.step(bad)
        assert batch.position(0).ply == 1


def test_actions_that_are_not_whole_numbers_are_refused_not_rounded() -> None:
    batch = Batch("tic-tac-toe", 2)
    with pytest.raises(TypeError, match="Cannot cast"):
        batch.step([0.5, 1.5])
    with pytest.raises(ValueError, match=f"illegal action {2**32} in game 0"):
        batch.step([2**32, 1])
    assert batch.position(0).ply == 0


def test_a_game_that_the_opponents_first_move_ends_is_over() -> None:
    batch = Batch("double-card:max_moves=1", 2, opponent="random")
    assert batch.masks[0].any()
    assert not batch.masks[1].any()
    assert batch.step([int(batch.masks[0].argmax()), 0]).dones.tolist() == [True, False]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="games must be 1 or more, got 0"):
        Batch("tic-tac-toe", 0)
    with pytest.raises(ValueError, match="did you mean 'connect-four'"):
        Batch("conect-four", 1)
    with pytest.raises(ValueError, match="opponent must be None or 'random', got 'engine'"):
        Batch("tic-tac-toe", 1, opponent="engine")  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        Batch("tic-tac-toe", 1).position(1)
    with pytest.raises(ValueError, match="broadcast"):
        Batch("tic-tac-toe", 2).step([1, 2, 3])
    with pytest.raises(TypeError, match="games must be a whole number, got '4'"):
        Batch("tic-tac-toe", "4")  # type: ignore[arg-type]
    with pytest.raises(IndexError, match="game must be 0 to 1, got 2"):
        Batch("tic-tac-toe", 2).position(2)


@pytest.mark.threads
def test_other_threads_run_during_a_step() -> None:
    batch = Batch("gomoku", 5000)
    ticks, stop, interval = [0], threading.Event(), sys.getswitchinterval()

    def tick() -> None:
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    actions = batch.sample()
    sys.setswitchinterval(60)  # nobody is interrupted: the other thread runs only when the lock is given away
    try:
        thread.start()
        for _ in range(1000):  # a step may be over before the other thread wakes up
            before = ticks[0]
            batch.step(actions)
            after = ticks[0]
            if after > before:
                break
            actions = batch.sample()
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()
    assert after > before


def test_without_a_core_users_are_shown_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.native.bridge._core", MissingCore("plyground.native._core"))
    core_for.cache_clear()  # another test may have asked for the same rules
    with pytest.raises(ImportError, match="needs the native core"):
        Batch("mnk:columns=4,rows=3,line=3", 1)


@pytest.mark.parametrize(
    ("missing", "module"), [("numpy", "plyground.native.batch"), ("pettingzoo", "plyground.integrations.pettingzoo")]
)
def test_without_what_it_needs_a_module_shows_how_to_get_it(missing: str, module: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert re.search(r"pip install .*\[rl\]", done.stderr.splitlines()[-1])


def test_the_first_plane_is_ones_own() -> None:
    batch = Batch("tic-tac-toe", 1)
    batch.step([4])
    assert batch.to_move[0] == Side.SECOND
    assert batch.observations[0, 0].sum() == 0
    assert batch.observations[0, 1, 1, 1] == 1


def test_marked_games_begin_again_and_the_others_go_on() -> None:
    batch = Batch("connect-four:rows=6,columns=7", 3, auto_reset=False)
    batch.step([0, 1, 2])
    batch.restart(np.array([True, False, True]))
    assert [batch.position(game).ply for game in range(3)] == [0, 1, 0]
    assert batch.observations[:, :2].sum(axis=(1, 2, 3)).tolist() == [0, 1, 0]
    assert batch.to_move.tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="wrong size"):
        batch.restart(np.array([True]))
