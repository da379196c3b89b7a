"""Files of the page that are several others in one: over a slow line one answer comes sooner than twenty.

The files themselves stay as they are, one noun per module, and work as they are too. The server joins the style sheets
of the first place one after the other, and modules as blocks of one module: those that the page begins with, those of
one place each, and those that several places have in common, by the texts that they wait for. An import map leads the
name of each module there, so that it exists once, whoever imports it. A script within the page asks for the files of
the place that somebody opens.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from plyground.web.site.lean import lean_script, lean_style

STATIC = Path(__file__).parent / "static"

STYLE, SCRIPT, PAGE = "css/page.css", "js/first.js", "index.html"
STYLES = ("css/tokens.css", "css/base.css", "css/play.css")
MAIN = "main.js"
"""The module that the page begins with; it has the first place with it, and names what all others need."""

EARLY = "js/early.js"
"""The script that asks for what a place needs while the modules are still on their way."""

IMPORT = re.compile(r'^import \{ (?P<names>[^}]+) \} from "\./(?P<file>\w+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|let|class|function|async function) )", re.MULTILINE)
EXPORTED = re.compile(r"^export (?:const|class|function|async function) (?:(\w+)|\{ ([\w, ]+) \})", re.MULTILINE)
PRELOADED = re.compile(r'(?:  <link rel="modulepreload" href="js/\w+\.js">\n)+')
PLACE = re.compile(r'^  (?P<name>\w+): \["(?P<needs>\./[^\]]+)"\],$', re.MULTILINE)
TEXTS = re.compile(r"await import\(`\./texts/(\w+)/\$\{language\}\.js`\)")
"""Texts in the reader's language, without which a module does not begin."""

COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)


@cache
def needs() -> dict[str, tuple[str, ...]]:
    """What each place but the first one needs: modules, `analyse.js`, and style sheets, `lab`."""
    named = PLACE.finditer(_source(MAIN))
    return {place["name"]: tuple(place["needs"].replace("./", "").split('", "')) for place in named}


@cache
def bundles() -> dict[str, tuple[str, ...]]:
    """The joined files, and the modules in each, every one after those that it imports."""
    first = _with_imports([MAIN], ())
    named = {place: [need for need in listed if need.endswith(".js")] for place, listed in needs().items()}
    counted = Counter(chain.from_iterable(named.values()))
    common = _with_imports((module for module, count in counted.items() if count > 1), first)
    found = {SCRIPT: first}
    for module in common:  # one that waits for texts keeps nobody waiting who does not need them
        name = "-".join(["js/common", *sorted(texts_of(module))]) + ".js"
        found[name] = (*found.get(name, ()), module)
    for place, modules in named.items():
        found[f"js/place-{place}.js"] = _with_imports(modules, (*first, *common))
    return found


@cache
def texts_of(name: str) -> frozenset[str]:
    """The texts that a module and those it imports wait for, besides the page's own: `lab`, `claims`."""
    if name in _with_imports([MAIN], ()):
        return frozenset()
    imported = (texts_of(match["file"]) for match in IMPORT.finditer(_source(name)))
    return frozenset(TEXTS.findall(_source(name))).union(*imported)


