"""Builds the core for the browser, two modules of WebAssembly: `python native/wasm/build.py`.

The compiler is zig, which comes from PyPI (`pip install ziglang`, or `pip install plyground[wasm]`) and brings what it
needs to compile for WebAssembly. What has not changed since is not compiled again.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

NATIVE = Path(__file__).resolve().parents[1]
PROJECT = NATIVE.parent
OUTPUT = PROJECT / "src" / "plyground" / "web" / "static" / "wasm"

MODULES = {
    "engine": (
        "wasm/platform.cpp",
        "core/rules.cpp",
        "core/pattern_states.cpp",
        "core/evaluate.cpp",
        "wasm/core.cpp",
        "wasm/engine.cpp",
        "wasm/plain.cpp",
        "wasm/proof.cpp",
    ),
    "solver": ("wasm/platform.cpp", "wasm/solver.cpp"),
}
"""The source files of each module, what stands in for the library's own first; only one game needs the solver."""

FAST = {"wasm/engine.cpp": "-O2", "wasm/solver.cpp": "-O2", "wasm/plain.cpp": "-Os", "wasm/proof.cpp": "-Os"}
"""How the files are compiled that searches spend their time in; all others are made small."""

TARGET = ("-target", "wasm32-wasi")
PLAIN = ("-fno-exceptions", "-fno-rtti", "-DPLYGROUND_ONE_THREAD")
COMPILE = (*TARGET, "-std=c++20", *PLAIN, "-Wall", "-Wextra", f"-I{NATIVE}")
LINK = (*TARGET, "-O2", "-mexec-model=reactor", "-s")


def zig(*arguments: str | Path) -> None:
    """Run the compiler; CalledProcessError when it fails."""
    subprocess.run([sys.executable, "-m", "ziglang", "c++", *map(str, arguments)], check=True)


def compiled(name: str, objects: Path) -> Path:
    """The object file of a source file."""
    built = objects / (name.replace("/", "_").removesuffix(".cpp") + ".o")
    zig(*COMPILE, FAST.get(name, "-Oz"), "-c", NATIVE / name, "-o", built)
    return built


def build(output: Path, objects: Path, jobs: int) -> list[Path]:
    """The modules, built into a folder by so many compilers at a time."""
    for folder in (output, objects):
        folder.mkdir(parents=True, exist_ok=True)
    names = sorted({name for names in MODULES.values() for name in names})
    with ThreadPoolExecutor(jobs) as pool:
        built = dict(zip(names, pool.map(lambda name: compiled(name, objects), names), strict=True))
    modules = []
    for module, sources in MODULES.items():
        fresh = objects / f"{module}.wasm"
        zig(*LINK, *(built[name] for name in sources), "-o", fresh)
        fresh.chmod(0o644)
        modules.append(fresh.replace(output / fresh.name))  # whoever reads one meanwhile gets all of it
    return modules


def main() -> int:
    """What it says on the command line; 0 when all is built."""
    parser = argparse.ArgumentParser(description="Build the core for the browser.")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the folder of the modules")
    parser.add_argument("--objects", type=Path, default=PROJECT / "build" / "wasm", help="a folder for what is between")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    arguments = parser.parse_args()
    if find_spec("ziglang") is None:
        print("the core for the browser needs the compiler zig: pip install ziglang", file=sys.stderr)
        return 1
    try:
        modules = build(arguments.output, arguments.objects, arguments.jobs)
    except subprocess.CalledProcessError as error:
        return error.returncode or 1
    for module in modules:
        print(f"{module}: {module.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
