"""Who plays whom: pairings as values, for every format.

A schedule is a generator of rounds. Each round is a list of fixtures that can be played in any order, also at
once; when the generator goes on to the next round it reads how the last one ended. So a tournament is resumed
by running its schedule again and playing only what has no result yet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple


class Entrant(NamedTuple):
    """Somebody who takes part."""

    name: str
    """What it is called in tables; different for every entrant. Empty for one that goes by its player's name."""

    spec: str
    """The player to load."""


class Fixture(NamedTuple):
    """One game to be played."""

    id: str
    """`3.2.1-a`: round, table, pair, and which game of the pair."""

    first: Entrant
    second: Entrant

    seed: int
    """What the players' random numbers start from."""

    opening: int
    """Which of the tournament's openings it begins with: the same in both games of a pair."""

    @property
    def pair(self) -> str:
        """What the two games of a pair have in common."""
        return self.id.rpartition("-")[0]


Round = list[Fixture]

Points = Mapping[str, float]
"""The first player's points by the id of a fixture. A game that could not be played has no entry and counts half."""

EXTRA_PAIRS = 3
"""How many further pairs decide a drawn knockout match before the better-seeded player goes on."""

MATCHING_STEPS = 20_000
"""Steps in which a Swiss round without rematches is looked for; after that rematches are allowed."""


def seed_of(seed: int, key: str) -> int:
    """A seed for one purpose, made from the one of the whole tournament; it fits a JSON number exactly."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{key}".encode(), digest_size=6).digest())


def pair_of_games(seed: int, key: str, one: Entrant, other: Entrant, opening: int) -> Round:
    """Two games from one opening, each entrant moving first in one of them."""
    return [
        Fixture(f"{key}-a", one, other, seed_of(seed, f"{key}-a"), opening),
        Fixture(f"{key}-b", other, one, seed_of(seed, f"{key}-b"), opening),
    ]


def round_robin(entrants: Sequence[Entrant], rounds: int, seed: int, added: int = 0) -> Iterator[Round]:
    """Everybody against everybody, so many pairs of games each.

    The last `added` entrants came when it had begun: what was scheduled before them keeps its ids.
    """
    first = entrants[: len(entrants) - added]
    later = [(one, new) for place, new in enumerate(entrants) if place >= len(first) for one in entrants[:place]]
    yield _all_pairs([*combinations(first, 2), *later], rounds, seed)


def gauntlet(entrants: Sequence[Entrant], rounds: int, seed: int, challengers: int = 1) -> Iterator[Round]:
    """The first entrant (or the first few) against all others, so many pairs of games each."""
    met = [(one, other) for one in entrants[:challengers] for other in entrants[challengers:]]
    yield _all_pairs(met, rounds, seed)


def _all_pairs(meetings: list[tuple[Entrant, Entrant]], rounds: int, seed: int) -> Round:
    # Round by round, so that a tournament stopped early has played every pairing about equally often.
    return [
        fixture
        for number in range(1, rounds + 1)
        for table, (one, other) in enumerate(meetings, start=1)
        for fixture in pair_of_games(seed, f"{number}.{table}.1", one, other, number - 1)
    ]


def swiss(entrants: Sequence[Entrant], rounds: int, seed: int, points: Points) -> Iterator[Round]:
    """A pair of games per round against somebody with about as many points whom one has not met yet.

    With an odd number the last in the table who has not yet been free is free, and gets the pair's two points.
    """
    total = {entrant.name: 0.0 for entrant in entrants}
    met: set[frozenset[str]] = set()
    free: set[str] = set()
    order = {entrant.name: place for place, entrant in enumerate(entrants)}
    for number in range(1, rounds + 1):
        table = sorted(entrants, key=lambda entrant: (-total[entrant.name], order[entrant.name]))
        if len(table) % 2:
            resting = next((e for e in reversed(table) if e.name not in free), table[-1])
            table.remove(resting)
            free.add(resting.name)
            total[resting.name] += 2
        meetings = _matched(table, met, iter(range(MATCHING_STEPS))) or _matched(
            table, set(), iter(range(MATCHING_STEPS))
        )
        played = [
            pair_of_games(seed, f"{number}.{place}.1", one, other, number - 1)
            for place, (one, other) in enumerate(meetings or [], start=1)
        ]
        yield [fixture for pair in played for fixture in pair]
        for pair in played:
            met.add(frozenset((pair[0].first.name, pair[0].second.name)))
            for name, made in _made(pair, points).items():
                total[name] += made


def _matched(
    table: Sequence[Entrant], met: set[frozenset[str]], steps: Iterator[int]
) -> list[tuple[Entrant, Entrant]] | None:
    """Neighbours in the table that have not met, the highest served first; None when none is found in these steps."""
    if not table:
        return []
    if next(steps, None) is None:
        return None
    one, rest = table[0], table[1:]
    for place, other in enumerate(rest):
        if frozenset((one.name, other.name)) not in met:
            others = _matched([*rest[:place], *rest[place + 1 :]], met, steps)
            if others is not None:
                return [(one, other), *others]
    return None


def knockout(entrants: Sequence[Entrant], rounds: int, seed: int, points: Points) -> Iterator[Round]:
    """Matches of so many pairs; whoever has more points goes on, the entrants being seeded in their order.

    The best seeded are free in the first round where the number is not a power of two. A drawn match goes on for
    up to three more pairs; then the better seeded goes on.
    """
    bracket = _bracket(entrants)
    number = 0
    while len(bracket) > 1:
        number += 1
        matches = list(zip(bracket[::2], bracket[1::2], strict=True))
        scores = [0.0] * len(matches)  # how far the upper one leads
        pairs, first = rounds, 1
        undecided = [i for i, (one, other) in enumerate(matches) if one and other]
        while undecided and first <= rounds + EXTRA_PAIRS:
            played: list[tuple[int, Entrant, Round]] = []
            for match in undecided:
                one, other = matches[match]
                assert one is not None
                assert other is not None
                for game in range(first, first + pairs):
                    opening = (number - 1) * (rounds + EXTRA_PAIRS) + game - 1
                    key = f"{number}.{match + 1}.{game}"
                    played.append((match, one, pair_of_games(seed, key, one, other, opening)))
            yield [fixture for _, _, pair in played for fixture in pair]
            for match, one, pair in played:
                scores[match] += _made(pair, points)[one.name] - 1
            first, pairs = first + pairs, 1
            undecided = [match for match in undecided if scores[match] == 0]
        rank = {entrant: place for place, entrant in enumerate(entrants)}
        bracket = [_winner(one, other, score, rank) for (one, other), score in zip(matches, scores, strict=True)]


def _winner(one: Entrant | None, other: Entrant | None, lead: float, rank: Mapping[Entrant, int]) -> Entrant | None:
    if one is None or other is None:
        return one or other
    if lead == 0:
        return min(one, other, key=rank.__getitem__)
    return one if lead > 0 else other


def _bracket(entrants: Sequence[Entrant]) -> list[Entrant | None]:
    """The entrants in the order of the bracket, the best two as far apart as can be; None is a free place."""
    places = [0]
    while len(places) < len(entrants):
        size = 2 * len(places)
        places = [place for upper in places for place in (upper, size - 1 - upper)]
    return [entrants[place] if place < len(entrants) else None for place in places]


def _made(pair: Round, points: Points) -> dict[str, float]:
    """The points of both entrants in a pair."""
    made = {pair[0].first.name: 0.0, pair[0].second.name: 0.0}
    for fixture in pair:
        half = points.get(fixture.id, 0.5)
        made[fixture.first.name] += half
        made[fixture.second.name] += 1 - half
    return made
