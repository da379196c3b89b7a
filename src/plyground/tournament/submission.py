"""What somebody handed in: a file, a folder or a player's spec, made into a player that runs in the sandbox.

Files are looked at, never imported: what is in them runs only in a process of its own.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from plyground.core.files import parse_toml
from plyground.referee import bots
from plyground.tournament.parcel import Parcel, files_below, fingerprint_of, pack
from plyground.words import one_line

MAIN_FILES = {"bot.py": "", "main.py": "", "Bot.java": "java", "bot.js": "node"}
"""What a folder may begin with, and the program that runs it; Python files are looked into."""

DESCRIPTION = "submission.toml"
"""A file in a folder that says how to run it: command, protocol."""

LARGEST_DESCRIPTION_BYTES = 16_000
"""Bytes that such a file may have."""

MOST_WORDS = 100
"""Words that a command in it may have."""

LARGEST_SOURCE_BYTES = 2_000_000
"""Bytes of a Python file that is looked into; weights belong into a file of their own."""

HEURISTIC_DEPTH_PLIES = 2
"""How deep the search looks that a submitted heuristic is used in."""


class BadSubmission(ValueError):  # noqa: N818  (it reads as what it is)
    """What was handed in cannot be run, and why; that is the student's to mend.

    The reason may quote names and texts of the student, and yet is one line that a terminal prints as it is.
    """

    def __init__(self, why: str) -> None:
        super().__init__(one_line(why))


@dataclass(frozen=True)
class Submission:
    """Something to be graded."""

    name: str
    """Whose it is, or what it is called."""

    spec: str
    """The player to load."""

    files: tuple[Path, ...] = ()
    """What it consists of; nothing where it is a spec that names no file."""

    place: Path | None = None
    """The file or folder that was handed in, which is all that it sees; None where it is a spec."""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its spec and of its files with their names: equal ones are the same submission."""
        return fingerprint_of(self._parts())

    def _parts(self) -> Iterator[bytes]:
        if not self.files:
            yield os.fsencode(self.spec)
        for path in filter(Path.is_file, self.files):
            yield os.fsencode(path.name)
            yield path.read_bytes()


