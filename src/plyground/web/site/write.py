"""The folder itself: page, core and data, a list of all files for the service worker, and an icon."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plyground import __version__, games, words
from plyground.core import specs
from plyground.core.files import write_file
from plyground.core.rules import Rules
from plyground.games import GAMES, title
from plyground.puzzle import shelf
from plyground.render.icon import icon_png
from plyground.render.svg import THEMES
from plyground.web.core_data import core_data
from plyground.web.introductions import READY, home_view
from plyground.web.joined import PRELOADED, STATIC, STYLE, STYLES, style
from plyground.web.site import book_data, bundles, game_data, interval_data, puzzle_data, search_data, text_data
from plyground.web.site.lean import lean_script, lean_style
from plyground.web.site.python_files import write_python
from plyground.web.views import View
from plyground.web.wasm import HOW_TO_BUILD, modules, player_for

WRITTEN = "data/index.json"
"""The file by which a folder is recognised as one of ours."""

FOLDERS = ("css", "js", "data", "wasm", "words", "icons", "python")
"""What is written anew each time."""

SERVER_ONLY = {"early.js", "docs.js", "lobby.js", "tournaments.js", "class.js", "class_own.js"}
SERVER_ONLY |= {"wall.js", "replay.js", "standings.js", "fault_words.js", "faults", "docs.css"}
SERVER_ONLY |= {Path(part).name for part in STYLES}
"""Files of the page that need a server, and those that are part of another one."""

EARLY = "js/alone/ahead.js"
"""The script that asks for the files of the first place while the modules are still on their way."""

FIRST = ("js/shared.js", "js/first.js")
"""The modules of the first place, besides its own."""

ICONS = (192, 512)
"""The sizes of its icon, in pixels."""

OF_THE_GAME = ("board", "position", "levels")
"""Parts of the first place that the file of its game has too."""

EXTRA = ("connect-four:rows=6,columns=7",)
"""Boards that are offered besides the usual one of each game."""


@dataclass
class Site:
    """What was written."""

    games: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    """Games that cannot be played without Python, and why."""

    files: int = 0
    size: int = 0
    """In bytes."""


def usual_games() -> list[str]:
    """Every registered game as it is, and the boards that puzzles and pages speak of."""
    packs = sorted({str(entry["game"]) for entry in shelf.entries().values()})
    return list(dict.fromkeys([*GAMES, *EXTRA, *packs]))


def write_site(
    folder: Path, wanted: Sequence[str] = (), *, with_python: bool = False, pyodide: Path | None = None
) -> Site:
    """Write the page with some games, the usual ones if none are named, into a folder.

    With Python readers can type heuristics; Pyodide comes from the given folder, else from npm. ValueError when the
    core is not built, when the folder has files of somebody else, when a named game does not exist or cannot be played
    without Python, when Pyodide is not to be had; of the usual games one that cannot be played is left out.
    """
    built = modules()
    if not built:
        raise ValueError(f"the core for browsers is not built; {HOW_TO_BUILD}")
    folder = folder.resolve()  # new/.. is no new folder
    _clear(folder)
    site = Site()
    writer = DataFiles(folder)
    for spec in wanted or usual_games():
        try:
            writer.game(games.load(spec))
        except ValueError as error:
            if wanted:
                raise
            site.left_out[spec] = str(error)
    site.games = [str(game["name"]) for game in writer.games]
    if not site.games:
        raise ValueError("none of the games can be played without Python")
    if with_python:
        write_python(folder / "python", pyodide)
    writer.shared()
    writer.index(python=with_python)
    _page(folder, built, writer)
    site.files, site.size = _service_worker(folder)
    return site


def _clear(folder: Path) -> None:
    if folder.exists() and not (folder / WRITTEN).is_file() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(
            f"{folder} is not empty and was not written by plyground site; choose a new folder, or empty it"
        )
    for name in FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


class DataFiles:
    """Writes data files and keeps their checksums."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "data"
        self.games: list[View] = []
        self.sums: dict[str, int] = {}
        self.books = book_data.BookFiles()

    def write(self, name: str, data: View) -> None:
        """One file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
        write_file(path, content)
        self.sums[name] = zlib.crc32(content)

    def game(self, rules: Rules) -> None:
        """All files of one game."""
        parts = {"lesson": game_data.lesson_data(rules), "picture": game_data.picture_data(rules)}
        if shelf.names(rules.name):
            parts["puzzles"] = puzzle_data.solutions_data(rules.name)
        folder = self.play(rules)
        for name, data in parts.items():
            self.write(f"{folder}/{name}.json", data)

    def play(self, rules: Rules) -> str:
        """What it takes to play a game and to judge it; the folder of the game."""
        folder = re.sub(r"[^a-z0-9]+", "-", rules.name.lower()).strip("-")
        books = self.books.data(rules)
        core = core_data(rules, game_data.data_heuristics(rules))
        # A net is large and plays in no level: it is loaded when the whole engine is.
        if nets := {name: weights for name, weights in core["heuristics"].items() if weights["nets"]}:
            core["heuristics"] |= dict.fromkeys(nets)
            self.write(f"{folder}/nets.json", {"format": game_data.FORMAT, "heuristics": nets})
        self.write(f"{folder}/core.json", core)
        self.write(f"{folder}/game.json", game_data.game_view(rules) | {"books": books is not None})
        if books is not None:
            self.write(f"{folder}/books.json", books)
        summary = specs.described(rules.name, GAMES[_base(rules)])[1] if _base(rules) in GAMES else ""
        said = {"title": title(rules.name), "summary": summary, "folder": folder, "player": player_for(rules)}
        self.games.append({"name": rules.name, **said})
        return folder

    @property
    def early(self) -> list[str]:
        """The files that the first place shows."""
        folders = {game["name"]: game["folder"] for game in self.games}
        return ["index.json", "home.json", f"{folders[self.ready]}/game.json"]

    @property
    def ready(self) -> str:
        """The game that is set up on the first place."""
        names = [str(game["name"]) for game in self.games]
        return READY if READY in names else names[0]

    def shared(self) -> None:
        """What is about all games, for the page."""
        names = [str(game["name"]) for game in self.games]
        home = home_view(self.ready, names)
        pictures = game_data.home_pictures(home)
        home = {name: value for name, value in home.items() if name not in OF_THE_GAME}
        self.write("home.json", {"format": game_data.FORMAT, "home": home, "pictures": pictures, "themes": THEMES})
        self.write("texts.json", text_data.texts_data())
        self.write("gallery.json", text_data.gallery_data())
        self.write("searches.json", search_data.searches_data())
        self.write("intervals.json", interval_data.intervals_data())
        self.write("puzzles.json", puzzle_data.shelf_data(names))

    def index(self, *, python: bool = False) -> None:
        """The books, what the judge's numbers stand for, and the list of all files."""
        for name, book in self.books.books.items():
            book.save(self.folder / name)
            self.sums[name] = zlib.crc32((self.folder / name).read_bytes())
        self.write("judge.json", game_data.judge_data())
        index = {"format": game_data.FORMAT, "version": __version__, "ready": self.ready, "python": python}
        self.write("index.json", index | {"games": self.games, "files": self.sums})


