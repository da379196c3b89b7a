"""Without a C++ compiler the build takes one from PyPI; there is always a core, or an error that says what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]

COMPILERS = ("c++", "g++", "gcc", "cc", "clang", "clang++", "icpx", "cmake", "ninja", "ld", "ar", "ranlib", "make")
"""What a machine lacks on which only Python is installed."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="about compilers as Unix names them")


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build backend, on a machine without a compiler."""
    spec = util.spec_from_file_location("core_backend", ROOT / "native" / "packaging" / "core_backend.py")
    assert spec is not None
    assert spec.loader is not None
    pytest.importorskip("scikit_build_core")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(ROOT)
    for name in ("CXX", "CMAKE_ARGS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(module, "find_compiler", lambda: None)
    return module


def zig_of(requirements: list[str]) -> list[str]:
    return [each for each in requirements if each.startswith("ziglang")]


def test_zig_is_required_only_where_no_compiler_is_found(backend: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    asks = (backend.get_requires_for_build_wheel, backend.get_requires_for_build_editable)
    assert [len(zig_of(ask())) for ask in asks] == [1, 1]
    assert zig_of(backend.get_requires_for_build_sdist()) == []
    monkeypatch.setattr(backend, "find_compiler", lambda: "/usr/bin/c++")
    assert [zig_of(ask()) for ask in asks] == [[], []]
    assert len(zig_of(backend.get_requires_for_build_wheel({"core": "zig"}))) == 1


def test_a_wheel_without_a_core_requires_no_compiler_and_no_cmake(backend: ModuleType) -> None:
    assert not [each for each in backend.get_requires_for_build_wheel({"core": "none"}) if "cmake" in each]
    assert zig_of(backend.get_requires_for_build_wheel({"core": "none"})) == []


def test_an_unknown_core_is_refused(backend: ModuleType) -> None:
    with pytest.raises(SystemExit, match="core must be zig or none, got 'fast'"):
        backend.build_wheel("unused", {"core": "fast"})


def test_zig_that_is_wanted_and_missing_is_named(backend: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"needs the package ziglang>=.*: pip install ziglang"):
        backend.build_wheel("unused")


def fake(folder: Path, name: str, script: str) -> Path:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def found(path: Path, **variables: str) -> str:
    """What the build finds with nothing but a folder on its PATH."""
    code = "import core_backend; print(core_backend.find_compiler())"
    settings = {"PATH": str(path), "PYTHONPATH": str(ROOT / "native" / "packaging"), **variables}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=settings, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_compiler_that_compiles_nothing_is_none(tmp_path: Path) -> None:
    pytest.importorskip("scikit_build_core")
    assert found(tmp_path) == "None"
    fake(tmp_path, "c++", "echo install the developer tools first >&2; exit 1")
    assert found(tmp_path) == "None"
    good = fake(tmp_path, "clang++", "exit 0")
    assert found(tmp_path) == str(good)


def test_a_compiler_that_the_user_names_is_taken_unseen(tmp_path: Path) -> None:
    pytest.importorskip("scikit_build_core")
    assert found(tmp_path, CXX="mine++") == "mine++"
    assert found(tmp_path, CMAKE_ARGS="-DCMAKE_CXX_COMPILER=mine++") == "the one in CMAKE_ARGS"


def test_a_core_that_does_not_compile_is_an_error_that_says_what_to_do(
    backend: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> str:
        raise SystemExit(1)

    monkeypatch.setattr(backend, "find_compiler", lambda: "/usr/bin/old++")
    monkeypatch.setattr(backend.scikit, "build_wheel", fail)
    with pytest.raises(SystemExit):
        backend.build_wheel("unused")
    said = capsys.readouterr().err
    assert "could not be compiled with /usr/bin/old++" in said
    assert "CXX" in said
    assert "-C core=zig" in said


def source(home: Path) -> Path:
    """A copy, so that nothing is written where the core was built."""
    ignored = shutil.ignore_patterns(".*", "build", "__pycache__", "tests", "benchmarks")
    shutil.copytree(ROOT, home / "source", ignore=ignored)
    return home / "source"


def pip(*arguments: str | Path, python: Path | None = None, **variables: str) -> None:
    command = [sys.executable, "-m", "pip", *(["--python", python] if python else []), *arguments]
    settings = os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | variables
    done = subprocess.run(list(map(str, command)), env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_wheel_without_a_core_is_for_every_platform_and_says_what_is_missing(tmp_path: Path) -> None:
    pip("wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, "-C", "core=none", source(tmp_path), PATH="")
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert not [name for name in packed.namelist() if name.endswith((".so", ".pyd"))]
    code = f"""
import sys; sys.path.insert(0, {str(wheel)!r})
from plyground import Limit, Position, load_game, load_player, native
position = Position.start(load_game("connect-four"))
*_, found = load_player("alpha-beta:depth=2", position.rules).think(position, Limit())
print(found.nodes > 8)
load_player("engine", position.rules)
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "True\n"
    assert done.stderr.splitlines()[-1].startswith("ImportError: this needs the native core")


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the programs of this machine, but for compilers."""
    folder = tmp_path_factory.mktemp("bare")
    for place in ("/bin", "/usr/bin"):
        for program in Path(place).iterdir():
            name = program.name.partition("-")[0] if "linux-gnu" not in program.name else "gcc"
            if name not in COMPILERS and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)
    return folder


@pytest.mark.slow
def test_without_a_compiler_the_install_has_the_whole_core(tmp_path: Path, bare: Path) -> None:
    venv.create(tmp_path / "env", with_pip=False)
    paths = sysconfig.get_paths("venv", vars={"base": str(tmp_path / "env"), "platbase": str(tmp_path / "env")})
    python = Path(paths["scripts"]) / "python"
    # The dependencies of the environment that runs the tests, but not its hooks: those would bring in its core.
    (Path(paths["purelib"]) / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    pip(
        "install",
        "--quiet",
        "--no-deps",
        source(tmp_path),
        python=python,
        PATH=str(bare),
        CMAKE_CXX_COMPILER_LAUNCHER="",
    )
    code = """
from plyground import Limit, Position, load_game, native
from plyground.native import _core
from plyground.search.engine import EngineSearch
from plyground.solve.connect_four.solver import ConnectFourSolver
rules = load_game("connect-four:rows=5,columns=5")
print(_core.__file__)
print(native.build, ConnectFourSolver(rules).solve(Position.start(rules)).score)
*_, found = EngineSearch()(Position.start(load_game("polarized-ladder")), Limit(nodes=20_000))
print(found.depth, found.nodes)
"""
    clean = {"PATH": str(bare), "HOME": str(tmp_path)}
    theirs = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path, env=clean)
    ours = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    where, *answers = theirs.stdout.splitlines()
    assert Path(where).is_relative_to(tmp_path)
    assert answers == ours.stdout.splitlines()[1:]
