"""How a small net is learned: gradient descent on the log loss, in NumPy.

`python -m benchmarks.learning GAME --features net` uses it. The net is that of `plyground.heuristics.net`: units over
discs, threats and live patterns, shown every image of a position; beside them each disc and live pattern has a weight
of its own. It is learned in fractions and then rounded to whole numbers.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.learning_features import POINTS_PER_LOG_ODDS, Features, of_odds, whole
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.heuristics.learned import Page, pattern_name
from plyground.heuristics.net import LARGEST_OUT, images, largest_weight

EPOCHS, BATCH = 10, 2048
RATE, WARM_UP, DECAY = 5e-3, 0.2, 0.3
"""How far a step goes at most, after what share of the steps, and how much of each weight is lost on the way."""

MOMENTS = (0.9, 0.999)

Array = NDArray[np.float32]


class NetFeatures:
    """What a net counts in positions, in the order of its rows."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.features = Features(rules)
        cells, patterns, held = len(rules.grid.cells), len(rules.patterns), rules.longest - 1
        self.kinds = {
            "turn": slice(0, 2),
            "discs": slice(2, 2 + 2 * cells),
            "threats": slice(2 + 2 * cells, 2 + 4 * cells),
            "patterns": slice(2 + 4 * cells, 2 + 4 * cells + 2 * patterns * held),
        }
        self.size = self.kinds["patterns"].stop
        self.images = [self._image(*image) for image in images(rules)]

    def _image(self, cells: Sequence[int], patterns: Sequence[int]) -> NDArray[np.intp]:
        """For each row which one is counted instead in an image of a position."""
        moved, held = np.arange(self.size), self.rules.longest - 1
        for kind in ("discs", "threats"):
            rows = moved[self.kinds[kind]].reshape(2, -1)
            rows[:] = rows[:, cells]
        by_pattern = moved[self.kinds["patterns"]].reshape(2, -1, held)
        by_pattern[:] = by_pattern[:, patterns]
        return moved

    def packed(self, positions: Sequence[Position]) -> NDArray[np.uint8]:
        """What counts in positions, a bit for each row."""
        seen = self.features.seen(positions)
        turn = np.array([[position.to_move is side for side in Side] for position in positions])
        discs = [seen.layers[:, layer] for (layer,) in self.rules.watches]
        patterns = seen.live.astype(bool).transpose(2, 0, 3, 1).reshape(len(positions), -1)
        return np.packbits(np.concatenate([turn, *discs, *seen.threats, patterns], axis=1), axis=1)

    def unpacked(self, packed: NDArray[np.uint8]) -> Array:
        return np.unpackbits(packed, axis=1, count=self.size).astype(np.float32)


