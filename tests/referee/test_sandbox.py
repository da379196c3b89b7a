"""The parts of the sandbox: what a bot sees, which calls are refused, where limits come from, what is claimed."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from command import run
from plyground import games
from plyground.core.files import files_named
from plyground.core.interpreter import import_path, interpreter_command
from plyground.core.position import Position
from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault
from plyground.play.isolation import Aspect, Isolation, IsolationClaim, Strength, weakest
from plyground.play.match import GameTerms, play_game
from plyground.players import Player
from plyground.players import load as load_player
from plyground.referee import bots, doctor, entrants
from plyground.referee.sandbox import cgroups, landlock, modes, pipes, root, seccomp, view
from plyground.referee.sandbox.cgroups import Bounds, Cgroup, Place
from plyground.referee.sandbox.environment import KEPT_VARIABLES, _slot, cores_for, environment
from plyground.referee.sandbox.interface import Program
from plyground.referee.sandbox.limits import MODES, Limits
from plyground.referee.sandbox.process import BotProcess
from plyground.referee.sandbox.scratch import remove_scratch, usage_of
from plyground.referee.sandbox.supervisor_host import SUPERVISORS, SupervisorHost
from plyground.referee.sandbox.view import Access
from plyground.search.base import Limit
from plyground.search.score import Score
from waiting import eventually

RULES = games.load("tic-tac-toe")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
KEPT = Isolation(
    "landlock",
    (
        IsolationClaim(Aspect.FILES, Strength.PARTLY, "Landlock"),
        IsolationClaim(Aspect.NETWORK, Strength.YES),
        IsolationClaim(Aspect.CPU, Strength.NO),
    ),
)

# ------------------------------------------------------------ isolation


def test_an_isolation_is_written_with_its_claims_and_read_again() -> None:
    assert str(KEPT) == "landlock: network; partly files; not CPU"
    read = Isolation.parse(str(KEPT))
    assert str(read) == str(KEPT)
    assert read.strength(Aspect.FILES) is Strength.PARTLY
    for mode in MODES:
        assert str(Isolation.parse(str(modes.isolation(mode)))) == str(modes.isolation(mode))


def test_an_isolation_of_an_older_record_claims_nothing() -> None:
    old = Isolation.parse("namespaces")
    assert (old.mode, old.claims, str(old)) == ("namespaces", (), "namespaces")
    assert old.strength(Aspect.FILES) is Strength.NO
    assert weakest([old, KEPT]) == old


def test_of_two_isolations_the_weaker_claim_counts_in_each_respect() -> None:
    other = Isolation(
        "group",
        (
            IsolationClaim(Aspect.FILES, Strength.NO),
            IsolationClaim(Aspect.NETWORK, Strength.NO),
            IsolationClaim(Aspect.CPU, Strength.YES),
        ),
    )
    assert str(weakest([KEPT, other])) == "group: not files, network, CPU"


def test_each_mode_makes_each_claim_and_says_what_it_rests_on() -> None:
    for mode in MODES:
        for means in (modes.Means(), modes.means_here()):
            claims = modes.isolation(mode, means).claims
            assert [claim.aspect for claim in claims] == list(Aspect)
            assert all(claim.basis for claim in claims)


# ------------------------------------------------------------ what a bot sees


def own(*command: str, folder: str = "") -> set[str]:
    """What a bot sees besides the interpreter."""
    return set(view.view_of([sys.executable, *command], folder).own) - set(view.view_of([]).own)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the files of two bots, beside nothing of interest."""
    monkeypatch.setattr(view, "_private", set())
    for name in ("ada/bot.py", "ada/weights.txt", "ben/bot.py", "here.py", "class.db"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_bot_sees_the_folder_of_its_file(home: Path) -> None:
    assert own("ada/bot.py") == {str(home / "ada")}
    assert own("-m", "something") == {str(home)}
    assert own("--from=ada/weights.txt") == {str(home / "ada")}
    assert own("ada") == {str(home / "ada")}


def test_a_folder_with_something_of_others_is_not_its_own(home: Path) -> None:
    view.keep_private(["ben/bot.py", "class.db", "here.py"])
    assert own("here.py") == {str(home / "here.py")}
    assert own("ben/bot.py") == {str(home / "ben")}
    assert own("-m", "something") == set()


def test_a_home_a_temporary_directory_and_the_machine_are_nobodys_own(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home))
    assert own("here.py") == {str(home / "here.py")}
    assert own("/etc/passwd", "/proc/self/status", "/", str(home)) == set()
    assert own("x" * 5000, "\0") == set()


