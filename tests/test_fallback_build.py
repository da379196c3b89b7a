"""Without a C++ compiler the same commands work, slower; with one the core must be there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_where_there_is_a_compiler_the_core_is_there() -> None:
    compiler = os.environ.get("CXX") or next(filter(shutil.which, ("c++", "g++", "clang++", "cl")), None)
    if compiler is None:
        pytest.skip("no C++ compiler on this machine")
    from plyground import native
    from plyground.native import _core

    assert _core.__name__ == "plyground.native._core"
    assert native.available


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment into which the package was installed with a compiler that does not work."""
    home = tmp_path_factory.mktemp("plain")
    venv.create(home / "env", with_pip=False)
    paths = sysconfig.get_paths("venv", vars={"base": str(home / "env"), "platbase": str(home / "env")})
    python = Path(paths["scripts"]) / "python"
    # The dependencies of the environment that runs the tests, but not its hooks: those would bring in its core.
    (Path(paths["purelib"]) / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    # A copy, so that nothing is written where the core was built.
    source = home / "source"
    ignored = shutil.ignore_patterns(".*", "build", "__pycache__", "tests", "benchmarks", "docs")
    shutil.copytree(ROOT, source, ignore=ignored)
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", str(source)]
    compiler = "CMAKE_GENERATOR_TOOLSET" if os.name == "nt" else "CXX"  # Visual Studio chooses by its own name for it
    broken = os.environ | {compiler: str(home / "no-such-compiler"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run(install, check=True, env=broken, cwd=home)
    return python.parent


def run(plain: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV_"))}
    done = subprocess.run(
        [plain / "plyground", *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=plain,
        env=clean,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done


def test_the_install_has_no_core_and_is_not_the_one_under_test(plain: Path) -> None:
    code = "import plyground, importlib.util as u; print(plyground.__file__, u.find_spec('plyground.native._core'))"
    reported = subprocess.run([plain / "python", "-c", code], capture_output=True, text=True, check=True, cwd=plain)
    where, core = reported.stdout.split()
    assert Path(where).is_relative_to(plain.parent)
    assert core == "None"


def test_the_board_is_shown(plain: Path) -> None:
    reported = json.loads(run(plain, "show", "connect-four", "--after", "4453", "--json").stdout)
    assert (reported["ply"], reported["to_move"], reported["outcome"]) == (4, "first", None)


def test_leaf_counts_are_the_same_and_one_line_says_how_to_get_the_fast_core(plain: Path) -> None:
    done = run(plain, "perft", "double-card", "--depth", "2", "--json")
    assert json.loads(done.stdout) == {"counts": [60, 3184]}
    assert len(done.stderr.splitlines()) == 1
    assert "compiler" in done.stderr


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        ("connect-four:rows=4,columns=4", "alpha-beta:depth=2", "engine:level=1"),
        ("tic-tac-toe", "minimax:depth=2", "random"),
    ],
)
def test_an_ai_game_runs_to_its_end(plain: Path, tmp_path: Path, game: str, first: str, second: str) -> None:
    file = tmp_path / "game.json"
    run(plain, "play", game, "--first", first, "--second", second, "--seed", "1", "--limit", "1", "--save", str(file))
    reported = json.loads(file.read_text(encoding="utf-8"))
    assert reported["game"] == game
    assert reported["result"] in ("1-0", "0-1", "1/2-1/2")
    assert reported["moves"]
