"""Builds the package: scikit-build-core, with a C++ compiler from PyPI where the machine has none.

The package always has its core. Where no compiler is found that knows C++20, the build requires `ziglang` as well and
compiles with `zig c++`. A setting of the build decides otherwise:

    pip install . -C core=zig     compiles with zig although there is a compiler
    pip wheel . -C core=none      a wheel for every platform without the core, for Python in a browser
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from scikit_build_core import build as scikit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Settings = Mapping[str, list[str] | str] | None

ZIG = "ziglang>=0.13"
"""The compiler as PyPI names it."""

TOOLCHAIN = Path(__file__).with_name("zig.cmake")

COMPILERS = ("c++", "g++", "clang++", "icpx")
"""Those that CMake looks for under Unix."""

PROGRAM = "#include <bit>\n#include <span>\nint main() { return std::popcount(0u); }\n"
"""What any compiler of C++20 compiles. A name on the PATH alone says little: on macOS it may be a mere signpost."""

PROGRAM_SECONDS = 120

VSWHERE = Path("Microsoft Visual Studio", "Installer", "vswhere.exe")
"""What finds Visual Studio, and is installed with it, below the folder of 32-bit programs."""


def find_compiler() -> str | None:
    """The C++ compiler that CMake will use, or None where there is none.

    One that the user names (CXX, or a toolchain in CMAKE_ARGS) is taken unseen: if it fails, that is an error.
    """
    arguments = os.environ.get("CMAKE_ARGS", "")
    if named := os.environ.get("CXX"):
        return named
    if "CMAKE_CXX_COMPILER" in arguments or "CMAKE_TOOLCHAIN_FILE" in arguments:
        return "the one in CMAKE_ARGS"
    if os.name == "nt":
        programs = Path(os.environ.get("ProgramFiles(x86)", "C:/Program Files (x86)"))  # noqa: SIM112
        return "Visual Studio" if (programs / VSWHERE).exists() or shutil.which("cl") else None
    return next((path for name in COMPILERS if (path := shutil.which(name)) and _compiles(path)), None)


def _compiles(compiler: str) -> bool:
    """Whether it makes a program of C++20."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "program.cpp")
        source.write_text(PROGRAM, encoding="utf-8")
        command = [compiler, "-std=c++20", str(source), "-o", str(source.with_suffix(""))]
        try:
            return subprocess.run(command, capture_output=True, timeout=PROGRAM_SECONDS, check=False).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False


def _choose(settings: Settings) -> tuple[str | None, dict[str, list[str] | str]]:
    """What compiles the core (None: the machine's own, `zig` or `none`) and the settings for scikit-build-core."""
    passed = dict(settings or {})
    wanted = passed.pop("core", None)
    if wanted not in (None, "zig", "none"):
        raise SystemExit(f"the setting core must be zig or none, got {wanted!r}; left out, the build decides")
    if wanted is None and find_compiler() is None:
        wanted = "zig"
    return None if wanted is None else str(wanted), passed


def _configure(settings: Settings) -> dict[str, list[str] | str]:
    """The settings that make scikit-build-core compile with what was chosen."""
    chosen, passed = _choose(settings)
    if chosen == "none":
        return passed | {"wheel.cmake": "false"}
    if chosen == "zig":
        spec = find_spec("ziglang")
        if spec is None or spec.origin is None:
            raise SystemExit(f"compiling with zig needs the package {ZIG}, which is not installed: pip install ziglang")
        zig = Path(spec.origin).with_name("zig.exe" if os.name == "nt" else "zig")
        # In a folder of its own, as CMake never changes the compiler of one that was built before.
        passed.setdefault("build-dir", "build/{wheel_tag}-zig")
        passed |= {"cmake.define.CMAKE_TOOLCHAIN_FILE": TOOLCHAIN.as_posix(), "cmake.define.ZIG": zig.as_posix()}
    return passed


def _require(settings: Settings, ask: Callable[[Settings], list[str]]) -> list[str]:
    """What a build needs from PyPI: cmake and ninja where they are missing, and the compiler."""
    chosen, passed = _choose(settings)
    if chosen == "none":
        return ask(passed | {"wheel.cmake": "false"})
    return [*ask(passed), *([ZIG] if chosen == "zig" else [])]


def _build(folder: str, settings: Settings, metadata: str | None, build: Callable[..., str]) -> str:
    """Build a wheel; where the core does not compile, end with what to do."""
    configured = _configure(settings)
    try:
        return build(folder, configured, metadata)
    except SystemExit as error:
        if not error.code or configured.get("wheel.cmake") == "false":
            raise
        used = "zig c++" if "cmake.define.ZIG" in configured else find_compiler()
        print(
            f"\nthe core of plyground could not be compiled with {used}; its messages stand above. It takes a compiler "
            "of C++20 (GCC 11, Clang 14, Visual Studio 2022 with Clang, or newer): name one in the variable CXX, or "
            "take the one from PyPI: pip install -C core=zig plyground",
            file=sys.stderr,
        )
        raise


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """What building a wheel needs."""
    return _require(config_settings, scikit.get_requires_for_build_wheel)


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """What an editable install needs."""
    return _require(config_settings, scikit.get_requires_for_build_editable)


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """What packing the source needs: no compiler."""
    return scikit.get_requires_for_build_sdist({k: v for k, v in (config_settings or {}).items() if k != "core"})


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """The name of the folder with what a wheel will say about itself, written without compiling."""
    return scikit.prepare_metadata_for_build_wheel(metadata_directory, _configure(config_settings))


def prepare_metadata_for_build_editable(metadata_directory: str, config_settings: Settings = None) -> str:
    """The same of an editable install."""
    return scikit.prepare_metadata_for_build_editable(metadata_directory, _configure(config_settings))


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """The name of the wheel, built into a folder."""
    return _build(wheel_directory, config_settings, metadata_directory, scikit.build_wheel)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """The name of the wheel of an editable install, built into a folder."""
    return _build(wheel_directory, config_settings, metadata_directory, scikit.build_editable)


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """The name of the sdist, written into a folder."""
    return scikit.build_sdist(sdist_directory, {k: v for k, v in (config_settings or {}).items() if k != "core"})
