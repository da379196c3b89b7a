"""How a class stands, in words and as a table, for its teacher."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli.output import command_line, unbroken

if TYPE_CHECKING:
    from plyground.course.classroom import Classroom
    from plyground.course.standings import Line

SHOWN_NAMES = 10
"""How many names a sentence lists."""


def how_to_run(folder: Path) -> str:
    """The command that plays the ladder, with the folder as somebody here would type it."""
    here = Path.cwd()
    return command_line("class", "run", folder.relative_to(here) if folder.is_relative_to(here) else folder)


def sentences(room: Classroom, live: Any) -> list[str]:
    """How the class stands, in a few sentences."""
    from plyground.core.notation import plural
    from plyground.games import title

    doing = "is running" if live.running else f"is not running (start it with: {unbroken(how_to_run(room.folder))})"
    doing = "is paused" if live.paused else "is in quiet hours" if live.quiet and live.running else doing
    handed_in = len(room.ledger.current())
    refused, nothing = _without_a_bot(room)
    return [
        f"{room.settings.title}: {title(room.settings.terms.game)}, {plural(len(room.roster), 'student', 'students')}, "
        f"{handed_in} with a bot, {plural(live.games, 'game', 'games')}.",
        f"The ladder {doing}; {plural(live.waiting, 'version', 'versions')} to be checked.",
        *([f"Refused, and nothing else handed in: {_listed(refused)}."] if refused else []),
        *([f"Nothing handed in: {_listed(nothing)}."] if nothing else []),
    ]


def _without_a_bot(room: Classroom) -> tuple[list[str], list[str]]:
    """The names of those for whom no bot plays: whose versions were all refused, and who handed in nothing."""
    newest = {version.student: version for version in room.ledger.versions()}
    playing = room.ledger.current()
    missing = [member for member in room.roster.values() if member.id not in playing]
    refused = [member.name for member in missing if member.id in newest and newest[member.id].checked]
    return refused, [member.name for member in missing if member.id not in newest]


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence, not all of many."""
    more = len(names) - SHOWN_NAMES
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:SHOWN_NAMES])} and {more} others"


def standings_text(room: Classroom, lines: Sequence[Line]) -> str:
    """The table for the teacher: names as the roster has them, beside the pseudonyms that others see."""
    from plyground.report.plain import columns_text, width_of
    from plyground.report.tables import Column, Table, points

    def whole(value: float | None) -> str:
        return "" if value is None else f"{value:.0f}"

    named = {line: room.roster[line.student].name if line.student in room.roster else line.name for line in lines}
    hidden = any(line.name != name for line, name in named.items())
    texts = {"player", "pseudonym", "state"}
    numbers = ("version", "rating", "low", "high", "games", "points", "faults")
    names = ("#", "player", *(("pseudonym",) if hidden else ()), *numbers, "state")
    shows: dict[str, Callable[[Any], str]] = {"points": points, "rating": whole, "low": whole, "high": whole}
    spare = {"version", "points"}
    columns = [Column(name, shows.get(name, str), right=name not in texts, spare=name in spare) for name in names]
    rows = [
        [
            line.place or "",
            name,
            *(("" if name == line.name else line.name,) if hidden else ()),
            line.version or "",
            line.rating,
            *((None, None) if line.fixed else (line.low, line.high)),
            line.games,
            line.points,
            line.faults,
            "anchor" if line.fixed else line.state,
        ]
        for line, name in named.items()
    ]
    return columns_text(Table("Standings", columns, rows), width_of(sys.stdout))
