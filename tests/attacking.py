"""Attacks on the sandbox of bots, each tried in a mode: held, or a door that was open.

python attacking.py MODE ... prints what came of all of them, as JSON lines; so a test can try them as another user.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import socket
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from plyground.play.faults import Fault, FaultKind
from plyground.play.isolation import Aspect, Isolation, Strength
from plyground.referee.sandbox import landlock, modes
from plyground.referee.sandbox.limits import Limits
from plyground.referee.sandbox.population import TICKS
from plyground.referee.sandbox.process import BotProcess

HERE = Path(__file__).parent / "attacks"
PYTHON = [sys.executable, "-S"]

PATIENCE_SECONDS = 60.0
"""For an attack to be over, on a busy machine."""


class Attack(NamedTuple):
    """A way to something that a bot is not to have."""

    script: str
    name: str
    aspect: Aspect
    strength: Strength
    """How far the claim must go for this attack to be held."""
    arguments: tuple[str, ...] = ()
    """Each may name a thing of the `Ground` in braces."""
    besides: tuple[str, ...] = ()
    """Modes that hold it even where they claim less."""

    def __str__(self) -> str:
        return " ".join((self.script, self.name, *self.arguments))


def _listed() -> Iterator[Attack]:
    yes, partly = Strength.YES, Strength.PARTLY
    for path in ("{secret}", "{rival}", "{store}", "/etc/shadow", "/etc/passwd"):
        yield Attack("files", "read", Aspect.FILES, partly, (path,))
    yield Attack("files", "see", Aspect.FILES, yes, ("{rival}",))
    yield Attack("files", "read-by-process", Aspect.FILES, partly, ("{pid}", "{rival}"))
    yield Attack("files", "read-environment", Aspect.FILES, partly, ("{pid}",))
    yield Attack("files", "write-beside", Aspect.FILES, partly)
    yield Attack("files", "truncate", Aspect.FILES, partly, ("{rival}",))
    yield Attack("files", "fill-the-disk", Aspect.FILES, partly)
    for setting in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches"):
        yield Attack("files", "kernel-setting", Aspect.FILES, partly, (setting,))
    yield Attack("network", "unix", Aspect.NETWORK, yes, ("{socket}",))
    yield Attack("network", "unix", Aspect.NETWORK, yes, ("@{token}",))
    for way in ("datagram", "raw", "connect"):
        yield Attack("network", "datagram", Aspect.NETWORK, yes, ("{datagrams}", way))
    for family in ("AF_VSOCK", "AF_ALG"):
        yield Attack("network", "family", Aspect.NETWORK, yes, (family,), ("group",))
    yield Attack("network", "tcp", Aspect.NETWORK, partly, ("{tcp}",))
    yield Attack("network", "udp", Aspect.NETWORK, yes, ("{udp}",))
    for means in ("heap", "shared"):
        yield Attack("memory", means, Aspect.MEMORY, partly)
    for means in ("memfd", "system-v", "children"):
        yield Attack("memory", means, Aspect.MEMORY, yes, (), ("bubblewrap", "landlock", "group"))
    yield Attack("memory", "files", Aspect.MEMORY, yes, ("/tmp", "/dev/shm"), ("bubblewrap", "landlock"))
    yield Attack("memory", "pipes", Aspect.MEMORY, yes)
    yield Attack("computing", "cores", Aspect.CPU, partly)
    yield Attack("processes", "see", Aspect.PROCESSES, yes, ("{pid}",))
    yield Attack("processes", "others", Aspect.PROCESSES, yes)
    signals_held = ("landlock",) if landlock.version() >= 6 else ()
    yield Attack("processes", "signal", Aspect.PROCESSES, yes, ("{pid}",), signals_held)
    for way in ("limits", "priority", "schedule"):
        yield Attack("processes", way, Aspect.PROCESSES, yes, ("{pid}",), ("landlock",))
    yield Attack("processes", "forks", Aspect.PROCESSES, partly)
    yield Attack("processes", "threads", Aspect.PROCESSES, partly)
    yield Attack("processes", "unshare", Aspect.PROCESSES, partly)
    yield Attack("processes", "trace", Aspect.PROCESSES, partly)
    if platform.machine() == "x86_64":
        yield Attack("processes", "other-architecture", Aspect.PROCESSES, partly)
    yield Attack("traces", "keyring", Aspect.TRACES, yes, ("{token}",))
    yield Attack("traces", "times", Aspect.TRACES, yes)
    yield Attack("traces", "modes", Aspect.TRACES, yes)
    yield Attack("traces", "attributes", Aspect.TRACES, yes)
    yield Attack("traces", "terminal", Aspect.TRACES, yes, ("{terminal}",))
    yield Attack("traces", "terminal", Aspect.TRACES, yes, ("/dev/tty",))


ATTACKS = list(_listed())

LEFT = [("system-v", "{key}"), ("file", "/dev/shm/{token}"), ("fifo", "/dev/shm/{token}"), ("file", "/tmp/{token}")]
"""What may succeed in a sandbox as long as nobody else ever sees it: an attack of `traces`, and where it would stay."""


class Finding(NamedTuple):
    """What came of an attack."""

    held: bool
    how: str
    most: int = 0
    """Megabytes that the bot had at most, by its own words."""


@dataclass
class Ground:
    """Things of somebody else that bots are to keep their hands off, all of them the test's own."""

    things: dict[str, str]

    def tried(self, attack: Attack, mode: str) -> Finding:
        """What comes of an attack in a mode, within tight limits."""
        arguments = [word.format(**self.things) for word in attack.arguments]
        return _tried([*PYTHON, str(HERE / f"{attack.script}.py"), attack.name], arguments, mode)


