"""The pages of the documentation as a terminal can show them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import plyground
from plyground.core.specs import look_up

PACKAGE = Path(plyground.__file__).parent

FOLDERS = (PACKAGE / "docs", PACKAGE.parents[1] / "docs")
"""Where the pages are: in an installed package, and in a clone."""

LEFT_OUT = ("index", "reference", "figures", "measurements")
"""Pages that are made for a browser."""

DIRECTIVE = re.compile(r"^(`{3,}|:{3,})\{[^\n]*\n.*?^\1\n?", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


@cache
def topics() -> dict[str, Path]:
    """The pages by the name that asks for them: `play`, `connect-four`, `course`, `course-1-board`."""
    folder = next((each for each in FOLDERS if (each / "play.md").exists()), None)
    if folder is None:
        return {}
    named = {page.stem: page for page in (*folder.glob("*.md"), *folder.glob("games/*.md"))}
    named |= {f"course-{page.stem}".removesuffix("-index"): page for page in folder.glob("course/*.md")}
    return {name: page for name, page in sorted(named.items()) if name not in LEFT_OUT}


def title_of(name: str) -> str:
    """The heading of a page."""
    return _text(name).partition("\n")[0].lstrip("# ")


def page(name: str) -> str:
    """A page in Markdown, without what only a browser can show; ValueError when there is none."""
    text = LABEL.sub("", DIRECTIVE.sub("", _text(name)))
    return LINK.sub(r"\1", text)


def _text(name: str) -> str:
    return look_up("topic", name, topics()).read_text(encoding="utf-8")
