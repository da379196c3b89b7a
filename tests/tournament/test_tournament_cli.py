from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from command import bot_spec
from plyground.cli import cli
from plyground.play.records import read_records
from plyground.tournament.store import Store
from waiting import eventually

LONG = (
    "--game connect-four --players random --players other=random --players ab=alpha-beta:depth=1 --time none --rounds"
)
"""A tournament without a clock, whose games last long enough to be interrupted."""


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def run_quick(path: Path, *more: str) -> Result:
    players = ("--players", "random; b=random:seed=2", "--players", "c=minimax:depth=1")
    quick = ("--game", "tic-tac-toe", "--opening", "1", "--time", "none", "--concurrency", "1")
    return call("tournament", "run", *players, *quick, "--store", str(path), *more)


def started(*words: str) -> subprocess.Popen[str]:
    """The command in a session of its own, so that whatever it leaves behind can be found."""
    code = "from plyground.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "tournament", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def left_behind(session: int) -> list[int]:
    """The processes of a session that are alive."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(entry.name))
    return found


def until_nothing_is_left(session: int) -> None:
    eventually(lambda: not left_behind(session))


def count(path: Path) -> int:
    """How many games a store holds that somebody else writes to."""
    if not path.exists():
        return 0
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    finally:
        connection.close()


def contents(path: Path) -> list[tuple[object, ...]]:
    """Every game but the seconds it took."""
    with Store.open(path) as store:
        return [(*game[:9], [(m.move, m.score, m.depth) for m in game.game_record().moves]) for game in store.games()]


def test_run_prints_standings_and_the_others_read_the_store(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    ran = run_quick(path, "--rounds", "2")
    assert ran.exit_code == 0, ran.output
    assert "12 of 12 games" in ran.stdout
    assert "12/12 games" in ran.stderr
    assert call("tournament", "status", str(path)).stdout == ran.stdout
    again = call("tournament", "resume", str(path))
    assert (again.exit_code, again.stdout) == (0, ran.stdout)
    assert call("report", str(path)).stdout == call("tournament", "report", str(path)).stdout
    assert json.loads(call("report", str(path), "--format", "json").stdout)["played"] == 12
    page = tmp_path / "t.html"
    assert call("report", str(path), "-o", str(page)).exit_code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal that can be imitated")
def test_a_terminal_shows_standings_while_it_runs(tmp_path: Path) -> None:
    import pexpect

    code = "from plyground.cli import main; main()"
    words = ["-c", code, "tournament", "run", *LONG.split(), "4", "--store", str(tmp_path / "t.db")]
    terminal = pexpect.spawn(
        sys.executable, words, env={**os.environ, "TERM": "xterm"}, dimensions=(40, 120), timeout=60
    )
    terminal.expect("player.*?elo")
    terminal.expect(r"\d+/24 games, [\d.]+ per second, \d+:\d\d left, 0 faults")
    terminal.expect("24 of 24 games")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def test_export_writes_records_that_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    run_quick(path)
    as_pgn = call("tournament", "export", str(path)).stdout
    lines = tmp_path / "games.jsonl"
    call("tournament", "export", str(path), "-o", str(lines))
    assert len(read_records(as_pgn)) == 6
    assert read_records(as_pgn) == read_records(lines.read_text(encoding="utf-8"))
    assert as_pgn.startswith('[Event "t"]\n[Date "')
    assert {record.tags["Round"] for record in read_records(as_pgn)} >= {"1.1.1-a", "1.1.1-b"}


def test_export_writes_what_the_name_of_the_file_says(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    run_quick(path)
    for name in ("games.pgn", "games.jsonl", "games.csv"):
        assert call("tournament", "export", str(path), "-o", str(tmp_path / name)).exit_code == 0
    written = (tmp_path / "games.csv").read_bytes()
    assert written.startswith(b"game,round,first,second,result,")  # no byte-order mark, as a program reads it
    rows = list(csv.DictReader(io.StringIO(written.decode())))
    records = read_records((tmp_path / "games.pgn").read_text(encoding="utf-8"))
    assert [row["result"] for row in rows] == [record.result.value for record in records]
    assert [int(row["plies"]) for row in rows] == [len(record.moves) for record in records]
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    scores = {type(move["score"]) for line in lines for move in line["moves"] if "score" in move}
    assert scores <= {dict}
    unknown = call("tournament", "export", str(path), "-o", str(tmp_path / "games.xlsx"))
    assert unknown.exit_code == 2
    assert "unknown ending of a file '.xlsx'" in unknown.output
    assert not (tmp_path / "games.xlsx").exists()
    assert call("tournament", "export", str(path), "--format", "parquet").exit_code == 2


def test_export_writes_tables_that_arrow_reads(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import json as arrow_json
    from pyarrow import parquet

    path = tmp_path / "t.db"
    run_quick(path)
    for name in ("games.parquet", "games.jsonl"):
        assert call("tournament", "export", str(path), "-o", str(tmp_path / name)).exit_code == 0
    table = parquet.read_table(tmp_path / "games.parquet")
    assert (table.num_rows, str(table.schema.field("plies").type)) == (6, "int64")
    assert arrow_json.read_json(tmp_path / "games.jsonl").num_rows == 6
    assert [file.name for file in tmp_path.glob(".*.part")] == []


def test_a_tournament_comes_from_a_file_and_is_kept_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('game = "tic-tac-toe"\ntime = "none"\nopening = 0\n[players]\nAda = "random"\nBob = "random"\n')
    ran = call("tournament", "run", str(file), "--format", "knockout", "--concurrency", "1")
    assert ran.exit_code == 0, ran.output
    assert "Ada" in ran.stdout
    with Store.open(tmp_path / "cup.db") as store:
        assert store.count() >= 2


CORRECTED = """
import sys

