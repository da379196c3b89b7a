"""QR codes, read back by the steps of the standard: format, mask, zigzag, blocks, remainder, bytes."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from plyground.web import qr
from plyground.web.qr import BLOCKS, MASKS, POWERS, Squares, qr_matrix, qr_svg


def format_of(matrix: Squares) -> int:
    """The five bits of the format that stand around the upper left finder."""
    places = [(8, c) for c in (0, 1, 2, 3, 4)]
    return int("".join(str(int(matrix[r][c])) for r, c in places), 2) ^ 0b10101


def value_at(block: bytes, x: int) -> int:
    """A block as a polynomial over the field of 256 elements, at x."""
    value = 0
    for byte in block:
        value = qr._times(value, x) ^ byte
    return value


def read(matrix: Squares) -> tuple[str, list[bytes]]:
    """The text of a code and its blocks, each with its correction."""
    size = len(matrix)
    version = (size - 17) // 4
    mask = MASKS[format_of(matrix) & 7]
    _, taken = qr._patterns(version)
    bits = []
    for step, right in enumerate(range(size - 1, 0, -2)):
        column = right - 1 if right <= 6 else right
        rows = range(size) if step % 2 else range(size - 1, -1, -1)
        for row in rows:
            bits += [matrix[row][c] != mask(row, c) for c in (column, column - 1) if not taken[row][c]]
    stream = bytes(int("".join(map(str, map(int, bits[at : at + 8]))), 2) for at in range(0, len(bits) // 8 * 8, 8))
    count, sizes = BLOCKS[version]
    blocks, at = [bytearray() for _ in sizes], 0
    for lengths in (sizes, [count] * len(sizes)):
        for place in range(max(lengths)):
            for block, length in zip(blocks, lengths, strict=True):
                if place < length:
                    block.append(stream[at])
                    at += 1
    data = b"".join(bytes(block[:size]) for block, size in zip(blocks, sizes, strict=True))
    number = int.from_bytes(data)
    width = 8 * len(data)
    length_bits = 8 if version < 10 else 16
    assert number >> width - 4 == 0b0100
    length = number >> width - 4 - length_bits & (1 << length_bits) - 1
    text = (number >> width - 4 - length_bits - 8 * length) & (1 << 8 * length) - 1
    return text.to_bytes(length).decode(), [bytes(block) for block in blocks]


@pytest.mark.parametrize("length", [1, 14, 15, 26, 27, 42, 62, 84, 106, 122, 152, 180, 181, 213])
def test_a_code_says_the_text_it_was_made_from(length: int) -> None:
    text = ("http://192.168.1.23:8000/#/game/Zü-" + "x1Y_-" * 60).encode()[:length].decode(errors="ignore")
    found, blocks = read(qr_matrix(text))
    assert found == text
    for block in blocks:  # a block with its correction is a multiple of the generator, so its roots are roots of it
        for root in range(BLOCKS[(len(qr_matrix(text)) - 17) // 4][0]):
            assert value_at(block, POWERS[root]) == 0


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 213 bytes, got 214"):
        qr_matrix("x" * 214)


def test_the_picture_has_a_quiet_edge_and_no_colour_of_a_theme() -> None:
    drawn = ElementTree.fromstring(qr_svg("plyground"))
    assert drawn.get("viewBox") == "0 0 29 29"  # 21 modules and four on each side
    assert [element.get("fill") for element in drawn] == ["#fff", "#000"]
