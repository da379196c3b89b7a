"""Numbers by the hash of a position: how a book keeps what it knows of some positions among many.

keys, 8 bytes each     increasing; hashes of a description that all images of a position share
numbers, 2 bytes each  signed; in the order of the keys
"""

from __future__ import annotations

import hashlib
import struct
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from plyground.core.position import Position
from plyground.core.symmetry import canonical

KEY_BYTES = 8


def key_of(position: Position) -> int:
    """What all images of a position share, and hardly any other position has."""
    return _hashed(canonical(position)[0])


def _hashed(described: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(described, digest_size=KEY_BYTES).digest(), "big")


@dataclass(frozen=True)
class Hashed:
    """Numbers of positions, found by their keys."""

    keys: array[int]
    numbers: array[int]

    @staticmethod
    def of(entries: Mapping[int, int]) -> Hashed:
        """Numbers by key."""
        keys = array("Q", sorted(entries))
        return Hashed(keys, array("h", (entries[key] for key in keys)))

    @staticmethod
    def read(data: bytes, count: int) -> Hashed:
        """So many entries from the bytes of a file; ValueError when these are not as many, or out of order."""
        if len(data) != count * (KEY_BYTES + 2):
            raise ValueError(f"{count} entries take {count * (KEY_BYTES + 2)} bytes, got {len(data)}")
        numbers = struct.unpack(f">{count}Q{count}h", data)
        keys = array("Q", numbers[:count])
        if any(one >= other for one, other in pairwise(keys)):
            raise ValueError("the keys are out of order")
        return Hashed(keys, array("h", numbers[count:]))

    def written(self) -> bytes:
        """The bytes of a file."""
        count = len(self)
        return struct.pack(f">{count}Q{count}h", *self.keys, *self.numbers)

    def __len__(self) -> int:
        return len(self.keys)
