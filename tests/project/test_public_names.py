"""What people read and copy imports public names only: pages, examples, templates."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import plyground
from documents import PROJECT

MODULES = {
    "plyground.conformance",
    "plyground.integrations.exact_rewards",
    "plyground.integrations.gymnasium",
    "plyground.integrations.kaggle",
    "plyground.integrations.notebook",
    "plyground.integrations.observation",
    "plyground.integrations.open_spiel",
    "plyground.integrations.pettingzoo",
    "plyground.integrations.spiel_games",
    "plyground.native.batch",
}
"""The public modules: each is described on the page of the Python interface."""

READ = [
    *PROJECT.glob("*.md"),
    *(path for path in (PROJECT / "docs").rglob("*.md") if "_build" not in path.parts),
    *(path for kind in ("*.py", "*.md", "*.ipynb") for path in (PROJECT / "examples").rglob(kind)),
    *(path for path in (PROJECT / "src/plyground/referee/templates").rglob("*") if path.suffix in (".py", ".md")),
]
IMPORT = re.compile(r"^[> ]*((?:from plyground\S* import (?:\([^)]*\)|[^\n]+))|import plyground[^\n]*)$", re.MULTILINE)


def text_of(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")


def imports(path: Path) -> Iterator[str]:
    """Every name or module of this package that a file imports, with its dots."""
    for found in IMPORT.findall(text_of(path)):
        for node in ast.walk(ast.parse(textwrap.dedent(found))):
            if isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}:{alias.name}" for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)


def public(imported: str) -> bool:
    module, _, name = imported.partition(":")
    return module in MODULES or (module == "plyground" and (not name or name in plyground.__all__))


@pytest.mark.parametrize("path", READ, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_what_people_copy_imports_public_names_only(path: Path) -> None:
    assert [imported for imported in imports(path) if not public(imported)] == []


def test_a_private_import_is_found_out(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(">>> from plyground.core.grid import Grid\n>>> from plyground import Grid, games\n")
    assert [imported for imported in imports(page) if not public(imported)] == [
        "plyground.core.grid:Grid",
        "plyground:games",
    ]


def test_there_are_imports_to_look_at() -> None:
    assert sum(1 for path in READ for _ in imports(path)) > 20


def test_every_public_module_is_described() -> None:
    page = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
    assert {module for module in MODULES if f"`{module}`" not in page} == set()


def test_every_public_name_has_its_place_in_the_reference() -> None:
    page = (PROJECT / "docs" / "reference.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\.\. auto\w+:: plyground\.api\.(\w+)$", page, re.MULTILINE)
    assert sorted(listed) == sorted(name for name in plyground.__all__ if name != "__version__")


def test_every_benchmark_is_described() -> None:
    page = (PROJECT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    modules = {path.stem for path in (PROJECT / "benchmarks").glob("*.py") if not path.stem.startswith("__")}
    assert {name for name in modules if f"`{name}`" not in page} == set()


def test_every_benchmark_that_takes_times_says_under_which_condition() -> None:
    clocks = re.compile(r"\btime\.(perf_counter|process_time|thread_time|monotonic)\b")
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (PROJECT / "benchmarks").glob("*.py")}
    timed = {name for name, text in texts.items() if clocks.search(text) and "def main(" in text}
    assert len(timed) > 15
    assert {
        name for name in timed if not re.search(r"\bcondition\(Timing\.|print_condition\(Timing\.", texts[name])
    } == set()
