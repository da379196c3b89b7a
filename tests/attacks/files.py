"""Reading and writing what is not a bot's own."""

from __future__ import annotations

import os
from pathlib import Path

from trying import attempt


def read(path: str) -> str:
    return Path(path).read_text(errors="replace")[:20]


def see(path: str) -> int:
    return Path(path).stat().st_size


def read_by_process(pid: str, path: str) -> str:
    """The way round: the root directory of another process."""
    return read(f"/proc/{pid}/root{path}")


def read_environment(pid: str) -> int:
    return len(Path(f"/proc/{pid}/environ").read_bytes())


def write_beside(_: str = "") -> str:
    path = Path(__file__).with_name("written-by-an-attack")
    path.write_text("I was here")
    path.unlink()
    return str(path)


def truncate(path: str) -> str:
    """Cut a file to the length that it has: to 0 it would be as easy."""
    os.truncate(path, Path(path).stat().st_size)
    return path


def kernel_setting(path: str) -> str:
    os.close(os.open(path, os.O_WRONLY))  # opened and left as it is
    return path


def fill_the_disk() -> str:
    """300 MB in small files, of which the referee allows 64."""
    import tempfile
    import time

    written = 0
    for number in range(75):
        Path(tempfile.gettempdir(), f"part-{number}").write_bytes(b"x" * (4 << 20))
        written += 4
    time.sleep(1.5)
    return f"{written} MB"


attempt(
    {
        "read": read,
        "see": see,
        "read-by-process": read_by_process,
        "read-environment": read_environment,
        "write-beside": write_beside,
        "truncate": truncate,
        "kernel-setting": kernel_setting,
        "fill-the-disk": fill_the_disk,
    }
)
