"""The command line as scripts use it: what goes to stdout, and the exit codes."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from command import COMMAND, environment, run
from plyground.games import GAMES
from plyground.players import HUMAN, PLAYERS
from plyground.referee.bots import BOTS


def shown(*arguments: str) -> dict[str, object]:
    done = run("show", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    reported = json.loads(done.stdout)
    assert isinstance(reported, dict)
    return reported


def test_games_are_listed_one_a_line_with_their_options() -> None:
    lines = run("games").stdout.partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == list(GAMES)
    assert "[rows=7 columns=8 line=4]" in next(line for line in lines if line.startswith("connect-four "))


def test_players_are_listed_the_human_first() -> None:
    listed, _, _ = run("players").stdout.partition("\n\n")
    assert [line.split()[0] for line in listed.splitlines()] == [HUMAN, *PLAYERS, "search", *BOTS]


def test_listing_as_json_shows_each_option_with_its_default() -> None:
    reported = json.loads(run("games", "--json").stdout)
    connect_four = next(game for game in reported if game["name"] == "connect-four")
    assert connect_four["options"][0] == {"name": "rows", "default": 7, "expected": "a whole number"}
    assert json.loads(run("players", "--json").stdout)[0]["name"] == HUMAN


def test_board_has_coordinates_and_the_last_move_in_round_brackets() -> None:
    assert run("show", "tic-tac-toe", "--after", "B2 c3").stdout == (
        "3  .  . (o)\n"
        "2  .  x  .\n"
        "1  .  .  .\n"
        "   A  B  C\n"
        "move 3: x (first) to move\n"
    )  # fmt: skip


def test_columns_are_numbered_where_a_move_is_a_column_and_a_winning_line_is_in_square_brackets() -> None:
    done = run("show", "connect-four:rows=4,columns=5", "--after", "1122334")
    assert done.stdout == (
        "4  .  .  .  .  .\n"
        "3  .  .  .  .  .\n"
        "2  o  o  o  .  .\n"
        "1 [x][x][x][x] .\n"
        "   1  2  3  4  5\n"
        "after 7 moves: x wins with columns 1-2-3-4 of row 1\n"
    )  # fmt: skip


def test_polarized_ladder_is_drawn_as_a_triangle() -> None:
    assert run("show", "polarized-ladder:height=3", "--after", "c3").stdout.splitlines()[:4] == [
        "3       (x)",
        "2     .  .  .",
        "1  .  .  .  .  .",
        "   A  B  C  D  E",
    ]


def test_double_card_shows_colour_and_dot_and_joins_the_halves_of_a_card() -> None:
    lines = run("show", "double-card", "--after", "0 1 A 1; 0 2 C 1; 0 7 D 1").stdout.splitlines()
    assert lines[-4:-1] == [
        " 2   .    .   R● ╷  .    .    .    .    .",
        " 1  R● ─ W○   W○ ╵(W●)─(R○)   .    .    .",
        "     A    B    C    D    E    F    G    H",
    ]


def test_board_is_plain_ascii_where_nothing_else_can_be_written() -> None:
    done = run("show", "double-card", "--after", "0 1 A 1; 0 2 C 1", PYTHONIOENCODING="ascii")
    assert done.stdout.isascii()
    assert " 1  R* - Wo  (Wo)'" in done.stdout


def test_json_of_a_running_game_shows_who_moves_and_what_is_legal() -> None:
    reported = shown("connect-four", "--after", "44444445")
    assert {key: reported[key] for key in ("game", "ply", "to_move", "outcome")} == {
        "game": "connect-four",
        "ply": 8,
        "to_move": "first",
        "outcome": None,
    }
    assert sorted(map(str, reported["moves"])) == ["1", "2", "3", "5", "6", "7", "8"]  # type: ignore[call-overload]


def test_json_of_a_won_game_names_the_winner_and_the_cells() -> None:
    reported = shown("tic-tac-toe", "--after", "A1 A2 B1 B2 C3 C2")
    assert reported["moves"] == []
    assert reported["outcome"] == {"winner": "second", "ending": "pattern", "cells": ["A2", "B2", "C2"]}


def test_json_of_a_draw_has_no_winner_and_no_cells() -> None:
    reported = shown("tic-tac-toe", "--after", "A1 B1 C1 B2 A2 C2 B3 A3 C3")
    assert reported["outcome"] == {"winner": None, "ending": "full", "cells": []}


@pytest.mark.parametrize("moves", ["4453", "4 4 5 3", "4,4,5,3", "ddec"])
def test_moves_are_read_in_every_spelling(moves: str) -> None:
    assert shown("connect-four", "--after", moves) == shown("connect-four", "--after", "4453")


def test_game_in_json_loads_the_same_rules_again() -> None:
    assert shown("connect-four:columns=7,rows=6")["game"] == "connect-four:rows=6,columns=7"


def test_perft_counts_each_depth() -> None:
    assert json.loads(run("perft", "double-card", "--depth", "2", "--json").stdout) == {"counts": [60, 3184]}
    assert run("perft", "connect-four:rows=6,columns=7", "--depth", "3").stdout == "1 7\n2 49\n3 343\n"


def test_perft_of_a_finished_game_is_nothing() -> None:
    won = ("--after", "A1 A2 B1 B2 C1")
    assert json.loads(run("perft", "tic-tac-toe", *won, "--depth", "2", "--json").stdout) == {"counts": [0, 0]}


def test_a_pipe_gets_no_colour() -> None:
    assert "\x1b" not in run("show", "connect-four", "--after", "44", TERM="xterm-256color").stdout


def test_a_reader_that_leaves_early_gets_no_traceback() -> None:
    with subprocess.Popen(
        [*COMMAND, "show", "gomoku"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_help_does_not_load_what_only_commands_need() -> None:
    heavy = "{'rich', 'plyground.search', 'plyground.games', 'sqlite3', 'asyncio', 'fastapi', 'numpy'}"
    code = f"""
import sys
from click.testing import CliRunner
from plyground.cli import cli
before = set(sys.modules)
assert CliRunner().invoke(cli, ['--help']).exit_code == 0
print(sorted((set(sys.modules) - before) & {heavy}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_without_the_native_core_one_line_says_what_is_missing() -> None:
    code = """
import sys
sys.modules["plyground.native._core"] = None
sys.argv = ["plyground", "perft", "connect-four", "--depth", "2"]
from plyground.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: this needs the native core")


@pytest.mark.skipif(sys.platform != "linux", reason="the core takes the memory; ulimit limits it")
@pytest.mark.parametrize(
    "arguments", ["solve connect-four --table 4096", "analyse gomoku --player engine:table=4096 --limit 0.1"]
)
def test_a_table_without_room_is_reported_in_a_line(arguments: str) -> None:
    command = shlex.join([*COMMAND, *arguments.split()])
    limited = ["sh", "-c", f"ulimit -v 2000000; exec {command}"]
    refused = subprocess.run(limited, capture_output=True, text=True, env=environment(), timeout=60, check=False)
    assert refused.returncode == 1
    assert refused.stderr.endswith("not enough memory on this machine; choose a smaller --table\n")
    assert "Traceback" not in refused.stderr


def test_options_that_have_another_name_now_are_taken_with_a_note() -> None:
    done = run("show", "mnk:width=5,height=4,k=4", "--json")
    assert done.returncode == 0
    assert "note: mnk:width=5,height=4,k=4 is written mnk:columns=5,rows=4,line=4 now" in done.stderr
    assert json.loads(done.stdout)["game"] == "mnk:columns=5,rows=4,line=4"
    assert "note" not in run("show", "mnk:columns=5,rows=4,line=4").stderr
