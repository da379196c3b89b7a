"""Which build of the native core is loaded. On x86-64 there are two.

`_core` runs on every processor. `_core_v3` has the solver of Connect Four compiled for processors since about 2015
(x86-64-v3: AVX2, BMI2, POPCNT and others), where it gives the same answers sooner. The one that is chosen is the module
`plyground.native._core` for everyone else; by its own name `_core_v3` cannot be imported.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location

CORE = "plyground.native._core"

VARIABLE = "PLYGROUND_CORE"
"""An environment variable: `baseline` keeps the build for every processor."""


def choose() -> str:
    """Load the fastest build that this processor can run; its name: `baseline` or `x86-64-v3`.

    The baseline is left to be imported as any module is. ValueError for a value of the variable that does not exist.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "baseline"):
        raise ValueError(f"{VARIABLE} must be 'baseline' or not set, got {wanted!r}")
    if wanted == "baseline" or CORE in sys.modules or not _has_v3():
        return "baseline"
    _load_as_core("plyground.native._core_v3")
    return "x86-64-v3"


def _has_v3() -> bool:
    try:
        from plyground.native import _processor
    except ImportError:
        return False
    return _processor.has_v3()


def _load_as_core(name: str) -> None:
    """Load the build that is installed under a name as the core."""
    found = find_spec(name)
    spec = spec_from_file_location(CORE, found.origin if found else None)
    if spec is None or spec.loader is None:
        raise ImportError(f"{name} is missing, although _processor was installed with it", name=name)
    core = module_from_spec(spec)
    sys.modules[CORE] = vars(sys.modules[__package__])["_core"] = core
    spec.loader.exec_module(core)
