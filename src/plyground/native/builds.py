"""Which build of the native core is loaded. On x86-64 there are two.

    native/_core.*.so              runs on every processor
    native/x86-64-v3/_core.*.so    the solver of Connect Four compiled for processors since about 2015 (AVX2, BMI2,
                                   POPCNT and others), where it gives the same answers sooner

The one that is chosen is the module `plyground.native._core` for everyone else. The second folder is no package, so the
other build has no name of its own under which it could be imported as well.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

CORE = "plyground.native._core"

BASELINE, V3 = "baseline", "x86-64-v3"
"""The names of the builds; the second is also the folder it lies in."""

VARIABLE = "PLYGROUND_CORE"
"""An environment variable: `baseline` keeps the build for every processor."""


def choose() -> str:
    """Load the fastest build that this processor can run; its name: `baseline` or `x86-64-v3`.

    The baseline is left to be imported as any module is. ValueError for a value of the variable that does not exist.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", BASELINE):
        raise ValueError(f"{VARIABLE} must be {BASELINE!r} or not set, got {wanted!r}")
    if wanted == BASELINE or CORE in sys.modules or not _has_v3():
        return BASELINE
    _load_core_from(V3)
    return V3


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
