"""Bots that crash, hang or cheat: each is caught with the right verdict, and nothing of it is left."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest

from command import bot_spec, carriers
from plyground import games
from plyground.play.clock import TimeControl
from plyground.play.faults import Fault
from plyground.play.match import GameTerms, play_game
from plyground.play.records import GameRecord, NotedFault, Result
from plyground.referee import bots
from plyground.referee.sandbox import landlock
from plyground.referee.sandbox.limits import Limits
from plyground.referee.sandbox.modes import mode_here
from plyground.referee.sandbox.process import BotProcess
from waiting import eventually

HERE = Path(__file__).parents[1]
VERDICTS: dict[str, tuple[str, str]] = json.loads((HERE / "data" / "vicious.json").read_text())
RULES = games.load("connect-four")
LOCKED_IN = mode_here() == "bubblewrap"
NEEDS_A_LOCK = ("kills_its_keepers", "writes_files", "opens_sockets")
"""What only a sandbox can prevent."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="leftovers are looked for in /proc")


@pytest.fixture
def token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A word that every bot of a test carries in its command, which afterwards nothing on the machine does."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    word = uuid.uuid4().hex
    descriptors, children = open_descriptors(), own_children()
    yield word
    assert carriers(word) == []
    assert own_children() == children
    assert open_descriptors() == descriptors
    assert list(tmp_path.iterdir()) == []
    assert not list((HERE / "vicious").glob("written-*"))


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def own_children() -> set[str]:
    """The children of this process, zombies among them."""
    return set(" ".join(path.read_text() for path in Path("/proc/self/task").glob("*/children")).split())


def bot(name: str, token: str, *options: str) -> bots.ProcessBot:
    command = bot_spec(HERE / "vicious" / f"{name}.py", 9, token, HERE / "vicious")
    return bots.load(",".join((command, "memory=100", *options)), RULES)


def game_against(name: str, token: str, *options: str) -> GameRecord:
    # Who does not answer is to be caught soon; who does something else must find the time for it on a busy machine.
    seconds = 0.2 if VERDICTS[name][0] == "time exceeded" else 5
    soon = ("startup=2",) if name == "never_ready" else ()
    with bot(name, token, *options, *soon) as vicious, bot("honest", token) as honest:
        return play_game(RULES, vicious, honest, GameTerms(control=TimeControl(seconds)))


def fault_of(record: GameRecord) -> NotedFault:
    assert record.fault is not None
    return record.fault


def check(record: GameRecord, name: str) -> None:
    verdict, why = VERDICTS[name]
    assert record.termination == verdict
    assert why in fault_of(record).why
    assert record.result is Result.SECOND


@pytest.mark.parametrize("name", VERDICTS)
def test_a_vicious_bot_loses_with_the_right_verdict_and_leaves_nothing(name: str, token: str) -> None:
    if name in NEEDS_A_LOCK and not LOCKED_IN:
        pytest.skip("needs bubblewrap")
    started = time.monotonic()
    check(game_against(name, token), name)
    assert time.monotonic() - started < 20  # nothing hangs, however busy the machine


WEAKER = ["group", *(["landlock"] if landlock.version() else [])]


@pytest.mark.parametrize("isolation", WEAKER)
@pytest.mark.parametrize("name", sorted(set(VERDICTS) - set(NEEDS_A_LOCK) - {"never_ready"}))
@pytest.mark.slow
def test_without_a_sandbox_everybody_is_caught_too(name: str, isolation: str, token: str) -> None:
    check(game_against(name, token, f"isolation={isolation}"), name)


@pytest.mark.parametrize("isolation", WEAKER)
@pytest.mark.parametrize("name", ["daemonises", "forks", "loops"])
def test_a_process_group_must_do_where_there_is_no_sandbox(name: str, isolation: str, token: str) -> None:
    check(game_against(name, token, f"isolation={isolation}"), name)


STARTS_PROCESSES = ("daemonises", "forks", "plays_with_a_daemon")
"""What nobody notices who only knows one process."""


@pytest.mark.parametrize("name", sorted(set(VERDICTS) - set(NEEDS_A_LOCK) - set(STARTS_PROCESSES)))
def test_without_a_supervisor_all_that_one_process_can_do_wrong_is_noticed_too(name: str, token: str) -> None:
    record = game_against(name, token, "isolation=process")
    check(record, name)
    assert record.isolation.startswith("process: ")


EVERY = [*WEAKER, *(["bubblewrap"] if LOCKED_IN else [])]


@pytest.mark.parametrize("isolation", EVERY)
def test_what_forks_without_end_does_not_get_far(isolation: str, token: str) -> None:
    """Nothing is timed here: that there are only a few is what makes it quick to end."""
    fault = fault_of(game_against("forks", token, f"isolation={isolation}"))
    count = int(fault.why.removeprefix("it had ").partition(" ")[0])
    assert 32 < count <= 128 + 16  # the tasks a bot may have in all, and those that come and go while they are counted


PARENT = """
import subprocess, sys, threading
crowd = [threading.Thread(target=sys.stdin.readline) for _ in range(100)]
for thread in crowd:
    thread.start()
for number in range(40):  # one after the other
    assert subprocess.run([sys.executable, "-S", "-c", ""]).returncode == 0
many = [subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) for _ in range(20)]
for child in many:
    child.communicate(b"go\\n")
print("done", flush=True)
"""


