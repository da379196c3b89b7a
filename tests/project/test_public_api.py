"""The public names: few, in one place, documented by examples that run; and the native module is as its stub says."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import plyground

ROOT = Path(plyground.__file__).parent
HEAVY = {"asyncio", "distributed", "fastapi", "gymnasium", "importlib.metadata", "numpy", "rich", "sqlite3"}


def test_every_public_name_exists_and_is_described() -> None:
    for name in plyground.__all__:
        assert getattr(plyground, name) is not None
        assert name == "Heuristic" or getattr(plyground, name).__doc__, name  # that one is a kind of function
    assert set(dir(plyground)) == set(plyground.__all__)


def test_a_name_that_is_not_public_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'plyground' has no attribute 'deep_blue'"):
        _ = plyground.deep_blue  # type: ignore[attr-defined]


def test_the_package_is_marked_as_typed() -> None:
    assert (ROOT / "py.typed").is_file()


@pytest.mark.parametrize(
    "module",
    [
        "plyground",
        "plyground.api",
        "plyground.native.batch",
        "plyground.integrations.notebook",
        "plyground.integrations.pettingzoo",
    ],
)
def test_the_examples_in_the_documentation_run(module: str) -> None:
    if module in ("plyground.native.batch", "plyground.integrations.pettingzoo"):
        pytest.importorskip("plyground.native._core")
        pytest.importorskip("pettingzoo")
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted > 0
    assert results.failed == 0


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint('\\n'.join(sys.modules), file=sys.stderr)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines())


def test_importing_the_package_imports_nothing_else_of_it() -> None:
    loaded = loaded_by("import plyground")
    assert {name for name in loaded if name.startswith("plyground.")} == set()
    assert not loaded & HEAVY


def test_the_help_of_the_command_line_imports_nothing_heavy() -> None:
    loaded = loaded_by("from plyground.cli import cli\ntry: cli.main(['--help'])\nexcept SystemExit: pass")
    assert not loaded & HEAVY
    assert {name for name in loaded if name.startswith("plyground.")} <= {
        name for name in loaded if name.startswith("plyground.cli")
    }


PROPERTY = ["a property"]


def reported() -> dict[str, list[str]]:
    """The parameters of each function and method in the stub of the native module."""
    found = {}
    for node in ast.parse((ROOT / "native" / "_core.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = names(node)
        elif isinstance(node, ast.ClassDef) and "TypedDict" not in map(ast.unparse, node.bases):
            found[node.name] = []
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    found[f"{node.name}.{part.name}"] = PROPERTY if part.decorator_list else names(part)
    return found


def names(function: ast.FunctionDef) -> list[str]:
    """Of its parameters; / for one without a name."""
    return ["/" for _ in function.args.posonlyargs] + [argument.arg for argument in function.args.args]


def there(core: Any) -> dict[str, list[str]]:
    """The same of the module itself."""
    found: dict[str, list[str]] = {}
    for name, value in vars(core).items():
        if isinstance(value, type):
            found[name] = []
            found |= {
                f"{name}.{member}": declared(inside) for member, inside in vars(value).items() if own(member, inside)
            }
        elif own(name, value):
            found[name] = declared(value)
    return found


def own(name: str, value: Any) -> bool:
    return hasattr(value, "__nb_signature__") if name == "__init__" else not name.startswith("_")


def declared(value: Any) -> list[str]:
    if isinstance(value, property):
        return PROPERTY
    [(signature, *_)] = value.__nb_signature__
    plain = re.sub(r"ndarray\[[^\]]*\]", "object", signature.partition(" -> ")[0])
    [function] = ast.parse(f"{plain}: ...").body
    assert isinstance(function, ast.FunctionDef)
    return names(function)


def test_the_stub_of_the_native_module_shows_what_is_there() -> None:
    assert reported() == there(importlib.import_module("plyground.native._core"))
