"""What a newcomer to the command line meets: saved games as input, lists, help, hints to install."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from command import run
from plyground import games
from plyground.cli import cli
from plyground.core.installation import install_command
from plyground.games import load_given
from plyground.play.records import GameRecord, save_record, save_records
from plyground.terminal.fitting import misfit
from plyground.terminal.invoked import command
from plyground.terminal.topics import page, topics


def printed(*words: str) -> str:
    done = CliRunner().invoke(cli, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*words: str) -> str:
    done = CliRunner().invoke(cli, list(words))
    assert done.exit_code == 2
    return done.stderr


@pytest.fixture
def saved(tmp_path: Path) -> str:
    path = tmp_path / "game.pgn"
    save_record(path, GameRecord.of("tic-tac-toe", "B2 A1 C3", first="Ada"))
    return str(path)


def test_a_saved_game_is_shown_where_it_stands_or_after_some_moves(saved: str) -> None:
    assert json.loads(printed("show", saved, "--json"))["ply"] == 3
    assert json.loads(printed("show", saved, "--ply", "1", "--json"))["position"] == ".../.x./... o"
    assert json.loads(printed("show", saved, "--ply", "1", "--after", "C1", "--json"))["ply"] == 2


def test_analyse_trace_and_solve_take_a_saved_game(saved: str) -> None:
    found = json.loads(printed("analyse", saved, "--player", "minimax:depth=1", "--json").splitlines()[-1])
    empty = {"A2", "A3", "B1", "B3", "C1", "C2"}
    assert {each["move"] for each in found["moves"]} == empty
    same = ("tic-tac-toe", "--after", "B2 A1")
    traced = ("trace", "--player", "minimax:depth=2")
    assert printed(*traced, saved, "--ply", "2") == printed(*traced, *same)
    one, other = (json.loads(printed("solve", "--json", *words)) for words in ((saved, "--ply", "2"), same))
    assert one | {"seconds": 0} == other | {"seconds": 0}


def test_one_of_several_games_in_json_lines_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    save_records(path, [GameRecord.of("tic-tac-toe", "B2"), GameRecord.of("connect-four", "44")])
    assert json.loads(printed("show", str(path), "--game", "2", "--json"))["game"] == "connect-four"
    assert "games.jsonl: 2, got 3" in refused("show", str(path), "--game", "3")


def test_what_does_not_fit_a_saved_game_is_refused(saved: str) -> None:
    assert "moves in this game: 3, got 4" in refused("show", saved, "--ply", "4")
    assert "--position is for a game" in refused("show", saved, "--position", ".../.../... x")
    assert "--ply and --game are for a saved game" in refused("show", "tic-tac-toe", "--ply", "1")
    assert "there is no file 'nothing.pgn'" in refused("show", "nothing.pgn")


def test_every_heuristic_is_listed_with_its_games() -> None:
    listed = {each["name"]: each for each in json.loads(printed("heuristics", "--json"))}
    assert listed["naive"]["games"] == ["double-card"]
    assert all(each["summary"].endswith(".") for each in listed.values())
    assert "lavoie" in printed("heuristics")


def test_help_lists_the_pages_and_shows_one() -> None:
    assert {"play", "connect-four", "course-1-board", "formats"} <= set(topics())
    assert "course-1-board" in printed("help")
    assert printed("help", "double-card").startswith("# Double Card")
    course = printed("help", "course")
    assert course.startswith("# A course in eight chapters")
    assert [f"{number}. " in course for number in range(1, 7)] == [True] * 6
    assert "toctree" not in course
    assert "plyground help course-1-board" in course
    assert "did you mean 'play'?" in refused("help", "pley")
    for name in topics():
        assert "{figure}" not in page(name)


def test_hints_to_install_are_right_in_a_clone_and_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("plyground.core.installation._clone", lambda: tmp_path)
    assert install_command("web").endswith(" install -e '.[web]'")
    monkeypatch.setattr("plyground.core.installation._clone", lambda: None)
    assert install_command("web").endswith(" install 'plyground[web]'")
    assert install_command().endswith("--force-reinstall --no-cache-dir --no-deps plyground")


def test_a_printed_command_is_the_one_that_the_shell_finds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "plyground"
    program.touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command("play") == "plyground play"
    monkeypatch.setenv("PATH", "")
    assert command("play") == f"{program} play"


def test_a_board_too_large_for_a_terminal_is_reported_with_one_that_fits() -> None:
    rules = games.load("polarized-ladder")
    assert misfit(rules, 80, 24) == ""
    assert "or play polarized-ladder:height=6, which fits" in misfit(rules, 40, 24)
    assert misfit(rules, 5, 5).endswith("make it larger")


def test_a_game_of_a_file_that_does_not_fit_is_played_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from plyground.games.mnk import gomoku as mine\n")
    assert misfit(load_given(f"{tmp_path / 'mine.py'}:mine"), 20, 10).endswith("make it larger")


def test_the_moves_in_the_help_can_be_played() -> None:
    (text,) = re.findall(r"Moves already played: (.*?1)'\.", " ".join(printed("show", "--help").split()))
    one, two, three = re.fullmatch(r"(\S+), '(.*)' or '(.*)", text).groups()  # type: ignore[union-attr]
    assert two.startswith("G3")
    for game, moves in (("connect-four", one), ("polarized-ladder", two), ("double-card", three)):
        printed("show", game, "--after", moves)


def test_a_file_whose_name_does_not_end_as_a_saved_games_is_called_that(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "folder.pgn").mkdir()
    assert "notes.txt' is no saved game: its name must end in one of .json," in words_of(tmp_path / "notes.txt")
    assert "folder.pgn' is a folder" in words_of(tmp_path / "folder.pgn")


def words_of(path: Path) -> str:
    """The error about a file, in one line."""
    return " ".join(refused("show", str(path)).split())


@pytest.mark.parametrize(
    ("submission", "reason"),
    [
        ("nobody", "there is no file, folder or player 'nobody'"),
        ("py:nobody.py", "there is no file 'nobody.py'"),
        ("nobody.zip", "there is no file, folder or player 'nobody.zip'"),
    ],
)
def test_a_submission_that_is_not_there_is_a_usage_error_and_no_grade(submission: str, reason: str) -> None:
    assert reason in refused("grade", submission, "tic-tac-toe")


def test_a_finished_game_has_no_threats() -> None:
    over = json.loads(printed("analyse", "tic-tac-toe", "--after", "A1 A2 B1 B2 C1", "--json"))
    assert over["threats"] == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "there is no puzzle in it"),
        (b"\xff\xfe", "not UTF-8 text (byte 0)"),
        (b"hello\n", "puzzle 1: not written as a puzzle; expected a JSON object in a line"),
    ],
)
@pytest.mark.parametrize("command", ["check", "play"])
def test_a_file_without_puzzles_is_an_error_that_names_it(
    tmp_path: Path, command: str, content: bytes, reason: str
) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"{path}: {reason}")):
        CliRunner().invoke(cli, ["puzzles", command, str(path)], catch_exceptions=False)


def test_a_file_in_place_of_a_folder_is_called_that(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("")
    done = run("class", "status", "games", where=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith("Error: Invalid value for 'DIR': 'games' is a file, not a folder\n")


@pytest.mark.parametrize(
    "words",
    ["tournament run junk.toml", "grade submission.py tic-tac-toe --rubric junk.toml", "class status games"],
)
def test_a_file_that_is_no_text_is_called_that(words: str, tmp_path: Path) -> None:
    (tmp_path / "submission.py").write_text("")
    (tmp_path / "junk.toml").write_bytes(b"abc\x89")
    run("class", "new", "games", where=tmp_path)
    (tmp_path / "games" / "class.toml").write_bytes(b"abc\x89")
    assert "toml: not UTF-8 text (byte 3)\n" in run(*words.split(), where=tmp_path).stderr
