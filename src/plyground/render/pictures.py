"""Pictures as files: SVG as it is, or PNG, which an optional package draws."""

from __future__ import annotations

import re
from pathlib import Path

from plyground.core.files import write_file
from plyground.core.installation import install_command

PNG_ZOOM = 2.0
"""How many pixels of a PNG stand for one of a screen: a printed report shows more of them."""

FAMILIES = "Arial,Helvetica,'Liberation Sans','DejaVu Sans','Noto Sans',sans-serif"
"""Fonts without serifs by their names, of which a machine has one or another."""

DECLARED = re.compile(r"--([\w-]+):([^;}]+)")
USED = re.compile(r"var\(--([\w-]+)\)")


def write_picture(path: Path, svg: str) -> None:
    """Write a picture in the form that the name of the file says; ValueError where a PNG cannot be drawn here."""
    write_file(path, to_png(svg) if path.suffix.lower() == ".png" else svg)


def to_png(svg: str) -> bytes:
    """A picture as PNG, on white; ValueError that says what to install where the package for it is missing."""
    try:
        import resvg_py
    except ImportError:
        raise ValueError(
            f"a PNG needs the package resvg_py: {install_command('pictures')}; or write a name that ends in .svg"
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=_plain(svg), background="white", zoom=PNG_ZOOM))


def _plain(svg: str) -> str:
    """A picture without names for colours and fonts, which browsers know and the package does not."""
    colours: dict[str, str] = {}
    for name, value in DECLARED.findall(svg):
        colours.setdefault(name, value)  # the first are those of a light page
    coloured = USED.sub(lambda match: colours.get(match[1], match[0]), svg)
    return coloured.replace("system-ui,sans-serif", FAMILIES).replace("px sans-serif", f"px {FAMILIES}")