@pytest.mark.parametrize("isolation", EVERY)
def test_a_bot_may_have_threads_and_children_one_after_the_other(isolation: str, token: str) -> None:
    process = BotProcess([sys.executable, "-c", PARENT, token], Limits(isolation=isolation))
    assert process.read(None) == "done", process.complaints()
    process.close()


SHARING = """
import os, time
table = bytearray(60 << 20)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(3600)
time.sleep(0.3)
print("done", flush=True)
"""


@pytest.mark.parametrize("isolation", EVERY)
def test_memory_that_processes_share_counts_once(isolation: str, token: str) -> None:
    process = BotProcess([sys.executable, "-c", SHARING, token], Limits(memory=120, isolation=isolation))
    assert process.read(None) == "done", process.complaints()
    process.close()


@pytest.mark.skipif(not landlock.version(), reason="needs Landlock")
def test_landlock_protects_files_where_there_is_no_sandbox(token: str) -> None:
    check(game_against("writes_files", token, "isolation=landlock"), "writes_files")


@pytest.mark.skipif(landlock.version() < 6, reason="needs Landlock 6")
def test_landlock_protects_others_from_signals(token: str) -> None:
    program = "import os, sys\ntry:\n os.kill(int(sys.argv[1]), 0)\nexcept PermissionError:\n print('refused')"
    process = BotProcess([sys.executable, "-c", program, str(os.getpid()), token], Limits(isolation="landlock"))
    assert process.read(None) == "refused"
    process.close()


def test_a_bot_that_kills_its_supervisor_gains_nothing(token: str) -> None:
    program = "import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(3600)"
    process = BotProcess([sys.executable, "-c", program, token], Limits(isolation="group"))
    end = "it ended with status 1" if os.getuid() == 0 else "the program that watches it was killed"  # never as root
    with pytest.raises(Fault, match=f"crash: {end}"):
        process.read(None)
    process.close()


def test_the_end_of_stderr_is_kept(token: str) -> None:
    assert fault_of(game_against("raises", token)).stderr.endswith("LookupError: lost my way")


def test_a_bot_cannot_call_home(token: str) -> None:
    if not LOCKED_IN:
        pytest.skip("needs bubblewrap")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        command = bot_spec(HERE / "vicious" / "opens_sockets.py", server.getsockname()[1], token, HERE / "vicious")
        with bots.load(command, RULES) as caller, bot("honest", token) as honest:
            record = play_game(RULES, caller, honest, GameTerms(control=TimeControl(3)))
        with pytest.raises(TimeoutError):
            server.accept()
    assert record.termination == "crash"
    assert "refused" in fault_of(record).stderr  # the loopback in there is its own


def test_a_bot_that_forgets_to_close_is_closed_by_being_forgotten(token: str) -> None:
    forgotten = bot("honest", token)
    forgotten.start()
    assert carriers(token)
    del forgotten


def test_a_killed_bot_is_started_again_for_its_next_game(token: str) -> None:
    with bot("answers_twice", token) as vicious, bot("honest", token) as honest:
        for _ in range(2):
            check(play_game(RULES, vicious, honest, GameTerms(control=TimeControl(1))), "answers_twice")


def many_games(count: int, token: str) -> None:
    """Vicious bots one after the other, with games of honest ones between them that must not notice."""
    names = [name for name in VERDICTS if name != "never_ready" and (LOCKED_IN or name not in NEEDS_A_LOCK)]
    quiet = None
    for number, name in enumerate(islice(cycle(names), count)):
        check(game_against(name, token), name)
        if number % 10 == 0:
            with bot("honest", token) as first, bot("honest", token) as second:
                moves = play_game(RULES, first, second, GameTerms(control=TimeControl(3))).move_texts()
            quiet = quiet or moves
            assert moves == quiet


def test_after_twenty_such_games_nothing_is_left_and_other_games_are_unchanged(token: str) -> None:
    many_games(20, token)


@pytest.mark.slow
def test_after_five_hundred_such_games_nothing_is_left(token: str) -> None:
    many_games(500, token)


@pytest.mark.parametrize("times", [1, pytest.param(15, marks=pytest.mark.slow)])
@pytest.mark.parametrize("isolation", EVERY)
def test_a_referee_that_is_killed_takes_its_bots_and_their_folders_with_it(
    isolation: str, times: int, token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    command = bot_spec(HERE / "vicious" / "ignores_signals.py", 9, token, HERE / "vicious")
    script = f"""
import os
from plyground import games
from plyground.referee import bots
bot = bots.load({f"{command},isolation={isolation}"!r}, games.load("connect-four"))
bot.start()
assert len(os.listdir({str(tmp_path)!r})) == {int(isolation != "bubblewrap")}
os.kill(os.getpid(), 9)
"""
    for _ in range(times):
        assert os.spawnl(os.P_WAIT, sys.executable, sys.executable, "-c", script) == -9
        eventually(lambda: carriers(token) == [] and not list(tmp_path.iterdir()))
