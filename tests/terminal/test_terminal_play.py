"""The terminal game, driven through a real terminal: what a person sees and types."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from command import run
from plyground import games, players
from plyground.play.clock import GRACE_SECONDS, TimeControl
from plyground.play.game import Game
from plyground.play.records import Result, load_records
from plyground.referee import entrants
from plyground.terminal.game import BOT_CONTROL, TerminalGame
from terminals import Spawn, terminals

pexpect = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")

ZERO = "def zero(position):\n    return 0\n"
"""With it a search of depth 1 takes a win, and otherwise the first cell: A1, B1, C1, ..."""


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Spawn]:
    """Starts `plyground play ...` in a terminal 80 columns wide; ended with the test."""
    (tmp_path / "zero.py").write_text(ZERO)
    with terminals(tmp_path, rows=40) as spawn:
        yield lambda arguments="", **changes: spawn(f"play {arguments}", **changes)


def enter(child: Any, *lines: str, prompt: str = r", move \d+: ") -> None:
    """Answer one prompt after the other."""
    for line in lines:
        child.expect(prompt)
        child.sendline(line)


def exit_code(child: Any) -> int:
    """How the program ended, no rematch being wanted."""
    if child.expect([pexpect.EOF, "rematch with sides swapped"]):
        child.sendline("")
        child.expect(pexpect.EOF)
    child.wait()
    assert isinstance(child.exitstatus, int)
    return child.exitstatus


AGAINST_ZERO = "tic-tac-toe --first human --second alpha-beta:depth=1,heuristic=zero.py:zero --names Eva,Robot"


def test_everything_is_asked_for_and_enter_takes_the_default(terminal: Spawn) -> None:
    child = terminal()
    child.expect_exact("Polarized Ladder")
    enter(child, "connect four", prompt=r"Game \[1\]: ")
    child.expect_exact("6 rows x 7 columns, the usual board")
    enter(child, "2", prompt=r"Board \[1\]: ")
    child.expect(r"hazar-isik .*A friend .*Watch")
    enter(child, "", prompt=r"Opponent \[1\]: ")
    child.expect(r"1  Beginner +rated about +800 +answers at once\r\n")
    child.expect(r"10  Everything +rated about +\d+ +takes about \d+ s\r\n")
    enter(child, "eleven", prompt=r"Level \[5\]: ")
    child.expect_exact("a level is 1 to 10, got 'eleven'")
    enter(child, "beginner", prompt=r"Level \[5\]: ")
    enter(child, "", prompt=r"Side \[1\]: ")
    enter(child, "", prompt=r"Your name \[Ada\]: ")
    enter(child, "", prompt=r"Clock \[1\]: ")
    child.expect_exact("Connect Four 6 x 7: Ada (x) against Beginner (o)")
    enter(child, "resign")
    enter(child, "", prompt="resign this game")
    child.expect_exact("the game goes on")
    enter(child, "resign")
    enter(child, "y", prompt="resign this game")
    child.expect_exact("Ada (x) loses by resignation, Beginner (o) wins")
    assert exit_code(child) == 0


def test_questions_explain_themselves_and_refuse_what_does_not_exist(terminal: Spawn) -> None:
    child = terminal()
    enter(child, "tictactoe", prompt="Game")
    child.expect_exact("did you mean 'tic-tac-toe'?")
    enter(child, "help", prompt="Game")
    child.expect_exact("type a number or a name")
    enter(child, "mnk:columns=9,rows=9,line=12", prompt="Game")
    child.expect_exact("line must be 2 to 9")
    enter(child, "mnk", prompt="Game")
    enter(child, "huge", prompt="Board")
    child.expect_exact("type a number, or options such as columns=4,rows=4,line=4, got 'huge'")
    enter(child, "width=3,height=4", prompt="Board")
    enter(child, "a friend", prompt="Opponent")
    enter(child, "x" * 41, prompt="first player")
    child.expect_exact("a name is 1 to 40 printable characters")
    enter(child, "Eva", prompt="first player")
    enter(child, "", prompt="second player")
    enter(child, "30", prompt="Clock")
    child.expect_exact("unknown clock '30'")
    enter(child, "60+1", prompt="Clock")
    child.expect_exact("K in a row 4 x 3: Eva (x) against Grace (o)")
    enter(child, "zz", prompt=r"Eva \(x\), move 1 \(1:00 left\): ")
    assert exit_code(child) == 0


def test_an_old_program_is_asked_for_with_its_own_options(terminal: Spawn) -> None:
    child = terminal("polarized-ladder")
    enter(child, "ayoub-qabbani", prompt="Opponent")
    child.expect(r"1  0.03 s per move.*2  0.08 s per move.*3  2 s per move.*4  more than 15 s per move")
    enter(child, "50", "program", prompt=r"(Level|As) \[")
    child.expect_exact("level must be 1 to 49, got 50")
    enter(child, "1", "", prompt=r"(Level|As) \[")
    enter(child, "second", "Eva", "", prompt=r"(Side|name|Clock) \[")
    child.expect_exact("ayoub-qabbani (x) against Eva (o)")
    enter(child, "quit", prompt="Eva \\(o\\), move 2: ")
    assert exit_code(child) == 0


@pytest.mark.parametrize("word", ["quit", "zz"])
def test_one_can_quit_at_a_question(word: str, terminal: Spawn) -> None:
    child = terminal()
    enter(child, word, prompt="Game")
    assert exit_code(child) == 0


def test_two_programs_can_be_watched(terminal: Spawn) -> None:
    child = terminal("tic-tac-toe")
    enter(child, "watch", prompt="Opponent")
    enter(child, "nobody", prompt="First")
    child.expect_exact("unknown player 'nobody'; known: ")
    enter(child, "", "1", "", "2", prompt=r"(First|Second|Level) \[")
    child.expect_exact("Beginner (x) against Daydreamer (o)")
    child.expect("wins with|a draw: ")
    assert exit_code(child) == 0


def test_a_human_wins(terminal: Spawn, tmp_path: Path) -> None:
    child = terminal(f"{AGAINST_ZERO} --save won.pgn")
    enter(child, "a3", "3b", "C3")
    child.expect_exact("3 [x][x][x]")
    child.expect_exact("Eva (x) wins with A3-B3-C3")
    child.expect_exact("game saved to won.pgn")
    assert exit_code(child) == 0
    assert load_records(tmp_path / "won.pgn")[0].result is Result.FIRST


def test_a_program_keeps_its_evaluation_to_itself_until_somebody_asks(terminal: Spawn) -> None:
    child = terminal(AGAINST_ZERO)
    enter(child, "A3")
    child.expect_exact("2. Robot (o): A1\r\n")
    enter(child, "scores", "B2", "A2")
    child.expect(r"6\. Robot \(o\): C1  \(0\.\d s, depth 1, win in 1\)")
    child.expect_exact("1 [o][o][o]")
    child.expect_exact("Robot (o) wins with A1-B1-C1")
    assert exit_code(child) == 0


def test_an_error_costs_nothing(terminal: Spawn) -> None:
    child = terminal(AGAINST_ZERO)
    enter(child, "D4")
    child.expect_exact("there is no cell D4 on this board")
    enter(child, "")
    child.expect_exact("how to move: the name of an empty cell, such as B2")
    enter(child, "A3", "A1", prompt=r"Eva \(x\), move [13]: ")
    child.expect_exact("A1 is taken")
    enter(child, "B3", "C3", prompt=r"Eva \(x\), move [35]: ")
    child.expect_exact("Eva (x) wins")
    assert exit_code(child) == 0


def test_undo_takes_back_to_ones_own_last_turn(terminal: Spawn) -> None:
    child = terminal(AGAINST_ZERO)
    enter(child, "undo")
    child.expect_exact("there is nothing to take back")
    enter(child, "A3", "B3", prompt=r"move [13]: ")
    enter(child, "undo", prompt=r"move 5: ")
    child.expect_exact("took back 2 moves")
    child.expect_exact("3  x  .  .")
    enter(child, "undo", prompt=r"move 3: ")
    child.expect_exact("3  .  .  .")
    enter(child, "C1", prompt=r"move 1: ")
    child.expect_exact("1 (o) .  x")
    enter(child, "quit", prompt=r"move 3: ")
    assert exit_code(child) == 0


def test_a_hint_finds_the_win_and_plays_nothing(terminal: Spawn) -> None:
    child = terminal(AGAINST_ZERO)
    enter(child, "A3", "B3", "hint")
    child.expect_exact("You can win with this move. Look at row 3.")
    enter(child, "hint")
    child.expect(r"3 .*<x>.*<x>.*<\.>")
    child.expect_exact("These cells matter: A3-B3-C3.")
    enter(child, "hint")
    child.expect_exact("C3: wins at once")
    enter(child, "C3", prompt=r"move 5: ")
    child.expect_exact("Eva (x) wins")
    assert exit_code(child) == 0


def test_moves_and_help_list_what_can_be_typed(terminal: Spawn) -> None:
    child = terminal(AGAINST_ZERO)
    enter(child, "moves")
    child.expect_exact("A1 B1 C1 A2 B2 C2 A3 B3 C3")
    enter(child, "help")
    for word in ("hint", "undo", "moves", "rules", "board", "save", "scores", "resign", "help", "quit"):
        child.expect(rf"\n  {word} ")
    enter(child, "quit")
    child.expect_exact("no move was played, so there is nothing to save")
    assert exit_code(child) == 0


def test_a_saved_game_is_resumed_and_resigned(terminal: Spawn, tmp_path: Path) -> None:
    child = terminal(AGAINST_ZERO)
    enter(child, "A3", "save mine.json")
    child.expect_exact("saved to mine.json")
    enter(child, "save /nowhere/at/all.pgn")
    child.expect_exact("not saved to /nowhere/at/all.pgn: No such file or directory; the game continues")
    enter(child, "resign")
    enter(child, "y", prompt="resign this game")
    assert exit_code(child) == 0
    child = terminal("--resume mine.json")
    child.expect_exact("Eva (x) against Robot (o)")
    child.expect_exact("3  x  .  .")
    enter(child, "resign")
    enter(child, "y", prompt="resign this game")
    child.expect_exact("Eva (x) loses by resignation")
    assert exit_code(child) == 0
    (record,) = load_records(tmp_path / "mine.json")
    assert (record.termination, record.move_texts()) == ("resignation", ["A3", "A1"])


def saved_game(child: Any) -> str:
    child.expect(r"game saved to (\S+\.pgn);")
    assert isinstance(child.match[1], str)
    return child.match[1]


def test_the_end_of_input_saves_the_game(terminal: Spawn, tmp_path: Path) -> None:
    child = terminal(AGAINST_ZERO)
    enter(child, "A3")
    child.expect("move 3: ")
    child.sendeof()
    name = saved_game(child)
    assert exit_code(child) == 0
    assert load_records(tmp_path / name)[0].move_texts() == ["A3", "A1"]


def test_ctrl_c_at_a_prompt_saves_the_game_and_exits_with_130(terminal: Spawn, tmp_path: Path) -> None:
    child = terminal(AGAINST_ZERO)
    enter(child, "A3")
    child.expect("move 3: ")
    child.sendintr()
    name = saved_game(child)
    assert exit_code(child) == 130
    assert load_records(tmp_path / name)[0].move_texts() == ["A3", "A1"]


@pytest.mark.parametrize("player", ["alpha-beta", "engine"])
def test_ctrl_c_while_a_program_thinks_saves_the_game_and_exits_with_130(
    player: str, terminal: Spawn, tmp_path: Path
) -> None:
    child = terminal(f"gomoku:size=9 --first human --second {player}:seconds=600")
    enter(child, "", prompt="Your name")
    enter(child, "H8")
    child.expect(rf"{player}:seconds=600.0 \(o\) is thinking: \d+\.\d s")
    child.sendintr()
    name = saved_game(child)
    assert exit_code(child) == 130
    assert load_records(tmp_path / name)[0].move_texts() == ["H8"]


def test_a_closed_terminal_leaves_the_game_saved(terminal: Spawn, tmp_path: Path) -> None:
    child = terminal(AGAINST_ZERO)
    enter(child, "A3")
    child.expect("move 3: ")
    child.ptyproc.fileobj.close()
    os.waitpid(child.pid, 0)
    (saved,) = tmp_path.glob("plyground-*.pgn")
    assert load_records(saved)[0].move_texts() == ["A3", "A1"]


def test_ctrl_c_at_a_question_exits_with_130(terminal: Spawn) -> None:
    child = terminal()
    child.expect("Game")
    child.sendintr()
    child.expect_exact("interrupted")
    assert exit_code(child) == 130


def test_a_terminal_that_can_do_it_gets_colour_and_others_do_not(terminal: Spawn) -> None:
    coloured = terminal(AGAINST_ZERO, NO_COLOR="")
    enter(coloured, "A3", "quit")
    seen = coloured.before
    assert re.search(r"\x1b\[[\d;]*m", seen)
    for plain in ({"NO_COLOR": "1"}, {"NO_COLOR": "", "TERM": "dumb"}):
        child = terminal(AGAINST_ZERO, **plain)
        enter(child, "A3", "quit")
        assert not re.search(r"\x1b\[[\d;]*m", child.before)


def test_a_name_that_is_no_ascii_is_shown_and_recorded(terminal: Spawn, tmp_path: Path) -> None:
    child = terminal("tic-tac-toe --first human --second human --names Zoë,李 --save g.pgn")
    enter(child, "B2", prompt=r"Zoë \(x\), move 1: ")
    enter(child, "quit", prompt=r"李 \(o\), move 2: ")
    assert exit_code(child) == 0
    assert load_records(tmp_path / "g.pgn")[0].second == "李"


def test_a_list_is_broken_between_words_on_a_narrow_screen(tmp_path: Path) -> None:
    rows = run("games").stdout.splitlines()
    with terminals(tmp_path, columns=80) as spawn:
        child = spawn("games")
        child.expect(pexpect.EOF)
    shown = child.before.splitlines()
    assert max(map(len, rows)) > 80 >= max(map(len, shown))
    assert " ".join(shown).split() == " ".join(rows).split()


def test_a_bot_has_a_time_even_where_nobody_set_one() -> None:
    rules = games.load("tic-tac-toe")
    with closing(entrants.load("cmd:sleep 100", rules)) as bot:
        table = TerminalGame(Game(rules), (bot, players.load("random", rules)))
        assert BOT_CONTROL.move is not None
        assert table.turn().allowed == BOT_CONTROL.move + GRACE_SECONDS
        limited = TerminalGame(Game(rules, control=TimeControl(0.5)), (bot, None))
        assert limited.turn().allowed == 0.5 + GRACE_SECONDS
    plain = TerminalGame(Game(rules), (players.load("random", rules), None))
    assert plain.turn().allowed is None
