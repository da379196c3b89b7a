"""Files of the page that are several others in one: over a slow line one answer comes sooner than twenty.

The files themselves stay as they are, one noun per module, and work as they are too. The server joins what the first
place needs: the style sheets one after the other, and the modules as blocks of one module, whose names an import map
leads there, so that a place that is loaded later gets the very same modules.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache, lru_cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"

STYLE, SCRIPT, PAGE = "css/page.css", "js/first.js", "index.html"
STYLES = ("css/tokens.css", "css/base.css", "css/play.css")
MAIN = "main.js"
"""The module that the page begins with; it has the first place with it."""

IMPORT = re.compile(r'^import \{ (?P<names>[^}]+) \} from "\./(?P<file>\w+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|let|class|function|async function) )", re.MULTILINE)
EXPORTED = re.compile(r"^export (?:const|class|function|async function) (?:(\w+)|\{ ([\w, ]+) \})", re.MULTILINE)
PRELOADED = re.compile(r'(?:  <link rel="modulepreload" href="js/\w+\.js">\n)+')


def parts_of(name: str) -> tuple[str, ...]:
    """The files that a joined one is made of."""
    scripts = tuple(f"js/{module}" for module in modules())
    return {STYLE: STYLES, SCRIPT: scripts, PAGE: (PAGE, *scripts)}[name]


def changed(name: str) -> int:
    """When the youngest of its parts was changed last, in nanoseconds."""
    return max((STATIC / part).stat().st_mtime_ns for part in parts_of(name))


@lru_cache(maxsize=16)
def content(name: str, _: int) -> bytes:
    """A joined file, by the time it was changed."""
    make = {STYLE: style, SCRIPT: script, PAGE: page}[name]
    return make().encode()


def style() -> str:
    """The style sheets one after the other."""
    return "".join((STATIC / part).read_text(encoding="utf-8") for part in STYLES)


@cache
def modules() -> tuple[str, ...]:
    """The modules of the first place, each after those that it imports."""
    found: list[str] = []

    def add(name: str) -> None:
        for match in IMPORT.finditer(_source(name)):
            if match["file"] not in found:
                add(match["file"])
        if name not in found:
            found.append(name)

    add(MAIN)
    return tuple(found)


def script() -> str:
    """All of them as one module: a block each, in which imports are names taken from an earlier block."""
    return "".join(f"// {name}\n{_block(name)}" for name in modules())


def _block(name: str) -> str:
    source = _source(name)
    body = IMPORT.sub(lambda m: f"const {{ {m['names'].replace(' as ', ': ')} }} = {_variable(m['file'])};\n", source)
    names = ", ".join(exported(name))
    block = f"const {_variable(name)} = await (async () => {{\n{EXPORT.sub('', body)}return {{ {names} }};\n}})();\n"
    return f"{block}export const {{ {names} }} = {_variable(name)};\n" if names else block


def exported(name: str) -> list[str]:
    """The names that a module exports."""
    return [word for one, several in EXPORTED.findall(_source(name)) for word in (one or several).split(", ")]


def import_map() -> str:
    """Where each of these modules is found by whoever imports it later."""
    return json.dumps({"imports": {f"./js/{name}": f"./{SCRIPT}" for name in modules()}}, separators=(",", ":"))


def map_hash() -> str:
    """What the policy of the page allows: the import map and no other script within the page."""
    digest = hashlib.sha256(import_map().encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def page() -> str:
    """The page, which asks for the joined module instead of each."""
    text = (STATIC / PAGE).read_text(encoding="utf-8")
    head = f'  <script type="importmap">{import_map()}</script>\n'
    text = PRELOADED.sub("", PRELOADED.sub(lambda _: head, text, count=1))
    return text.replace('src="js/main.js"', f'src="{SCRIPT}"', 1)


def _source(name: str) -> str:
    return (STATIC / "js" / name).read_text(encoding="utf-8")


def _variable(name: str) -> str:
    return f"${Path(name).stem}"
