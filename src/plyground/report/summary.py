"""Everything a report shows about a tournament, as numbers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from plyground.core.display import drawn
from plyground.core.position import Ending
from plyground.core.specs import look_up
from plyground.ratings import GameScore, Ratings, SprtState, Standing, Tally, first_movers, rate, standings, tallies
from plyground.tournament.places import Champion, champion_of, given_points, order_of
from plyground.tournament.plan import Plan, from_json
from plyground.tournament.run import SequentialTest
from plyground.tournament.several import Results
from plyground.tournament.store import StoredGame

if TYPE_CHECKING:
    from pandas import DataFrame

ENDINGS = {ending.value for ending in Ending}
"""How the rules end a game; any other termination is a fault of the loser, or a game that was not played."""


@dataclass
class TimeUse:
    """How long a player thought, and how far it looked where it says so."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    depths: list[int] = field(default_factory=list)
    """The depth of each move that it reported one for."""
    nodes: int = 0
    counted: int = 0
    """Moves for which it reported how many positions it looked at ..."""
    counted_seconds: float = 0.0
    """... and how long it thought about those."""

    @property
    def average(self) -> float:
        """Seconds per move."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def depth(self) -> float | None:
        """Plies looked ahead, on average; None where it never said."""
        return sum(self.depths) / len(self.depths) if self.depths else None

    @property
    def nodes_per_move(self) -> float | None:
        """Positions looked at for a move, on average; None where it never said."""
        return self.nodes / self.counted if self.counted else None

    @property
    def nodes_per_second(self) -> float | None:
        """Positions looked at per second; None where it never said."""
        return self.nodes / self.counted_seconds if self.counted_seconds else None

    def add(self, seconds: float, depth: int | None = None, nodes: int | None = None) -> None:
        """Count a move."""
        self.moves += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)
        if depth is not None:
            self.depths.append(depth)
        if nodes is not None:
            self.nodes += nodes
            self.counted += 1
            self.counted_seconds += seconds


class FaultNote(NamedTuple):
    """A game somebody lost by its own fault, or that could not be played."""

    id: str
    player: str
    """Whose fault it was; empty when nobody's."""
    verdict: str
    why: str

    stderr: str
    """The last lines it wrote there."""


class WarningNote(NamedTuple):
    """What a bot was forgiven in a practice game."""

    id: str
    player: str
    why: str


@dataclass(frozen=True)
class Summary:
    """A tournament as far as it has been played."""

    plan: Plan
    ratings: Ratings

    standings: list[Standing]
    """The best first."""

    head_to_head: dict[tuple[str, str], Tally]
    """How the one did against the other."""

    first: Tally
    """How those who moved first did, in games decided on the board."""

    played: int
    """Games with a result."""

    repeated: int
    """How many of them are move for move the same as another one between the same two."""

    sprt: SprtState | None = None

    champion: Champion | None = None
    """Who has won a knockout that is over."""

    endings: Counter[str] = field(default_factory=Counter)
    """Games by how they ended."""

    faults: list[FaultNote] = field(default_factory=list)

    warnings: list[WarningNote] = field(default_factory=list)

    isolation: Counter[str] = field(default_factory=Counter)
    """Games with bots in other processes, by how these were kept from harm."""

    times: dict[str, TimeUse] = field(default_factory=dict)
    """By player."""

    damaged: list[str] = field(default_factory=list)
    """Games that are not what was stored; nothing else counts them."""

    fingerprints: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of the files of those players that have some, by name."""

    sources: list[str] = field(default_factory=list)
    """What the stores are called."""

    @property
    def names(self) -> list[str]:
        """The players in the order of the table."""
        return [line.name for line in self.standings]

    def _repr_html_(self) -> str | None:
        """What a notebook shows: standings, ratings with their intervals, head to head."""
        return drawn(self)

    def to_dataframe(self, table: str = "standings") -> DataFrame:
        """A table of the report for pandas: `standings`, `crosstable`, `endings`, `time`, `faults`, ...

        ImportError where pandas is not installed, ValueError for a table that there is not.
        """
        import pandas

        from plyground.report.tables import TABLES  # they are made of summaries

        chosen = look_up("table", table, TABLES)(self)
        names = [re.sub(r"\W+", "_", column.header or column.name) for column in chosen.columns]
        return pandas.DataFrame([list(row) for row in chosen.rows], columns=names)

    def faults_of(self, name: str) -> int:
        """How many games a player lost by its own fault."""
        return sum(note.player == name for note in self.faults)


def summarise(store: Results) -> Summary:
    """The results in a store, or in several; ValueError when it holds no tournament."""
    if store.kind != "tournament":
        raise ValueError(f"{store.path} holds a {store.kind}, not a tournament; `plyground report` reports on both")
    plan, scores = from_json(store.plan), store.scores()
    summary = outline(plan, scores, store.repeated())
    summary.endings.update(store.endings())
    summary.damaged.extend(store.damaged())
    summary.fingerprints.update(store.fingerprints())
    summary.sources.extend(store.sources())
    for name in summary.names:
        summary.times[name] = TimeUse()
    for game in store.games():
        _look_at(summary, game)
    return summary


def outline(plan: Plan, scores: dict[str, GameScore], repeated: int = 0) -> Summary:
    """What the results alone show: everything but endings, faults and times."""
    games = list(scores.values())
    ratings = rate(games, [entrant.name for entrant in plan.entrants])
    points = {key: score.points for key, score in scores.items()}
    return Summary(
        plan=plan,
        ratings=ratings,
        standings=standings(games, ratings, order_of(plan, points), given_points(plan, points)),
        head_to_head=tallies(games),
        first=first_movers(games),
        played=len(games),
        repeated=repeated,
        sprt=None if plan.sprt is None else SequentialTest(plan).update(points),
        champion=champion_of(plan, points),
    )


def _look_at(summary: Summary, game: StoredGame) -> None:
    """Note what time a game took, and whose fault it was."""
    notes, rules = game.notes(), summary.plan.terms.rules
    conduct = notes.conduct(rules)
    if conduct.isolation:
        summary.isolation[conduct.isolation] += 1
    for ply, move in enumerate(notes.moves):
        if (seconds := move.get("seconds")) is not None:
            use = summary.times[game.second if ply % 2 else game.first]
            use.add(seconds, move.get("depth"), move.get("nodes"))
    for player, warnings in zip((game.first, game.second), conduct.warnings, strict=True):
        summary.warnings.extend(WarningNote(game.id, player, why) for why in warnings)
    if game.termination in ENDINGS:
        return
    player = {"1-0": game.second, "0-1": game.first}.get(game.result, "")
    fault = conduct.fault
    why, stderr = (notes.comment, "") if fault is None else (fault.text(rules), fault.stderr)
    summary.faults.append(FaultNote(game.id, player, game.termination, why, stderr))
