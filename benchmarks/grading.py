"""How long a whole class takes to grade, a third of it hostile or broken, and whether everybody is dealt with.

`python -m benchmarks.grading [--submissions 100] [--hostile 30] [--game connect-four] [--rubric FILE] [--workers 2]`;
with `--usual` by the rubric that `plyground grade` has where none is given. With `--folder DIR --part SECONDS` a run
goes on where the one before was stopped; the time is that of all parts, what was begun twice included.
Sound submissions are made from a few templates (functions, heuristics, searches, the programs that `bot new` writes);
hostile ones are those of the tests of the referee, each with its verdict, and files that are broken in several ways.
They are graded by `plyground grade --each` with the small rubric below, or another one. The run fails when somebody is
missing in the gradebook, or a hostile one was not caught.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import resources
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.machine import Timing, print_condition
from plyground.referee.sandbox.modes import mode_here

TESTS = Path(__file__).parents[1] / "tests"
NEEDS_A_LOCK = ("kills_its_keepers", "writes_files", "opens_sockets")
"""What is a fault only in a whole sandbox."""

SOUND = {
    "greedy": """\
def choose(position, limit):
    def after(move):
        mine = position.play(move).lines(position.to_move)
        return sum(4**n * count for n, count in enumerate(mine))

    return max(position.moves(), key=after)
""",
    "middle": "def choose(position, limit):\n    moves = position.moves()\n    return moves[len(moves) // 2]\n",
    "chance": """\
import random

CHANCE = random.Random({number})


def choose(position, limit):
    return CHANCE.choice(position.moves())
""",
    "heuristic": """\
def lines(position):
    return sum({number} + n**3 * (a - b) for n, (a, b) in enumerate(zip(position.lines(0), position.lines(1))))
""",
    "search": """\
from plyground import alpha_beta


def scout(position, depth, heuristic, effort):
    return alpha_beta(position, depth, heuristic, effort)
""",
}
"""Files that play, by what they are."""

TEMPLATES = ("python", "javascript")
"""What `bot new` writes, handed in as it is."""

RUBRIC = """\
title = "Assignment 1"
time = "1"

[[criterion]]
kind = "legality"
count = 10
points = 30

[[criterion]]
kind = "games"
opponent = "random"
count = 4
points = 30

[[criterion]]
kind = "faults"
points = 20

