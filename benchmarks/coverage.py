"""What the tests run of the program, by package.

python -m benchmarks.coverage                           all quick tests, in parts; one that was stopped goes on
python -m benchmarks.coverage tests/core/test_position.py    only these, which the heading names
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

FOLDER = Path("build/coverage")
"""What the parts that are done have covered, and for which commit."""

PARTS = 12

OPTIONS = ("-n", "2", "-p", "benchmarks.coverage_lock", "--cov", "--cov-report=")


class Covered(NamedTuple):
    """Of some lines and branches: how many there are, how many a test runs."""

    all: int
    run: int

    def __add__(self, other: object) -> Covered:
        assert isinstance(other, Covered)
        return Covered(self.all + other.all, self.run + other.run)

    @property
    def share(self) -> float:
        """Of 1."""
        return self.run / self.all if self.all else 1.0


def by_package(files: dict[str, Covered]) -> dict[str, Covered]:
    """The sums of each package below `plyground`."""
    sums: dict[str, Covered] = defaultdict(lambda: Covered(0, 0))
    for path, covered in files.items():
        inside = Path(path).as_posix().partition("plyground/")[2]
        sums[inside.partition("/")[0] if "/" in inside else "public names and others"] += covered
    return dict(sorted(sums.items()))


def run(tests: list[str]) -> None:
    """Run the given tests, or all quick ones part by part, each in a process of its own; what was done is kept."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout
    noted = FOLDER / "commit"
    if tests or not noted.exists() or noted.read_text(encoding="utf-8") != commit:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        noted.write_text("" if tests else commit, encoding="utf-8")
    every = sorted(map(str, Path("tests").glob("*/test_*.py")))
    for number, part in enumerate([tests] if tests else [every[start::PARTS] for start in range(PARTS)], start=1):
        kept = FOLDER / f"part-{number}"
        if kept.exists():
            continue
        command = [sys.executable, "-m", "pytest", "-q", *OPTIONS, *part]
        running = FOLDER / f"running-{number}"
        env = os.environ | {"COVERAGE_FILE": str(running)}
        done = subprocess.run(command, env=env, stdout=sys.stderr, check=False)
        if done.returncode:
            sys.exit(f"part {number} of the tests failed; the parts before it are kept")
        running.replace(kept)


def measured() -> dict[str, Covered]:
    """What the parts together have covered, by file."""
    parts = sorted(map(str, FOLDER.glob("part-*")))
    os.environ["COVERAGE_FILE"] = str(FOLDER / "all")
    subprocess.run([sys.executable, "-m", "coverage", "combine", "--quiet", "--keep", *parts], check=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        command = [sys.executable, "-m", "coverage", "json", "--quiet", "-o", str(report)]
        subprocess.run(command, check=True)
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {path: covered_of(file["summary"]) for path, file in files.items()}


def covered_of(summary: dict[str, int]) -> Covered:
    """Lines and branches of a file together."""
    lines = Covered(summary["num_statements"], summary["covered_lines"])
    return lines + Covered(summary.get("num_branches", 0), summary.get("covered_branches", 0))


def main() -> None:
    """Print the table."""
    named = [Path(name).stem.removeprefix("test_") for name in sys.argv[1:]]
    tests = f"{len(named)} files of them: {' '.join(named)}" if named else "all quick ones"
    run(sys.argv[1:])
    packages = by_package(measured())
    print(f"lines and branches of the Python code that the tests run ({tests})")
    for name, covered in {**packages, "all": sum(packages.values(), Covered(0, 0))}.items():
        print(f"  {name:<24}  {covered.all:>6,}  {covered.share:>7.1%}")


if __name__ == "__main__":
    main()
