"""The program's icon as pixels: four discs in a rounded frame, the same as `icon.svg` of the page."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache

SIDE_UNITS = 40
"""The side of the icon in its own units."""

ROUNDING_UNITS = 10
"""The radius of the frame's corners."""

FRAME_TOP, FRAME_BOTTOM = (0x3A, 0x64, 0xDA), (0x1E, 0x3D, 0x9D)

DISC_RADIUS_UNITS = 5.6

DISCS = (
    (13, 13, (0xE9, 0xED, 0xF6)),
    (27, 13, (0x4A, 0x9D, 0xF8)),
    (13, 27, (0x4A, 0x9D, 0xF8)),
    (27, 27, (0xF6, 0xAE, 0x1B)),
)
"""Middle and colour of the disc of each quarter: upper left, upper right, lower left, lower right."""


@lru_cache(maxsize=4)
def icon_png(size: int) -> bytes:
    """The icon as a PNG file of so many pixels a side, transparent outside its frame."""
    rows = (b"\0" + b"".join(_pixel(x, y, size) for x in range(size)) for y in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)  # eight bits each for red, green, blue and opacity
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _pixel(x: int, y: int, size: int) -> bytes:
    unit = SIDE_UNITS / size
    across, down = (x + 0.5) * unit, (y + 0.5) * unit
    share = down / SIDE_UNITS
    colour = [top + (bottom - top) * share for top, bottom in zip(FRAME_TOP, FRAME_BOTTOM, strict=True)]
    middle, height, disc = DISCS[(across > SIDE_UNITS / 2) + 2 * (down > SIDE_UNITS / 2)]
    inside = _covered(DISC_RADIUS_UNITS - ((across - middle) ** 2 + (down - height) ** 2) ** 0.5, unit)
    if inside:
        colour = [old + (new - old) * inside for old, new in zip(colour, disc, strict=True)]
    half = SIDE_UNITS / 2 - ROUNDING_UNITS
    out = [max(abs(place - SIDE_UNITS / 2) - half, 0.0) for place in (across, down)]
    opacity = _covered(ROUNDING_UNITS - (out[0] ** 2 + out[1] ** 2) ** 0.5, unit)
    return bytes(round(part) for part in (*colour, 255 * opacity))


def _covered(depth: float, unit: float) -> float:
    """How much of a pixel lies inside an edge that is so deep below its middle."""
    return min(1.0, max(0.0, depth / unit + 0.5))
