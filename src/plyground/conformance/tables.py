"""Checks of the tables of a game, and of its symmetries, which must change nothing."""

from __future__ import annotations

from dataclasses import replace

from plyground.conformance.positions import ConformanceError
from plyground.core.grid import Grid, Mask, move_mask
from plyground.core.rules import Guide, Pattern, Placement, Rules, Side, Symmetry
from plyground.core.specs import Spec
from plyground.games import GAMES, load

KINDS: tuple[tuple[str, type], ...] = (
    ("name", str),
    ("grid", Grid),
    ("layers", tuple),
    ("sides", tuple),
    ("watches", tuple),
    ("patterns", tuple),
    ("placements", tuple),
    ("max_plies", int),
    ("families", tuple),
    ("symmetries", tuple),
    ("guide", Guide),
)
"""What each field of rules must be, in the order in which they are checked."""

ELEMENTS: tuple[tuple[str, type], ...] = (
    ("layers", str),
    ("sides", str),
    ("patterns", Pattern),
    ("families", str),
    ("symmetries", Symmetry),
)
"""What the elements of some of these fields must be."""

NOTATION_METHODS = ("write", "read", "split", "join")


def check_tables(rules: Rules) -> None:
    """Names, layers, patterns and placements are of the right kind, on the board, and none twice."""
    _check_kinds(rules)
    _check_sides(rules)
    _check_patterns(rules)
    _check_placements(rules)
    _check_name(rules)


def _require(rules: Rules, kept: bool, promise: str) -> None:
    if not kept:
        raise ConformanceError(f"{rules.name}: {promise}")


def _check_kinds(rules: Rules) -> None:
    """Every field is of the kind that all other code relies on."""
    for name, kind in KINDS:
        value = getattr(rules, name)
        right = isinstance(value, kind) and not isinstance(value, bool)
        _require(rules, right, f"{name} must be of the type {kind.__name__}, got {value!r:.80}")
    of_sides = [
        (f"placements of the {side.text} side", Placement, own)
        for side, own in zip(Side, rules.placements, strict=False)
    ]
    for what, kind, elements in (*((name, kind, getattr(rules, name)) for name, kind in ELEMENTS), *of_sides):
        for each in elements:
            _require(rules, isinstance(each, kind), f"{what} must be of the type {kind.__name__}, got {each!r:.80}")
    missing = [method for method in NOTATION_METHODS if not callable(getattr(rules.notation, method, None))]
    _require(rules, not missing, f"the notation needs the methods {', '.join(missing)}, got {rules.notation!r}")


def _check_name(rules: Rules) -> None:
    try:
        name = Spec.parse(rules.name).name
    except ValueError as error:
        raise ConformanceError(f"the name of a game must be a spec: {error}") from None
    if name in GAMES:
        _require(rules, load(rules.name) == rules, "the name must be a spec that loads the same rules again")


def _check_sides(rules: Rules) -> None:
    """There are two sides, each with placements and with layers of its own that it watches."""
    layers = rules.layers
    _require(
        rules,
        len(set(rules.sides)) == len(rules.sides) == 2 and all(rules.sides),
        f"sides must be two different names, got {rules.sides!r}",
    )
    _require(rules, len(set(layers)) == len(layers), f"layers must have different names, got {layers!r}")
    for what, of_each in (("watches", rules.watches), ("placements", rules.placements)):
        _require(rules, len(of_each) == 2, f"{what} must have an entry for each of the two sides, got {len(of_each)}")
    _require(rules, rules.max_plies > 0, f"max_plies must be above 0, got {rules.max_plies}")
    for side in Side:
        watched = rules.watches[side]
        known = isinstance(watched, tuple) and bool(watched) and set(watched) <= set(range(len(layers)))
        _require(rules, known, f"the {side.text} side watches {watched}, not layers")


