"""A small network that plays Connect Four: its one layer of hidden units, and how it chooses a move.

As a bot it enters any tournament: `py:agent.py`. It plays with the weights in `weights.npz` beside this file, which
`train.py` makes.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a bot may start few threads, and needs none

import numpy as np

from plyground.integrations.observation import Observation, move_of

Weights = dict[str, Any]

SEES_WINS = True
"""Whether it takes a win at hand without asking the network."""


def new_weights(inputs: int, hidden: int, actions: int, seed: int) -> Weights:
    """A network that knows nothing."""
    generator = np.random.default_rng(seed)

    def layer(rows: int, columns: int) -> Any:
        return (generator.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)

    return {
        "w1": layer(inputs, hidden),
        "b1": np.zeros(hidden, np.float32),
        "w2": layer(hidden, actions) / 10,
        "b2": np.zeros(actions, np.float32),
    }


def flat(planes: Any) -> Any:
    """One's own and the other's discs, one row per game."""
    return planes[:, :2].reshape(len(planes), -1).astype(np.float32)


def chances(weights: Weights, observations: Any, masks: Any) -> tuple[Any, Any]:
    """How likely each action is, and the hidden units; illegal actions never are."""
    hidden = np.maximum(observations @ weights["w1"] + weights["b1"], 0)
    logits = np.where(masks, hidden @ weights["w2"] + weights["b2"], -1e9)
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True), hidden


def choose(position: Any, limit: Any) -> Any:
    """The move that the network thinks best: what `py:agent.py` plays."""
    for move in position.moves() if SEES_WINS else []:
        over = position.play(move).outcome()
        if over is not None and over.winner == position.to_move:
            return move
    planes, mask = Observation.of(position)
    likely, _ = chances(_load(), flat(planes[None]), mask[None].astype(bool))
    return move_of(position, int(likely.argmax()))


_loaded: Weights = {}


def _load() -> Weights:
    if not _loaded:
        with np.load(Path(__file__).with_name("weights.npz")) as file:
            _loaded.update(file)
    return _loaded
