"""A terminal of 60 columns: sentences are broken between words, pictures and moves not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from classes import new_class
from command import run
from plyground import games
from plyground.course.classroom import Classroom
from plyground.terminal.console import NO_BREAK, whole_moves, wrapped
from plyground.terminal.menu import Choice, Menu
from terminals import Spawn, ended, terminals

pexpect = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")

COLUMNS = 60
CONTROL = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Spawn]:
    """Starts `plyground ...` in a narrow terminal; ended with the test."""
    with terminals(tmp_path, columns=COLUMNS) as spawn:
        yield spawn


def lines_of(written: str) -> list[str]:
    """What was written, in lines, none of which the terminal had to break."""
    lines = CONTROL.sub("", written).replace("\r\n", "\n").split("\n")
    lines = [line.rpartition("\r")[2].rstrip() for line in lines]  # a line may be written over
    assert [line for line in lines if len(line) > COLUMNS] == []
    return lines


def printed(terminal: Spawn, arguments: str) -> list[str]:
    """The lines of a command that asks nothing."""
    child = terminal(arguments)
    child.expect(pexpect.EOF)
    return lines_of(child.before)


@pytest.mark.parametrize(
    "arguments",
    [
        "explain connect-four --after 4455 --move 3",
        "analyse connect-four --after 4455 --player minimax:depth=1",
        "analyse double-card --after '0 7 E 1; 0 6 B 1; 0 6 D 1' --player minimax:depth=1",
        "match tic-tac-toe random minimax:depth=1 --games 2",
        "class new games",
        "prove tic-tac-toe --side first",
    ],
)
def test_sentences_are_broken_between_words(arguments: str, terminal: Spawn) -> None:
    assert len(printed(terminal, arguments)) > 1


def test_the_command_that_a_class_is_run_with_is_one_line_and_names_the_folder_as_it_is_typed(
    terminal: Spawn, tmp_path: Path
) -> None:
    new_class(tmp_path / "a class of games", "ada")
    lines = printed(terminal, "class status 'a class of games'")
    assert any("plyground class run 'a class of games'" in line for line in lines)


def test_the_cards_of_the_rules_stand_in_rows_that_fit(terminal: Spawn) -> None:
    child = terminal("play double-card --first human --second human --names Ada,Grace")
    child.expect_exact("move 1: ")
    child.sendline("rules")
    child.expect_exact("Enter shows the board again: ")
    lines = lines_of(child.before)
    assert sum(line.count("─") for line in lines) == 4  # the four that lie flat
    (lower,) = (number for number, line in enumerate(lines) if line.startswith("  1 R●─W○   2 W○"))
    assert lines[lower - 1].strip().startswith("R●")  # of 2, which stands
    assert sum("8 R○" in line for line in lines) == 1
    child.sendline("quit")
    assert ended(child) == 0


def test_a_goal_fills_its_lines_under_its_first_word(terminal: Spawn) -> None:
    child = terminal("play connect-four --first human --second human --names Ada,Grace")
    child.expect_exact("move 1: ")
    lines = lines_of(child.before)
    first = next(number for number, line in enumerate(lines) if line.startswith("goal: "))
    assert lines[first + 1].startswith("      a diagonal. A disc falls")
    assert lines[first + 2].startswith("      ")


def test_what_a_program_plays_is_broken_between_words(terminal: Spawn) -> None:
    child = terminal(
        "play double-card --first human --second alpha-beta:depth=2,heuristic=lines --names Ada,Beta-Alpha"
    )
    child.expect_exact("move 1: ")
    child.sendline("0 1 A 1")
    child.expect_exact("move 3: ")
    assert any(re.match(r"2\. Beta-Alpha \(dots\): 0 \d [A-H] \d", line) for line in lines_of(child.before))


def test_no_card_in_a_sentence_is_broken() -> None:
    sentence = f"Dots wins by force; against the longest defence: {'0 4 B 2; 0 1 G 12; ' * 9}0 8 E 2."
    lines = wrapped(whole_moves(sentence, games.load("double-card")), COLUMNS - 1).replace(NO_BREAK, " ").splitlines()
    assert len(lines) > 3
    assert all(re.search(r"(defence:|\d;|2\.)$", line) for line in lines)
    assert whole_moves("Drop 4 of 7.", games.load("connect-four")) == "Drop 4 of 7."


def test_a_word_that_is_typed_alone_ignores_nothing_after_it(terminal: Spawn) -> None:
    child = terminal("play tic-tac-toe --first human --second human --names Ada,Grace")
    child.expect_exact("move 1: ")
    child.sendline("hint B2")
    child.expect_exact("hint is typed alone, got 'hint B2'")
    child.expect_exact("move 1: ")
    child.sendline("resign now")
    child.expect_exact("resign is typed alone, got 'resign now'")
    child.expect_exact("move 1: ")


def test_a_lesson_without_a_game_asks_which_one(terminal: Spawn) -> None:
    child = terminal("learn")
    child.expect_exact("Which game?")
    child.expect_exact("Game [1]: ")
    child.sendline("tic-tac-toe")
    child.expect_exact("Tic-tac-toe, step 1 of ")
    child.sendline("quit")
    assert ended(child) == 0


def test_the_list_of_commands_ends_with_where_to_start(terminal: Spawn) -> None:
    last = " ".join(" ".join(printed(terminal, "")).split()[-12:])
    assert last.endswith("New here? Try `plyground play`, `plyground learn` or `plyground help`.")


def test_who_is_meant_by_a_name_or_in_capitals_is_guessed(tmp_path: Path) -> None:
    with Classroom.open(new_class(tmp_path / "games", "ada", "ben")) as room:
        for text in ("Ada", "ADA", "Ada Smith", "ada smith"):
            with pytest.raises(ValueError, match=f"has the id '{text}'; did you mean 'ada'"):
                room.member(text)
        with pytest.raises(ValueError, match="'Smith'; add a line to"):  # both are called so
            room.member("Smith")


def test_a_version_before_the_first_is_refused_with_the_whole_command(tmp_path: Path) -> None:
    new_class(tmp_path / "games", "ada")
    (tmp_path / "bot.py").write_text("def choose(position, limit):\n    return position.moves()[0]\n")
    done = run("class", "replace", "games", "ada", "bot.py", where=tmp_path)
    assert done.stderr.endswith("hand in the first one with: plyground class add games ada bot.py\n")


def test_a_menu_names_its_answers_in_the_words_and_the_order_of_its_list() -> None:
    menu = Menu("A clock?", "Clock", (Choice("none"), Choice("300+3", "", "5 minutes"), Choice("60+1", "", "1 minute")))
    assert menu.chosen("5 minutes") == menu.chosen("2") == "300+3"
    with pytest.raises(ValueError, match="clock 'hint'; known: none, 5 minutes, 1 minute, or a number from 1"):
        menu.chosen("hint")
    with pytest.raises(ValueError, match=r"did you mean 'none'\? known: none, 5 minutes"):
        menu.chosen("none!")
