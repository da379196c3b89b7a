"""How this program was called, so that every command it prints can be typed as it stands."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from plyground.core.installation import short_path


def command(arguments: str = "") -> str:
    """The program's name as the shell here finds it, with arguments: `plyground play`, `.venv/bin/plyground play`."""
    return f"{_name()} {arguments}".rstrip()


def _name() -> str:
    called = Path(sys.argv[0])
    beside = Path(sys.executable).with_name("plyground")
    program = beside if called.suffix == ".py" or not called.is_file() else called
    found = shutil.which("plyground")
    if found is not None and program.exists() and program.samefile(found):
        return "plyground"
    if program is called:
        return shlex.quote(str(called))
    return f"{shlex.quote(short_path(Path(sys.executable)))} -m plyground"
