"""The condition under which figures were measured, in one line above them: the machine, its load, which time."""

from __future__ import annotations

import compileall
import os
import platform
from enum import StrEnum
from pathlib import Path

import plyground
from plyground import native


class Timing(StrEnum):
    """Which time counts, in the words of the documentation."""

    PROCESSOR = "processor time"
    CLOCK = "by the clock"
    BOTH = "processor time and by the clock"


def print_condition(timing: Timing) -> None:
    """Print the condition of what follows; every benchmark whose figures depend on time begins with it."""
    print(condition(timing), flush=True)


def condition(timing: Timing) -> str:
    """Processor, cores, load, system, Python, which native core there is, and which time counts."""
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    core = f"native core ({native.build})"
    python = f"Python {platform.python_version()}"
    return ", ".join((_processor(), f"{os.cpu_count()} cores", load, platform.system(), python, core, timing))


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