warned = False
for line in sys.stdin:
    if '"start"' in line:
        print("{}", flush=True)
    elif '"warning"' in line:
        warned = True
    elif '"move"' in line:
        legal = line.partition('"legal": ["')[2].partition('"')[0]
        print('{"move": "%s"}' % (legal if warned else "<b>9</b>"), flush=True)
"""
"""Plays the first legal move once it has been warned."""


@pytest.mark.parametrize("where", ["option", "file"])
def test_in_a_lenient_tournament_bots_are_warned_and_the_report_shows_it(tmp_path: Path, where: str) -> None:
    (tmp_path / "bot.py").write_text(CORRECTED)
    file, page = tmp_path / "cup.toml", tmp_path / "cup.html"
    spec = f"{bot_spec(tmp_path / 'bot.py')},protocol=json"
    text = f'game = "tic-tac-toe"\nopening = 0\n[players]\nlearner = {json.dumps(spec)}\nAda = "random"\n'
    file.write_text(("lenient = true\n" if where == "file" else "") + text)
    option = ["--lenient"] if where == "option" else []
    ran = call("tournament", "run", str(file), "--concurrency", "1", *option)
    assert ran.exit_code == 0, ran.output
    assert "Practice: bots were warned about a fault and asked again 2 times." in ran.stdout
    store = str(tmp_path / "cup.db")
    report = call("report", store).stdout
    assert "Faults" not in report
    assert re.search(r"\n1\.1\.1-a +learner +move 1: illegal move: '<b>9</b>' in tic-tac-toe", report)
    reported = json.loads(call("report", store, "--format", "json").stdout)
    assert [note["player"] for note in reported["warnings"]] == ["learner", "learner"]
    call("report", store, "-o", str(page))
    assert "&lt;b&gt;9&lt;/b&gt;" in page.read_text(encoding="utf-8")
    strict = call("tournament", "run", str(file), "--store", str(tmp_path / "other.db"), "--concurrency", "1")
    assert ("Practice" in strict.stdout) == (where == "file")


def test_a_giant_move_is_cut_in_every_report(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(CORRECTED.replace("<b>9</b>", "9" * 60_000))
    spec = f"{bot_spec(tmp_path / 'bot.py')},protocol=json"
    (tmp_path / "cup.toml").write_text(f'game = "tic-tac-toe"\n[players]\ngiant = {json.dumps(spec)}\nAda = "random"\n')
    ran = call("tournament", "run", str(tmp_path / "cup.toml"), "--concurrency", "1")
    assert ran.exit_code == 0, ran.output
    for form in ("text", "markdown", "json", "html", "csv"):
        report = call("report", str(tmp_path / "cup.db"), "--format", form)
        assert (report.exit_code, "9" * 400 in report.stdout) == (0, False), form
    assert f"{'9' * 60}..." in call("report", str(tmp_path / "cup.db")).stdout
    assert "9" * 400 not in call("tournament", "export", str(tmp_path / "cup.db")).stdout


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("run",), 2, "a tournament needs 'game'"),
        (("run", "--game", "chess", "--players", "random;b=random"), 2, "unknown game 'chess'"),
        (("run", "--game", "tic-tac-toe", "--players", "random;radom"), 2, "did you mean 'random'"),
        (("run", "--game", "tic-tac-toe", "--players", "random;b=random", "--sprt", "5"), 2, "sprt must be"),
        (("status", "nothing.db"), 1, "there is no store nothing.db"),
        (("resume", "nothing.db"), 1, "there is no store nothing.db"),
    ],
)
def test_mistakes_are_reported(words: tuple[str, ...], code: int, message: str) -> None:
    process = started(*words)
    _, messages = process.communicate(timeout=60)
    assert process.returncode == code
    assert message in messages


def test_a_store_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    run_quick(path)
    with pytest.raises(FileExistsError, match="continue it with resume"):
        CliRunner().invoke(
            cli,
            ["tournament", "run", "--game", "tic-tac-toe", "--players", "random;b=random", "--store", str(path)],
            catch_exceptions=False,
        )


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for leftover processes in /proc")
def test_ctrl_c_saves_shows_how_to_go_on_and_leaves_nothing_running(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    process = started("run", *LONG.split(), "500", "--store", str(path), "--concurrency", "2")
    until_games(path, process, 3)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all of them
    _, messages = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"resume with: plyground tournament resume {path}" in messages
    assert "Traceback" not in messages
    until_nothing_is_left(process.pid)  # what watches over resources ends just after the processes
    assert count(path) >= 3


def until_games(path: Path, process: subprocess.Popen[str], least: int) -> None:
    """Let a tournament run until so many games are saved."""

    def enough() -> bool:
        assert process.poll() is None, process.communicate()
        return count(path) >= least

    eventually(enough, 300)


def test_two_processes_do_not_play_one_store_and_a_killed_one_does_not_lock_it(tmp_path: Path) -> None:
    path, link = tmp_path / "t.db", tmp_path / "link.db"
    first = started("run", *LONG.split(), "500", "--store", str(path), "--concurrency", "1")
    until_games(path, first, 2)
    link.symlink_to(path)
    for name in (path, link):
        second = started("resume", str(name), "--concurrency", "1")
        _, messages = second.communicate(timeout=60)
        assert second.returncode == 1
        assert f"{name} is already being played by process {first.pid} on {socket.gethostname()}: wait" in messages
        assert "Traceback" not in messages
    for reader in (["tournament", "status"], ["report"]):
        assert call(*reader, str(path)).exit_code == 0
    first.kill()
    first.communicate(timeout=60)
    third = started("resume", str(path), "--concurrency", "1")
    until_games(path, third, count(path) + 2)
    third.send_signal(signal.SIGINT)
    third.communicate(timeout=60)
    assert third.returncode == 130
    assert not (tmp_path / "t.db-lock").exists()


def kill_again_and_again(tmp_path: Path, kills: int, rounds: int, seed: int) -> None:
    """Kill a tournament at random moments, resume each time, and compare the end with an unbroken run."""
    generator, path, whole = random.Random(seed), tmp_path / "broken.db", tmp_path / "whole.db"
    hit = 0
    total = 6 * rounds
    for _ in range(kills):
        words = ["resume"] if path.exists() else ["run", *LONG.split(), str(rounds), "--store"]
        process = started(*words, str(path), "--concurrency", "2")
        target = min(total - 1, count(path) + generator.choice((0, 0, 1, 2, 3)))
        while process.poll() is None and count(path) < target:
            time.sleep(0.002)
        time.sleep(generator.choice((0.0, generator.random() * 0.05, generator.random())))
        before = count(path)
        hit += process.poll() is None
        process.kill()
        process.communicate(timeout=60)
        assert count(path) >= before
        until_nothing_is_left(process.pid)
    assert hit == kills, "it was over before the last kill"
    words = ["resume"] if path.exists() else ["run", *LONG.split(), str(rounds), "--store"]
    last, unbroken = started(*words, str(path)), started("run", *LONG.split(), str(rounds), "--store", str(whole))
    for process in (last, unbroken):
        _, messages = process.communicate(timeout=300)
        assert process.returncode == 0, messages
    assert len(contents(path)) == total
    assert contents(path) == contents(whole)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for leftover processes in /proc")
def test_killed_at_five_moments_and_resumed_it_equals_an_unbroken_run(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, kills=5, rounds=20, seed=3)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for leftover processes in /proc")
def test_killed_at_fifty_moments_and_resumed_it_equals_an_unbroken_run(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, kills=50, rounds=120, seed=4)
