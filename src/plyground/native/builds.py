"""Which build of the native core is loaded. On x86-64 there are two, in the wheel for every platform none.

    native/_core.*.so              runs on every processor
    native/x86-64-v3/_core.*.so    the solver of Connect Four compiled for processors since about 2015 (AVX2, BMI2,
                                   POPCNT and others), where it gives the same answers sooner

The one that is chosen is the module `plyground.native._core` for everyone else. The second folder is no package, so the
other build has no name of its own under which it could be imported as well.

Python in a browser has the wheel without a core. There positions, heuristics and the plain searches work; whoever asks
the core for anything is answered that it is missing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NoReturn

CORE = "plyground.native._core"

BASELINE, V3 = "baseline", "x86-64-v3"
"""The names of the builds; the second is also the folder it lies in."""

VARIABLE = "PLYGROUND_CORE"
"""An environment variable: `baseline` keeps the build for every processor."""


class MissingCore(ModuleType):
    """What stands in for the core where it is missing: ImportError for everything that is asked of it."""

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(
            "this needs the native core, which the wheel for every platform lacks (positions, heuristics and plain "
            "searches work); install plyground where there is a wheel for the platform, or from its source",
            name=CORE,
        )


def choose() -> str | None:
    """Load the fastest build that this processor can run; its name: `baseline` or `x86-64-v3`.

    None where no core is installed.
    The baseline is left to be imported as any module is. ValueError for a value of the variable that does not exist.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", BASELINE):
        raise ValueError(f"{VARIABLE} must be {BASELINE!r} or not set, got {wanted!r}")
    if find_spec(CORE) is None:
        sys.modules[CORE] = vars(sys.modules[__package__])["_core"] = MissingCore(CORE)
        return None
    if wanted == BASELINE or CORE in sys.modules or not _has_v3():
        return BASELINE
    _load_core_from(V3)
    return V3


def files() -> Iterator[tuple[str, Path]]:
    """The compiled files of this installation, by their names in this folder; none where there is no core."""
    if isinstance(sys.modules.get(CORE), MissingCore):
        return
    found = find_spec(f"{__package__}._processor") or find_spec(CORE)
    if found is None or found.origin is None:
        return
    folder = Path(found.origin).parent
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".so", ".pyd"):
            yield path.relative_to(folder).as_posix(), path


def _has_v3() -> bool:
    try:
        from plyground.native import _processor
    except ImportError:
        return False
    return _processor.has_v3()


def _load_core_from(folder: str) -> None:
    """Load the build in a folder beside the baseline as the core."""
    baseline = find_spec(CORE)
    if baseline is None or baseline.origin is None:
        raise ImportError(f"{CORE} is missing, although _processor was installed with it", name=CORE)
    path = Path(baseline.origin)
    spec = spec_from_file_location(CORE, path.parent / folder / path.name)
    assert spec is not None
    assert spec.loader is not None
    core = module_from_spec(spec)
    sys.modules[CORE] = vars(sys.modules[__package__])["_core"] = core
    spec.loader.exec_module(core)
