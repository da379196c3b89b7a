"""What a bot gets of the machine: variables that it needs and no others, as these may be private, and cores."""

from __future__ import annotations

import functools
import os
import socket
import sys
from collections.abc import Sequence

from plyground.core.interpreter import program_path

KEPT_VARIABLES = frozenset(
    [
        "PATH",
        "LANG",
        "LANGUAGE",
        "TZ",
        "SYSTEMROOT",
        "PATHEXT",
        "JAVA_HOME",
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "CLASSPATH",
        "NODE_OPTIONS",
        "NODE_PATH",
        "PYTHONPATH",
        "PYTHONHOME",
        "PYTHONHASHSEED",
        "PYTHONUTF8",
        "PYTHONIOENCODING",
        "PYTHONDONTWRITEBYTECODE",
        "VIRTUAL_ENV",
        "LD_LIBRARY_PATH",
        "LC_ALL",
        "LC_COLLATE",
        "LC_CTYPE",
        "LC_MESSAGES",
        "LC_MONETARY",
        "LC_NUMERIC",
        "LC_TIME",
    ]
)
"""The variables of the referee that a bot gets, by their whole names: a pattern lets tokens and keys through."""


def environment(scratch: str, memory: int, packages: Sequence[str] = ()) -> dict[str, str]:
    """The environment of a bot, with a directory of its own and room for so many megabytes.

    Where it is given packages, Python looks for modules there and not where the referee's PYTHONPATH says.
    """
    kept = {key: value for key, value in os.environ.items() if key in KEPT_VARIABLES}
    if "PATH" in kept:
        kept["PATH"] = program_path()
    # Python buffers what it writes to a pipe; without this the answers of beginners' bots would stay in the buffer.
    own = {"HOME": scratch, "TMPDIR": scratch, "PYTHONUNBUFFERED": "1"}
    # Java and Node let rubbish pile up as far as the machine's memory goes, unless they know of a limit.
    heap = max(memory * 3 // 4, 16)
    usual = {"JAVA_TOOL_OPTIONS": f"-Xmx{heap}m", "NODE_OPTIONS": f"--max-old-space-size={heap}"}
    return usual | kept | own | ({"PYTHONPATH": os.pathsep.join(packages)} if packages else {})


def cores_for(count: int) -> list[int]:
    """So many cores, which the bots of this process share as they take turns; none where a system cannot say."""
    if sys.platform != "linux":
        return []
    there = sorted(os.sched_getaffinity(0))
    first = _slot()[0] * count
    return sorted({there[(first + number) % len(there)] for number in range(min(count, len(there)))})


@functools.cache
def _slot() -> tuple[int, int | None]:
    """The place of this process among the referees of its user, held by a socket's name as long as it lives."""
    for slot in range(4096):
        held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            held.bind(f"\0plyground-core-{os.getuid()}-{slot}")
        except OSError:
            held.close()
        else:
            return slot, held.detach()
    return 0, None
