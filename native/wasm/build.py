"""Builds the core for the browser, modules of WebAssembly: `python native/wasm/build.py`.

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

PLAYING = (
    "wasm/platform.cpp",
    "wasm/engine.cpp",
    "core/rules.cpp",
    "core/pattern_states.cpp",
    "core/evaluate.cpp",
    "core/net.cpp",
    "wasm/core.cpp",
)
"""What it takes to play: source files, what stands in for the library's own first.

Of what several files contain the first one counts, so the one compiled for speed comes before those made small.
"""

WHOLE = (*PLAYING, "wasm/plain.cpp", "wasm/judge.cpp")
"""The same with the searches to read and with the judge, as a whole engine has them."""

SOLVING = (*PLAYING, "wasm/solver.cpp", "wasm/plain.cpp", "wasm/judge.cpp")
"""The same with the solver, which only one game has."""

TEXT = ("wasm/platform.cpp", "text/game_text.cpp", "wasm/text.cpp")
"""What compiles a game as text: small, and in none of the others, which come without it."""

ENGINES = {"engine": 1, "engine-256": 4, "engine-768": 12}
"""The engines, and for how many words of 64 placements each of them has room: a page loads the one its game needs."""

WITH_SOLVER = ("engine", "engine-256")
"""Those that are built with the solver too: its boards have no more placements."""

SMALL = ("-Oz",)
FAST = {
    "wasm/engine.cpp": ("-O3", "-DPLYGROUND_FAST"),
    "wasm/solver.cpp": ("-O3",),
    "wasm/plain.cpp": ("-Os",),
}
"""How the files are compiled that searches spend their time in; all others are made small."""

TARGET = ("-target", "wasm32-wasi", "-msimd128")
"""With instructions for 128 bits, which all browsers have since 2023."""

PLAIN = ("-fno-exceptions", "-fno-rtti", "-DPLYGROUND_ONE_THREAD")
COMPILE = (*TARGET, "-std=c++20", *PLAIN, "-Wall", "-Wextra", f"-I{NATIVE}")
LINK = (*TARGET, "-O2", "-mexec-model=reactor", "-s")


def zig(*arguments: str | Path) -> None:
    """Run the compiler; CalledProcessError when it fails."""
    subprocess.run([sys.executable, "-m", "ziglang", "c++", *map(str, arguments)], check=True)


def compiled(name: str, objects: Path, width: int) -> Path:
    """The object file of a source file, for positions of a width."""
    built = objects / f"{name.replace('/', '_').removesuffix('.cpp')}-{width}.o"
    zig(*COMPILE, *FAST.get(name, SMALL), f"-DPLYGROUND_WIDTH={width}", "-c", NATIVE / name, "-o", built)
    return built


def build(output: Path, objects: Path, jobs: int) -> list[Path]:
    """The modules, built into a folder by so many compilers at a time."""
    for folder in (output, objects):
        folder.mkdir(parents=True, exist_ok=True)
    modules: dict[str, tuple[tuple[str, ...], int]]
    modules = {name: (WHOLE, width) for name, width in ENGINES.items()}
    modules |= {f"{name}-play": (PLAYING, width) for name, width in ENGINES.items()}
    modules |= {f"{name}-four": (SOLVING, ENGINES[name]) for name in WITH_SOLVER}
    modules["text"] = (TEXT, 1)
    parts = sorted({(name, width) for sources, width in modules.values() for name in sources}, key=str)
    with ThreadPoolExecutor(jobs) as pool:
        built = dict(zip(parts, pool.map(lambda part: compiled(part[0], objects, part[1]), parts), strict=True))
    found = []
    for module, (sources, width) in modules.items():
        fresh = objects / f"{module}.wasm"
        zig(*LINK, *(built[name, width] for name in sources), "-o", fresh)
        fresh.chmod(0o644)
        found.append(fresh.replace(output / fresh.name))  # whoever reads one meanwhile gets all of it
    return found


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
