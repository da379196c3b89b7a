"""Train the network of `agent.py` in half a minute, by playing against a player that draws its moves by lot.

    python train.py                     weights.npz, and how it does against random
    plyground tournament run --game connect-four --players 'learner=py:agent.py;hazar-isik:plies=1;random' --rounds 10

The method is REINFORCE: play, then make the moves of won games likelier and those of lost games less likely. Games are
played a few hundred at a time by `plyground.native.batch`, so that the time goes into learning.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small: threads would wait for each other

import numpy as np
from agent import Weights, chances, flat, new_weights

from plyground.native.batch import Batch

GAMES, STEPS, HIDDEN = 128, 48, 96
RATE, FADING, CURIOSITY = 0.003, 0.9, 0.05


class Adam:
    """Steps along the gradient, each weight at its own pace."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.count = weights, 0
        self.mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self.square = {name: np.zeros_like(value) for name, value in weights.items()}

    def step(self, gradient: Weights, rate: float) -> None:
        """Climb a little."""
        self.count += 1
        for name, slope in gradient.items():
            self.mean[name] += 0.1 * (slope - self.mean[name])
            self.square[name] += 0.001 * (slope**2 - self.square[name])
            mean = self.mean[name] / (1 - 0.9**self.count)
            square = self.square[name] / (1 - 0.999**self.count)
            self.weights[name] += rate * mean / (np.sqrt(square) + 1e-8)


def play(batch: Batch, weights: Weights, generator: Any) -> tuple[Any, ...]:
    """What was seen, allowed, done and earned in so many steps of every game."""
    seen, allowed, done, earned, ended = [], [], [], [], []
    for _ in range(STEPS):
        planes, masks = flat(batch.observations), batch.masks.astype(bool)
        likely, _ = chances(weights, planes, masks)
        actions = (likely.cumsum(axis=1) > generator.random((len(batch), 1))).argmax(axis=1)
        step = batch.step(actions)
        seen.append(planes)
        allowed.append(masks)
        done.append(actions)
        earned.append(step.rewards.copy())
        ended.append(step.dones.copy())
    return tuple(map(np.stack, (seen, allowed, done, earned, ended)))


def learn(batch: Batch, weights: Weights, adam: Adam, generator: Any) -> float:
    """Play and learn from it; the share of the finished games that were won."""
    seen, allowed, done, earned, ended = play(batch, weights, generator)
    returns, known = np.zeros_like(earned), np.zeros(earned.shape, bool)
    result, over = np.zeros(len(batch), np.float32), np.zeros(len(batch), bool)
    for step in reversed(range(STEPS)):  # the result of a game counts for its moves, most for the last ones
        result = np.where(ended[step], earned[step], FADING * result)
        over |= ended[step]
        returns[step], known[step] = result, over
    worth = np.where(known, returns - returns[known].mean(), 0).reshape(-1, 1).astype(np.float32)
    planes, masks, actions = seen.reshape(-1, seen.shape[2]), allowed.reshape(-1, allowed.shape[2]), done.ravel()
    likely, hidden = chances(weights, planes, masks)
    slope = -likely
    slope[np.arange(len(actions)), actions] += 1
    surprise = -np.log(likely + 1e-9)
    doubt = (likely * surprise).sum(axis=1, keepdims=True)  # its entropy: who is never in doubt tries nothing new
    slope = (worth * slope + CURIOSITY * likely * (surprise - doubt)) / len(actions)
    back = (slope @ weights["w2"].T) * (hidden > 0)
    gradient = {"w1": planes.T @ back, "b1": back.sum(0), "w2": hidden.T @ slope, "b2": slope.sum(0)}
    adam.step(gradient, RATE)
    return float((earned[ended] > 0).mean())


def train(game: str, seconds: float, most: int, seed: int = 0) -> Weights:
    """A network that has learned for so long, or for so many rounds."""
    batch = Batch(game, GAMES, opponent="random", seed=seed)
    weights = new_weights(flat(batch.observations).shape[1], HIDDEN, len(batch.actions), seed)
    adam, generator, started, rounds = Adam(weights), np.random.default_rng(seed), time.perf_counter(), 0
    while (passed := time.perf_counter() - started) < seconds and rounds < most:
        share = learn(batch, weights, adam, generator)
        rounds += 1
        if rounds % 250 == 1:
            print(f"{passed:5.1f} s, {rounds * GAMES * STEPS:,} moves: {share:.1%} won")
    return weights


def share_won(game: str, weights: Weights, games: int = 2000, seed: int = 1) -> float:
    """Games won against random by always playing what looks best, both sides alike."""
    batch, won, played = Batch(game, 500, opponent="random", seed=seed), 0, 0
    while played < games:
        likely, _ = chances(weights, flat(batch.observations), batch.masks.astype(bool))
        step = batch.step(likely.argmax(axis=1))
        won, played = won + int((step.rewards > 0).sum()), played + int(step.dones.sum())
    return won / played


def main() -> None:
    """Train, print how it does, and keep the weights beside `agent.py`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("weights.npz"))
    given = parser.parse_args()
    weights = train(given.game, given.seconds, given.rounds)
    print(f"against random: {share_won(given.game, weights):.1%} of 2000 games won")
    np.savez_compressed(given.output, **weights)


if __name__ == "__main__":
    main()
