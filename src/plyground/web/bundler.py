"""Modules of the page joined into few files: over a slow line one answer comes sooner than twenty.

A bundle is a module with a block for each module in it. It exports an object for each of them, `$alone_table` for
`alone/table.js`, and takes the objects of other modules from the bundles that they are in. So every module exists once,
and its own file stays as it is written: one noun per module.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

IMPORT = re.compile(r'^import (?P<what>\{[^}]+\}|\* as \w+) from "(?P<file>\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|class|function|async function)\b)", re.MULTILINE)
EXPORTED = re.compile(
    r"^export (?:(?:const|class|(?:async )?function\*?) (?:(\w+)|\{ ([\w, ]+) \})|\{ ([\w, ]+) \};$)", re.MULTILINE
)
LISTED = re.compile(r"^export \{ [\w, ]+ \};\n", re.MULTILINE)
ODD = re.compile(r"^(?:import(?! (?:\{ |\* as ))|export (?:\*|default|let)|export \{[^}]*\} from)", re.MULTILINE)
"""Forms of import and export that no bundle can have."""

WAITS = re.compile(r"^(?:export )?const .*= (?:.*: )?await ", re.MULTILINE)
"""A module that waits for something before it is there."""

LATER = re.compile(r"\bimport\((?P<quote>[\"`])(?P<file>\.[^\"`$]*)(?P<rest>[^\"`]*)(?P=quote)\)")
"""An import when it is wanted; its name may end with something that is not known yet."""


class Bundler:
    """The modules of a folder by their paths below it, and the bundles that they are in."""

    def __init__(self, folder: Path, stand_ins: Mapping[str, str] | None = None) -> None:
        """Stand-ins: modules that are imported wherever another one is named."""
        self.folder = folder
        self.stand_ins = stand_ins or {}
        self.homes: dict[str, str] = {}
        """The bundle that a module is in; each module stands behind those it imports."""

    def add(self, bundle: str, names: Iterable[str]) -> None:
        """Put modules into a bundle, with all that they import and no bundle has; ValueError for an odd form."""
        for name in names:
            if name in self.homes:
                continue
            source = self.source(name)
            if odd := ODD.search(source):
                raise ValueError(f"{name} cannot be part of a bundle: it has {source[odd.start() :].splitlines()[0]!r}")
            self.add(bundle, self.imported(name))
            self.homes[name] = bundle

    def source(self, name: str) -> str:
        """A module as it is written by hand."""
        return (self.folder / name).read_text(encoding="utf-8")

    def imported(self, name: str) -> list[str]:
        """The modules that another one imports."""
        return [self.resolved(name, match["file"]) for match in IMPORT.finditer(self.source(name))]

    def resolved(self, name: str, file: str) -> str:
        """The module that another one means by a path."""
        path = os.path.normpath(PurePosixPath(name).parent / file)
        return self.stand_ins.get(path, path)

    def members(self, bundle: str) -> list[str]:
        """The modules in a bundle, each behind those it imports."""
        return [name for name, home in self.homes.items() if home == bundle]

    def bundle(self, bundle: str, named: Iterable[str] = ()) -> str:
        """Several modules as one; it exports the names of some of them too, besides an object for each."""
        members = self.members(bundle)
        needed = dict.fromkeys(target for name in members for target in self.imported(name))
        others = dict.fromkeys(self.homes[name] for name in self.homes if name in needed)
        imports = [
            objects((name for name in self.members(other) if name in needed), relative(bundle, other))
            for other in others
            if other != bundle
        ]
        blocks = (f"// {name}\n{self._block(name, bundle)}" for name in members)
        ends = f"export {{ {', '.join(map(variable, members))} }};\n"
        return "".join([*imports, *blocks, ends, *map(self.handed_on, named)])

    def _block(self, name: str, bundle: str) -> str:
        source = self.source(name)
        body = IMPORT.sub(lambda match: taken(match["what"], self.resolved(name, match["file"])), source)
        body = self.moved(EXPORT.sub("", LISTED.sub("", body)), name, bundle)
        start = "await (async () => {" if WAITS.search(source) else "(() => {"
        return f"const {variable(name)} = {start}\n{body}return {{ {', '.join(exported(source))} }};\n}})();\n"

    def moved(self, text: str, name: str, to: str) -> str:
        """What a module imports later, and asks for beside itself, seen from the file that it is in now."""

        def later(match: re.Match[str]) -> str:
            quote, rest = match["quote"], match["rest"]
            target = self.resolved(name, match["file"])
            home = self.homes.get(target, target) if not rest else target
            there = f"import({quote}{relative(to, home)}{'/' if match['file'].endswith('/') else ''}{rest}{quote})"
            return there if home == target else f"{there}.then((all) => all.{variable(target)})"

        text = LATER.sub(later, text)
        here = "import.meta.url" if name == to else f'new URL("{relative(to, name)}", import.meta.url).href'
        return text.replace("import.meta.url", here)

    def handed_on(self, name: str) -> str:
        """The names of a module, exported from its object."""
        names = ", ".join(exported(self.source(name)))
        return f"export const {{ {names} }} = {variable(name)};\n" if names else ""


def exported(source: str) -> list[str]:
    """The names that a module exports."""
    return [word for found in EXPORTED.findall(source) for word in next(filter(None, found)).split(", ")]


def relative(seen_from: str, name: str) -> str:
    """The path of a module in an import of another one."""
    path = os.path.relpath(name, PurePosixPath(seen_from).parent)
    return path if path.startswith(".") else f"./{path}"


def variable(name: str) -> str:
    """The name of the object that has what a module exports."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def objects(names: Iterable[str], file: str) -> str:
    """An import of the objects of modules from the bundle that they are in."""
    return f'import {{ {", ".join(map(variable, names))} }} from "{file}";\n'


def taken(what: str, target: str) -> str:
    """What an import takes out of the object of its module."""
    names = what.removeprefix("* as ") if what.startswith("*") else what.replace(" as ", ": ")
    return f"const {names} = {variable(target)};\n"
