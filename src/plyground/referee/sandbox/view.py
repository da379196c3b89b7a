"""What a bot may read: the system, its interpreter, and its own folder; the rest of the machine is not its business.

What is a submission's own was handed in, and is known before its command is read: no word of that command adds to it.
Only the command that a user types decides itself what its bot is shown.
"""

from __future__ import annotations

import os
import re
import shutil
import site
import stat
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import plyground
from plyground.referee.sandbox.interface import Program, hidden_files, student_package

SYSTEM = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/nsswitch.conf",
    "/etc/java-*",
    "/etc/fonts",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/etc/crypto-policies",
]
"""Files of the machine that programs need and that everybody may know."""

NEVER_SHOWN = ("/proc", "/sys", "/dev", "/run", "/etc", "/boot")
"""Places of the machine that no command makes a bot's own by naming them."""

RUNTIME = ("bin", "lib", "lib64", "libexec", "conf", "pyvenv.cfg")
"""What a program such as /opt/jdk/bin/java needs of the place it is installed in, and what else is there is not shown.

An environment of Python may have been made in a folder with the work of a whole class.
"""

_private: set[Path] = set()


def keep_private(paths: Iterable[str | Path]) -> None:
    """Note files that are somebody's own: other players' files, a store. A folder with such a file is no bot's own."""
    _private.update(Path(path).absolute() for path in paths)


class Access(NamedTuple):
    """What a bot is given by whoever starts it, whatever its command says."""

    files: tuple[str, ...] | None = None
    """The files and folders that were handed in, and are all that it sees; None: what its command names."""

    program: Program = Program.WHOLE

    @property
    def packages(self) -> list[str]:
        """The folders of a package that stands in for this program."""
        return [str(student_package())] if self.program is Program.STUDENT else []


USUAL_ACCESS = Access()
"""What a bot is given whose command a user has typed."""


def access_to(files: tuple[str, ...] | None, program: str) -> Access:
    """What a player is given whose files were handed in; None: it is nobody's submission."""
    return USUAL_ACCESS if files is None else Access(files, Program(program))


class View(NamedTuple):
    """The paths that a bot may read."""

    system: list[str]
    own: list[str]
    """Its interpreter and its own folder or files."""
    hidden: list[str]
    """What is below these and yet not to be read."""


def view_of(command: list[str], folder: str = "", access: Access = USUAL_ACCESS) -> View:
    """What the bot that a command runs may read, and besides a folder."""
    system = _system()
    own = [*_interpreter(), *map(Path, access.packages)]
    if access.program is not Program.STUDENT:
        package = Path(plyground.__file__).parent
        own += [package, *(folder for folder in _linked_packages() if package.is_relative_to(folder))]
    if access.files is None:
        own += _linked_packages()
    if access.files is not None:
        own += [*_runtime(command[0], on_the_path_only=True), *(Path(file).resolve() for file in access.files)]
    elif command:
        own += [*_runtime(command[0]), *_own(command, folder)]
    outside = [path for path in own if not any(path.is_relative_to(known) for known in system)]
    shown = _topmost(outside)
    above = [*map(Path, system), *(path.resolve() for path in shown)]
    hidden = [path for path in hidden_files(access.program) if any(path.is_relative_to(place) for place in above)]
    return View(system, list(map(str, shown)), list(map(str, hidden)))


def named_files(command: Iterable[str]) -> list[Path]:
    """The files and directories that the words of a command name; sockets and devices are neither."""
    pieces = (piece for word in command for piece in (word, *re.split("[=:,]", word)))
    return list(dict.fromkeys(Path(piece).absolute() for piece in pieces if piece and _exists(piece)))


def _exists(piece: str) -> bool:
    try:
        return Path(piece).is_file() or Path(piece).is_dir()
    except (OSError, ValueError):  # no path can be so long, or has such a character
        return False


@cache
def _system() -> list[str]:
    """What there is of the system."""
    return [str(path) for name in SYSTEM for path in sorted(Path(name).parent.glob(Path(name).name))]


@cache
def _interpreter() -> list[Path]:
    """The interpreter that runs this, and its packages."""
    places = dict.fromkeys((sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix))
    return [path for place in places for path in _installed_in(Path(place))]


@cache
def _linked_packages() -> list[Path]:
    """Where packages are that were installed by a link, such as one that is being worked at."""
    linked = []
    for packages in site.getsitepackages():
        for listed in Path(packages).glob("*.pth"):
            lines = listed.read_text(encoding="utf-8", errors="replace").splitlines()
            linked += [Path(line) for line in lines if line.startswith("/") and Path(line).is_dir()]
    return [folder for folder in linked if not _too_much(folder)]


def _installed_in(place: Path) -> list[Path]:
    return [path for name in RUNTIME if (path := place / name).exists()]


def _runtime(program: str, on_the_path_only: bool = False) -> list[Path]:
    """What a program needs that is installed somewhere of its own: not the whole place, which may be a home."""
    if on_the_path_only and os.path.dirname(program):  # noqa: PTH120  (Path("./bot") forgets its dot)
        return []
    path = Path(shutil.which(program) or program).resolve()
    if path.parent.name != "bin":
        return []
    if path.parent.parent in (Path.home(), *Path.home().parents):  # somebody's own programs, and nobody else's business
        return [path]
    return _installed_in(path.parent.parent)


def _own(command: list[str], folder: str) -> list[Path]:
    """The folder of each file that the command names if it is the bot's own, else the file alone."""
    if folder:
        if not Path(folder).is_dir():
            raise ValueError(f"there is no folder {folder!r}")
        return [Path(folder).absolute(), *named_files(command)]
    first = Path(shutil.which(command[0]) or command[0]).absolute()
    words = [str(first) if Path(command[0]).name != command[0] else "", *command[1:]]
    elsewhere = [*_interpreter(), *map(Path, ("/usr", *NEVER_SHOWN))]
    named = [path for path in named_files(words) if not any(path.is_relative_to(place) for place in elsewhere)]
    if not named:
        return [Path.cwd()] if _is_own(Path.cwd(), []) else []
    return [_whole(path, named) for path in named if not (path.is_dir() and _too_much(path))]


def _whole(path: Path, named: list[Path]) -> Path:
    """The folder of a file if it is the bot's own, else the file; a directory as it is."""
    return path if path.is_dir() or not _is_own(path.parent, named) else path.parent


def _is_own(folder: Path, named: list[Path]) -> bool:
    """Whether nothing in a folder is another's: no home, no temporary directory, no player's file, store or socket."""
    others = _private - set(named)
    if _too_much(folder) or any(path.is_relative_to(folder) for path in others):
        return False
    try:
        return not any(stat.S_ISSOCK(entry.stat(follow_symlinks=False).st_mode) for entry in os.scandir(folder))
    except OSError:  # closed, or it has just gone
        return False


def _too_much(folder: Path) -> bool:
    """Whether a directory is a place of many things: near the root, a home, for temporary files, or above such."""
    many = [Path.home(), Path(tempfile.gettempdir()), Path.cwd().parent]
    return len(folder.parts) <= 2 or any(place.is_relative_to(folder) for place in many)


def _topmost(paths: Iterable[Path]) -> list[Path]:
    """Paths without those that are below another, shorter ones first."""
    kept: list[Path] = []
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if not any(path.is_relative_to(above) for above in kept) and os.path.lexists(path):
            kept.append(path)
    return kept
