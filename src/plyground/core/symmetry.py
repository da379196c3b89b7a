"""One description for a position and all its images under the symmetries of its rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from plyground.core.grid import move_mask
from plyground.core.position import Position, checked_position
from plyground.core.rules import Move, Rules, Side


@dataclass(frozen=True, slots=True)
class Image:
    """A change of the board that turns positions of some rules into positions of the same or similar rules."""

    cells: tuple[int, ...]
    """Entry i is the cell that cell i goes to."""

    layers: tuple[int, ...]
    """Entry i is the layer that layer i goes to."""

    places: tuple[tuple[int, ...], tuple[int, ...]]
    """For each side: entry i is the placement that placement i goes to."""

    def move(self, side: Side, move: Move) -> Move:
        """A side's move as the image shows it."""
        return Move(self.places[side][move.place], None if move.lift is None else self.places[side][move.lift])

    def origin(self, side: Side, move: Move) -> Move:
        """The move that the image shows as the given one."""
        back = self.places[side].index
        return Move(back(move.place), None if move.lift is None else back(move.lift))

    def described(self, position: Position) -> bytes:
        """All that matters of the image of a position: the ply, then where cards lie or the cells of each layer."""
        head = position.ply.to_bytes(2, "big")
        if position.rules.recycle_from is None:
            masks = [0] * len(self.layers)
            for layer, mask in enumerate(position.layers):
                masks[self.layers[layer]] = move_mask(mask, self.cells)
            size = (len(self.cells) + 7) // 8
            return head + b"".join(mask.to_bytes(size, "big") for mask in masks)
        places = self.places[Side.FIRST]
        cards = sorted(places[card] for card in position.cards)
        barred = [places[position.last.place]] if position.recycling and position.last else []
        return head + b"".join(place.to_bytes(2, "big") for place in cards + barred)


def image_data(image: Image) -> tuple[list[int], list[int], list[list[int]]]:
    """An image as the core reads it: cells, layers, and placements by side."""
    return list(image.cells), list(image.layers), list(map(list, image.places))


def canonical(position: Position) -> tuple[bytes, Image]:
    """The least description among all images of a position, and the image that it describes."""
    images = group(checked_position(position).rules)
    return min(((image.described(position), image) for image in images), key=lambda found: found[0])


def same_moves(position: Position, move: Move) -> list[Move]:
    """A move and those that a symmetry of the position makes of it, all worth the same."""
    images = group(position.rules)
    here = images[0].described(position)
    found = {image.move(position.to_move, move): None for image in images if image.described(position) == here}
    return list(found)


@lru_cache(maxsize=64)
def group(rules: Rules) -> tuple[Image, ...]:
    """Every symmetry of the rules that leaves each side's goals alone; the first one changes nothing."""
    same = tuple(range(len(rules.grid.cells))), tuple(range(len(rules.layers)))
    found = {same: None}
    queue = [same]
    for cells, layers in queue:
        for symmetry in rules.symmetries:
            after = tuple(symmetry.cells[cell] for cell in cells), tuple(symmetry.layers[layer] for layer in layers)
            if after not in found:
                found[after] = None
                queue.append(after)
    images = [_image(rules, rules, cells, layers) for cells, layers in found]
    return tuple(image for image in images if image is not None)


@lru_cache(maxsize=64)
def likeness(rules: Rules, other: Rules) -> Image | None:
    """The change that turns rules into others that differ only in the names of layers; None if they differ in more.

    It turns Double Card with dots moving first into the game with colours moving first.
    """
    alike = (
        rules.grid == other.grid
        and rules.patterns == other.patterns
        and rules.recycle_from == other.recycle_from
        and rules.mover_wins_ties == other.mover_wins_ties
        and (rules.full_winner, rules.passes) == (other.full_winner, other.passes)
        and len(rules.layers) == len(other.layers)
    )
    if not alike:
        return None
    same = tuple(range(len(rules.grid.cells)))
    for layers in permutations(range(len(rules.layers))):
        turned = [sorted(layers[layer] for layer in rules.watches[side]) for side in Side]
        if turned == [sorted(watched) for watched in other.watches]:
            image = _image(rules, other, same, layers)
            if image is not None:
                return image
    return None


def _image(rules: Rules, other: Rules, cells: tuple[int, ...], layers: tuple[int, ...]) -> Image | None:
    """The change with its placements, or None when a placement goes nowhere."""
    places: list[tuple[int, ...]] = []
    for side in Side:
        index = {placement.adds: place for place, placement in enumerate(other.placements[side])}
        goes = []
        for placement in rules.placements[side]:
            adds = [0] * len(layers)
            for layer, mask in enumerate(placement.adds):
                adds[layers[layer]] = move_mask(mask, cells)
            place = index.get(tuple(adds))
            if place is None:
                return None
            goes.append(place)
        places.append(tuple(goes))
    return Image(cells, layers, (places[0], places[1]))


def turned(position: Position, image: Image, rules: Rules) -> Position:
    """The image of a position that goes on, under the given rules."""
    layers = [0] * len(image.layers)
    for layer, mask in enumerate(position.layers):
        layers[image.layers[layer]] = move_mask(mask, image.cells)
    cards = frozenset(image.places[Side.FIRST][card] for card in position.cards)
    last = None if position.last is None else image.move(position.to_move.other, position.last)
    return Position.of(rules, tuple(layers), position.ply, cards, last)
