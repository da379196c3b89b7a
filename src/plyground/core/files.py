"""Files of the user: written whole or not at all, and functions in them, named as `mine.py:threats`."""

from __future__ import annotations

import difflib
import errno
import importlib.util
import inspect
import os
import secrets
import stat
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from plyground.core.specs import unknown

PRIVATE, SHARED = 0o600, 0o666
"""The permissions of a new file: for its owner alone, or for whoever the user's umask lets read files."""


def write_file(path: Path | str, content: str | bytes, private: bool = False) -> None:
    """Write a file, text as UTF-8; an older one is replaced only once the new one is complete.

    OSError that names the file when it cannot be written; then the older one is as it was. A `private` file can be
    read by its owner alone.
    """
    with replace_file(path, private) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def replace_file(path: Path | str, private: bool = False) -> Iterator[IO[bytes]]:
    """The same for what is written in pieces: the file is in its place once the block has ended without an error."""
    path = Path(path)
    target = path.resolve() if path.is_symlink() else path  # a link stays one
    unfinished = target.with_name(f".plyground-{secrets.token_hex(8)}.part")
    try:
        old = target.stat() if target.exists() else None
        if old is not None and not stat.S_ISREG(old.st_mode):  # such as /dev/stdout, or a folder, which refuses
            with target.open("wb") as file:
                yield file
            return
        if old is not None and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, "the file is write-protected")
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE if private else SHARED)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            if old is not None and not private:
                with suppress(OSError):  # a file system without permissions
                    unfinished.chmod(stat.S_IMODE(old.st_mode))
            unfinished.replace(target)
        except BaseException:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise
    except OSError as error:
        named = error.filename
        if error.errno is None or named not in (None, str(target), str(unfinished)):
            raise  # of something else that is read meanwhile
        raise OSError(error.errno, error.strerror, str(path)) from None


def parse_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text; ValueError for any other text."""
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("values are nested too deeply") from None


def parse_json(text: str) -> Any:
    """The value of a JSON text; ValueError for any other text."""
    import json

    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("values are nested too deeply") from None


def make_private(path: Path) -> None:
    """See to it that a file which others will fill is there, and is its owner's alone; OSError when it cannot be."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), PRIVATE))
    with suppress(OSError):  # somebody else's, or on a file system without permissions
        path.chmod(PRIVATE)


def names_file(text: str) -> bool:
    """Whether a text names a Python file, with or without a function in it."""
    return ".py:" in text or text.endswith(".py")


def files_named(spec: str) -> list[str]:
    """The files that a player's spec names: `heuristic=mine.py:threats`, `book=my.book`, `net=my.net@3`."""
    values = [piece.partition("=")[2].strip() for piece in spec.split(",")]
    words = [word for value in values for word in (value, value.rpartition(":")[0], value.rpartition("@")[0])]
    return [word for word in dict.fromkeys(words) if word and Path(word).is_file()]


def missing_file(file: str, kind: str = "file") -> str:
    """What an error says of a file that does not exist: where it was looked for, and what to do now."""
    path = Path(file)
    where = "" if path.is_absolute() else f" in {Path.cwd()}"
    near = difflib.get_close_matches(path.name, _beside(path), n=1)
    guess = f"; did you mean {str(path.with_name(near[0]))!r}?" if near else ""
    return f"there is no {kind} {file!r}{where}{guess or (where and '; change to its folder, or give its path')}"


def _beside(path: Path) -> list[str]:
    """The names in the folder of a path that end like it; none where the folder cannot be read."""
    try:
        return sorted(each.name for each in path.parent.iterdir() if each.suffix == path.suffix)
    except OSError:
        return []


def load_function(kind: str, text: str, arguments: str = "") -> Callable[..., Any]:
    """The function that `FILE.py:FUNCTION` names; ValueError when it cannot be loaded or does not take these arguments.

    `kind` is what the function is used as, such as `heuristic`; `arguments` are the names of its arguments.
    """
    file, _, name = text.rpartition(":")
    if not file:
        function = Path(text).stem
        raise ValueError(f"{kind} {text!r} names a file; name the function in it too, such as {text}:{function}")
    module = load_module(kind, text, file)
    functions = {key: value for key, value in vars(module).items() if callable(value) and not key.startswith("_")}
    if name not in functions:
        raise unknown(f"function in {file}", name, _own(module))
    if arguments and not takes(functions[name], arguments):
        taken = f"{name}{_signature(functions[name])}"
        raise ValueError(f"{kind} {text!r}: {taken} must take {arguments}, as in def {name}({arguments})")
    found: Callable[..., Any] = functions[name]
    return found


def functions_in(kind: str, file: str, arguments: str) -> list[str]:
    """The names of a file's own functions that take these arguments; ValueError when the file cannot be loaded."""
    module = load_module(kind, file, file)
    return [name for name in _own(module) if takes(getattr(module, name), arguments)]


def takes(function: Callable[..., Any], arguments: str) -> bool:
    """Whether a function can be called with these arguments, named as in `position, limit`."""
    try:
        inspect.signature(function).bind(*arguments.split(", "))
    except TypeError:
        return False
    except ValueError:  # a function that is not written in Python and does not say what it takes
        return True
    return True


def described(error: BaseException, file: str) -> str:
    """An error in a user's code, with the last line of the user's file that led to it."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    last = next((frame for frame in reversed(frames) if Path(frame.filename).name == Path(file).name), frames[-1])
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"


def load_module(kind: str, text: str, file: str) -> ModuleType:
    """The file, run as a module of its own."""
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"{kind} {text!r}: {missing_file(file)}")
    spec = importlib.util.spec_from_file_location(f"{kind}_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{kind} {text!r}: {file!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # so that dataclasses and pickles in the file find their module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a script that exits must not end the program
        raise ValueError(f"{kind} {text!r}: {file} does not load: {described(error, file)}") from error
    return module


def _own(module: ModuleType) -> list[str]:
    """The names of the public functions that are defined in the file."""
    return [name for name, found in vars(module).items() if not name.startswith("_") and _written_in(module, found)]


def _written_in(module: ModuleType, found: object) -> bool:
    """Whether a value is a function that the file defines, neither a class nor an import."""
    return callable(found) and not isinstance(found, type) and getattr(found, "__module__", None) == module.__name__


def _signature(function: Callable[..., Any]) -> str:
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):
        return "(...)"
