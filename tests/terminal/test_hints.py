"""What a hint says: its first line and its reasons agree."""

from __future__ import annotations

from plyground import games
from plyground.core.position import Position
from plyground.search.base import Analysis, Source
from plyground.search.score import Score
from plyground.terminal.hints import hint_text


def test_a_hint_says_the_earlier_end_that_its_reasons_prove() -> None:
    """
    2  .  .  .  o  o  .  .
    1  .  .  .  x  x  .  .
       1  2  3  4  5  6  7
    """
    position = Position(games.load("connect-four:rows=6,columns=7"), "4455")
    known = Analysis((position.parse("3"),), Score.win(12, at_most=True), 0, 0, 0.0, source=Source.BOOK)
    head, reason, *_ = hint_text(position, known).splitlines()
    assert head == "3: wins in 2 moves (proof search)"
    assert "no move stops both" in reason


def test_a_hint_keeps_the_end_that_the_book_says_where_the_reasons_say_no_other() -> None:
    position = Position(games.load("connect-four"), "44")
    known = Analysis((position.parse("4"),), Score.win(53, at_most=True), 0, 0, 0.0, source=Source.BOOK)
    assert hint_text(position, known).startswith("4: wins in at most 27 moves (book)\n")
