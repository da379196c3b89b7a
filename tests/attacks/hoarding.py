"""Keeping more in files than one may: 200 MB, or very many of them; and moving the directory for them elsewhere."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

STEP_BYTES, MOST_BYTES = 8 << 20, 200 << 20


def unlinked() -> None:
    """Files that are open and have no name any more."""
    kept = []
    for _ in range(MOST_BYTES // STEP_BYTES):
        file = tempfile.TemporaryFile()  # noqa: SIM115
        file.write(b"x" * STEP_BYTES)
        file.flush()
        kept.append(file)
    print("kept", flush=True)
    time.sleep(60)


def many() -> None:
    """More files than anybody looks at, each a page."""
    for number in range(6_000):
        (Path(tempfile.gettempdir()) / str(number)).write_bytes(b"x" * 4096)
    print("kept", flush=True)
    time.sleep(60)


def moved() -> None:
    """The directory itself under another name."""
    scratch = Path(tempfile.gettempdir())
    (scratch / "kept").write_text("for later")
    os.rename(scratch, scratch.with_name(sys.argv[2]))  # noqa: PTH104
    print("moved", flush=True)
    sys.stdin.read()


{"unlinked": unlinked, "many": many, "moved": moved}[sys.argv[1]]()
