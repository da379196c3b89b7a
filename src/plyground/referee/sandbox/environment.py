"""The environment of a bot: what it needs, and nothing else, as the rest may be private."""

from __future__ import annotations

import os

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


def environment(scratch: str, memory: int) -> dict[str, str]:
    """The environment of a bot, with a directory of its own and room for so many megabytes."""
    kept = {key: value for key, value in os.environ.items() if key in KEPT_VARIABLES}
    # Python buffers what it writes to a pipe; without this the answers of beginners' bots would stay in the buffer.
    own = {"HOME": scratch, "TMPDIR": scratch, "PYTHONUNBUFFERED": "1"}
    # Java and Node let rubbish pile up as far as the machine's memory goes, unless they know of a limit.
    heap = max(memory * 3 // 4, 16)
    usual = {"JAVA_TOOL_OPTIONS": f"-Xmx{heap}m", "NODE_OPTIONS": f"--max-old-space-size={heap}"}
    return usual | kept | own