@contextlib.contextmanager
def ground() -> Iterator[Ground]:
    """A secret, a rival's file and a store, sockets, a terminal."""
    import pty  # the list of attacks is read on systems without it too

    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="plyground-ground-")))
        folder.chmod(0o755)
        token = uuid.uuid4().hex
        (folder / "secret").write_text("a secret of somebody")
        (folder / "secret").chmod(0o600)
        (folder / "rival.py").write_text("def choose(position, limit): ...")
        (folder / "class.db").write_bytes(b"SQLite format 3\0")
        for address in (str(folder / "socket"), f"\0{token}"):
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(address)
            server.listen()
        (folder / "socket").chmod(0o777)
        datagrams = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        datagrams.bind(str(folder / "datagrams"))
        (folder / "datagrams").chmod(0o777)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        threading.Thread(target=_answer, args=(udp,), daemon=True).start()
        ours, theirs = pty.openpty()
        stack.callback(os.close, ours)
        stack.callback(os.close, theirs)
        os.chmod(os.ttyname(theirs), 0o666)  # noqa: PTH101
        yield Ground(
            {
                "secret": str(folder / "secret"),
                "rival": str(folder / "rival.py"),
                "store": str(folder / "class.db"),
                "socket": str(folder / "socket"),
                "datagrams": str(folder / "datagrams"),
                "token": token,
                "tcp": str(tcp.getsockname()[1]),
                "udp": str(udp.getsockname()[1]),
                "terminal": os.ttyname(theirs),
                "pid": str(os.getpid()),
                "key": str(uuid.uuid4().int & 0x7FFFFFFF),
            }
        )