def _with_imports(names: Iterable[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """Modules and those that they import, each after its own imports, without those that are known."""
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name in found or name in known:
            return
        for match in IMPORT.finditer(_source(name)):
            add(match["file"])
        found[name] = None

    for name in names:
        add(name)
    return tuple(found)


@cache
def homes() -> dict[str, str]:
    """The joined file that each module is in."""
    return {module: bundle for bundle, modules in bundles().items() for module in modules}


def parts_of(name: str) -> tuple[str, ...]:
    """The files that a joined one is made of."""
    if name == STYLE:
        return STYLES
    scripts = tuple(f"js/{module}" for module in (homes() if name == PAGE else bundles()[name]))
    return (PAGE, EARLY, *scripts) if name == PAGE else scripts


def changed(name: str) -> int:
    """When the youngest of its parts was changed last, in nanoseconds."""
    return max((STATIC / part).stat().st_mtime_ns for part in parts_of(name))


@lru_cache(maxsize=64)
def content(name: str, _: int) -> bytes:
    """A joined file, by the time it was changed."""
    text = page() if name == PAGE else lean_style(style()) if name == STYLE else lean_script(script(name))
    return text.encode()


def style() -> str:
    """The style sheets one after the other."""
    return "".join((STATIC / part).read_text(encoding="utf-8") for part in STYLES)


def script(bundle: str) -> str:
    """Modules as one: a block each, in which imports are names taken from an earlier block or another joined file."""
    modules = bundles()[bundle]
    imported = {homes()[match["file"]] for name in modules for match in IMPORT.finditer(_source(name))} - {bundle}
    others = "".join(f'import * as {_variable(other)} from "./{Path(other).name}";\n' for other in sorted(imported))
    return others + "".join(f"// {name}\n{_block(name)}" for name in modules)


def _block(name: str) -> str:
    def taken(match: re.Match[str]) -> str:
        home = homes()[match["file"]]
        where = match["file"] if home == homes()[name] else home
        return f"const {{ {match['names'].replace(' as ', ': ')} }} = {_variable(where)};\n"

    body = EXPORT.sub("", IMPORT.sub(taken, _source(name)))
    names = ", ".join(exported(name))
    block = f"const {_variable(name)} = await (async () => {{\n{body}return {{ {names} }};\n}})();\n"
    return f"{block}export const {{ {names} }} = {_variable(name)};\n" if names else block


def exported(name: str) -> list[str]:
    """The names that a module exports."""
    return [word for one, several in EXPORTED.findall(_source(name)) for word in (one or several).split(", ")]


def import_map() -> str:
    """Where each module is found by whoever imports it."""
    led = {f"./js/{name}": f"./{bundle}" for name, bundle in homes().items()}
    return json.dumps({"imports": led}, separators=(",", ":"))


def early() -> str:
    """The script that asks early, with the files of each place; `*` is the reader's language."""
    files = json.dumps({place: _files(place) for place in needs()}, separators=(",", ":"))
    return COMMENT.sub("", (STATIC / EARLY).read_text(encoding="utf-8")).replace("{}", files, 1)


def _files(place: str) -> list[str]:
    modules = [need for need in needs()[place] if need.endswith(".js")]
    scripts = dict.fromkeys(homes()[module] for module in modules)
    texts = [f"js/texts/{text}/*.js" for text in sorted(frozenset().union(*map(texts_of, modules)))]
    styles = [f"css/{need}.css" for need in needs()[place] if need not in modules]
    return [*(script for script in scripts if script != SCRIPT), *texts, *styles]


def inline_hashes() -> list[str]:
    """What the policy of the page allows: the import map, the script that asks early, and nothing else within it."""
    digests = (hashlib.sha256(text.encode()).digest() for text in (import_map(), early()))
    return [f"sha256-{base64.b64encode(digest).decode()}" for digest in digests]


def page() -> str:
    """The page, which asks for joined modules instead of each.

    The script within it stands before the style sheet: a browser runs none that comes after one before that is there.
    """
    text = PRELOADED.sub("", (STATIC / PAGE).read_text(encoding="utf-8"))
    inline = f'<script type="importmap">{import_map()}</script>\n  <script>{early()}</script>'
    text = text.replace(f'<script async src="{EARLY}"></script>', inline, 1)
    return text.replace('src="js/main.js"', f'src="{SCRIPT}"', 1)


def _source(name: str) -> str:
    return (STATIC / "js" / name).read_text(encoding="utf-8")


def _variable(name: str) -> str:
    """What has the exports of a module, `$dom`, or of a joined file, `$js_first`."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
