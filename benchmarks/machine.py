"""The machine a measurement was made on, in a line to print above the figures."""

from __future__ import annotations

import compileall
import os
import platform
from pathlib import Path

import plyground
from plyground import native


def machine() -> str:
    """Processor, cores, load, Python and which native core there is."""
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    core = f"native core ({native.build})" if native.available else "no native core"
    python = f"Python {platform.python_version()}"
    return ", ".join((_processor(), f"{os.cpu_count()} cores", load, platform.system(), python, core))


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def compile_modules() -> None:
    """Compile the modules of the package, as an installation does.

    Where Python keeps no compiled modules (PYTHONDONTWRITEBYTECODE), each bot of a checkout compiles them again: that
    was half the processor time of its start.
    """
    for folder in plyground.__path__:
        compileall.compile_dir(folder, quiet=1)
