"""A rematch, a lesson and a game watched, driven through a real terminal of 80 x 24."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.play.records import load_records
from terminals import Spawn, ended, terminals

pexpect = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Spawn]:
    """Starts `plyground ...` in a terminal of 80 x 24; ended with the test."""
    with terminals(tmp_path) as spawn:
        yield spawn


def wait_for(child: Any, words: str) -> None:
    """Wait for these words."""
    child.expect_exact(words)


def test_a_rematch_swaps_the_sides(terminal: Spawn) -> None:
    child = terminal("play tic-tac-toe --first human --second human --names Ada,Grace")
    for first, second, wish in (("Ada", "Grace", "y"), ("Grace", "Ada", "")):
        wait_for(child, f"{first} (x), move 1: ")
        child.sendline("B2")
        wait_for(child, f"{second} (o), move 2: ")
        child.sendline("resign")
        wait_for(child, "resign this game?")
        child.sendline("y")
        wait_for(child, "rematch with sides swapped")
        child.sendline(wish)
    assert ended(child) == 0


def test_a_finished_game_is_reviewed_by_one_key(terminal: Spawn) -> None:
    child = terminal("play tic-tac-toe --first human --second human --names Ada,Grace")
    for move in ("B2", "B1", "A1", "A2", "C3"):
        child.expect(r", move \d+: ")
        child.sendline(move)
    wait_for(child, "r for the review, ")
    child.sendline("r")
    wait_for(child, "Grace: a draw until here:")
    wait_for(child, "2. Grace played B1: blunder, cost the draw; ")
    child.expect(r"Ada +100 % +3 +0 +0 +0 +0")
    wait_for(child, "rematch with sides swapped")
    child.sendline("")
    assert ended(child) == 0


def test_who_plays_second_in_a_rematch_reads_the_whole_introduction_before_the_first_move(terminal: Spawn) -> None:
    child = terminal("play tic-tac-toe --first human --second minimax:depth=1 --names Ada,Robot")
    wait_for(child, "how to move: the name of an empty cell, such as B2")
    wait_for(child, "Ada (x), move 1: ")
    child.sendline("resign")
    wait_for(child, "resign this game?")
    child.sendline("y")
    wait_for(child, "rematch with sides swapped")
    child.sendline("y")
    wait_for(child, "goal: ")
    wait_for(child, "1. Robot (x): B2")
    assert "how to move: the name of an empty cell\r\ntype rules for more about the game, or help" in child.before
    wait_for(child, "a move that you can type now: A1")
    wait_for(child, "Ada (o), move 2: ")
    child.sendline("A1")
    wait_for(child, "Ada (o), move 4: ")
    assert "you can type now" not in child.before
    child.sendline("resign")
    wait_for(child, "resign this game?")
    child.sendline("y")
    wait_for(child, "rematch with sides swapped")
    child.sendline("")
    assert ended(child) == 0


def test_a_lesson_is_taken_with_a_wrong_and_a_right_move(terminal: Spawn) -> None:
    child = terminal("learn connect-four")
    wait_for(child, "your move (Enter to continue): ")
    child.sendline("")
    wait_for(child, "Enter for the next step: ")
    child.sendline("")
    wait_for(child, "Find the fourth.")
    wait_for(child, "your move (Enter to continue): ")
    child.sendline("9")
    wait_for(child, "illegal move '9'")
    child.sendline("7")
    wait_for(child, "legal, but another move wins here; try again")
    child.sendline("4")
    wait_for(child, "x wins with columns 1-2-3-4 of row 1")
    wait_for(child, "step 4 of 7")
    child.sendline("quit")
    assert ended(child) == 0


def test_a_lesson_gives_no_answer_away_and_says_what_a_right_move_does(terminal: Spawn) -> None:
    child = terminal("learn connect-four")
    for _ in range(4):
        child.expect("Enter (to continue|for the next step).*: ")
        child.sendline("")
    wait_for(child, "Stop the")
    wait_for(child, "how to move: the number of a column, or its letter, such as 5")  # 4 is to be found
    wait_for(child, "your move (Enter to continue): ")
    child.sendline("4")
    wait_for(child, "right: the opponent cannot win with the next move")
    wait_for(child, "your move (Enter to continue): ")
    child.sendline("6")
    wait_for(child, "right: only one of the threats can be stopped")
    wait_for(child, "that is all; play it with: ")
    assert ended(child) == 0


def test_a_watched_game_waits_after_each_move(terminal: Spawn, tmp_path: Path) -> None:
    watched = "play tic-tac-toe --first minimax:depth=1 --second minimax:depth=1"
    child = terminal(f"{watched} --pause 3600 --save watched.pgn")
    child.expect(r"1\. minimax:depth=1 \(x\): B2.*A  B  C")
    child.sendintr()
    assert ended(child) == 130
    assert len(load_records(tmp_path / "watched.pgn")[0].moves) == 1
