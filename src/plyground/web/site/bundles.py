"""The modules that a first game needs, in a few files: over a slow line few answers come sooner than forty.

A bundle is a module with a block for each module in it. It exports an object for each of them, `$alone_table` for
`alone/table.js`, and every import of one of them is led there, in workers too, where there are no import maps. Each
module's own file stays and hands on what the bundle has, so that it exists once under whatever name it is imported.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

BACKEND, ALONE = "backend.js", "alone/backend.js"
"""Who answers the page; without a server the second stands for the first."""

BUNDLES = {
    "shared.js": ("alone/table.js", "alone/programs.js", "alone/scores.js", "alone/judge/limits.js"),
    "first.js": (ALONE, "home.js", "settings.js"),
    "game.js": ("game.js",),
    "alone/worker.js": ("alone/worker.js",),
}
"""What each bundle begins with: with these come the modules that they import and no earlier bundle has.

The page and its worker both use the first one.
"""

IMPORT = re.compile(r'^import (?P<what>\{[^}]+\}|\* as \w+) from "(?P<file>\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|class|function|async function)\b)", re.MULTILINE)
EXPORTED = re.compile(
    r"^export (?:(?:const|class|(?:async )?function\*?) (?:(\w+)|\{ ([\w, ]+) \})|\{ ([\w, ]+) \};$)", re.MULTILINE
)
LISTED = re.compile(r"^export \{ [\w, ]+ \};\n", re.MULTILINE)
ODD = re.compile(r"^(?:import(?! (?:\{ |\* as ))|export (?:\*|default|let)|export \{[^}]*\} from)", re.MULTILINE)
WAITS = re.compile(r"^(?:export )?const .*= (?:.*: )?await ", re.MULTILINE)
"""A module that waits for something before it is there."""

LATER = re.compile(r"\bimport\((?P<quote>[\"`])(?P<file>\.[^\"`$]*)(?P<rest>[^\"`]*)(?P=quote)\)")
"""An import when it is wanted; its name may end with something that is not known yet."""

LIST = re.compile(r'\["(\./\w+\.js(?:", "[\w./]+)*)"\]')
"""Names of modules that are imported later, and of style sheets."""

MAIN = "main.js"
"""The module with such lists, one for each place."""


@dataclass
class Scripts:
    """The modules of a page, by their paths below its folder of scripts."""

    folder: Path
    of: dict[str, str] = field(init=False, default_factory=dict)
    """The bundle that a module is in; each module stands behind those it imports."""

    def __post_init__(self) -> None:
        for bundle, entries in BUNDLES.items():
            for entry in entries:
                self._add(entry, bundle)

    def _add(self, name: str, bundle: str) -> None:
        if name in self.of:
            return
        source = self.source(name)
        if odd := ODD.search(source):
            raise ValueError(f"{name} cannot be part of a bundle: it has {source[odd.start() :].splitlines()[0]!r}")
        for match in IMPORT.finditer(source):
            self._add(resolved(name, match["file"]), bundle)
        self.of[name] = bundle

    def source(self, name: str) -> str:
        """A module as it is written by hand."""
        return (self.folder / name).read_text(encoding="utf-8")

    def members(self, bundle: str) -> list[str]:
        """The modules in a bundle, each behind those it imports."""
        return [name for name, one in self.of.items() if one == bundle]

    def all(self) -> dict[str, str]:
        """Every file: the bundles, modules in them as references to them, and the others."""
        names = (path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.js"))
        found = {name: self._handed_on(name) if name in self.of else self._led(name) for name in names}
        return found | {bundle: self.bundle(bundle) for bundle in BUNDLES} | {BACKEND: self._handed_on(ALONE, BACKEND)}

    def bundle(self, bundle: str) -> str:
        """Several modules as one."""
        members = self.members(bundle)
        needed = {resolved(name, match["file"]) for name in members for match in IMPORT.finditer(self.source(name))}
        others = {one: [name for name in self.members(one) if name in needed] for one in BUNDLES if one != bundle}
        imports = (_objects(names, relative(bundle, one)) for one, names in others.items() if names)
        blocks = (self._block(name, bundle) for name in members)
        ends = f"export {{ {', '.join(map(variable, members))} }};\n"
        if bundle in members and (names := exported(self.source(bundle))):
            ends += f"export const {{ {', '.join(names)} }} = {variable(bundle)};\n"
        return "".join([*imports, *blocks, ends])

    def _block(self, name: str, bundle: str) -> str:
        source = self.source(name)
        body = IMPORT.sub(lambda match: _taken(match["what"], resolved(name, match["file"])), source)
        body = self._moved(EXPORT.sub("", LISTED.sub("", body)), name, bundle)
        start = "await (async () => {" if WAITS.search(source) else "(() => {"
        return f"const {variable(name)} = {start}\n{body}return {{ {', '.join(exported(source))} }};\n}})();\n"

    def _led(self, name: str) -> str:
        """A module in no bundle, whose imports are led to the bundles."""

        def led(match: re.Match[str]) -> str:
            target = resolved(name, match["file"])
            return match[0] if target not in self.of else self._object(target, name) + _taken(match["what"], target)

        text = self._moved(IMPORT.sub(led, self.source(name)), name, name)
        return LIST.sub(self._listed, text) if name == MAIN else text

    def _listed(self, match: re.Match[str]) -> str:
        """A list of modules to import, by the bundles that they are in."""
        names = (file.removeprefix("./") for file in match[1].split('", "'))
        files = dict.fromkeys(f"./{self.of.get(name, name)}" if name.endswith(".js") else name for name in names)
        return f"[{', '.join(map(json.dumps, files))}]"

    def _moved(self, text: str, name: str, to: str) -> str:
        """What a module imports later, and asks for beside itself, seen from the file that it is in now."""

        def later(match: re.Match[str]) -> str:
            quote, rest = match["quote"], match["rest"]
            target = resolved(name, match["file"])
            bundle = self.of.get(target, target) if not rest else target
            there = f"import({quote}{relative(to, bundle)}{'/' if match['file'].endswith('/') else ''}{rest}{quote})"
            return there if bundle == target else f"{there}.then((all) => all.{variable(target)})"

        text = LATER.sub(later, text)
        here = "import.meta.url" if name == to else f'new URL("{relative(to, name)}", import.meta.url).href'
        return text.replace("import.meta.url", here)

    def _object(self, name: str, seen_from: str) -> str:
        return _objects([name], relative(seen_from, self.of[name]))

    def _handed_on(self, name: str, under: str = "") -> str:
        names = ", ".join(exported(self.source(name)))
        handed = f"export const {{ {names} }} = {variable(name)};\n" if names else ""
        return self._object(name, under or name) + handed


def exported(source: str) -> list[str]:
    """The names that a module exports."""
    return [word for found in EXPORTED.findall(source) for word in next(filter(None, found)).split(", ")]


def resolved(name: str, file: str) -> str:
    """The module that another one means."""
    path = os.path.normpath(PurePosixPath(name).parent / file)
    return ALONE if path == BACKEND else path


def relative(seen_from: str, name: str) -> str:
    """The path of a module in an import of another one."""
    path = os.path.relpath(name, PurePosixPath(seen_from).parent)
    return path if path.startswith(".") else f"./{path}"


def variable(name: str) -> str:
    """The name of the object that has what a module exports."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _objects(names: Iterable[str], file: str) -> str:
    return f'import {{ {", ".join(map(variable, names))} }} from "{file}";\n'


def _taken(what: str, target: str) -> str:
    """What an import takes out of the object of its module."""
    names = what.removeprefix("* as ") if what.startswith("*") else what.replace(" as ", ": ")
    return f"const {names} = {variable(target)};\n"


def preloads(paths: Iterable[str]) -> str:
    """Links by which a browser asks for modules at once, instead of one after the other as it finds them."""
    return "".join(f'  <link rel="modulepreload" href="{path}">\n' for path in paths)