def _check_patterns(rules: Rules) -> None:
    """Patterns lie on the board, have a family, and none stands twice: heuristics would count it twice."""
    board = rules.grid.all
    for number, pattern in enumerate(rules.patterns):
        where = f"pattern {number} ({' '.join(rules.grid.names_of(pattern.cells & board))})"
        on_board = pattern.cells != 0 and not pattern.cells & ~board
        _require(rules, on_board, f"{where} must have cells, all on the board")
        apart = not pattern.neutraliser & (~board | pattern.cells)
        _require(rules, apart, f"{where} has a neutraliser off the board or inside")
        named = 0 <= pattern.family < len(rules.families)
        _require(rules, named, f"{where} is of family {pattern.family}, which has no name")
        first = rules.patterns.index(pattern)
        _require(rules, first == number, f"{where} is the same as pattern {first}")


def _check_placements(rules: Rules) -> None:
    """Placements lie on the board, add something to known layers, and none stands twice."""
    board, layers = rules.grid.all, len(rules.layers)
    _require(
        rules,
        [p.name for p in rules.placements[0]] == [p.name for p in rules.placements[1]],
        "both sides' placements must have the same names in the same order",
    )
    for side in Side:
        placements = rules.placements[side]
        _require(rules, bool(placements), f"the {side.text} side has no placements, so it could never move")
        for placement in placements:
            where = f"placement {placement.name!r} of the {side.text} side"
            _require(rules, len(placement.adds) == layers, f"{where} must say what it adds to each of the layers")
            passes = rules.passes and placement is placements[-1]
            _require(rules, placement.cells != 0 or bool(passes), f"{where} must cover a cell")
            _require(rules, not placement.cells & ~board, f"{where} reaches off the board")
            apart = not placement.rests_on & (~board | placement.cells)
            _require(rules, apart, f"{where} rests off the board or on itself")
        distinct = {(p.adds, p.rests_on) for p in placements}
        _require(rules, len(distinct) == len(placements), f"two placements of the {side.text} side are the same")


def check_symmetry(rules: Rules, symmetry: Symmetry) -> None:
    """A symmetry takes cells, layers, placements and patterns to others of the same game."""

    def require(kept: bool, promise: str) -> None:
        _require(rules, kept, f"symmetry {symmetry.name!r} {promise}")

    require(sorted(symmetry.cells) == list(range(len(rules.grid.cells))), "must be a permutation of the cells")
    require(sorted(symmetry.layers) == list(range(len(rules.layers))), "must be a permutation of the layers")
    for side in Side:
        watched = set(rules.watches[side])
        require({symmetry.layers[layer] for layer in watched} == watched, f"changes the goals of the {side.text} side")
        placements = {(p.adds, p.rests_on) for p in rules.placements[side]}
        for placement in rules.placements[side]:
            image = _image_adds(symmetry, placement), move_mask(placement.rests_on, symmetry.cells)
            require(image in placements, f"takes placement {placement.name!r} to something that is none")
    patterns = {replace(pattern, family=0) for pattern in rules.patterns}
    for pattern in rules.patterns:
        names = " ".join(rules.grid.names_of(pattern.cells))
        require(_image_pattern(symmetry, pattern) in patterns, f"takes pattern {names} to something that is none")


def _image_pattern(symmetry: Symmetry, pattern: Pattern) -> Pattern:
    """Where a symmetry takes a pattern; a word of two layers is written as seen from the first of them."""
    cells, neutraliser, barred, swapped = (
        move_mask(mask, symmetry.cells)
        for mask in (pattern.cells, pattern.neutraliser, pattern.barred, pattern.swapped)
    )
    layer = None if pattern.layer is None else symmetry.layers[pattern.layer]
    if pattern.swapped and layer != pattern.layer:
        layer, swapped = pattern.layer, cells & ~swapped
    return Pattern(cells, neutraliser, 0, pattern.effect, pattern.owner, barred, layer, swapped)


def _image_adds(symmetry: Symmetry, placement: Placement) -> tuple[Mask, ...]:
    adds = [0] * len(placement.adds)
    for layer, mask in enumerate(placement.adds):
        adds[symmetry.layers[layer]] = move_mask(mask, symmetry.cells)
    return tuple(adds)
