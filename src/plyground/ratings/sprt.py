"""The sequential test: play on until it is clear which of two claims about a difference in strength holds.

The generalised probability-ratio test on pairs of games: both claims fix the mean of the pair results only, so
each is given the distribution with that mean under which the observed pairs are likeliest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from plyground.ratings.elo import expected_score
from plyground.ratings.scores import PAIR_SHARES

UNSEEN_PAIRS = 1e-3
"""How many pairs a result that never occurred counts as, so that no claim is ruled out by a single pair."""

WIDEST_ELO = 4000
"""Beyond this a player is expected to win so surely that no game could say more."""

SprtResult = Literal["accepted", "rejected"]


class SprtState(NamedTuple):
    """Where a test stands."""

    llr: float
    """The logarithm of how much likelier the pairs are under the higher claim than under the lower one."""

    low: float
    """At or below this the lower claim is taken."""

    high: float
    """At or above this the higher claim is taken."""

    verdict: SprtResult | None
    """Whether the higher claim was accepted or rejected; None while undecided."""


@dataclass(frozen=True)
class Sprt:
    """A test of `elo0` against `elo1`, the errors being made at most so often."""

    elo0: float
    elo1: float

    alpha: float = 0.05
    """How often the higher claim is accepted although the lower one holds."""

    beta: float = 0.05
    """How often the higher claim is rejected although it holds."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"sprt needs two bounds, the lower one first, got {self.elo0:g},{self.elo1:g}")
        if max(-self.elo0, self.elo1) > WIDEST_ELO:
            got = f"{self.elo0:g},{self.elo1:g}"
            raise ValueError(f"sprt bounds must be between -{WIDEST_ELO} and {WIDEST_ELO} Elo, got {got}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"sprt errors must be between 0 and 0.5, got {self.alpha:g} and {self.beta:g}")

    @staticmethod
    def parse(text: str) -> Sprt:
        """The test written `0,10` or, with its errors, `0,10,0.05,0.05`; ValueError for any other text."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise ValueError(f"sprt must be ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, got {text!r}")
        return Sprt(*numbers)

    def __str__(self) -> str:
        return ",".join(f"{value:g}" for value in (self.elo0, self.elo1, self.alpha, self.beta))

    def state(self, pairs: Sequence[int]) -> SprtState:
        """Where the test stands after pairs with 0, 0.5, 1, 1.5 and 2 points for the player under test."""
        low = math.log(self.beta / (1 - self.alpha))
        high = math.log((1 - self.beta) / self.alpha)
        llr = log_likelihood_ratio(pairs, expected_score(self.elo0), expected_score(self.elo1))
        verdict: SprtResult | None = "accepted" if llr >= high else "rejected" if llr <= low else None
        return SprtState(llr, low, high, verdict)


def sentence(sprt: Sprt, state: SprtState, one: str, other: str) -> str:
    """Where a test of two players stands, for people."""
    low, high = (f"{elo:+g}" if elo else "0" for elo in (sprt.elo0, sprt.elo1))
    findings: dict[SprtResult | None, str] = {
        "accepted": f"is {high} Elo rather than {low}",
        "rejected": f"is {low} Elo rather than {high}",
        None: f"may be {low} or {high} Elo",
    }
    return (
        f"SPRT {state.verdict or 'undecided'}: the difference of {one} to {other} {findings[state.verdict]} "
        f"(log-likelihood ratio {state.llr:.2f}, decided at {state.low:.2f} or {state.high:.2f})."
    )


def log_likelihood_ratio(pairs: Sequence[int], share0: float, share1: float) -> float:
    """How much likelier, as a logarithm, the pairs are with the mean `share1` than with `share0`."""
    if not any(pairs):
        return 0.0
    counts = [count or UNSEEN_PAIRS for count in pairs]
    total = sum(counts)
    observed = [count / total for count in counts]
    tilt0, tilt1 = _tilt(observed, share0), _tilt(observed, share1)
    return total * sum(
        p * math.log((1 + tilt0 * (a - share0)) / (1 + tilt1 * (a - share1)))
        for p, a in zip(observed, PAIR_SHARES, strict=True)
    )


def _tilt(observed: Sequence[float], mean: float) -> float:
    """The x for which p / (1 + x (a - mean)) has this mean, p being what was observed.

    Inv: the sum of p (a - mean) / (1 + x (a - mean)) falls in x between its poles, so the root is bracketed.
    """
    gaps = [a - mean for a in PAIR_SHARES]
    low, high = -1 / gaps[-1], -1 / gaps[0]
    x = 0.0
    for _ in range(60):
        value = slope = 0.0
        for p, gap in zip(observed, gaps, strict=True):
            share = gap / (1 + x * gap)
            value += p * share
            slope += p * share * share
        low, high = (x, high) if value > 0 else (low, x)
        step = x + value / slope
        nearer = step if low < step < high else (low + high) / 2
        if abs(nearer - x) < 1e-10:
            break
        x = nearer
    return x
