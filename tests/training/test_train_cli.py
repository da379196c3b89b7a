"""`plyground train`: what it prints and writes, how it is stopped and resumed, and what it refuses."""

from __future__ import annotations

import errno
import json
import signal
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from command import run, started
from plyground.cli import cli
from plyground.core.files import write_file
from plyground.heuristics.net_file import read_net
from plyground.training.train import ROUND_GAMES, Training

GAME = "tic-tac-toe"
QUICK = ("--games", "300", "--nodes", "20", "--units", "4", "--match", "0")


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, ["train", *words])


@pytest.fixture
def net(tmp_path: Path) -> str:
    return str(tmp_path / "my.net")


def test_a_net_is_learned_measured_and_written(tmp_path: Path) -> None:
    done = run("train", GAME, "-o", "my.net", *QUICK, "--curve", "c.csv", "--curve", "c.svg", where=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "moves that keep the result in" in done.stdout
    assert "300 games" in done.stdout
    assert "play it: engine:net=my.net" in done.stdout
    assert (tmp_path / "c.csv").read_text().startswith("net,games,positions")
    assert (tmp_path / "c.svg").read_text().startswith("<svg")
    played = run(
        "match",
        GAME,
        "engine:net=my.net,nodes=50",
        "alpha-beta:depth=1,heuristic=my.net@0",
        "--games",
        "2",
        where=tmp_path,
    )
    assert played.returncode == 0, played.stderr
    said = run("evaluate", GAME, "--heuristic", "my.net", "--after", "B2", where=tmp_path)
    assert said.returncode == 0, said.stderr


def test_the_same_seed_writes_the_same_file(tmp_path: Path) -> None:
    for name in ("one.net", "two.net"):
        assert call(GAME, "-o", str(tmp_path / name), *QUICK, "--seed", "7").exit_code == 0
    assert (tmp_path / "one.net").read_bytes() == (tmp_path / "two.net").read_bytes()


def test_the_json_has_the_curve_and_the_matches(net: str) -> None:
    words = [GAME, "-o", net, *QUICK]
    words[-1] = "2"
    done = call(*words, "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert set(found) == {"file", "game", "known", "checkpoints", "others", "matches"}
    assert found["checkpoints"][0]["games"] == 0
    assert found["checkpoints"][-1]["games"] == 300
    assert set(found["others"]) == {"lines", "levels"}
    assert len(found["matches"]) == 4
    assert all(sum(each.values()) == 2 for each in found["matches"].values())


def test_minutes_end_it_too(net: str) -> None:
    done = call(GAME, "-o", net, "--minutes", "0.01", "--nodes", "10", "--match", "0")
    assert done.exit_code == 0
    assert read_net(Path(net)).checkpoints[-1].seconds > 0


# ------------------------------------------------------------------ stopped


def test_ctrl_c_saves_the_net_and_says_how_to_go_on(tmp_path: Path) -> None:
    words = ("train", "connect-four:rows=6,columns=7", "-o", "my.net", "--games", "1000000", "--nodes", "20")
    process = started(*words, "--match", "0", where=tmp_path)
    until = time.monotonic() + 60
    while time.monotonic() < until and not (tmp_path / "my.net").exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "continue with: plyground train connect-four:rows=6,columns=7 -o my.net" in " ".join(err.split())
    assert read_net(tmp_path / "my.net").state


def test_the_same_command_goes_on_until_it_is_done(net: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Training.run

    def interrupted(training: Training):  # type: ignore[no-untyped-def]
        for step in whole(training):
            yield step
            if step.games >= ROUND_GAMES:
                raise KeyboardInterrupt

    words = (GAME, "-o", net, "--games", str(2 * ROUND_GAMES), "--nodes", "20", "--units", "4", "--match", "0")
    monkeypatch.setattr(Training, "run", interrupted)
    assert call(*words).exit_code == 1  # what Click makes of it; the program itself exits with 130
    assert read_net(Path(net)).checkpoints[-1].games == ROUND_GAMES
    monkeypatch.undo()
    done = call(*words)
    assert done.exit_code == 0, done.output
    assert read_net(Path(net)).checkpoints[-1].games == 2 * ROUND_GAMES
    assert "is done; to learn on:" in call(*words).output


def test_a_full_disk_keeps_what_was_saved_before(net: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (GAME, "-o", net, "--games", "600", "--nodes", "20", "--units", "4", "--match", "0")
    kept, written = write_file, 0

    def full(path: Path, content: bytes) -> None:
        nonlocal written
        written += 1
        if written > 2:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        kept(path, content)

    monkeypatch.setattr("plyground.heuristics.net_file.write_file", full)
    done = call(*words)
    assert isinstance(done.exception, OSError)
    assert "what was saved before is as it was: make room, and continue with: plyground train" in str(done.exception)
    monkeypatch.undo()
    assert read_net(Path(net)).checkpoints
    assert call(*words).exit_code == 0


# ------------------------------------------------------------------ refused


def refused(*words: str) -> str:
    done = call(*words)
    assert done.exit_code == 2, done.output
    return " ".join(done.output.split())


def test_what_cannot_be_trained_is_refused_before_anything_is_written(net: str) -> None:
    assert "double-card: a net needs a game in which nothing is lifted again" in refused("double-card", "-o", net)
    assert "notakto: a net needs a game in which each side has discs of its own" in refused("notakto", "-o", net)
    assert "a net ends in .net" in refused(GAME, "-o", "my.txt")
    assert "one of the two" in refused(GAME, "-o", net, "--games", "1", "--minutes", "1")
    assert "must end in .csv or .svg" in refused(GAME, "-o", net, "--curve", "curve.png")
    assert "no writable folder" in refused(GAME, "-o", f"{net}/none/my.net")
    assert "there is no net" in refused(GAME, "-o", net, "--from", "none.net")
    assert "1 to 16 units, got 64" in refused(GAME, "-o", net, "--games", "1", "--units", "64")
    assert not Path(net).exists()


def test_a_file_that_is_there_is_never_overwritten(net: str) -> None:
    Path(net).write_bytes(b"my thesis")
    assert "is there and cannot be resumed" in refused(GAME, "-o", net, *QUICK)
    assert Path(net).read_bytes() == b"my thesis"


def test_a_training_goes_on_as_it_was_begun_or_not_at_all(net: str) -> None:
    assert call(GAME, "-o", net, *QUICK).exit_code == 0
    assert "was begun without this --seed" in refused(GAME, "-o", net, "--seed", "5")
    assert "cannot be resumed: it is a net for tic-tac-toe, not for" in refused(
        "mnk:columns=4,rows=4,line=3", "-o", net
    )


def test_a_net_may_begin_with_another(net: str, tmp_path: Path) -> None:
    assert call(GAME, "-o", net, *QUICK).exit_code == 0
    more = str(tmp_path / "more.net")
    assert call(GAME, "-o", more, "--from", net, "--games", "0", "--match", "0").exit_code == 0
    first, last = read_net(Path(more)).checkpoints[0], read_net(Path(net)).checkpoints[-1]
    assert first.weights == last.weights
    other = str(tmp_path / "other.net")
    assert "it is a net for tic-tac-toe" in refused("mnk:columns=4,rows=4,line=3", "-o", other, "--from", net)
