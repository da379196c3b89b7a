"""A text as a QR code: bytes, error correction M, versions 1 to 10, by the steps of ISO/IEC 18004.

finder   timing . . . finder       The data is written as bits, closed with Reed-Solomon bytes, laid in a zigzag
timing                             from the lower right corner around the fixed patterns, and covered with the
.        data                      mask that leaves the fewest shapes a reader could mistake for something else.
finder
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby, pairwise

Squares = list[list[bool]]

BLOCKS = {
    1: (10, [16]),
    2: (16, [28]),
    3: (26, [44]),
    4: (18, [32] * 2),
    5: (24, [43] * 2),
    6: (16, [27] * 4),
    7: (18, [31] * 4),
    8: (22, [38] * 2 + [39] * 2),
    9: (22, [36] * 3 + [37] * 2),
    10: (26, [43] * 4 + [44]),
}
"""For each version with error correction M: the correction bytes of a block, and the data bytes of each block."""

CENTRES = {
    1: (),
    2: (6, 18),
    3: (6, 22),
    4: (6, 26),
    5: (6, 30),
    6: (6, 34),
    7: (6, 22, 38),
    8: (6, 24, 42),
    9: (6, 26, 46),
    10: (6, 28, 50),
}
"""Rows and columns of the middles of the alignment patterns."""

MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda r, c: (r + c) % 2 == 0,
    lambda r, c: r % 2 == 0,
    lambda r, c: c % 3 == 0,
    lambda r, c: (r + c) % 3 == 0,
    lambda r, c: (r // 2 + c // 3) % 2 == 0,
    lambda r, c: r * c % 2 + r * c % 3 == 0,
    lambda r, c: (r * c % 2 + r * c % 3) % 2 == 0,
    lambda r, c: ((r + c) % 2 + r * c % 3) % 2 == 0,
)

QUIET_MODULES = 4
"""The white edge, in modules."""


def qr_svg(text: str) -> str:
    """The code as a picture, black on white in any theme, as readers expect it; ValueError for a text too long."""
    matrix = qr_matrix(text)
    size = len(matrix) + 2 * QUIET_MODULES
    dark = "".join(
        f"M{c + QUIET_MODULES} {r + QUIET_MODULES}h1v1h-1z"
        for r, row in enumerate(matrix)
        for c, on in enumerate(row)
        if on
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<rect width="{size}" height="{size}" fill="#fff"/><path d="{dark}" fill="#000"/></svg>'
    )


def qr_matrix(text: str) -> Squares:
    """The modules of the code row by row, True for dark; ValueError for a text of more than 213 bytes."""
    data = text.encode()
    version = next((v for v, (_, blocks) in BLOCKS.items() if sum(blocks) >= len(data) + (2 if v < 10 else 3)), None)
    if version is None:
        raise ValueError(f"a code holds at most 213 bytes, got {len(data)}")
    fixed, taken = _patterns(version)
    laid = _laid(fixed, taken, _stream(_codewords(data, version)))
    return min((_masked(laid, taken, number) for number in range(len(MASKS))), key=_penalty)


def _stream(codewords: bytes) -> Iterator[bool]:
    for byte in codewords:
        yield from (bool(byte >> bit & 1) for bit in range(7, -1, -1))


# ------------------------------------------------------------- bytes


def _codewords(data: bytes, version: int) -> bytes:
    """Mode, length, data and padding, cut into blocks, each with its correction, one byte of each block at a time."""
    correction, sizes = BLOCKS[version]
    length = 8 if version < 10 else 16
    bits = f"0100{len(data):0{length}b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    bits = bits[: 8 * sum(sizes)]
    bits += "0" * (-len(bits) % 8)
    filled = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
    filled += bytes((0xEC, 0x11)[i % 2] for i in range(sum(sizes) - len(filled)))
    blocks, at = [], 0
    for size in sizes:
        blocks.append(filled[at : at + size])
        at += size
    checks = [_correction(block, correction) for block in blocks]
    return bytes(_interleaved(blocks)) + bytes(_interleaved(checks))


def _interleaved(blocks: list[bytes]) -> Iterator[int]:
    for at in range(max(map(len, blocks))):
        yield from (block[at] for block in blocks if at < len(block))


def _tables() -> tuple[list[int], list[int]]:
    powers, logs, value = [0] * 512, [0] * 256, 1
    for exponent in range(255):
        powers[exponent] = powers[exponent + 255] = value
        logs[value] = exponent
        value = value << 1 ^ (0x11D if value & 0x80 else 0)
    return powers, logs


POWERS, LOGS = _tables()
"""Powers of 2 in the field of 256 elements, and their exponents."""


def _times(a: int, b: int) -> int:
    return POWERS[LOGS[a] + LOGS[b]] if a and b else 0


def _correction(block: bytes, count: int) -> bytes:
    """The remainder of a block divided by the generator polynomial of that degree."""
    generator = [1]
    for root in range(count):
        raised = [*generator, 0]
        for i, factor in enumerate(generator):
            raised[i + 1] ^= _times(factor, POWERS[root])
        generator = raised
    rest = list(block) + [0] * count
    for at in range(len(block)):
        for i, factor in enumerate(generator):
            rest[at + i] ^= _times(factor, rest[at]) if i else 0
    return bytes(rest[len(block) :])


# ----------------------------------------------------------- modules


def _patterns(version: int) -> tuple[Squares, Squares]:
    """The fixed patterns, and which modules they (and the format) take."""
    size = 17 + 4 * version
    dark: Squares = [[False] * size for _ in range(size)]
    taken: Squares = [[False] * size for _ in range(size)]

    def put(row: int, column: int, on: bool) -> None:
        if 0 <= row < size and 0 <= column < size:
            dark[row][column], taken[row][column] = on, True

    for at in range(size):
        put(6, at, at % 2 == 0)
        put(at, 6, at % 2 == 0)
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for r in range(-1, 8):
            for c in range(-1, 8):
                put(top + r, left + c, max(abs(r - 3), abs(c - 3)) in (0, 1, 3))
    corners = {(6, 6), (6, size - 7), (size - 7, 6)}
    for row, column in ((r, c) for r in CENTRES[version] for c in CENTRES[version] if (r, c) not in corners):
        for r in range(-2, 3):
            for c in range(-2, 3):
                put(row + r, column + c, max(abs(r), abs(c)) != 1)
    for row, column in (*_format_places(size)[0], *_format_places(size)[1]):
        put(row, column, False)
    put(size - 8, 8, True)
    if version >= 7:
        for bit in range(18):
            on = bool(_checked(version, 12, 0x1F25) >> bit & 1)
            put(bit // 3, size - 11 + bit % 3, on)
            put(size - 11 + bit % 3, bit // 3, on)
    return dark, taken


def _checked(value: int, bits: int, generator: int) -> int:
    """A number with its check bits behind it."""
    rest = value << bits
    while rest.bit_length() > bits:
        rest ^= generator << rest.bit_length() - bits - 1
    return value << bits | rest


def _format_places(size: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where the 15 bits of the format stand, highest first, twice."""
    one = [(8, c) for c in (0, 1, 2, 3, 4, 5, 7, 8)] + [(r, 8) for r in (7, 5, 4, 3, 2, 1, 0)]
    other = [(size - 1 - i, 8) for i in range(7)] + [(8, size - 8 + i) for i in range(8)]
    return one, other