def _base(rules: Rules) -> str:
    return specs.Spec.parse(rules.name).name


def _page(folder: Path, built: dict[str, Path], data: DataFiles) -> None:
    """The files of the page, with the worker in the place of the server."""
    styles = {path.name: path.read_text(encoding="utf-8") for path in (STATIC / "css").iterdir()}
    files = {f"css/{name}": lean_style(text) for name, text in (styles | {Path(STYLE).name: style()}).items()}
    files |= {f"js/{name}": lean_script(text) for name, text in bundles.Scripts(STATIC / "js").all().items()}
    files[EARLY] = files[EARLY].replace('["FILES"]', json.dumps(data.early), 1)
    for name, text in files.items():
        if not SERVER_ONLY & set(Path(name).parts):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(folder / name, text)
    for name in ("icon.svg", "embed.html"):
        shutil.copy(STATIC / name, folder / name)
    (folder / "wasm").mkdir()
    for path in built.values():  # a game as text may need any of them
        shutil.copy(path, folder / "wasm")
    (folder / "words").mkdir()
    for language in words.LANGUAGES:
        said = json.dumps(words.words_in(language), ensure_ascii=False, separators=(",", ":"))
        write_file(folder / "words" / f"{language}.json", said)
    shutil.copytree(words.FOLDER / "causes", folder / "words" / "causes")
    (folder / "icons").mkdir()
    for size in ICONS:
        write_file(folder / "icons" / f"{size}.png", icon_png(size))
    write_file(folder / "index.html", _index())
    write_file(folder / "manifest.webmanifest", json.dumps(_manifest(), indent=2))


def _index() -> str:
    """The page itself: what it asks for early are files, its modules are a few, and it can be installed."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    text = text.replace('<script type="module" src="js/early.js">', f'<script async src="{EARLY}">', 1)
    text = PRELOADED.sub("", text)
    text = text.replace('  <script type="module"', f'{bundles.preloads(FIRST)}  <script type="module"', 1)
    head = '  <link rel="manifest" href="manifest.webmanifest">\n  <link rel="apple-touch-icon" href="icons/192.png">\n'
    return text.replace("</head>", f"{head}</head>", 1)


def _manifest() -> View:
    icons = [{"src": f"icons/{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in ICONS]
    return {
        "name": "Plyground",
        "short_name": "Plyground",
        "description": "Play pattern games, watch how a machine thinks about them, and build one that thinks better.",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#2a50c2",
        "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}, *icons],
    }


def _service_worker(folder: Path) -> tuple[int, int]:
    """The service worker, which knows every file and a version that changes with any of them; their count and size."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    files = [name for name in files if name != "service-worker.js" and name.split("/")[0] in (*FOLDERS, *_TOP)]
    digest, size = hashlib.sha256(), 0
    for name in files:
        content = (folder / name).read_bytes()
        digest.update(name.encode() + b"\0" + content)
        size += len(content)
    version = f"{__version__}-{digest.hexdigest()[:12]}"
    kept = [name for name in files if not name.startswith("python/")]  # that is kept once somebody has used it
    text = (STATIC / "service-worker.js").read_text(encoding="utf-8")
    text = text.replace('"VERSION"', json.dumps(version), 1).replace('["FILES"]', json.dumps(kept), 1)
    write_file(folder / "service-worker.js", text)
    return len(files), size


_TOP = ("index.html", "embed.html", "icon.svg", "manifest.webmanifest")
