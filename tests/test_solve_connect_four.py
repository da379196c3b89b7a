"""`plyground solve` on Connect Four: one position, and as a filter."""

import json

from command import run

SMALL = "connect-four:rows=4,columns=4"


def test_a_position_is_told_with_its_score_and_columns() -> None:
    done = run("solve", SMALL, "--after", "1212", "--moves")
    assert done.returncode == 0, done.stderr
    first, columns, effort = done.stdout.splitlines()
    assert first.startswith("score ")
    assert len(columns.removeprefix("columns: ").split()) == 4
    assert "nodes" in effort


def test_the_filter_answers_each_line_and_goes_on_after_a_bad_one() -> None:
    done = run("solve", SMALL, "--positions", "-", "--moves", given="\n121212\n9\n1111222\n")
    assert done.returncode == 1
    empty, near, bad, full = done.stdout.splitlines()
    assert empty == " 0 0 0 0 0"
    assert near.split()[:2] == ["121212", "5"]  # the fourth of the first column wins with the fifth disc from the last
    assert bad.startswith("9 error: illegal move '9'")
    assert full.split()[2] == "."


def test_a_won_position_is_an_error_of_its_line_only() -> None:
    done = run("solve", SMALL, "--positions", "-", given="1212121\n12\n")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0].startswith("1212121 error: the game is over")
    assert done.stdout.splitlines()[1] == "12 0"


def test_json_is_one_object() -> None:
    done = run("solve", SMALL, "--after", "121212", "--moves", "--json")
    told = json.loads(done.stdout)
    assert (told["score"], told["winner"], told["plies"]) == (5, "first", 1)
    assert told["moves"]["1"] == 5


def test_boards_that_do_not_fit_are_refused() -> None:
    done = run("solve", "connect-four:rows=16,columns=16")
    assert done.returncode == 1
    assert "too large to solve" in done.stderr


def test_the_result_tells_who_wins_and_not_when() -> None:
    done = run("solve", SMALL, "--after", "121212", "--result", "--moves")
    winner, columns, _ = done.stdout.splitlines()
    assert winner == "first wins"
    assert set(columns.removeprefix("columns: ").split()) <= {"1", "0", "-1", "."}
    told = json.loads(run("solve", SMALL, "--after", "121212", "--result", "--json").stdout)
    assert (told["result"], told["winner"]) == (1, "first")
    assert "plies" not in told
    given = run("solve", SMALL, "--positions", "-", "--result", given="\n121212\n1212123\n")
    assert given.stdout.splitlines()[:2] == [" 0", "121212 1"]
    refused = run("solve", "double-card", "--result")
    assert refused.returncode == 2
    assert "--result" in refused.stderr


def test_two_threads_tell_the_same() -> None:
    one, two = (run("solve", SMALL, "--after", "12", "--threads", n, "--moves") for n in ("1", "2"))
    assert two.returncode == 0, two.stderr
    assert one.stdout.splitlines()[:2] == two.stdout.splitlines()[:2]


def test_the_memory_changes_nothing_but_the_time() -> None:
    little, more = (run("solve", SMALL, "--after", "12", "--table", size).stdout for size in ("16", "64"))
    assert little.splitlines()[0] == more.splitlines()[0] != ""
    refused = run("solve", SMALL, "--table", "8")
    assert refused.returncode == 2
    assert "8" in refused.stderr


def test_who_wins_may_be_known_from_a_book() -> None:
    for moves, result in (("", 1), ("4", -1), ("44", 1), ("444", -1)):
        told = json.loads(run("solve", "connect-four", "--after", moves, "--result", "--json").stdout)
        assert (told["result"], told["winner"], told["nodes"]) == (result, "first", 0)
    assert run("solve", "connect-four", "--result", "--positions", "-", given="4\n41\n").stdout == "4 -1\n41 1\n"
    over = run("solve", "connect-four", "--result", "--positions", "-", given="4142434\n")
    assert (over.returncode, over.stdout.startswith("4142434 error: ")) == (1, True)
    stopped = run("solve", "connect-four", "--limit", "0.2")
    assert "first wins (book); finding out when may take hours" in stopped.stderr
    assert "not decided in the time" in stopped.stdout


def test_early_scores_of_six_rows_and_seven_columns_are_known_from_a_book() -> None:
    told = json.loads(run("solve", "connect-four:rows=6,columns=7", "--moves", "--json").stdout)
    assert (told["score"], told["nodes"]) == (1, 0)
    assert list(told["moves"].values()) == [-2, -1, 0, 1, 0, -1, -2]
    told = json.loads(
        run("solve", "connect-four:rows=6,columns=7", "--after", "44", "--moves", "--result", "--json").stdout
    )
    assert (told["result"], told["nodes"]) == (1, 0)
    assert set(told["moves"].values()) <= {-1, 0, 1}
