"""What a page without a server needs to run Python: Pyodide, from its npm package, and Plyground itself."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

import plyground
from plyground.core.interpreter import find_program

PYODIDE = "pyodide@314.0.7"
"""The package of npm that the page was tried with."""

FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "package.json")
"""What a browser needs of it, and who made it and under which licence."""

PACKED = "plyground.zip"

LICENCES = ("pyodide.txt", "python.txt")
"""Under which terms Pyodide, and the Python with its library in it, may be passed on."""

LEFT_OUT = ("cli", "integrations", "terminal", "web")
"""What nobody needs who types a heuristic, besides `TYPED`."""

TYPED = ("web/__init__.py", "web/typed.py")
"""The part of the page that runs in the browser's Python."""

NPM_SECONDS = 300


def write_python(folder: Path, package: Path | None = None) -> None:
    """Fill a folder from the npm package pyodide, unpacked in a folder that is given, else fetched by npm.

    ValueError that says what to do where there is no npm, where npm fails, or where a file is missing.
    """
    folder.mkdir(parents=True)
    if package is not None:
        _copy(package, folder)
    else:
        with tempfile.TemporaryDirectory() as name:
            _copy(_fetched(Path(name)), folder)
    for name in LICENCES:
        shutil.copy(Path(plyground.__file__).parent / "licenses" / name, folder / f"LICENSE.{name}")
    _pack(folder / PACKED)


def _fetched(folder: Path) -> Path:
    """The package, as npm gives it."""
    npm = find_program("npm")
    by_hand = f"or get the package elsewhere (npm pack {PYODIDE}), unpack it, and name its folder by --pyodide"
    if not npm:
        raise ValueError(f"npm is missing, which fetches {PYODIDE}: install npm (https://nodejs.org), {by_hand}")
    command = [npm, "pack", PYODIDE, "--silent", "--pack-destination", str(folder)]
    try:
        subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=NPM_SECONDS)
    except subprocess.CalledProcessError as error:
        raise ValueError(f"npm could not fetch {PYODIDE}: {_last_line(error.stderr)}; try again, {by_hand}") from error
    except subprocess.TimeoutExpired as error:
        raise ValueError(f"npm could not fetch {PYODIDE} in {NPM_SECONDS} s; try again, {by_hand}") from error
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python before 3.11.4 has none
        packed.extractall(folder, [one for one in packed if one.isfile() and ".." not in Path(one.name).parts])
    return folder / "package"


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "it did not say why")


def _copy(package: Path, folder: Path) -> None:
    for name in FILES:
        if not (package / name).is_file():
            raise ValueError(f"{package} is not the npm package pyodide: it has no {name}; {PYODIDE} has it")
        shutil.copy(package / name, folder / name)


def _pack(path: Path) -> None:
    """Plyground as it is written, with its data, as a zip file that Python can be given."""
    source = Path(plyground.__file__).parent
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(source.rglob("*")):
            name = file.relative_to(source).as_posix()
            if file.suffix in (".py", ".json") and (name.split("/")[0] not in LEFT_OUT or name in TYPED):
                # The same files give the same bytes, whenever they were written.
                entry = zipfile.ZipInfo(f"plyground/{name}", date_time=(1980, 1, 1, 0, 0, 0))
                packed.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
