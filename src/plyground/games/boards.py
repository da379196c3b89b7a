"""Which boards and variants of each game people are offered; any other is one spec away."""

from __future__ import annotations

from plyground.core.specs import Spec

BOARDS: dict[str, tuple[tuple[str, str], ...]] = {
    "polarized-ladder": (
        ("", "7 rows, the game of 2013: ladders on row 1 are never dead"),
        ("variant=open", "7 rows, the game of 2016: ladders on row 1 can be dead too"),
        ("height=5", "5 rows, for a short game"),
    ),
    "connect-four": (
        ("", "7 rows x 8 columns, the board of the course"),
        ("rows=6,columns=7", "6 rows x 7 columns, the usual board"),
        ("rows=5,columns=6", "5 rows x 6 columns, for a short game"),
    ),
    "double-card": (
        ("", "colours moves first"),
        ("first=dots", "dots moves first"),
        ("max_moves=40", "colours moves first, a draw after 40 moves as in some tournaments"),
    ),
    "mnk": (
        ("", "3 in a row on 3 x 3"),
        ("columns=4,rows=4,line=4", "4 in a row on 4 x 4"),
        ("columns=9,rows=9,line=5", "5 in a row on 9 x 9"),
    ),
    "gomoku": (("", "15 x 15"), ("size=13", "13 x 13"), ("size=9", "9 x 9")),
}
"""Options of a game and what they mean, the usual ones first."""

QUESTIONS = {"double-card": "Rules"}
"""What is chosen where that is not the board."""


def question(spec: str) -> str:
    """What the boards of a game differ in: `Board`, or `Rules`."""
    return QUESTIONS.get(Spec.parse(spec).name, "Board")


def boards(spec: str) -> tuple[tuple[str, str], ...]:
    """The boards offered for a game named without options, each as its spec and a word about it; else none."""
    parsed = Spec.parse(spec)
    if parsed.options:
        return ()
    return tuple((f"{spec}:{options}".rstrip(":"), word) for options, word in BOARDS.get(parsed.name, ()))
