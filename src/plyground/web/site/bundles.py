"""The modules that a first game without a server needs, in a few files.

Every import of a module in a bundle is led to the bundle, in workers too, where there are no import maps. Each module's
own file stays and hands on what the bundle has, so that it exists once under whatever name it is imported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from plyground.web.bundler import IMPORT, Bundler, objects, relative, taken

BACKEND, ALONE = "backend.js", "alone/backend.js"
"""Who answers the page; without a server the second stands for the first."""

BUNDLES = {
    "shared.js": ("alone/table.js", "alone/programs.js", "alone/scores.js"),
    "first.js": (ALONE, "home.js", "settings.js"),
    "game.js": ("game.js",),
    "alone/worker.js": ("alone/worker.js",),
}
"""What each bundle begins with: with these come the modules that they import and no earlier bundle has.

The page and its worker both use the first one.
"""

LIST = re.compile(r'\["(\./\w+\.js(?:", "[\w./]+)*)"\]')
"""Names of modules that are imported later, and of style sheets."""

MAIN = "main.js"
"""The module with such lists, one for each place."""


class Scripts(Bundler):
    """The modules of a page without a server, by their paths below its folder of scripts."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, {BACKEND: ALONE})
        for bundle, entries in BUNDLES.items():
            self.add(bundle, entries)

    def all(self) -> dict[str, str]:
        """Every file: the bundles, modules in them as references to them, and the others."""
        names = (path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.js"))
        found = {name: self._reference(name) if name in self.homes else self._led(name) for name in names}
        made = {bundle: self.bundle(bundle, {bundle} & self.homes.keys()) for bundle in BUNDLES}
        return found | made | {BACKEND: self._reference(ALONE, BACKEND)}

    def _led(self, name: str) -> str:
        """A module in no bundle, whose imports are led to the bundles."""

        def led(match: re.Match[str]) -> str:
            target = self.resolved(name, match["file"])
            return match[0] if target not in self.homes else self._object(target, name) + taken(match["what"], target)

        text = self.moved(IMPORT.sub(led, self.source(name)), name, name)
        return LIST.sub(self._listed, text) if name == MAIN else text

    def _listed(self, match: re.Match[str]) -> str:
        """A list of modules to import, by the bundles that they are in."""
        names = (file.removeprefix("./") for file in match[1].split('", "'))
        files = dict.fromkeys(f"./{self.homes.get(name, name)}" if name.endswith(".js") else name for name in names)
        return f"[{', '.join(map(json.dumps, files))}]"

    def _object(self, name: str, seen_from: str) -> str:
        return objects([name], relative(seen_from, self.homes[name]))

    def _reference(self, name: str, under: str = "") -> str:
        """The file of a module that a bundle has, under its own name or another one."""
        return self._object(name, under or name) + self.handed_on(name)


def preloads(paths: Iterable[str]) -> str:
    """Links by which a browser asks for modules at once, instead of one after the other as it finds them."""
    return "".join(f'  <link rel="modulepreload" href="{path}">\n' for path in paths)
