"""When and where a game is played: the tags Event, Date and Round of a record."""

from __future__ import annotations

import time

OCCASION_TAGS = ("Event", "Date", "Round")
"""The tags with which a PGN begins, where a record has them."""

NO_ROUND = "-"
"""The round of a game that belongs to none, as PGN writes it."""


def occasion(event: str, number: str = NO_ROUND) -> dict[str, str]:
    """The tags of a game that begins today: `2026.11.17`, as PGN writes a date."""
    return {"Event": event, "Date": time.strftime("%Y.%m.%d"), "Round": number}
