"""The core in WebAssembly against the native core: nodes per second in node and in a browser, and what a page loads.

All three visit the same nodes from the same positions, one thread each, in turn, and of several rounds the fastest
counts; a ratio of 1 is native speed. Positions of Connect Four that the solver settles are asked of the judge. Sizes
are those of the files as they are and packed by gzip.

Run with `python -m benchmarks.wasm [--quick]`; needs the modules (`make wasm`), and node or a browser. With
`--processor` seconds of the processor are counted, in node only: on a busy machine the clock shows who had to wait.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from benchmarks.browser import browser_here, chromium
from benchmarks.machine import Timing, print_condition
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.games import load
from plyground.judge.judge import Judge
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch
from plyground.web.core_data import core_data
from plyground.web.site.game_data import judge_data
from plyground.web.wasm import HOW_TO_BUILD, modules

HERE = Path(__file__).parent
STATIC = HERE.parent / "src" / "plyground" / "web" / "static"

GAMES = {"connect-four": (0, 8, 16), "polarized-ladder": (0, 6, 12), "double-card": (0, 10, 26)}
"""The games, and after how many random moves each is searched."""

SOLVED = ("connect-four:rows=6,columns=7", (12, 14, 16, 18))
TABLE_MB = 64

Seconds = dict[str, float]


class Work(NamedTuple):
    """One search that is timed."""

    name: str
    game: str
    moves: list[Move]
    nodes: int
    solve: bool = False

    def position(self) -> Position:
        position = Position.start(load(self.game))
        for move in self.moves:
            position = position.play(move)
        return position


def work_of(nodes: int) -> list[Work]:
    """The searches, each of so many nodes."""
    games = [Work(game, game, random_moves(game, plies), nodes) for game, many in GAMES.items() for plies in many]
    game, many = SOLVED
    return [*games, *(Work("judge", game, random_moves(game, plies), 2 * nodes, solve=True) for plies in many)]


def random_moves(game: str, plies: int) -> list[Move]:
    """Random moves after which the game goes on."""
    for seed in range(1000):
        chance, position = random.Random(f"{game} {seed}"), Position.start(load(game))
        moves: list[Move] = []
        while len(moves) < plies and position.moves():
            moves.append(chance.choice(position.moves()))
            position = position.play(moves[-1])
        if not position.outcome():
            return moves
    raise ValueError(f"{game} is over before {plies} plies in every game that was tried")


def native(work: list[Work], clock: Callable[[], float] = time.perf_counter) -> Seconds:
    """What the native core takes."""
    seconds: Seconds = {}
    for item in work:
        position = item.position()
        if item.solve:
            judge = Judge(position.rules, books=())
            run: Callable[[], object] = functools.partial(judge.judge, position, Limit(nodes=item.nodes))
        else:
            search = EngineSearch(table_mb=TABLE_MB)
            run = functools.partial(_last, search, position, Limit(nodes=item.nodes))
        started = clock()
        run()
        seconds[item.name] = seconds.get(item.name, 0.0) + clock() - started
    return seconds


def _last(search: EngineSearch, position: Position, limit: Limit) -> None:
    for _ in search(position, limit):
        pass


def in_node(program: str, file: Path, *how: str) -> Seconds:
    """What node takes."""
    command = [program, str(HERE / "wasm_node.mjs"), str(STATIC), str(file), *how]
    found: Seconds = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


IN_PAGE = """async ({ script, name, data }) => {
  const { Core } = await import("/static/js/core/core.js");
  window.cores ??= {};
  const coreOf = ({ engine }) => (window.cores[engine] ??= Core.load(`/static/wasm/${engine}.wasm`));
  return (await import(script))[name](coreOf, data);
}"""


@contextmanager
def page_with_core() -> Iterator[Callable[[Path, str, Any], Any]]:
    """A page of a browser with the core: what a function of a script, which takes the core and data, answers there."""
    with served() as address, chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(600_000)
        page.goto(f"{address}/static/icon.svg")

        def ask(script: Path, name: str, data: Any) -> Any:
            path = f"/{script.parent.name}/{script.name}"
            return page.evaluate(IN_PAGE, {"script": path, "name": name, "data": data})

        yield ask


class Files(SimpleHTTPRequestHandler):
    """The page's files under /static, and those of this project's scripts."""

    extensions_map: ClassVar[dict[str, str]] = {  # type: ignore[misc]
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
    }

    def translate_path(self, path: str) -> str:
        """Where a file lies."""
        root, _, rest = path.lstrip("/").partition("/")
        return str({"static": STATIC, "benchmarks": HERE, "tests": HERE.parent / "tests"}.get(root, HERE) / rest)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is given)
        """Nothing is written about what is served."""


@contextmanager
def served() -> Iterator[str]:
    """The address of a plain file server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def measured(work: list[Work], rounds: int, processor: bool) -> dict[str, Seconds]:
    """The fastest of several rounds, by where and name of search."""
    clock, how = (time.process_time, ("processor",)) if processor else (time.perf_counter, ())
    games = {item.game: core_data(load(item.game)) for item in work}
    data = {"games": games, "work": [item._asdict() for item in work], "judges": judge_data()}
    best: dict[str, Seconds] = {}
    with ExitStack() as stack:
        file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "work.json"
        file.write_text(json.dumps(data))
        runners: dict[str, Callable[[], Seconds]] = {"native": lambda: native(work, clock)}
        if program := shutil.which("node"):
            runners["node"] = lambda: in_node(program, file, *how)
        if not processor and browser_here() is not None:
            ask = stack.enter_context(page_with_core())
            runners["chromium"] = lambda: ask(HERE / "wasm_work.mjs", "timed", data)
            late = ask(HERE / "wasm_work.mjs", "stopped", data)
            print(f"a search in chromium ends {max(late):.0f} ms after it should, at the latest of {len(late)}\n")
        for _ in range(rounds):
            for where, run in runners.items():
                found, before = run(), best.get(where, {})
                best[where] = {name: min(seconds, before.get(name, seconds)) for name, seconds in found.items()}
    return best


def speeds(best: dict[str, Seconds]) -> str:
    """A table of ratios to native speed."""
    lines = [f"{'':18}" + "".join(f"{where:>10}" for where in best if where != "native")]
    for name, seconds in best["native"].items():
        ratios = (seconds / found[name] for where, found in best.items() if where != "native")
        lines.append(f"{name:18}" + "".join(f"{ratio:10.2f}" for ratio in ratios))
    return "\n".join(lines)


def sizes() -> str:
    """A table of what a page loads for the core."""
    scripts = {f"core/{path.name}": path for path in sorted((STATIC / "js" / "core").glob("*.js"))}
    files = {f"{name}.wasm": path for name, path in modules().items()} | scripts
    lines = [f"{'':18}{'bytes':>10}{'packed':>10}"]
    for name, path in files.items():
        content = path.read_bytes()
        lines.append(f"{name:18}{len(content):10,}{len(gzip.compress(content, 9)):10,}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer nodes and rounds")
    parser.add_argument("--processor", action="store_true", help="seconds of the processor, in node only")
    arguments = parser.parse_args()
    if not modules():
        print(f"no core for the browser here: {HOW_TO_BUILD}", file=sys.stderr)
        return 1
    print_condition(Timing.PROCESSOR if arguments.processor else Timing.CLOCK)
    nodes, rounds = (50_000, 2) if arguments.quick else (300_000, 3)
    best = measured(work_of(nodes), rounds, arguments.processor)
    print(f"speed, native is 1:\n{speeds(best)}")
    print("\nsizes:")
    print(sizes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
