"""The command that adds something missing to this installation, a clone or an installed package."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname


def install_command(extra: str = "") -> str:
    """What to type to install the program again with an extra: `pip install 'plyground[web]'`, or that of a clone."""
    wanted = f"[{extra}]" if extra else ""
    clone = _clone()
    what = f"plyground{wanted}" if clone is None else f"{short_path(clone)}{wanted}"
    # Without its cache, where pip keeps what it once built without a compiler.
    again = "" if extra else "--force-reinstall --no-cache-dir --no-deps "
    return f"{_pip()} install {again}{'' if clone is None else '-e '}{shlex.quote(what)}"


def _clone() -> Path | None:
    """The folder of the sources where the program runs from them, else None."""
    from importlib.metadata import PackageNotFoundError, distribution  # slow to import, and hardly ever needed

    try:
        origin = json.loads(distribution("plyground").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        return None
    if not origin.get("dir_info", {}).get("editable"):
        return None
    return Path(url2pathname(urlparse(origin["url"]).path))


def _pip() -> str:
    """The pip of this Python, as the shell here finds it."""
    pip = Path(sys.executable).with_name("pip")
    return shlex.quote(short_path(pip)) if pip.exists() and sys.prefix != sys.base_prefix else "pip"


def short_path(path: Path) -> str:
    """A path from here where it leads below here; `.` for this folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
