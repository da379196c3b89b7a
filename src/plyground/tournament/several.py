"""Several tournaments of one game, seen as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from plyground.ratings.scores import GameScore
from plyground.tournament.plan import Plan, from_json
from plyground.tournament.schedule import Entrant
from plyground.tournament.store import Store
from plyground.tournament.stored_game import StoredGame


class Results(Protocol):
    """What a report is made of: a store, or several."""

    @property
    def kind(self) -> str:
        """What was run: `tournament` or `tuning`."""

    @property
    def plan(self) -> str:
        """The plan, as JSON."""

    @property
    def path(self) -> Path:
        """The file."""

    def scores(self) -> dict[str, GameScore]:
        """What the ratings need of every finished undamaged game, by its id."""

    def endings(self) -> Counter[str]:
        """How many undamaged games ended in which way."""

    def repeated(self) -> int:
        """How many undamaged games are move for move the same as another between the same two, in the same order."""

    def damaged(self) -> list[str]:
        """The games that are not what was stored."""

    def games(self) -> Iterator[StoredGame]:
        """Every undamaged game, in the order of the schedule."""

    def fingerprints(self) -> dict[str, str]:
        """The SHA-256 of the files of each player that has some, by name."""

    def sources(self) -> list[str]:
        """What the stores are called."""


class Several:
    """Some stores of tournaments. Who has the same name, spec and files in two of them is one player.

    Others of the same name are kept apart by their tournament: `ann (week 2)`.
    """

    kind = "tournament"

    def __init__(self, stores: Sequence[Store]) -> None:
        """ValueError when one of them is no tournament, or one of another game."""
        self.stores = stores
        self.path = stores[0].path
        self.plans = [_plan_of(store) for store in stores]
        for store, plan in zip(stores, self.plans, strict=True):
            if plan.terms.rules.name != self.plans[0].terms.rules.name:
                raise ValueError(
                    f"{store.path} is a tournament of {plan.terms.game}, {self.path} one of "
                    f"{self.plans[0].terms.game}: report on them apart"
                )
        self._names = _names_of(stores, self.plans)

    @property
    def plan(self) -> str:
        """A plan with everybody in it, on the terms of the first tournament."""
        entrants = {
            self._names[number][entrant.name]: entrant.spec
            for number, plan in enumerate(self.plans)
            for entrant in plan.entrants
        }
        listed = tuple(Entrant(name, spec) for name, spec in entrants.items())
        first = self.plans[0]
        return Plan(listed, first.terms, seed=first.seed).to_json()

    def _renamed(self, number: int, game: StoredGame) -> StoredGame:
        names, mark = self._names[number], f"{number + 1}."
        return game._replace(
            id=mark + game.id, pair=mark + game.pair, first=names[game.first], second=names[game.second]
        )

    def games(self) -> Iterator[StoredGame]:
        """Every undamaged game, one tournament after the other; the number of that begins its id."""
        for number, store in enumerate(self.stores):
            for game in store.games():
                yield self._renamed(number, game)

    def scores(self) -> dict[str, GameScore]:
        """What the ratings need of every finished undamaged game, by its id."""
        found = {}
        for number, store in enumerate(self.stores):
            names, mark = self._names[number], f"{number + 1}."
            for key, score in store.scores().items():
                found[mark + key] = score._replace(
                    first=names[score.first], second=names[score.second], pair=mark + score.pair
                )
        return found

    def endings(self) -> Counter[str]:
        """How many undamaged games ended in which way."""
        return sum((store.endings() for store in self.stores), Counter())

    def repeated(self) -> int:
        """How many games repeat another of the same tournament."""
        return sum(store.repeated() for store in self.stores)

    def damaged(self) -> list[str]:
        """The games that are not what was stored."""
        return [f"{number}.{key}" for number, store in enumerate(self.stores, start=1) for key in store.damaged()]

    def fingerprints(self) -> dict[str, str]:
        """The SHA-256 of the files of each player that has some, by name."""
        return {
            self._names[number][name]: found
            for number, store in enumerate(self.stores)
            for name, found in store.fingerprints().items()
        }

    def sources(self) -> list[str]:
        """What the stores are called."""
        return [store.path.stem for store in self.stores]


class _Identity(NamedTuple):
    name: str
    spec: str
    fingerprint: str


def _plan_of(store: Store) -> Plan:
    if store.kind != "tournament":
        raise ValueError(f"{store.path} holds a {store.kind}: only tournaments are reported on together")
    return from_json(store.plan)


def _names_of(stores: Sequence[Store], plans: Sequence[Plan]) -> list[dict[str, str]]:
    """For each tournament what its players are called in all together."""
    known: dict[str, set[_Identity]] = {}
    identities = []
    for store, plan in zip(stores, plans, strict=True):
        prints = store.fingerprints()
        mine = [_Identity(entrant.name, entrant.spec, prints.get(entrant.name, "")) for entrant in plan.entrants]
        identities.append(mine)
        for one in mine:
            known.setdefault(one.name, set()).add(one)
    return [
        {one.name: one.name if len(known[one.name]) == 1 else f"{one.name} ({store.path.stem})" for one in mine}
        for store, mine in zip(stores, identities, strict=True)
    ]