class LearnedNet:
    """A net in fractions, in log-odds of the first side."""

    def __init__(self, features: NetFeatures, units: int, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.features = features
        self.weights: dict[str, Array] = {
            "rows": chance.uniform(-1, 1, (features.size, units)).astype(np.float32) / np.sqrt(features.size),
            "out": chance.uniform(-1, 1, units).astype(np.float32) / np.sqrt(units),
            "plain": np.zeros(features.size, dtype=np.float32),
            "constant": np.zeros(1, dtype=np.float32),
        }
        self.is_plain = np.zeros(features.size, dtype=np.float32)
        for kind in ("discs", "patterns"):
            self.is_plain[features.kinds[kind]] = 1

    def learn(self, packed: NDArray[np.uint8], results: NDArray[Any], seed: int) -> Iterator[int]:
        """Learns from positions; says how often it has seen all."""
        chance = np.random.default_rng(seed)
        sums = {name: (np.zeros_like(row), np.zeros_like(row)) for name, row in self.weights.items()}
        steps, step = EPOCHS * -(-len(results) // BATCH), 0
        for epoch in range(EPOCHS):
            order = chance.permutation(len(results))
            for start in range(0, len(results), BATCH):
                batch, step = order[start : start + BATCH], step + 1
                slopes = self._slopes(self.features.unpacked(packed[batch]), results[batch])
                self._move(sums, slopes, step, rate_of(step / steps))
            yield epoch + 1

    def _move(self, sums: dict[str, tuple[Array, Array]], slopes: dict[str, Array], step: int, rate: float) -> None:
        """One step of Adam, with weights that decay by themselves."""
        for name, slope in slopes.items():
            for moment, kept, value in zip(sums[name], MOMENTS, (slope, slope * slope), strict=True):
                moment += (1 - kept) * (value - moment)
            mean, square = (moment / (1 - kept**step) for moment, kept in zip(sums[name], MOMENTS, strict=True))
            self.weights[name] *= 1 - rate * DECAY
            self.weights[name] -= rate * mean / (np.sqrt(square) + 1e-8)

    def _slopes(self, shown: Array, results: NDArray[Any]) -> dict[str, Array]:
        """How the mean log loss changes with each weight."""
        images, out = self.features.images, self.weights["out"]
        sums = self._sums(shown)
        error = ((of_odds(self._odds(shown, sums)) - results) / len(results)).astype(np.float32)
        through = (sums > 0) * np.outer(error, np.tile(out, len(images)))
        by_image = np.split(shown.T @ through, len(images), axis=1)
        plain = shown.T @ error
        return {
            "rows": np.sum([slope[image] for slope, image in zip(by_image, images, strict=True)], axis=0),
            "out": (sums.T @ error).reshape(len(images), -1).sum(axis=0),
            "plain": np.sum([plain[image] for image in images], axis=0) * self.is_plain,
            "constant": error.sum(keepdims=True),
        }

    def _sums(self, shown: Array) -> Array:
        """Of the units, once for each image: instead of the position its weights are moved."""
        moved = [self.weights["rows"][np.argsort(image)] for image in self.features.images]
        return np.maximum(shown @ np.hstack(moved), 0)

    def _odds(self, shown: Array, sums: Array) -> Array:
        plain = self.weights["plain"] * self.is_plain
        moved = np.sum([plain[np.argsort(image)] for image in self.features.images], axis=0)
        out = np.tile(self.weights["out"], len(self.features.images))
        return np.asarray(sums @ out + shown @ moved + self.weights["constant"])

    def odds(self, packed: NDArray[np.uint8]) -> Array:
        """The log-odds of the first side."""
        found = []
        for start in range(0, len(packed), BATCH):
            shown = self.features.unpacked(packed[start : start + BATCH])
            found.append(self._odds(shown, self._sums(shown)))
        return np.concatenate(found)

    def page(self) -> Page:
        """The net in whole numbers: each unit as large as bytes allow, since only its share of the sum counts."""
        rules, kinds = self.features.rules, self.features.kinds
        rows, out, plain, _ = (weights.astype(float) for weights in self.weights.values())
        scale = largest_weight(rules) / np.abs(rows).max(axis=0)
        points = POINTS_PER_LOG_ODDS * out / scale
        shift = max(0, int(np.log2(LARGEST_OUT / np.abs(points).max())))
        plain = POINTS_PER_LOG_ODDS * np.sum([plain[image] for image in self.features.images], axis=0)
        (first, second), held = plain[kinds["discs"]].reshape(2, -1), rules.longest - 1
        patterns = plain[kinds["patterns"]].reshape(2, len(rules.patterns), held)
        return {
            "patterns": {
                pattern_name(rules, pattern): [whole(patterns[0, number]), whole(-patterns[1, number])]
                for number, pattern in enumerate(rules.patterns)
            },
            "cells": [whole(first), whole(-second)],
            "net": {
                "rows": b64encode(np.rint(rows * scale).astype(np.int8).tobytes()).decode(),
                "out": whole(points * 2**shift),
                "shift": shift,
            },
        }


def rate_of(share: float) -> float:
    """How far a step goes after a share of all: more and more at first, then less and less."""
    if share < WARM_UP:
        return RATE * share / WARM_UP
    return RATE * (1 + float(np.cos(np.pi * (share - WARM_UP) / (1 - WARM_UP)))) / 2