[[criterion]]
kind = "puzzles"
count = 4
points = 20
"""

BROKEN = {
    "no_python": {"bot.py": "def choose(position limit:\n"},
    "no_function": {"bot.py": "def one(a, b):\n    pass\n\n\ndef two(a, b):\n    pass\n"},
    "nothing": {"readme.txt": "sorry, it is nearly done\n"},
    "no_import": {"bot.py": "import numpi\n\n\ndef choose(position, limit):\n    return position.moves()[0]\n"},
    "no_zip": {"": "PK, but not really"},
}
"""Files that cannot be run, by what is wrong; one without a name is an archive that is none."""


def sound(folder: Path, count: int) -> None:
    """Write submissions that play."""
    kinds = cycle([*SOUND, *TEMPLATES])
    for number, kind in enumerate(islice(kinds, count), start=1):
        own = folder / f"sound-{kind}-{number:03}"
        own.mkdir()
        if kind in SOUND:
            (own / "bot.py").write_text(f"# {number}\n{SOUND[kind].replace('{number}', str(number))}")
            continue
        template = resources.files("plyground.referee").joinpath("templates", kind)
        for file in template.iterdir():
            if file.is_file():  # Python may keep a folder of compiled modules there
                (own / file.name).write_bytes(file.read_bytes())


def hostile(folder: Path, count: int) -> dict[str, str]:
    """Write submissions that are hostile or broken; the verdict that each is to get, empty for the broken ones."""
    verdicts: dict[str, tuple[str, str]] = json.loads((TESTS / "data" / "vicious.json").read_text())
    caught = [name for name in verdicts if name not in NEEDS_A_LOCK or mode_here() == "bubblewrap"]
    written = {}
    for number, name in enumerate(islice(cycle([*BROKEN, *caught]), count), start=1):
        own = f"hostile-{name}-{number:03}"
        if name in BROKEN and "" in BROKEN[name]:
            (folder / f"{own}.zip").write_text(BROKEN[name][""])
        else:
            (folder / own).mkdir()
            for file, text in BROKEN[name].items() if name in BROKEN else vicious(name):
                (folder / own / file).write_text(text)
        written[own] = "" if name in BROKEN else verdicts[name][0]
    return written


def vicious(name: str) -> Iterator[tuple[str, str]]:
    """The files of a bot that misbehaves."""
    yield "submission.toml", f'command = "python3 {name}.py"\nprotocol = "ugi"\n'
    for file in (f"{name}.py", "honest.py"):
        yield file, (TESTS / "vicious" / file).read_text()


def grades_of(table: Path) -> dict[str, dict[str, Any]]:
    """The grades that were kept, by the name of the submission."""
    kept = [json.loads(path.read_text(encoding="utf-8")) for path in table.with_suffix(".grades").glob("*.json")]
    return {grade["submission"]: grade for grade in kept}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=100)
    parser.add_argument("--hostile", type=int, default=30)
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--rubric", type=Path)
    parser.add_argument("--usual", action="store_true", help="the rubric where none is given")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where everything is kept, to go on in the next run")
    parser.add_argument("--part", type=float, metavar="SECONDS", help="stop after so long")
    asked = parser.parse_args()
    print_condition(Timing.CLOCK)
    with tempfile.TemporaryDirectory() as scratch:
        run(asked, asked.folder or Path(scratch))


def run(asked: argparse.Namespace, scratch: Path) -> None:
    """Grade a class in a folder, or go on with it."""
    folder, table, spent = scratch / "handed-in", scratch / "grades.csv", scratch / "seconds"
    folder.mkdir(parents=True, exist_ok=True)
    verdicts = scratch / "verdicts.json"
    if not verdicts.exists():
        sound(folder, asked.submissions - asked.hostile)
        verdicts.write_text(json.dumps(hostile(folder, asked.hostile)))
        (scratch / "roster.csv").write_text(roster(folder))
        (scratch / "rubric.toml").write_text(asked.rubric.read_text() if asked.rubric else RUBRIC)
        spent.write_text("0")
    words = [str(folder), asked.game, "--each", "--roster", f"{scratch}/roster.csv", "--workers", asked.workers]
    words += ["-o", table, *([] if asked.usual else ["--rubric", f"{scratch}/rubric.toml"])]
    nothing_kept = os.environ | {"PLYGROUND_EXAMS": f"{scratch}/exams"}
    started = time.monotonic()
    grading = subprocess.Popen([sys.executable, "-m", "plyground", "grade", *map(str, words)], env=nothing_kept)
    try:
        code = grading.wait(asked.part)
    except subprocess.TimeoutExpired:
        grading.send_signal(signal.SIGINT)
        grading.wait()
        code = None
    seconds = float(spent.read_text()) + time.monotonic() - started
    spent.write_text(str(seconds))
    if code is None:
        print(f"stopped: {len(grades_of(table))} of {asked.submissions} graded after {seconds / 60:.1f} minutes")
    elif code:
        sys.exit(f"grading failed with exit code {code}")
    else:
        report(table, json.loads(verdicts.read_text()), seconds, asked.submissions)


def roster(folder: Path) -> str:
    """Everybody who handed something in."""
    return "id,name\n" + "".join(f"{path.stem},{path.stem}\n" for path in sorted(folder.iterdir()))


def report(table: Path, verdicts: dict[str, str], seconds: float, submissions: int) -> None:
    """Print what was measured; exit with a message where something is wrong."""
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    grades = grades_of(table)
    legal = [row for key, row in rows.items() if key not in verdicts and float(row["legality"]) > 0]
    uncaught = [key for key in verdicts if not rows[key]["problem"] and float(rows[key]["legality"]) > 0]
    exact = [key for key, verdict in verdicts.items() if verdict and verdict in json.dumps(grades[key]["marks"])]
    print(f"{submissions} submissions, {len(verdicts)} of them hostile or broken")
    print(f"  time             {seconds / 60:.1f} minutes")
    print(f"  in the gradebook {len(rows)}")
    print(f"  sound            {len(legal)} with points for legal moves")
    print(f"  caught           {len(verdicts) - len(uncaught)} of {len(verdicts)}")
    print(f"  the very verdict {len(exact)} of {sum(map(bool, verdicts.values()))}")
    if len(rows) != submissions or uncaught or len(legal) != submissions - len(verdicts):
        sys.exit(f"missing {submissions - len(rows)}, not caught: {uncaught}, sound and without points: {len(legal)}")


if __name__ == "__main__":
    main()
