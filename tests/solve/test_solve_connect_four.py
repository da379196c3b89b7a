"""`plyground solve` on Connect Four: one position, and as a filter."""

import json
import subprocess
import sys
from pathlib import Path

from command import run

SMALL = "connect-four:rows=4,columns=4"


def test_a_position_is_reported_with_its_score_and_columns() -> None:
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


def test_the_filter_answers_a_line_before_the_next_one_comes() -> None:
    command = [sys.executable, "-m", "plyground", "solve", SMALL, "--positions", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for text, answer in [("121212", "5"), ("12", "0"), ("1 2 1 2 1 2", "5"), ("12121", "0")]:
            running.stdin.write(f"{text}\n")
            running.stdin.flush()
            assert running.stdout.readline() == f"{text} {answer}\n"
        running.stdin.close()
        assert running.wait() == 0


def test_a_file_of_many_lines_is_answered_in_order(tmp_path: Path) -> None:
    lines = [text for text in ("121212", "12", "9", "1212121", "", "121") for _ in range(50)]
    (tmp_path / "positions").write_text("\n".join(lines), encoding="utf-8")
    done = run("solve", SMALL, "--positions", str(tmp_path / "positions"))
    assert done.returncode == 1
    answered = done.stdout.splitlines()
    assert [line.split(" ")[0] for line in answered] == lines
    assert [line for line in answered if line.endswith("12 0")] == ["12 0"] * 50
    reported = [
        json.loads(line)
        for line in run("solve", SMALL, "--positions", "-", "--json", given="12\n9").stdout.splitlines()
    ]
    assert (reported[0]["score"], reported[1]["error"][:12]) == (0, "illegal move")


def test_a_won_position_is_an_error_of_its_line_only() -> None:
    done = run("solve", SMALL, "--positions", "-", given="1212121\n12\n")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0].startswith("1212121 error: the game is over")
    assert done.stdout.splitlines()[1] == "12 0"


def test_json_is_one_object() -> None:
    done = run("solve", SMALL, "--after", "121212", "--moves", "--json")
    reported = json.loads(done.stdout)
    assert (reported["score"], reported["winner"], reported["plies"]) == (5, "first", 1)
    assert reported["moves"]["1"] == 5


def test_boards_that_do_not_fit_are_refused() -> None:
    done = run("solve", "connect-four:rows=16,columns=16")
    assert done.returncode == 1
    assert "too large to solve" in done.stderr


def test_the_result_shows_who_wins_and_not_when() -> None:
    done = run("solve", SMALL, "--after", "121212", "--result", "--moves")
    winner, columns, _ = done.stdout.splitlines()
    assert winner == "first wins"
    assert set(columns.removeprefix("columns: ").split()) <= {"1", "0", "-1", "."}
    reported = json.loads(run("solve", SMALL, "--after", "121212", "--result", "--json").stdout)
    assert (reported["result"], reported["winner"]) == (1, "first")
    assert "plies" not in reported
    given = run("solve", SMALL, "--positions", "-", "--result", given="\n121212\n1212123\n")
    assert given.stdout.splitlines()[:2] == [" 0", "121212 1"]
    refused = run("solve", "double-card", "--result")
    assert refused.returncode == 2
    assert "--result" in refused.stderr


def test_two_threads_show_the_same() -> None:
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
        reported = json.loads(run("solve", "connect-four", "--after", moves, "--result", "--json").stdout)
        assert (reported["result"], reported["winner"], reported["nodes"]) == (result, "first", 0)
    assert run("solve", "connect-four", "--result", "--positions", "-", given="4\n41\n").stdout == "4 -1\n41 1\n"
    over = run("solve", "connect-four", "--result", "--positions", "-", given="4142434\n")
    assert (over.returncode, over.stdout.startswith("4142434 error: ")) == (1, True)
    stopped = run("solve", "connect-four", "--limit", "0.2")
    assert "first wins (book); finding out when may take hours" in stopped.stderr
    assert "not decided in the time" in stopped.stdout


def test_early_scores_of_six_rows_and_seven_columns_are_known_from_a_book() -> None:
    reported = json.loads(run("solve", "connect-four:rows=6,columns=7", "--moves", "--json").stdout)
    assert (reported["score"], reported["nodes"]) == (1, 0)
    assert list(reported["moves"].values()) == [-2, -1, 0, 1, 0, -1, -2]
    reported = json.loads(
        run("solve", "connect-four:rows=6,columns=7", "--after", "44", "--moves", "--result", "--json").stdout
    )
    assert (reported["result"], reported["nodes"]) == (1, 0)
    assert set(reported["moves"].values()) <= {-1, 0, 1}
