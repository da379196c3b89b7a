"""The archive that Gradescope builds an autograder from: this program, the rubric, what it asks, and two scripts."""

from __future__ import annotations

import json
import sys
import sysconfig
import zipfile
from pathlib import Path

import plyground
from plyground.core.files import replace_file
from plyground.core.rules import Rules
from plyground.course.kept_positions import exam_file, kept_positions, to_json
from plyground.course.rubric import WITH_WORTH, Rubric
from plyground.native import builds

SETUP = """\
#!/usr/bin/env bash
# Run once, when the image of the autograder is built, as source/setup.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
apt-get update -qq
apt-get install -qq -y --no-install-recommends bubblewrap || true
# The core in this archive was compiled for one Python, which its container has or can install.
command -v {python} >/dev/null || apt-get install -qq -y --no-install-recommends {python} {python}-venv
{python} -m venv venv
found="$(venv/bin/python -I -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')"
if [ "$found" != "{suffix}" ]; then
  echo "this autograder is for {python} ({suffix}), got $found: make it with the container's Python" >&2
  exit 1
fi
venv/bin/pip install --quiet click rich
# Among the interpreter's packages, which every sandbox shows to bots.
cp -r source/package/plyground "$(venv/bin/python -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
# The answers are here: for the grader alone, also where nothing but the user keeps a bot from reading files.
chmod -R go= source
"""

RUN = """\
#!/usr/bin/env bash
# Run for every submission, beside source and submission; whatever happens, there is a result to show.
set -u
cd "$(dirname "$0")"
mkdir -p results
PLYGROUND_EXAMS=source/exams venv/bin/python -I -m plyground grade submission '{game}' --rubric source/rubric.toml \\
  --seed {seed} --output results/results.json && exit 0
printf '{{"score": 0, "output": "The autograder failed; please tell your teacher.", "tests": []}}' \\
  > results/results.json
"""


def write_bundle(path: Path, rules: Rules, rubric: Rubric, seed: int) -> None:
    """Write the archive; the program in it is this one, with its core, so its container needs the same Python.

    It would take minutes to find positions to ask about, so these are found here. ValueError where the game has none.

    Upload it as the autograder's zip file. Its container may forbid namespaces: the feedback then says what isolation
    was left.
    """
    package = Path(plyground.__file__).parent
    exams = {
        exam_file(rules, criterion.count, seed, criterion.plies): to_json(
            kept_positions(rules, criterion.count, seed, criterion.plies)
        )
        for criterion in rubric.criteria
        if criterion.kind in WITH_WORTH
    }
    with replace_file(path, private=True) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _add_script(archive, "setup.sh", SETUP.format(python=_python(), suffix=sysconfig.get_config_var("EXT_SUFFIX")))
        _add_script(archive, "run_autograder", RUN.format(game=rules.name, seed=seed))
        archive.writestr("rubric.toml", rubric.to_toml())
        for name, exam in exams.items():
            archive.writestr(f"exams/{name}", json.dumps(exam))
        for source in sorted(package.rglob("*")):
            if source.is_file() and "__pycache__" not in source.parts and source.suffix not in (".so", ".pyd", ".wasm"):
                archive.write(source, f"package/plyground/{source.relative_to(package).as_posix()}")
        for name, core in builds.files():
            archive.write(core, f"package/plyground/native/{name}")


def _python() -> str:
    """The command that starts a Python of this version."""
    return f"python{sys.version_info.major}.{sys.version_info.minor}"


def _add_script(archive: zipfile.ZipFile, name: str, text: str) -> None:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.external_attr = 0o755 << 16
    archive.writestr(entry, text)
