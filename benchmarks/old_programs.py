"""The tournaments of the documentation: the old programs, the engine at three levels, and bots in other languages.

Run with `python -m benchmarks.old_programs FOLDER [ROUNDS]`; each game's store, and the games packed for
`docs/measured/tournaments`, are written to FOLDER.
It needs node and java, for the two bots that `plyground bot new` writes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.kept import SUFFIX, keep
from benchmarks.machine import Timing, print_condition
from plyground.report.write import write_report
from plyground.tournament import executors
from plyground.tournament.plan import plan_of
from plyground.tournament.play import SOFTWARE
from plyground.tournament.run import run
from plyground.tournament.store import Store

OLD_PROGRAMS = {
    "polarized-ladder": ("cameron-tiago", "team-two", "lavoie", "ayoub-qabbani"),
    "connect-four": ("hazar-isik",),
    "double-card": ("turpin",),
}

LEVELS = (2, 5, 8)


def bots(folder: Path) -> dict[str, str]:
    """The bots of the templates, as players."""
    code = "from plyground.cli import main; main()"
    for language in ("javascript", "java"):
        words = ["bot", "new", str(folder / language), "--language", language]
        subprocess.run([sys.executable, "-c", code, *words], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["javac", str(folder / "java" / "Bot.java")], check=True)
    return {
        "JavaScript bot": f"cmd:node {folder / 'javascript' / 'bot.js'},protocol=json",
        "Java bot": f"cmd:java -Xmx200m -cp {folder / 'java'} Bot,protocol=json",
    }


def main() -> None:
    folder, rounds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4
    folder.mkdir(parents=True, exist_ok=True)
    print_condition(Timing.CLOCK)
    with tempfile.TemporaryDirectory() as name:
        others = {f"engine level {level}": f"engine:level={level}" for level in LEVELS} | bots(Path(name))
        for game, programs in OLD_PROGRAMS.items():
            players = {program: program for program in programs} | others
            plan = plan_of({"game": game, "players": players, "rounds": rounds, "seed": 1})
            plan.check_players()
            path = folder / f"{game}.db"
            path.unlink(missing_ok=True)
            with Store.create(path, "tournament", plan.to_json(), SOFTWARE) as store:
                with executors.local() as (executor, at_once):
                    for number, _ in enumerate(run(plan, store, executor, at_once), start=1):
                        print(f"\r{game}: {number}/{plan.total}", end="", file=sys.stderr, flush=True)
                print(file=sys.stderr)
                keep(store, folder / f"{game}{SUFFIX}")
                write_report(store, "text", sys.stdout)


if __name__ == "__main__":
    main()
