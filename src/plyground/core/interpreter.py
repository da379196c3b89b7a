"""The one way in which this program starts an interpreter: no file of the current folder stands in for a module.

An interpreter started as `python -m MODULE` looks for modules in the current folder first, then where PYTHONPATH says.
There a file named `typing.py`, somebody's submission, would run as whoever grades it. The same holds for programs of
the machine, where somebody's PATH has the current folder in it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import plyground

RUN = "import sys; sys.path[:] = {path!r}; import runpy; runpy.run_module({module!r}, None, '__main__', alter_sys=True)"
"""What a new interpreter runs."""


def interpreter_command(
    module: str, *arguments: str, path: Iterable[str] | None = None, bare: bool = False
) -> list[str]:
    """The command that runs a module in a new interpreter, which looks for modules in these folders only.

    Without `path` they are those of this interpreter, but for the current one. `-I` leaves out the current folder, what
    PYTHON... variables say and the packages of the user, until the folders are set; and as that holds for PYTHONUTF8
    and PYTHONUNBUFFERED too, the standard streams are UTF-8 and without a buffer here. A bare interpreter starts sooner
    and does nothing that installed packages want done at every start.
    """
    folders = import_path() if path is None else list(path)
    options = [*(["-B"] if sys.dont_write_bytecode else []), *(["-S"] if bare else [])]
    code = RUN.format(path=folders, module=module)
    return [sys.executable, "-I", "-u", "-X", "utf8", *options, "-c", code, *arguments]


def import_path() -> list[str]:
    """The folders in which this interpreter looks for modules, without the current one, and that of this program."""
    own = str(Path(plyground.__file__).parents[1])
    known = [folder for folder in sys.path if os.path.isabs(folder) and not is_current(folder)]  # noqa: PTH117
    return known if own in known else [*known, own]


def find_program(name: str) -> str:
    """Where a program of the machine is; nothing where there is none."""
    import shutil

    return shutil.which(name, path=program_path()) or ""


def program_path() -> str:
    """The PATH without the current folder, and without relative ones."""
    folders = (folder for folder in os.get_exec_path() if os.path.isabs(folder) and not is_current(folder))  # noqa: PTH117
    return os.pathsep.join(folders)


def is_current(folder: str) -> bool:
    """Whether a folder of `sys.path` is the current one."""
    try:
        return not folder or os.path.samefile(folder, os.curdir)  # noqa: PTH121
    except OSError:  # it is not there, or is an archive
        return False
