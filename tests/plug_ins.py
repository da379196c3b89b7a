"""Games that a plug-in may add and that differ from all others in who lays and who watches what."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plyground.core.grid import Grid
from plyground.core.notation import CellNotation
from plyground.core.rules import Move, Pattern, Placement, Reading, Rules, Side
from plyground.games import load


@dataclass(frozen=True)
class ByName(CellNotation):
    """A move is the name of its placement: `1 A1`; moves are separated by semicolons."""

    def read(self, rules: Rules, text: str) -> Reading:
        """The placement that is called so."""
        found = tuple(
            Move(i) for i, placement in enumerate(rules.placements[Side.FIRST]) if placement.name == text.strip()
        )
        if not found:
            raise ValueError(f"nothing is called {text!r}")
        return Reading(found)

    def split(self, rules: Rules, text: str) -> list[str]:
        """Moves stand between semicolons."""
        return [part.strip() for part in text.split(";") if part.strip()]

    def join(self, rules: Rules, moves: list[str]) -> str:
        """Moves stand between semicolons."""
        return "; ".join(moves)


def _named(name: str, rules: Rules, **changed: object) -> Rules:
    return replace(rules, name=name, symmetries=(), **changed)  # type: ignore[arg-type]


def _laying(*adds: tuple[int, ...], layers: int) -> tuple[Placement, ...]:
    """One placement for each cell of tic-tac-toe and each set of layers that can be laid on it."""
    names = load("tic-tac-toe").grid.names
    return tuple(
        Placement(
            name if len(adds) == 1 else f"{number} {name}", tuple(1 << cell if i in on else 0 for i in range(layers))
        )
        for number, on in enumerate(adds)
        for cell, name in enumerate(names)
    )


def misere() -> Rules:
    """Tic-tac-toe in which three in a row lose: each side watches what the other one lays."""
    return _named("misere", load("tic-tac-toe"), watches=((1,), (0,)))


def crossed() -> Rules:
    """Tic-tac-toe in which each side lays what the other one watches, which loses too."""
    first, second = load("tic-tac-toe").placements
    return _named("crossed", load("tic-tac-toe"), placements=(second, first))


def impartial() -> Rules:
    """Both sides lay the same discs; whoever makes three in a row wins."""
    laid = _laying((0,), layers=1)
    return _named("impartial", load("tic-tac-toe"), layers=("disc",), watches=((0,), (0,)), placements=(laid, laid))


def order_and_chaos() -> Rules:
    """Each side lays crosses or noughts as it likes; rows of crosses are the first side's."""
    laid = _laying((0,), (1,), layers=2)
    return _named("order-and-chaos", load("tic-tac-toe"), placements=(laid, laid), notation=ByName())


def neutral() -> Rules:
    """Three layers: either side may lay a neutral disc instead of its own."""
    placements = _laying((0,), (2,), layers=3), _laying((1,), (2,), layers=3)
    changed = {"layers": ("first", "second", "neutral"), "placements": placements, "notation": ByName()}
    return _named("neutral", load("tic-tac-toe"), **changed)


def signed() -> Rules:
    """All discs stand on a shared layer, which the first side watches, and on one that shows who laid them."""
    placements = _laying((0, 2), layers=3), _laying((0, 1), layers=3)
    changed = {"layers": ("disc", "second", "first"), "watches": ((0,), (1,)), "placements": placements}
    return _named("signed", load("tic-tac-toe"), **changed)


def dominoes() -> Rules:
    """Placements of one and of two cells, never lifted: the cells alone do not show how many moves were played."""
    cells = {"A": 0b0001, "B": 0b0010, "AB": 0b0011, "CD": 0b1100, "BC": 0b0110}
    return Rules(
        name="dominoes",
        grid=Grid.rectangle(4, 1),
        layers=("first", "second"),
        sides=("x", "o"),
        watches=((0,), (1,)),
        patterns=(Pattern(0b1111),),
        placements=(
            tuple(Placement(name, (mask, 0)) for name, mask in cells.items()),
            tuple(Placement(name, (0, mask)) for name, mask in cells.items()),
        ),
        max_plies=4,
        notation=load("tic-tac-toe").notation,
    )


def wandering() -> Rules:
    """Discs of one cell that are lifted again."""
    return _named("wandering", impartial(), recycle_from=2, max_plies=12)


PLUG_INS = (misere, crossed, impartial, order_and_chaos, neutral, signed, dominoes, wandering)