PROGRAM_FIRST = (b"\x7fELF", b"#!", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""How compiled programs of Linux, Windows and macOS begin, and scripts that name their interpreter."""


def read_submission(text: str, name: str = "") -> Submission:
    """The submission that a user means by a spec, or by the path of a file or folder; BadSubmission as below."""
    if bots.is_bot(text):
        path = Path(text.partition(":")[2].partition(",")[0])
        return Submission(name or text, text, (path,) if path.is_file() else ())
    return submission_at(Path(text), name) if Path(text).exists() else Submission(name or text, text)


def submission_at(path: Path, name: str = "") -> Submission:
    """The submission that a file or folder is, whatever it is called; BadSubmission when it cannot be run.

    Its name is a student's choice: `cmd:sh -c ...` is a file, and no command.
    """
    if path.is_dir():
        return _of_folder(path, name or path.name)
    if path.is_file():
        return Submission(name or path.stem, _spec_of_file(path), (path,), path)
    raise BadSubmission(f"{name or path.name}: no plain file and no folder")


def spec_of(parcel: Parcel) -> str:
    """The player that the files of a parcel are; BadSubmission when there is nothing to run.

    The files are looked at, not run.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        try:
            parcel.unpack(folder)
            single = folder / parcel.files[0][0] if len(parcel.files) == 1 else folder
            return pack(submission_at(single, "submission").spec, folder, parcel)
        except BadSubmission:
            raise
        except OSError as error:
            raise BadSubmission(f"cannot be read: {error.strerror}") from None
        except Exception as error:  # a submission is data: whatever it leads to is said of this one
            raise BadSubmission(f"cannot be read: {type(error).__name__}: {error}") from None


def _of_folder(folder: Path, name: str) -> Submission:
    try:
        files = tuple(files_below(folder))
    except ValueError as error:
        raise BadSubmission(f"{name}: {str(error).partition(': ')[2]}; hand in what is needed") from None
    except OSError as error:  # such as a path that is too long
        raise BadSubmission(f"{name} cannot be read: {error.strerror}") from None
    if (described := folder / DESCRIPTION) in files:
        return Submission(name, _spec_of_description(described), files, folder)
    for main in MAIN_FILES:
        if folder / main in files:
            return Submission(name, _spec_of_file(folder / main), files, folder)
    scripts = [path for path in files if path.suffix in (".py", ".js", ".java")]
    if len(scripts) == 1:
        return Submission(name, _spec_of_file(scripts[0]), files, folder)
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():
        return _of_folder(inside[0], name)
    known = ", ".join((DESCRIPTION, *MAIN_FILES))
    raise BadSubmission(f"{name}: nothing to run; name the file {known.replace(', ', ' or ')}")


def _spec_of_description(path: Path) -> str:
    if path.stat().st_size > LARGEST_DESCRIPTION_BYTES:
        raise BadSubmission(f"{path.name} is too large: at most {LARGEST_DESCRIPTION_BYTES} bytes")
    try:
        data = parse_toml(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadSubmission(f"{path.name}: {error}") from None
    command, protocol = data.get("command"), data.get("protocol", "ugi")
    expected = isinstance(command, str) and isinstance(protocol, str) and protocol in bots.DIALOGUES
    if not expected or data.keys() - {"command", "protocol"}:
        raise BadSubmission(f"{path.name}: expected command = '...' and protocol = 'ugi' or 'json'")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadSubmission(f"{path.name}: {error} in {command!r}") from None
    if len(words) > MOST_WORDS:
        raise BadSubmission(f"{path.name}: a command of {len(words)} words; at most {MOST_WORDS}")
    if any("{files:" in word or "\0" in word for word in words):  # words are data, and refer to nothing
        raise BadSubmission(
            f"{path.name}: no word of {command!r} may contain {{files: or a NUL; name a file of the folder"
        )
    placed = [_inside(path.parent, word) for word in words]
    if placed == words:
        raise BadSubmission(f"{path.name}: {command!r} names no file of this folder that is to be run")
    return f"cmd:{bots.join_words(placed)},protocol={protocol}"


def _inside(folder: Path, word: str) -> str:
    """A word of a command, as a path where it names a file of the folder."""
    try:
        path = (folder / word).resolve()
        return str(path) if path.is_file() and path.is_relative_to(folder.resolve()) else word
    except (OSError, RuntimeError):  # a name that no file can have, or links that go round
        return word


def _spec_of_file(path: Path) -> str:
    if not path.stat().st_size:
        raise BadSubmission(f"{path.name} is empty")
    runner = {".java": "java", ".js": "node"}.get(path.suffix)
    whole = path.resolve()
    if runner is not None:
        return f"cmd:{bots.join_words([runner, str(whole)])},protocol=json"
    if path.suffix == ".ipynb":
        raise BadSubmission(f"{path.name} is a notebook: export it as a Python file (.py), and hand that in")
    if path.suffix != ".py":
        if not _is_program(path):
            raise BadSubmission(
                f"{path.name} is no program: expected .py, .js, .java, .zip, a folder, or a compiled program"
            )
        return f"cmd:{bots.join_words([str(whole)])}"
    if found := re.search("[,=]", str(whole)):
        raise BadSubmission(f"{path.name}: no player can have {found[0]!r} in the path {str(whole)!r}; rename it")
    tree = _tree(path)
    functions = _functions(tree)
    program = f"cmd:{bots.join_words(['python3', str(whole)])},protocol=json"
    own, asks = _calls_itself(tree, functions), _asks_for_its_name(tree)
    if "choose" in functions and not (functions["choose"] == 1 and (own or asks)):
        return f"py:{whole}"
    if own or "choose" in functions:
        return program
    heuristics = [name for name, parameters in functions.items() if parameters == 1]
    searches = [name for name, parameters in functions.items() if parameters == 4]
    if len(searches) == 1:
        return f"search={whole}:{searches[0]},depth={HEURISTIC_DEPTH_PLIES},isolated=yes"
    if len(heuristics) == 1:
        return f"alpha-beta:depth={HEURISTIC_DEPTH_PLIES},heuristic={whole}:{heuristics[0]},isolated=yes"
    if not functions or asks:
        return program
    raise BadSubmission(
        f"{path.name}: expected choose(position, limit), or one function of a position (a heuristic), or one of "
        f"position, depth, heuristic, effort (a search); found {', '.join(functions)}"
    )


def _is_program(path: Path) -> bool:
    """Whether a file is one that the system can run, by how it begins: a compiled program or a script."""
    with path.open("rb") as opened:
        return opened.read(4).startswith(PROGRAM_FIRST)


def _tree(path: Path) -> ast.Module:
    if path.stat().st_size > LARGEST_SOURCE_BYTES:
        raise BadSubmission(
            f"{path.name} is too large: at most {LARGEST_SOURCE_BYTES} bytes; put data into other files"
        )
    try:
        return ast.parse(path.read_bytes())
    except SyntaxError as error:
        where = "" if error.lineno is None else f"line {error.lineno}: "
        raise BadSubmission(f"{path.name} is no Python: {where}{error.msg}") from None
    except ValueError as error:
        raise BadSubmission(f"{path.name} is no Python: {error}") from None
    except (RecursionError, MemoryError):
        raise BadSubmission(f"{path.name} cannot be read: its expressions are nested too deeply") from None


def _functions(tree: ast.Module) -> dict[str, int]:
    """The public functions of a file at its top level, with how many parameters they have."""
    return {
        node.name: len(node.args.posonlyargs) + len(node.args.args)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }


def _calls_itself(tree: ast.Module, functions: Collection[str]) -> bool:
    """Whether a file calls a function of its own when it is loaded, as a program does."""
    calls = (node.value for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    return any(isinstance(call.func, ast.Name) and call.func.id in functions for call in calls)


def _asks_for_its_name(tree: ast.Module) -> bool:
    """Whether a file does something only when it is run: `if __name__ == "__main__"`."""
    tests = (node.test for node in tree.body if isinstance(node, ast.If))
    names = (each for test in tests for each in ast.walk(test) if isinstance(each, ast.Name))
    return any(name.id == "__name__" for name in names)
