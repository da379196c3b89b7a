"""The modes of isolation that this machine allows, and what each claims here."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import NamedTuple

from plyground.core.interpreter import find_program
from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault
from plyground.play.isolation import Aspect, Isolation, IsolationClaim, Strength
from plyground.referee.sandbox import cgroups, landlock, seccomp
from plyground.referee.sandbox.kernel import SHORTAGES
from plyground.referee.sandbox.limits import MODES, Limits
from plyground.referee.sandbox.pipes import SupervisedPipes, has_supervisors

NO, PARTLY, YES = Strength.NO, Strength.PARTLY, Strength.YES

TRIAL_SECONDS = 90.0
"""How long the trial of a mode may take, on a machine that is busy."""

Held = tuple[Strength, str]
"""How far a claim goes, and what it rests on."""


class Means(NamedTuple):
    """What this machine offers besides the modes themselves."""

    groups: frozenset[str] = frozenset()
    """The kinds of control groups that can be made."""
    filtered: bool = False
    """Whether system calls can be refused."""
    landlock: int = 0
    """The version of Landlock."""
    processes_shown: bool = False
    """Whether the system shows processes in /proc."""


@cache
def means_here() -> Means:
    """What this machine offers."""
    shown = os.path.isdir("/proc/self")  # noqa: PTH112
    if sys.platform != "linux" or not has_supervisors():
        return Means(processes_shown=shown)
    return Means(frozenset(cgroups.places()), seccomp.available(), landlock.version(), shown)


@cache
def problem_with(mode: str) -> str:
    """Why a mode is unavailable here; nothing when it works.

    InternalFailure when it cannot be tried now, for lack of processes or memory: to take a weaker mode then would leave
    bots less isolated than the machine allows.
    """
    if mode == "process":
        return ""
    if not has_supervisors():
        return "this system has no Unix processes"
    if mode == "landlock" and (missing := landlock.missing(landlock.version())):
        return missing
    try:
        trial = SupervisedPipes([find_program("true") or "true"], Limits(), mode)
        try:
            event = trial.next_event(TRIAL_SECONDS)
        finally:
            trial.end()
    except (InternalFailure, Fault) as error:
        if any(os.strerror(code) in str(error) for code in SHORTAGES):
            raise
        return str(error).removeprefix(f"this machine does not allow isolation={mode}: ")
    return "" if event.startswith("exited 0 ") else f"a trial ended by {event!r}"


@cache
def mode_here() -> str:
    """The best mode that this machine allows."""
    if has_supervisors():
        cgroups.sweep()
        for mode in (mode for mode in MODES if mode != "process"):
            if not problem_with(mode):
                return mode
        raise InternalFailure(f"no bot can be run here: {problem_with('group')}")
    return "process"


def mode_of(limits: Limits) -> str:
    """The mode that a bot's limits mean here."""
    return mode_here() if limits.isolation == "auto" else limits.isolation


def isolation(mode: str, means: Means | None = None) -> Isolation:
    """A mode with what it claims on this machine, or on one that offers these means."""
    means = means_here() if means is None else means
    held = {
        Aspect.FILES: _files(mode, means),
        Aspect.NETWORK: _network(mode, means),
        Aspect.MEMORY: _memory(mode, means),
        Aspect.CPU: _cpu(mode, means),
        Aspect.PROCESSES: _processes(mode, means),
        Aspect.FREEZING: _freezing(mode, means),
        Aspect.TRACES: _traces(mode, means),
    }
    return Isolation(mode, tuple(IsolationClaim(aspect, *found) for aspect, found in held.items()))


def _files(mode: str, means: Means) -> Held:
    if mode == "bubblewrap":
        return YES, "a root directory in which nothing else exists, read-only but for /tmp"
    if mode == "landlock":
        return PARTLY, (
            "Landlock: nothing else is read or changed, but names, sizes and times of files can be seen; "
            "the size of its own is looked at ten times per second"
        )
    return NO, "it reads and writes what its user may"


def _network(mode: str, means: Means) -> Held:
    if mode == "bubblewrap":
        return YES, "a network namespace, and no other program's socket exists in its root directory"
    if mode == "landlock" and means.filtered:
        return YES, "a filter of system calls: it can open no socket"
    if mode == "landlock" and means.landlock >= 4:
        return PARTLY, "Landlock: no TCP, but other sockets"
    return NO, "it may use the network"


def _memory(mode: str, means: Means) -> Held:
    if mode == "process":
        return (PARTLY, "one process, measured 20 times per second") if means.processes_shown else (NO, "not measured")
    if "memory" in means.groups:
        return YES, "a control group"
    if means.processes_shown and means.filtered and mode != "group":
        return PARTLY, "measured 40 to 500 times per second; what that would miss is refused, except buffers of pipes"
    return (PARTLY, "measured 40 to 500 times per second") if means.processes_shown else (NO, "not measured")


def _cpu(mode: str, means: Means) -> Held:
    if mode == "process":
        return NO, "it may use all cores"
    if "cpu" in means.groups and means.filtered:
        return YES, "a fixed set of cores, which it cannot change, and a fair share of them by a control group"
    if means.filtered:
        return PARTLY, "a fixed set of cores, which it cannot change; many busy threads get a lower priority"
    return PARTLY, "a fixed set of cores unless it asks for others; many busy threads get a lower priority"


def _processes(mode: str, means: Means) -> Held:
    if mode == "bubblewrap":
        return YES, "a process namespace of its own, in which processes and threads are limited, and all end with it"
    if mode == "landlock":
        return PARTLY, "limited in number, all ended; it sees names of others" + (
            " and cannot signal them" if means.landlock >= 6 else ""
        )
    if mode == "group":
        return PARTLY, "limited in number, orphans are found and ended; it reaches others of the same user"
    return NO, "not limited"


def _freezing(mode: str, means: Means) -> Held:
    if mode == "process":
        return NO, "it runs while its opponent thinks"
    if "freezer" in means.groups:
        return YES, "a control group's freezer"
    if means.processes_shown and means.filtered:
        return (
            PARTLY,
            "signals; calls that would undo them are refused, and one that computes while it is stopped loses",
        )
    if means.processes_shown:
        return PARTLY, "signals, which a bot can undo; one that computes while it is stopped loses"
    return PARTLY, "signals, which a bot can undo"


def _traces(mode: str, means: Means) -> Held:
    if mode == "bubblewrap":
        return YES, "nothing it can write to outlives it: files, IPC and terminals are its own"
    if mode == "landlock" and means.filtered:
        return YES, "it writes only to a scratch directory, and a filter refuses IPC, keyrings, modes and times"
    if mode == "landlock":
        return PARTLY, "it writes only to a scratch directory, but can change modes and times of others' files"
    return NO, "it writes where its user may"