def _laid(fixed: Squares, taken: Squares, bits: Iterator[bool]) -> Squares:
    """The bits in a zigzag of two columns, from the right, up and down."""
    size, laid = len(fixed), [list(row) for row in fixed]
    upwards = True
    for right in (c for c in range(size - 1, 0, -2)):
        column = right - 1 if right <= 6 else right
        for step in range(size):
            row = size - 1 - step if upwards else step
            for c in (column, column - 1):
                if not taken[row][c]:
                    laid[row][c] = next(bits, False)
        upwards = not upwards
    return laid


def _masked(laid: Squares, taken: Squares, number: int) -> Squares:
    """The modules under a mask, with the format that names it."""
    size, mask = len(laid), MASKS[number]
    masked = [[on != (not taken[r][c] and mask(r, c)) for c, on in enumerate(row)] for r, row in enumerate(laid)]
    bits = _checked(number, 10, 0x537) ^ 0x5412  # error correction M is 00
    for places in _format_places(size):
        for at, (row, column) in enumerate(places):
            masked[row][column] = bool(bits >> (14 - at) & 1)
    return masked


def _penalty(matrix: Squares) -> int:
    """How hard a code is to read: long runs, blocks of one colour, shapes like a finder, and too dark or too light."""
    size = len(matrix)
    lines = [*matrix, *([row[c] for row in matrix] for c in range(size))]
    runs = sum(length - 2 for line in lines for _, same in groupby(line) if (length := len(list(same))) >= 5)
    blocks = sum(
        upper[c] == upper[c + 1] == lower[c] == lower[c + 1]
        for upper, lower in pairwise(matrix)
        for c in range(size - 1)
    )
    finder = "10111010000"
    texts = ["".join("1" if on else "0" for on in line) for line in lines]
    alike = sum(text.startswith(shape, at) for text in texts for at in range(size) for shape in (finder, finder[::-1]))
    share = sum(map(sum, matrix)) * 20 / size**2
    return runs + 3 * blocks + 40 * alike + 10 * int(abs(share - 10))
