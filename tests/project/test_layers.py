"""Imports point one way: each package knows only those that stand before it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "plyground"

LAYERS = (
    "words",
    "core",
    "native",
    "games heuristics render ratings",
    "search",
    "debug",
    "steps",
    "solve",
    "books",
    "judge",
    "heritage",
    "players",
    "play",
    "puzzle",
    "student",
    "referee",
    "tournament",
    "tuning",
    "report",
    "training",
    "course",
    "conformance",
    "integrations",
    "api",
    "terminal web",
    "cli",
    "__main__",
)
"""From the bottom up; what stands in one line knows nothing of each other."""

HEIGHT = {package: height for height, line in enumerate(LAYERS) for package in line.split()}

ANYWHERE = {"plyground"}
"""The package itself offers the public names and its version; everybody may ask for the version."""


def modules() -> dict[str, Path]:
    """Every module of the package, by its name without `plyground.`."""
    found = {}
    for path in SOURCE.rglob("*.py*"):
        if path.suffix in (".py", ".pyi") and "templates" not in path.parts:
            parts = path.relative_to(SOURCE).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, known: set[str]) -> Iterator[tuple[int, str]]:
    """The modules of this package that a module imports, wherever in it: at the top, in a function, for types."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name == "plyground" or name.startswith("plyground."):
                inside = name.removeprefix("plyground").removeprefix(".")
                yield node.lineno, inside if inside in known else inside.rpartition(".")[0]


def package(module: str) -> str:
    return module.partition(".")[0] or "plyground"


def crossings() -> list[str]:
    """Every import from one package into another."""
    known = modules()
    return [
        f"{module}:{line} {package(module)} -> {package(target)}"
        for module, path in known.items()
        for line, target in imported(path, set(known))
        if package(module) != package(target)
    ]


def test_every_package_has_its_place() -> None:
    assert {package(module) for module in modules()} - ANYWHERE == set(HEIGHT)


def test_no_import_points_up_or_sideways() -> None:
    wrong = []
    for crossing in crossings():
        source, _, target = crossing.rpartition(" -> ")
        source = source.rpartition(" ")[2]
        if source not in ANYWHERE and target not in ANYWHERE and HEIGHT[target] >= HEIGHT[source]:
            wrong.append(crossing)
    assert not wrong, "\n".join(wrong)


def test_there_are_imports_to_look_at() -> None:
    assert len(crossings()) > 300


WALK = """
import importlib, pkgutil
import plyground

names = [module.name for module in pkgutil.walk_packages(plyground.__path__, "plyground.")]
for name in names:
    try:
        importlib.import_module(name)
    except ImportError as error:  # one that needs what no extra installs says what to install
        if "pip install open_spiel" not in str(error):
            raise
print(*names)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the sandbox has modules that only Unix can import")
def test_every_module_can_be_imported_by_its_own_name() -> None:
    walked = subprocess.run([sys.executable, "-c", WALK], capture_output=True, text=True, check=False)
    assert walked.returncode == 0, walked.stderr
    names = set(walked.stdout.split())
    packages = {folder.name for folder in SOURCE.iterdir() if (folder / "__init__.py").exists()}
    assert {f"plyground.{package}" for package in packages} <= names
    assert {name.split(".")[1] for name in names} == set(HEIGHT)  # the package alone, nothing else of a clone
