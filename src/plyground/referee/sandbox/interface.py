"""How much of this program a bot is given: all of it, or the published student interface as a package of its own."""

from __future__ import annotations

import atexit
import enum
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import plyground
from plyground.core.rules import Rules
from plyground.core.specs import look_up
from plyground.games.text import carried_text, gallery, provide
from plyground.referee.sandbox.scratch import remove_scratch

PUBLISHED = (
    "__init__.py",
    "py.typed",
    "core/*.py",
    "games/*.py",
    "games/gallery/*.game",
    "heuristics/*.py",
    "play/__init__.py",
    "play/clock.py",
    "play/faults.py",
    "play/records/*.py",
    "play/termination.py",
    "play/ugi*.py",
    "referee/__init__.py",
    "referee/protocols/__init__.py",
    "referee/protocols/answering.py",
    "referee/protocols/connectx.py",
    "referee/protocols/python.py",
    "referee/protocols/submission.py",
    "render/__init__.py",
    "render/text.py",
    "search/__init__.py",
    "search/alpha_beta.py",
    "search/analysis.py",
    "search/base.py",
    "search/beam.py",
    "search/deepening.py",
    "search/effort.py",
    "search/limit.py",
    "search/mcts.py",
    "search/minimax.py",
    "search/ranking.py",
    "search/score.py",
    "search/win_value.py",
    "words/__init__.py",
    "words/*.json",
)
"""The files of the student interface; besides them `student.py`, which is its `api.py`.

The weights that the engine has learned are none of them: they are data beside `heuristics/*.py`.
"""

ANSWERS = ("puzzle/shipped",)
"""What no submission may read, be it allowed the engine or not."""


class Program(enum.Enum):
    """How much of this program a bot is given."""

    WHOLE = "whole"
    """All that is installed: bots of a match or a tournament that is nobody's grade."""
    ENGINE = "engine"
    """All but the answers to puzzles: submissions that a teacher allows the engine."""
    STUDENT = "student"
    """The published student interface: submissions otherwise."""

    @staticmethod
    def allowed(words: Iterable[str]) -> Program:
        """What a submission is given with these words of `allow`; ValueError for a word that does not exist."""
        for word in words:
            look_up("word of allow", word, ALLOWED)
        return Program.ENGINE if list(words) else Program.STUDENT


ALLOWED = {"engine": Program.ENGINE}
"""What a teacher can allow, as in `allow = ["engine"]`."""


@cache
def hidden_files(program: Program) -> tuple[Path, ...]:
    """The files and folders of this program that a bot may not read."""
    places = [Path(place).resolve() for place in plyground.__path__]
    if program is Program.STUDENT:
        return tuple(dict.fromkeys([*places, *_installed_beside(places)]))
    answers = [place / name for place in places for name in ANSWERS if program is Program.ENGINE]
    return tuple(path for path in answers if path.exists())


def _installed_beside(places: list[Path]) -> list[Path]:
    """What else was installed with this program, such as the hook that finds one that is being worked at."""
    from importlib.metadata import PackageNotFoundError, files  # slow to import, and hardly ever needed

    try:
        listed = files("plyground") or []
    except PackageNotFoundError:  # it was only copied
        return []
    found = [Path(str(entry.locate())).resolve() for entry in listed]
    outside = [path for path in found if path.exists() and not any(path.is_relative_to(place) for place in places)]
    whole = (next((above for above in path.parents if above.suffix == ".dist-info"), path) for path in outside)
    return [path for path in dict.fromkeys(whole) if path.parent.name != "bin"]


@cache
def student_package() -> Path:
    """A folder with the package `plyground` as submissions import it; removed when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="plyground-student-")).resolve()
    atexit.register(remove_scratch, str(folder))
    folder.chmod(0o755)  # bots may have users of their own
    source = Path(plyground.__file__).parent
    for path in (path for pattern in PUBLISHED for path in source.glob(pattern)):
        _copy(path, folder / "plyground" / path.relative_to(source))
    _copy(source / "student.py", folder / "plyground" / "api.py")
    for text in gallery().values():
        provide(text, folder / "plyground")
    return folder


def provide_game(rules: Rules) -> None:
    """Let submissions know a game that came as text: they have no core to compile it."""
    text = carried_text(rules.name)
    if text is not None and student_package.cache_info().currsize:
        provide(text, student_package() / "plyground")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o644)
