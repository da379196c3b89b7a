"""Whether the tables of a game fit together, and its symmetries change nothing."""

from __future__ import annotations

from plyground.conformance.positions import ConformanceError
from plyground.core.grid import Mask, move_mask
from plyground.core.rules import Placement, Rules, Side, Symmetry
from plyground.core.specs import Spec
from plyground.games import GAMES, load


def check_tables(rules: Rules) -> None:
    """Names, layers, patterns and placements are there, on the board, and none twice."""

    def require(kept: bool, promise: str) -> None:
        if not kept:
            raise ConformanceError(f"{rules.name}: {promise}")

    board, layers = rules.grid.all, range(len(rules.layers))
    require(rules == rules and hash(rules) == hash(rules), "rules must be equal to themselves and hash alike")
    if Spec.parse(rules.name).name in GAMES:
        require(load(rules.name) == rules, "the name must be a spec that loads the same rules again")
    require(
        len(set(rules.sides)) == len(rules.sides) == 2 and all(rules.sides),
        f"sides must be two different names, got {rules.sides!r}",
    )
    for what, of_each in (("watches", rules.watches), ("placements", rules.placements)):
        require(len(of_each) == 2, f"{what} must have an entry for each of the two sides, got {len(of_each)}")
    require(rules.max_plies > 0, f"max_plies must be above 0, got {rules.max_plies}")
    for side in Side:
        watched = rules.watches[side]
        require(bool(watched) and set(watched) <= set(layers), f"the {side.text} side watches {watched}, not layers")
    require(not set(rules.watches[0]) & set(rules.watches[1]), "no layer can serve both sides")
    for number, pattern in enumerate(rules.patterns):
        where = f"pattern {number} ({' '.join(rules.grid.names_of(pattern.cells & board))})"
        require(pattern.cells != 0 and not pattern.cells & ~board, f"{where} must have cells, all on the board")
        require(
            not pattern.neutraliser & (~board | pattern.cells), f"{where} has a neutraliser off the board or inside"
        )
        require(0 <= pattern.family < len(rules.families), f"{where} is of family {pattern.family}, which has no name")
    require(
        [p.name for p in rules.placements[0]] == [p.name for p in rules.placements[1]],
        "both sides' placements must have the same names in the same order",
    )
    for side in Side:
        for placement in rules.placements[side]:
            where = f"placement {placement.name!r} of the {side.text} side"
            require(len(placement.adds) == len(layers), f"{where} must say what it adds to each of the layers")
            require(placement.cells != 0, f"{where} must cover a cell")
            require(not placement.cells & ~board, f"{where} reaches off the board")
            require(not placement.rests_on & (~board | placement.cells), f"{where} rests off the board or on itself")
        distinct = {(p.adds, p.rests_on) for p in rules.placements[side]}
        require(len(distinct) == len(rules.placements[side]), f"two placements of the {side.text} side are the same")


def check_symmetry(rules: Rules, symmetry: Symmetry) -> None:
    """A symmetry takes cells, layers, placements and patterns to others of the same game."""

    def require(kept: bool, promise: str) -> None:
        if not kept:
            raise ConformanceError(f"{rules.name}: symmetry {symmetry.name!r} {promise}")

    require(sorted(symmetry.cells) == list(range(len(rules.grid.cells))), "must be a permutation of the cells")
    require(sorted(symmetry.layers) == list(range(len(rules.layers))), "must be a permutation of the layers")
    for side in Side:
        watched = set(rules.watches[side])
        require({symmetry.layers[layer] for layer in watched} == watched, f"changes the goals of the {side.text} side")
        placements = {(p.adds, p.rests_on) for p in rules.placements[side]}
        for placement in rules.placements[side]:
            image = _image_adds(symmetry, placement), move_mask(placement.rests_on, symmetry.cells)
            require(image in placements, f"takes placement {placement.name!r} to something that is none")
    patterns = {(p.cells, p.neutraliser) for p in rules.patterns}
    for pattern in rules.patterns:
        image_cells = move_mask(pattern.cells, symmetry.cells), move_mask(pattern.neutraliser, symmetry.cells)
        names = " ".join(rules.grid.names_of(pattern.cells))
        require(image_cells in patterns, f"takes pattern {names} to something that is none")


def _image_adds(symmetry: Symmetry, placement: Placement) -> tuple[Mask, ...]:
    adds = [0] * len(placement.adds)
    for layer, mask in enumerate(placement.adds):
        adds[symmetry.layers[layer]] = move_mask(mask, symmetry.cells)
    return tuple(adds)