def test_a_folder_can_be_given(home: Path) -> None:
    assert own("here.py", folder="ada") == {str(home / "ada"), str(home / "here.py")}
    with pytest.raises(ValueError, match="there is no folder 'nowhere'"):
        own("here.py", folder="nowhere")


@LINUX
def test_a_program_brings_what_it_is_installed_with_but_not_its_whole_home(tmp_path: Path) -> None:
    for name in ("bin", "lib", "share"):
        (tmp_path / "jdk" / name).mkdir(parents=True)
    program = tmp_path / "jdk" / "bin" / "java"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    seen = view.view_of([str(program)]).own
    assert {str(tmp_path / "jdk" / "bin"), str(tmp_path / "jdk" / "lib")} <= set(seen)
    assert not any(path.endswith(("share", "jdk")) for path in seen)


@LINUX
def test_an_environment_of_python_shows_nothing_else_of_the_folder_it_was_made_in(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m venv .` in the folder of a class, and a project that is worked at with `pip install -e .`."""
    for name in ("bin", "lib/python3.11/site-packages", "project/submissions"):
        (home / name).mkdir(parents=True)
    (home / "pyvenv.cfg").write_text("")
    (home / "lib/python3.11/site-packages/project.pth").write_text(f"{home / 'project'}\n")
    for name in ("prefix", "exec_prefix"):
        monkeypatch.setattr(sys, name, str(home))
    monkeypatch.setattr("site.getsitepackages", lambda: [str(home / "lib/python3.11/site-packages")])
    for cached in (view._interpreter, view._linked_packages):
        cached.cache_clear()
    handed_in = Access((str(home / "ada"),), Program.STUDENT)
    try:
        submitted, typed = set(view.view_of(["python3"], access=handed_in).own), own("here.py")
    finally:
        for cached in (view._interpreter, view._linked_packages):
            cached.cache_clear()
    installed = {str(home / name) for name in ("bin", "lib", "pyvenv.cfg")}
    assert {path for path in submitted if path.startswith(str(home))} == {*installed, str(home / "ada")}
    assert str(home / "here.py") in typed or str(home) in typed  # it is a bot's own, wherever its interpreter lies
    assert str(home / "project") not in submitted


@LINUX
def test_a_program_in_the_bin_of_a_home_comes_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bin", "lib", "conf"):
        (tmp_path / name).mkdir()
    program = tmp_path / "bin" / "runner"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin")
    seen = view.view_of(["runner"], access=Access(("/nowhere",), Program.STUDENT)).own
    assert [path for path in seen if path.startswith(str(tmp_path))] == [str(program)]


def test_a_bot_gets_no_variable_that_only_begins_like_one_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NODE_AUTH_TOKEN", "PYTHON_KEYRING_SECRET", "JAVA_KEYSTORE_PASSWORD", "LC_SECRET", "AWS_SECRET"):
        monkeypatch.setenv(name, "hush")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    given = environment("/scratch", 100)
    assert "hush" not in given.values()
    assert (given["LANG"], given["HOME"], given["TMPDIR"]) == ("de_DE.UTF-8", "/scratch", "/scratch")


def test_a_bot_gets_its_path_and_language_and_what_its_interpreter_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    families = ("LC_", "JAVA_", "JDK_JAVA_", "NODE_", "PYTHON")
    alone = {"PATH", "LD_LIBRARY_PATH", "TZ", "LANG", "LANGUAGE", "CLASSPATH", "VIRTUAL_ENV", "SYSTEMROOT", "PATHEXT"}
    assert {name for name in KEPT_VARIABLES if not name.startswith(families)} == alone
    monkeypatch.setattr("os.environ", {"PATH": "/bin", "USER": "ada", "SSH_AUTH_SOCK": "/run/agent"})
    assert environment("/scratch", 100) == {
        "PATH": "/bin",
        "HOME": "/scratch",
        "TMPDIR": "/scratch",
        "PYTHONUNBUFFERED": "1",
        "JAVA_TOOL_OPTIONS": "-Xmx75m",
        "NODE_OPTIONS": "--max-old-space-size=75",
    }


# ------------------------------------------------------------ system calls


@LINUX
@pytest.mark.skipif(not seccomp.available(), reason="no filter for this machine")
def test_a_filter_judges_each_call_as_its_groups_say() -> None:
    for refused in (seccomp.RefusedCalls(), seccomp.RefusedCalls(True, True, True, True)):
        steps = list(struct.iter_unpack("=HBBI", seccomp.program(refused)))
        words = seccomp.CALLS[os.uname().machine].split()
        for name, number in zip(words[::2], map(int, words[1::2]), strict=True):
            if name not in ("clone", "socket", "socketpair", *seccomp.ON_ITSELF):
                verdict = seccomp.REFUSE if name in refused.names else seccomp.ALLOW
                assert _run(steps, number, 0) == verdict, name
        clone = int(words[words.index("clone") + 1])
        assert _run(steps, clone, 0x10F00) == seccomp.ALLOW
        assert _run(steps, clone, 1 << 28) == seccomp.REFUSE
        fcntl = int(words[words.index("fcntl") + 1])
        assert _run(steps, fcntl, 3, 9) == seccomp.ALLOW
        assert _run(steps, fcntl, 3, seccomp.F_SETSIG) == (seccomp.REFUSE if refused.waking else seccomp.ALLOW)
        made = int(words[words.index("socket") + 1])
        for family in range(50):  # of the others, each reaches beyond a network namespace
            held = family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)
            assert _run(steps, made, family) == (seccomp.ALLOW if held and not refused.others else seccomp.REFUSE)
        pair = int(words[words.index("socketpair") + 1])
        for kind in range(12):  # datagrams, and what becomes of a raw socket, go to any other by its path
            bound = kind in (seccomp.SOCK_STREAM, seccomp.SOCK_SEQPACKET)
            verdict = seccomp.ALLOW if bound or not refused.others else seccomp.REFUSE
            assert _run(steps, pair, 1, kind | 0x80800) == verdict, kind  # not to be waited for, closed by exec
        for name, arguments in (("prlimit64", [(0, 7), (1, 7)]), ("setpriority", [(0, 0), (0, 1), (2, 0)])):
            number = int(words[words.index(name) + 1])
            itself, *others = (_run(steps, number, *each) for each in arguments)
            assert itself == seccomp.ALLOW, name
            assert set(others) == {seccomp.REFUSE if refused.others else seccomp.ALLOW}, name
        assert _run(steps, seccomp.CLONE3, 0) == seccomp.NO_SUCH_CALL
        assert _run(steps, seccomp.X32 | 1, 0) == seccomp.NO_SUCH_CALL
        assert _run(steps, 20, 0, architecture=0x40000003) == seccomp.NO_SUCH_CALL


def _run(
    steps: list[tuple[int, int, int, int]], number: int, argument: int, second: int = 0, architecture: int = 0
) -> int:
    """What a filter says of a system call, step by step as the kernel does."""
    machine = architecture or seccomp.ARCHITECTURES[os.uname().machine]
    given = {seccomp.NUMBER: number, seccomp.ARCHITECTURE: machine}
    given |= {seccomp.FIRST_ARGUMENT: argument, seccomp.SECOND_ARGUMENT: second}
    place, held = 0, 0
    while True:
        operation, so, not_so, value = steps[place]
        if operation == seccomp.RETURN:
            return value
        if operation == seccomp.LOAD:
            held, jump = given[value], 0
        elif operation == seccomp.KEEP_BITS:
            held, jump = held & value, 0
        else:
            tests = {
                seccomp.EQUALS: held == value,
                seccomp.AT_LEAST: held >= value,
                seccomp.HAS_BITS: bool(held & value),
            }
            jump = so if tests[operation] else not_so
        place += jump + 1


def test_both_processors_refuse_the_same_calls() -> None:
    only_old = {"chmod", "chown", "lchown", "utime", "utimes", "futimesat"}
    names = {machine: set(calls.split()[::2]) for machine, calls in seccomp.CALLS.items()}
    assert names["x86_64"] - names["aarch64"] == only_old
    assert seccomp.RefusedCalls(True, True, True, True).names | set(seccomp.ON_ITSELF) <= names["x86_64"]


# ------------------------------------------------------------ control groups, cores, root


def test_a_group_of_version_2_is_set_by_its_files(tmp_path: Path) -> None:
    """No machine of the tests has its controllers there, so its files are looked at as such."""
    group = Cgroup("plyground-1", dict.fromkeys(cgroups.CONTROLLERS, Place(str(tmp_path), 2)))
    files = Bounds(100 << 20, 64).settings("memory", 2) | Bounds(1, 64).settings("pids", 2)
    assert files == {"memory.max": 104857600, "memory.swap.max": 0, "memory.oom.group": 1, "pids.max": 64}
    assert group.all == [f"{tmp_path}/plyground-1"]
    group.make(Bounds(100 << 20, 64))
    folder = tmp_path / "plyground-1"
    assert list(folder.iterdir()) == []  # a kernel without a file is asked for nothing
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")
    (folder / "pids.events").write_text("max 3\n")
    assert (group.killed_for_memory(), group.refused_tasks()) == (True, True)
    group.freeze(True)
    assert (folder / "cgroup.freeze").read_text() == "1"


def test_controllers_are_used_where_they_are_handed_down(tmp_path: Path) -> None:
    leaf = tmp_path / "app" / "leaf"
    leaf.mkdir(parents=True)
    for folder, handed in ((tmp_path, ""), (tmp_path / "app", "cpu memory pids"), (leaf, "")):
        (folder / "cgroup.procs").write_text("")
        (folder / "cgroup.subtree_control").write_text(handed)
    assert cgroups._second(str(tmp_path), "/app/leaf") == dict.fromkeys(
        cgroups.CONTROLLERS, Place(f"{tmp_path}/app", 2)
    )
    (tmp_path / "app" / "cgroup.subtree_control").write_text("cpu")
    assert cgroups._second(str(tmp_path), "/app/leaf") == {"freezer": Place(str(leaf), 2)}
    assert cgroups._second(str(tmp_path), "/gone") == {}


@LINUX
@pytest.mark.skipif(not cgroups.places(), reason="needs control groups")
def test_groups_of_a_supervisor_that_was_killed_are_swept_up() -> None:
    left = Cgroup(f"{cgroups.GROUP_PREFIX}4194305", cgroups.places())  # no process has so high a number
    left.make(Bounds(1 << 30, 10))
    cgroups.sweep()
    assert not any(Path(directory).exists() for directory in left.all)


@LINUX
@pytest.mark.skipif(not cgroups.places(), reason="needs control groups")
def test_a_group_that_was_left_by_a_process_of_the_same_number_is_in_nobodys_way() -> None:
    group = Cgroup(f"{cgroups.GROUP_PREFIX}4194306", cgroups.places())
    group.make(Bounds(1 << 30, 10))
    group.make(Bounds(1 << 30, 20))
    group.remove()
    assert not any(Path(directory).exists() for directory in group.all)


def test_a_landlock_that_lets_files_be_truncated_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modes, "has_supervisors", lambda: True)
    for version, problem in ((0, "this system has no Landlock"), (2, "version 2, with which a bot could truncate")):
        monkeypatch.setattr("plyground.referee.sandbox.landlock.version", lambda version=version: version)
        assert problem in modes.problem_with.__wrapped__("landlock")
    with pytest.raises(OSError, match="could truncate files"):
        landlock.restrict([], [], "/nowhere")


@LINUX
def test_a_bot_has_as_many_cores_as_it_may() -> None:
    there = os.sched_getaffinity(0)
    assert len(cores_for(1)) == 1
    assert cores_for(1) == cores_for(1)
    assert set(cores_for(10_000)) == there


@LINUX
def test_games_at_the_same_time_use_different_cores_while_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {1, 3, 4, 6, 7})
    taken = []
    for slot in range(3):
        monkeypatch.setattr("plyground.referee.sandbox.environment._slot", lambda slot=slot: (slot, None))
        taken.append(cores_for(2))
    assert taken == [[1, 3], [4, 6], [1, 7]]


@LINUX
def test_each_process_that_referees_has_a_place_of_its_own() -> None:
    script = "from plyground.referee.sandbox.environment import _slot; print(_slot()[0], _slot()[0])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    one, again = done.stdout.split()
    assert one == again != str(_slot()[0])


@LINUX
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs root")
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "process"])
def test_a_bot_is_never_root_nor_can_be_although_its_file_is_closed_to_others(mode: str, tmp_path: Path) -> None:
    if modes.problem_with(mode):
        pytest.skip(f"{mode} does not work here")
    folder = tmp_path / "closed"
    folder.mkdir(0o700)
    program = folder / "bot.py"
    program.write_text(
        "import os\nstatus = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print(*os.getresuid(), int(status['CapEff'], 16), int(status['NoNewPrivs']))"
    )
    program.chmod(0o600)
    bot = BotProcess([sys.executable, "-S", str(program)], Limits(isolation=mode))
    try:
        line = bot.read(None)
    finally:
        bot.close()
    assert line is not None
    *users, capabilities, bound = map(int, line.split())
    assert len(users) == 3
    assert len({*users}) == 1
    assert users[0] >= min(root.FIRST_USER, root.NOBODY)
    assert (capabilities, bound) == (0, 1)


def test_the_size_of_a_scratch_directory_is_that_of_all_files_in_it(tmp_path: Path) -> None:
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "deep" / "deeper" / "file").write_bytes(b"x" * (1 << 20))
    assert usage_of(str(tmp_path))[0] >= 1 << 20
    assert usage_of(str(tmp_path / "nowhere")) == (0, 0)


@LINUX
def test_a_link_in_the_place_of_a_scratch_directory_is_removed_and_never_followed(tmp_path: Path) -> None:
    (tmp_path / "somebodys").mkdir(mode=0o755)
    (tmp_path / "somebodys" / "letter").write_text("dear")
    for name in ("scratch", "other/scratch"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(tmp_path / "somebodys")
    assert remove_scratch(str(tmp_path / "scratch"))
    assert remove_scratch(str(tmp_path / "other"))
    assert (tmp_path / "somebodys").stat().st_mode & 0o777 == 0o755
    assert [path.name for path in tmp_path.rglob("*")] == ["somebodys", "letter"]


GUARDED = pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "process"])


@LINUX
@GUARDED
@pytest.mark.parametrize("closed", [0o700, 0o755])
def test_a_bot_is_run_in_a_folder_that_is_closed_or_has_closed_files(
    mode: str, closed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as /tmp, which nobody may read all of, and a home; scratch directories may lie below it."""
    if modes.problem_with(mode):
        pytest.skip(f"{mode} does not work here")
    for name in ("bots/bot.py", "private/letter", "tmp/x"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("print(open('bots/bot.py').read()[:5])")
    (tmp_path / "private").chmod(0o700)
    tmp_path.chmod(closed)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    bot = BotProcess([sys.executable, "-S", "bots/bot.py"], Limits(isolation=mode))
    try:
        assert bot.read(None) == "print"
    finally:
        bot.close()
    assert [path.name for path in (tmp_path / "tmp").iterdir()] == ["x"]


@LINUX
@GUARDED
def test_a_bot_that_puts_a_link_in_the_place_of_its_folder_changes_nothing_of_others(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The referee cleans up behind it, and may have more rights than the bot."""
    if modes.problem_with(mode):
        pytest.skip(f"{mode} does not work here")
    swap = "import os, sys\nfolder = os.environ['TMPDIR']\ntry:\n os.rmdir(folder)\n os.symlink(sys.argv[1], folder)\n"
    program = f"{swap}except OSError as error:\n print(error)\nprint('done')"
    with tempfile.TemporaryDirectory() as place:  # where everybody can get to, unlike the folders of tests
        somebodys, folder = Path(place, "somebodys"), Path(place, "tmp")
        for path, mode_bits in ((Path(place), 0o755), (somebodys, 0o755), (folder, 0o1777)):
            path.mkdir(exist_ok=True)
            path.chmod(mode_bits)
        monkeypatch.setattr("tempfile.tempdir", str(folder))
        bot = BotProcess([sys.executable, "-S", "-c", program, str(somebodys)], Limits(isolation=mode))
        try:
            while bot.read(None) != "done":
                pass
        finally:
            bot.close()
        assert somebodys.stat().st_mode & 0o777 == 0o755
        assert list(folder.iterdir()) == []


PROGRAMS = {
    "node": ["-e", "setTimeout(() => console.log('ready'), 10); setTimeout(() => 0, 60000)"],
    "java": ["Ready.java"],
    "python3": ["-c", "import signal; signal.setitimer(signal.ITIMER_REAL, 60); print('ready'); signal.pause()"],
}


@LINUX
@GUARDED
@pytest.mark.parametrize("program", ["node", pytest.param("java", marks=pytest.mark.slow), "python3"])
def test_a_bot_can_be_of_any_language(program: str, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if modes.problem_with(mode) or shutil.which(program) is None:
        pytest.skip(f"{mode} or {program} does not work here")
    (tmp_path / "Ready.java").write_text(
        'class Ready { public static void main(String[] a) { System.out.println("ready"); } }'
    )
    monkeypatch.chdir(tmp_path)
    bot = BotProcess([program, *PROGRAMS[program]], Limits(isolation=mode))
    try:
        assert bot.read(None) == "ready"
    finally:
        bot.close()


@LINUX
@GUARDED
def test_a_bot_has_no_descriptor_but_its_three_streams(mode: str) -> None:
    """With the socket of its supervisor it could report what it likes."""
    if modes.problem_with(mode):
        pytest.skip(f"{mode} does not work here")
    program = "import os; print([fd for fd in range(256) if os.path.exists(f'/proc/self/fd/{fd}')])"
    bot = BotProcess([sys.executable, "-S", "-c", program], Limits(isolation=mode))
    try:
        assert bot.read(None) == "[0, 1, 2]"
    finally:
        bot.close()


@LINUX
@GUARDED
def test_a_bot_that_could_not_be_started_leaves_nothing(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if modes.problem_with(mode):
        pytest.skip(f"{mode} does not work here")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(Fault, match="could not be started"):
        BotProcess([str(tmp_path / "no-such-program")], Limits(isolation=mode)).read(None)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------ the process that supervisors are forked from

SAYS_WHERE = ["/bin/sh", "-c", "echo started; read line"]


def started() -> str | None:
    """What a bot says that is started now."""
    bot = BotProcess(SAYS_WHERE, Limits(isolation="group"))
    try:
        return bot.read(None)
    finally:
        bot.close()


@LINUX
def test_a_bot_starts_although_the_process_was_killed_that_forks_supervisors() -> None:
    assert started() == "started"
    assert SUPERVISORS._process is not None
    SUPERVISORS._process.kill()
    assert started() == "started"


@LINUX
def test_a_forked_process_forks_supervisors_of_its_own() -> None:
    assert started() == "started"
    before = SUPERVISORS._process
    child = os.fork()
    if child == 0:
        os._exit(started() != "started" or SUPERVISORS._process is before)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert started() == "started"
    assert SUPERVISORS._process is before


@LINUX
def test_no_supervisor_and_nothing_that_forks_them_outlives_a_referee_that_is_killed() -> None:
    script = f"""
import os
from plyground.referee.sandbox.limits import Limits
from plyground.referee.sandbox.process import BotProcess
from plyground.referee.sandbox.supervisor_host import SUPERVISORS
bot = BotProcess({SAYS_WHERE}, Limits(isolation="group"))
print(SUPERVISORS._process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == -9
    session = done.stdout.strip()
    eventually(lambda: session not in living())


def living() -> set[str]:
    """The processes that there are, and their parents."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            found |= {path.parent.name, parent} if state != "Z" else set()
    return found


# ------------------------------------------------------------ doctor


def test_the_doctor_shows_each_claim_and_what_it_rests_on() -> None:
    shown = run("doctor").stdout
    kept = modes.isolation(modes.mode_here())
    assert shown.startswith(f"bots on this machine are isolated by {kept.mode}\n")
    for claim in kept.claims:
        assert f"  {claim.aspect.value:<10} {claim.strength.name.lower():<7} {claim.basis}\n" in shown
    reported = json.loads(run("doctor", "--json").stdout)
    assert (reported["mode"], list(reported["modes"])) == (kept.mode, list(MODES))
    assert [claim["aspect"] for claim in reported["claims"]] == [aspect.value for aspect in Aspect]


@LINUX
def test_the_doctor_knows_what_would_help(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("plyground.referee.doctor.find_program", lambda _: "")
    problems, means = {"bubblewrap": "bubblewrap is not installed"}, modes.Means(landlock=7, filtered=True)
    first, second = doctor.advice(problems, means, modes.isolation("landlock", means))
    assert first.startswith("for files, processes and traces: install bubblewrap (apt install bubblewrap")
    assert second.startswith("for memory, CPU and freezing: start plyground where it can make control groups")
    monkeypatch.setattr("plyground.referee.doctor.find_program", lambda _: "/usr/bin/bwrap")
    problems = {"bubblewrap": "bwrap: No permissions to create new namespace"}
    assert "let users make namespaces, which bubblewrap needs" in doctor.advice(problems, means, KEPT)[0]
    monkeypatch.setattr("os.getuid", lambda: 1000)
    for place, words in (tmp_path, "(systemd-run --user"), (tmp_path / "none", "(in a container"):
        monkeypatch.setattr(doctor, "BOOTED_BY_SYSTEMD", place)
        assert words in doctor.advice(problems, means, KEPT)[1]
    everything = modes.Means(frozenset(cgroups.CONTROLLERS), True, 7, True)
    assert doctor.advice({"bubblewrap": ""}, everything, modes.isolation("bubblewrap", everything)) == []


# ------------------------------------------------------------ players with somebody's files

HEURISTIC = """
import os
def mobility(position):
    return len(position.moves())
def spying(position):
    return 100 * os.path.exists({secret!r})
def fails(position):
    raise ValueError("no idea")
"""


@pytest.fixture
def heuristic(tmp_path: Path) -> str:
    secret = tmp_path / "secret"
    secret.write_text("hush")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mine.py").write_text(HEURISTIC.format(secret=str(secret)))
    return f"alpha-beta:depth=2,heuristic={tmp_path}/mine/mine.py"


def test_a_player_with_somebodys_file_can_be_isolated_like_a_bot(heuristic: str) -> None:
    player = entrants.load(f"{heuristic}:mobility,isolated=yes", RULES)
    assert isinstance(player, bots.ProcessBot)
    with player:
        record = play_game(RULES, player, load_player("random", RULES, 1), GameTerms(Limit(seconds=5)))
    assert record.fault is None
    assert record.isolation == str(modes.isolation(modes.mode_here()))
    assert record.first == f"{heuristic}:mobility,isolated=yes"


def test_it_plays_the_same_moves_isolated_or_not(heuristic: str) -> None:
    moves = []
    for wish in ("yes", "no"):
        player = entrants.load(f"{heuristic}:mobility,isolated={wish}", RULES, 3)
        moves.append(play_game(RULES, player, load_player("random", RULES, 1), GameTerms(Limit(depth=2))).move_texts())
        player.close()
    assert moves[0] == moves[1]


@pytest.mark.skipif(modes.mode_here() != "bubblewrap", reason="needs bubblewrap")
def test_an_isolated_heuristic_sees_no_file_of_others(heuristic: str) -> None:
    start = Position.start(RULES)
    scores = {}
    for wish in ("yes", "no"):
        player = entrants.load(f"{heuristic}:spying,isolated={wish}", RULES)
        scores[wish] = choose_score(player, start)
        player.close()
    assert scores == {"yes": Score.points(0), "no": Score.points(100)}


def choose_score(player: Player, position: Position) -> Score | None:
    *_, analysis = player.think(position, Limit(depth=2))
    return analysis.score


def test_in_tournaments_somebodys_code_is_isolated_unless_asked_otherwise(heuristic: str) -> None:
    assert isinstance(entrants.load(f"{heuristic}:mobility", RULES, isolated=True), bots.ProcessBot)
    for spec in ("alpha-beta:depth=2", "engine:level=1"):
        assert not isinstance(entrants.load(spec, RULES, isolated=True), bots.ProcessBot)
    assert not isinstance(entrants.load(f"{heuristic}:mobility,isolated=no", RULES, isolated=True), bots.ProcessBot)


SEARCH = """
from plyground import alpha_beta
def scout(position, depth, heuristic, effort):
    return alpha_beta(position, depth, heuristic, effort)
"""


def test_a_search_in_a_file_is_isolated_too(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SEARCH)
    spec = f"search={tmp_path}/mine.py:scout,depth=2"
    assert files_named(spec) == [f"{tmp_path}/mine.py"]
    assert isinstance(entrants.load(spec, RULES, isolated=True), bots.ProcessBot)
    for wished in (f"{spec},isolated=no", spec.replace(",", ",isolated=no,")):
        assert not isinstance(entrants.load(wished, RULES, isolated=True), bots.ProcessBot)
    entrants.check(spec, RULES)


def test_what_is_wrong_with_an_isolated_player_is_said_before_the_first_game(heuristic: str) -> None:
    entrants.check(f"{heuristic}:mobility", RULES)
    with pytest.raises(ValueError, match=r"unknown function in .*mine\.py 'mobile'; did you mean 'mobility'"):
        entrants.check(f"{heuristic}:mobile", RULES)
    with pytest.raises(ValueError, match="isolated must be yes or no, got 'maybe'"):
        entrants.load(f"{heuristic}:mobility,isolated=maybe", RULES)


def test_an_isolated_player_that_fails_loses_by_a_crash_with_its_own_line(heuristic: str) -> None:
    with entrants.load(f"{heuristic}:fails,isolated=yes", RULES) as player:  # type: ignore[attr-defined]
        record = play_game(RULES, player, load_player("random", RULES, 1), GameTerms(Limit(seconds=5)))
    assert record.fault is not None
    assert record.termination == "crash"
    assert 'File "mine.py", line 8, in fails' in record.fault.stderr
    assert record.fault.stderr.endswith("ValueError: no idea")


def test_a_sandbox_that_does_not_start_is_no_bots_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("plyground.referee.sandbox.pipes.SUPERVISORS", SupervisorHost())
    nowhere = interpreter_command("plyground.nowhere", bare=True)
    monkeypatch.setattr("plyground.referee.sandbox.supervisor_host.interpreter_command", lambda *_, **__: nowhere)
    with pytest.raises(InternalFailure, match="the program that watches bots has failed"):
        BotProcess([sys.executable, "-c", ""], Limits(isolation="group"))
    assert list(tmp_path.iterdir()) == []


SHORT_OF_PROCESSES = """
import errno, os, sys
sys.path[:] = {path!r}
from plyground.referee.sandbox import zygote
become_supervisor = zygote._become_supervisor
def short(*_):
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
def become_short(*given):
    os.{call} = short
    become_supervisor(*given)
zygote._become_supervisor = become_short
zygote.main()
"""


@LINUX
@GUARDED
@pytest.mark.parametrize("call", ["fork", "execvp"])
def test_a_machine_that_has_no_process_to_give_is_no_bots_fault(
    mode: str, call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if modes.problem_with(mode):
        pytest.skip(f"{mode} does not work here")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("plyground.referee.sandbox.pipes.SUPERVISORS", host := SupervisorHost())
    short = SHORT_OF_PROCESSES.format(call=call, path=import_path())
    monkeypatch.setattr(
        "plyground.referee.sandbox.supervisor_host.interpreter_command",
        lambda _, descriptor, **__: [sys.executable, "-c", short, descriptor],
    )
    with pytest.raises(InternalFailure, match="Resource temporarily unavailable"):
        BotProcess([sys.executable, "-c", ""], Limits(isolation=mode))
    with pytest.raises(InternalFailure, match="Resource temporarily unavailable"):  # no reason for a weaker mode
        modes.problem_with.__wrapped__(mode)
    host.close()
    assert list(tmp_path.iterdir()) == []


def test_a_sandbox_that_does_not_get_done_is_no_bots_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    never = SimpleNamespace(select=lambda *_: ([], [], []), poll=select.poll)
    monkeypatch.setattr(pipes, "select", never)
    with pytest.raises(InternalFailure, match="the program that watches bots has reported nothing for 90 s"):
        BotProcess([sys.executable, "-c", ""], Limits(isolation="group"))


def test_what_a_sandbox_takes_is_not_a_bots_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the referee jumps an hour while the sandbox is made."""
    jumped: list[BotProcess] = []

    def made(command: list[str], limits: Limits, access: Access) -> BotProcess:
        jumped.append(BotProcess(command, limits, access))
        return jumped[0]

    monkeypatch.setattr(bots, "BotProcess", made)
    monkeypatch.setattr(bots, "time", SimpleNamespace(monotonic=lambda: time.monotonic() - 3600 * (not jumped)))
    (tmp_path / "bot.py").write_text("def choose(position, limit): return position.moves()[0]")
    with bots.load(f"py:{tmp_path / 'bot.py'},startup=60", RULES) as bot:
        bot.start()
    assert jumped


@LINUX
@pytest.mark.skipif(modes.mode_here() != "bubblewrap", reason="needs bubblewrap")
def test_a_bot_whose_sandbox_was_killed_is_started_again_for_the_next_attempt(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(position, limit): return position.moves()[0]")
    position = Position.start(RULES)
    with bots.load(f"py:{tmp_path / 'bot.py'},startup=60", RULES) as bot:
        bot.start()
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):  # it has ended, perhaps with the one before
                program, *words = path.read_bytes().split(b"\0")
                if program.endswith(b"bwrap") and str(tmp_path / "bot.py").encode() in words:
                    os.kill(int(path.parent.name), signal.SIGKILL)
        with pytest.raises(InternalFailure, match="ended from outside"):
            list(bot.think(position, Limit(seconds=60)))
        assert [analysis.line for analysis in bot.think(position, Limit(seconds=60))] == [(position.moves()[0],)]
