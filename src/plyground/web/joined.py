"""Files of the page that the server makes of several others, for a first visit.

The style sheets of the first place stand one after the other. Modules are bundled: those that the page begins with,
those of one place each, and those that several places have in common, by the texts that they wait for. An import map
leads the name of each module to its bundle, which exports the module's own names too, so that whoever imports it gets
the same one. A script within the page asks for the files of the place that somebody opens.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from plyground.web.bundler import EXPORT, IMPORT, Bundler
from plyground.web.site.lean import lean_script, lean_style

STATIC = Path(__file__).parent / "static"

STYLE, SCRIPT, PAGE = "css/page.css", "js/first.js", "index.html"
STYLES = ("css/tokens.css", "css/base.css", "css/play.css")
LATER_STYLES = ("css/lab.css", "css/study.css")
"""Style sheets of other places: alone, without comments and spaces."""

MAIN = "main.js"
"""The module that the page begins with; it has the first place with it, and names what all others need."""

LATER = ("coach.js", "hint.js", "review.js")
"""Modules of a game that are loaded when somebody wants them; what they share with other places is common too."""

EARLY = "early.js"
"""The script that asks for what a place needs while the modules are still on their way."""

PRELOADED = re.compile(r'(?:  <link rel="modulepreload" href="js/\w+\.js">\n)+')
PLACE = re.compile(r'^  (?P<name>\w+): \["(?P<needs>\./[^\]]+)"\],$', re.MULTILINE)
TEXTS = re.compile(r"`\.{1,2}/(?:texts/)?(?P<name>\w+)/\$\{language\}\.js(?:on)?`")
"""Texts in the reader's language, without which a module does not begin."""

WORDS = "words"
"""Those of them that the program reads too."""

COMMENT = re.compile(r"^ *(?://.*|/\*\*.*\*/)\n", re.MULTILINE)


@cache
def needs() -> dict[str, tuple[str, ...]]:
    """What each place but the first one needs: modules, `analyse.js`, and style sheets, `lab`."""
    named = PLACE.finditer(_script(MAIN))
    return {place["name"]: tuple(place["needs"].replace("./", "").split('", "')) for place in named}


@cache
def bundler() -> Bundler:
    """The modules of the page in their bundles."""
    found = Bundler(STATIC / "js")
    first = Path(SCRIPT).name
    found.add(first, [MAIN])
    named = {place: [need for need in listed if need.endswith(".js")] for place, listed in needs().items()}
    counted = Counter(chain.from_iterable([*named.values(), *(_with_imports(found, [module]) for module in LATER)]))
    for module in _with_imports(found, [module for module, count in counted.items() if count > 1]):
        # One that waits for texts keeps nobody waiting who does not need them.
        found.add("-".join(["common", *sorted(_texts_of(found, module))]) + ".js", [module])
    for place, modules in named.items():
        found.add(f"place-{place}.js", modules)
    return found


def _with_imports(found: Bundler, names: list[str]) -> list[str]:
    """Modules that are in no bundle yet, and those that they import, each after its own imports."""
    trial = Bundler(found.folder)
    trial.homes.update(found.homes)
    trial.add("", names)
    return trial.members("")


def texts_of(name: str) -> frozenset[str]:
    """The texts that a module and those it imports wait for, besides the page's own: `lab`, `words`."""
    return _texts_of(bundler(), name)


def _texts_of(found: Bundler, name: str) -> frozenset[str]:
    if found.homes.get(name) == Path(SCRIPT).name:
        return frozenset()
    return frozenset(TEXTS.findall(found.source(name))).union(
        *(_texts_of(found, each) for each in found.imported(name))
    )


@cache
def homes() -> dict[str, str]:
    """The joined file that each module is in."""
    return {module: f"js/{bundle}" for module, bundle in bundler().homes.items()}


@cache
def bundles() -> dict[str, tuple[str, ...]]:
    """The joined files, and the modules in each, every one after those that it imports."""
    found: dict[str, tuple[str, ...]] = {}
    for module, bundle in homes().items():
        found[bundle] = (*found.get(bundle, ()), module)
    return found


def parts_of(name: str) -> tuple[str, ...]:
    """The files that a joined one is made of."""
    if name == STYLE:
        return STYLES
    if name in LATER_STYLES:
        return (name,)
    scripts = tuple(f"js/{module}" for module in (homes() if name == PAGE else bundles()[name]))
    return (PAGE, f"js/{EARLY}", *scripts) if name == PAGE else scripts


def changed(name: str) -> int:
    """When the youngest of its parts was changed last, in nanoseconds."""
    return max((STATIC / part).stat().st_mtime_ns for part in parts_of(name))


@lru_cache(maxsize=64)
def content(name: str, _: int) -> bytes:
    """A joined file, by the time it was changed."""
    if name.endswith(".css"):
        return lean_style(style(parts_of(name))).encode()
    return (page() if name == PAGE else lean_script(script(name))).encode()


def style(parts: tuple[str, ...] = STYLES) -> str:
    """Style sheets one after the other."""
    return "".join((STATIC / part).read_text(encoding="utf-8") for part in parts)


def script(name: str) -> str:
    """Modules as one."""
    return bundler().bundle(Path(name).name, bundles()[name])


def import_map() -> str:
    """Where each module is found by whoever imports it."""
    led = {f"./js/{name}": f"./{bundle}" for name, bundle in homes().items()}
    return json.dumps({"imports": led}, separators=(",", ":"))


def early() -> str:
    """The script that asks early, with the modules it imports and the files of each place; `*` is the language."""
    files = json.dumps({place: _files(place) for place in needs()}, separators=(",", ":"))
    text = IMPORT.sub(lambda match: EXPORT.sub("", _script(Path(match["file"]).name)), _script(EARLY))
    return "{\n" + COMMENT.sub("", text).replace("files = {}", f"files = {files}", 1) + "}\n"


def _files(place: str) -> list[str]:
    modules = [need for need in needs()[place] if need.endswith(".js")]
    scripts = dict.fromkeys(homes()[module] for module in modules)
    waited = sorted(frozenset().union(*map(texts_of, modules)))
    texts = [f"{text}/*.json" if text == WORDS else f"js/texts/{text}/*.js" for text in waited]
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
    text = text.replace(f'<script type="module" src="js/{EARLY}"></script>', inline, 1)
    return text.replace('src="js/main.js"', f'src="{SCRIPT}"', 1)


def _script(name: str) -> str:
    return (STATIC / "js" / name).read_text(encoding="utf-8")
