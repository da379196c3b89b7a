"""What keeps bots from the rest of this machine, what each claim rests on, and what to install for more."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from plyground.core.interpreter import find_program
from plyground.play.isolation import Isolation, Strength
from plyground.referee.sandbox.limits import MODES
from plyground.referee.sandbox.modes import Means, isolation, means_here, mode_here, problem_with

BOOTED_BY_SYSTEMD = Path("/run/systemd/system")
"""A folder that is there where systemd runs the machine."""


@dataclass(frozen=True)
class Diagnosis:
    """What this machine gives."""

    isolation: Isolation
    """What a bot gets unless its spec says otherwise."""

    problems: dict[str, str]
    """Why each mode is not to be had; empty for those that are."""

    advice: tuple[str, ...]
    """What to do for more."""


def diagnose() -> Diagnosis:
    """What this machine gives, tried out."""
    problems = {mode: problem_with(mode) for mode in MODES}
    return Diagnosis(isolation(mode_here()), problems, tuple(advice(problems, means_here(), isolation(mode_here()))))


def advice(problems: dict[str, str], means: Means, kept: Isolation) -> list[str]:
    """What would make more claims hold."""
    if all(claim.strength is Strength.YES for claim in kept.claims):
        return []
    if sys.platform != "linux":
        return ["run tournaments of bots you do not know on Linux: this system has no sandbox that is used here"]
    found = []
    if problems["bubblewrap"] and not find_program("bwrap"):
        found.append(
            "for files, processes and traces: install bubblewrap (apt install bubblewrap, dnf install bubblewrap)"
        )
    elif problems["bubblewrap"]:
        found.append(
            "for files, processes and traces: let users make namespaces, which bubblewrap needs (by sysctl: "
            "user.max_user_namespaces=10000, kernel.unprivileged_userns_clone=1 or "
            "kernel.apparmor_restrict_unprivileged_userns=0, whichever the system has)"
        )
    if not {"memory", "pids", "cpu", "freezer"} <= means.groups:
        found.append(
            "for memory, CPU and freezing: start plyground where it can make control groups "
            + (
                "(systemd-run --user --scope -p Delegate=yes plyground ...)"
                if BOOTED_BY_SYSTEMD.is_dir() and os.getuid()
                else "(in a container they must be mounted writable)"
            )
        )
    if not means.filtered:
        found.append("for all but files: use an x86-64 or ARM64 machine; there is no filter of system calls for others")
    return found