def _answer(udp: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            udp.sendto(b"hello", udp.recvfrom(16)[1])


def _tried(command: list[str], arguments: list[str], mode: str) -> Finding:
    most = 0
    bot = BotProcess(command, Limits(memory=100, cpu=60, isolation=mode))
    try:
        bot.begin_move()
        bot.send(json.dumps(arguments))
        while (line := bot.read(time.monotonic() + PATIENCE_SECONDS)) is not None:
            word, _, rest = line.partition(" ")
            if word != "has":
                return Finding(word == "held", rest, most)
            most = int(rest)
    except Fault as fault:
        return Finding("Traceback" not in fault.stderr, f"{fault} {fault.stderr}", most)
    finally:
        bot.close()
    return Finding(False, "it never ended", most)


def pondered(mode: str) -> Finding:
    """A bot that never stops computing and has timers wake it: held if it does not get to it in its opponent's time."""
    token = uuid.uuid4().hex
    bot = BotProcess([*PYTHON, str(HERE / "computing.py"), "ponder", token], Limits(isolation=mode))
    try:
        bot.begin_move()
        bot.read(time.monotonic() + PATIENCE_SECONDS)
        bot.end_move()
        time.sleep(0.2)  # until it stands still
        before = ticks(token)
        time.sleep(0.7)  # the opponent's time
        grown = (ticks(token) - before) / TICKS
        bot.begin_move()
        bot.send("how long?")
        bot.read(time.monotonic() + PATIENCE_SECONDS)
    except Fault as fault:
        return Finding(fault.kind is FaultKind.OUT_OF_TURN, str(fault))
    finally:
        bot.close()
    return Finding(grown < 0.02, f"it computed for {grown} s of 0.7 s")


def crowded(mode: str) -> Finding:
    """Two bots on one core, one with 20 busy processes: held if the other has a good part of the core."""
    token, limits = uuid.uuid4().hex, Limits(isolation=mode)
    words = [*PYTHON, str(HERE / "computing.py")]
    crowd = BotProcess([*words, "crowd", token], limits)
    single = BotProcess([*words, "ponder", token[::-1]], limits)
    try:
        crowd.begin_move()
        single.begin_move()
        crowd.send('["20"]')
        for bot in (crowd, single):
            bot.read(time.monotonic() + PATIENCE_SECONDS)
        time.sleep(1)  # for niceness to be adjusted where there is no control group
        before = ticks(token), ticks(token[::-1])
        until = time.monotonic() + PATIENCE_SECONDS
        while ticks(token) + ticks(token[::-1]) < sum(before) + TICKS and time.monotonic() < until:
            time.sleep(0.1)
        many, one = ticks(token) - before[0], ticks(token[::-1]) - before[1]
    finally:
        crowd.close()
        single.close()
    # Half of what both have would be fair; without fairness it is a twenty-first.
    return Finding(one > many / 4, f"{one} ticks against {many} of the crowd")


def ticks(token: str) -> int:
    """How long all processes have computed that have a word in their command."""
    total = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if token.encode() in path.read_bytes():
                fields = (path.parent / "stat").read_text().rpartition(")")[2].split()
                total += int(fields[11]) + int(fields[12])
    return total


def states(token: str) -> list[str]:
    """What the processes do that have a word in their command, as letters: R for running, T for stopped."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if token.encode() in path.read_bytes():
                found.append((path.parent / "stat").read_text().rpartition(")")[2].split()[0])
    return found


def claimed(attack: Attack, isolation: Isolation) -> bool:
    """Whether a mode claims to hold an attack."""
    return isolation.mode in attack.besides or isolation.strength(attack.aspect) >= attack.strength


def main() -> None:
    """Try every attack that is claimed to be held in some modes."""
    with ground() as here:
        for mode in sys.argv[1:]:
            isolation = modes.isolation(mode)
            for attack in ATTACKS:
                if claimed(attack, isolation):
                    finding = here.tried(attack, mode)
                    _print(mode, str(attack), finding)
            _print(mode, "ponder", pondered(mode))
            _print(mode, "crowd", crowded(mode))


def _print(mode: str, attack: str, finding: Finding) -> None:
    print(json.dumps({"mode": mode, "attack": attack, **finding._asdict()}), flush=True)


if __name__ == "__main__":
    main()
