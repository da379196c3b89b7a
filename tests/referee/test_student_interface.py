"""What submissions get of this program: positions, moves, heuristics and plain searches, and no answers."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import plyground
from classes import SETTINGS, new_class
from classes import bot as parcel_of
from plyground import games
from plyground.core.interpreter import interpreter_command
from plyground.course.classroom import Classroom
from plyground.course.grade import Grade, grade
from plyground.course.outputs import written
from plyground.course.rubric import Rubric
from plyground.course.settings import read_settings
from plyground.games.text import gallery, provided_file, rules_of_text
from plyground.play.faults import Fault
from plyground.referee import bots
from plyground.referee.sandbox import modes
from plyground.referee.sandbox.interface import PUBLISHED, Program, hidden_files, student_package
from plyground.referee.sandbox.view import Access, view_of
from plyground.tournament.parcel import pack
from plyground.tournament.plan import Terms, plan_of
from plyground.tournament.submission import read_submission

SOURCE = Path(plyground.__file__).parent

RULES = games.load("tic-tac-toe")
LEGAL = 'time = "30"\n[[criterion]]\nkind = "legality"\ncount = 2\npoints = 10\n'
PUZZLES = 'time = "30"\n[[criterion]]\nkind = "puzzles"\ncount = 12\npoints = 12\n'
ALLOW = 'allow = ["engine"]\n'

ENGINE = """\
import plyground

def choose(position, limit):
    *_, analysis = plyground.load_player("engine:level=10", position.rules).think(position, plyground.Limit(seconds=1))
    return analysis.move
"""

PROGRAM = """\
import json, os, subprocess, sys
{first}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({{"name": "bot"}}), flush=True)
    elif message["type"] == "move":
        print(json.dumps({{"move": message["legal"][0]}}), flush=True)
"""
"""A bot in JSON that does something before it plays."""

NEEDS_THE_CORE = ("plyground.native.compile_game", "plyground.native._core.GameText")
"""What a game as text is read with, imported when one is: for submissions there are the rules in Python."""

FORBIDDEN = (
    "native",
    "solve",
    "books",
    "judge",
    "puzzle",
    "players",
    "tournament",
    "course",
    "web",
    "cli",
    "conformance",
)


@pytest.fixture(params=["bubblewrap", "landlock"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A mode that keeps files from bots."""
    name: str = request.param
    if sys.platform != "linux" or modes.problem_with(name):
        pytest.skip(f"{name} does not work here")
    monkeypatch.setattr("plyground.referee.sandbox.modes.mode_here", lambda: name)
    return name


def graded(folder: Path, rubric: str, game: str = "tic-tac-toe", **files: str) -> Grade:
    """The grade of a folder with these files."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return grade(read_submission(str(folder), "Ada"), games.load(game), Rubric.parse(rubric))


# ------------------------------------------------------------ the package


def imported(path: Path) -> Iterator[str]:
    """The modules of this program that a file of it imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "plyground":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("plyground."))


def test_the_package_has_everything_that_it_imports() -> None:
    package = student_package() / "plyground"
    for path in package.rglob("*.py"):
        for name in imported(path):
            parts = name.split(".")[1:]
            place = package.joinpath(*parts)
            above = place.parent
            whole = SOURCE.joinpath(*parts)
            is_module = whole.is_dir() or whole.with_suffix(".py").exists()
            if is_module:
                above = place
            known = place.with_suffix(".py"), place / "__init__.py", above.with_suffix(".py"), above / "__init__.py"
            if name in NEEDS_THE_CORE:
                continue
            assert any(file.exists() for file in known), f"{path.relative_to(package)} imports {name}"
            assert parts[0] not in FORBIDDEN, f"{path.relative_to(package)} imports {name}"


def games_as_text(package: Path) -> set[str]:
    """The tables of games that came as text, which other tests may have added."""
    return {path.relative_to(package).as_posix() for path in (package / "games" / "compiled").iterdir()}


def test_the_package_has_nothing_but_what_is_published() -> None:
    package = student_package() / "plyground"
    found = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    listed = {path.relative_to(SOURCE).as_posix() for pattern in PUBLISHED for path in SOURCE.glob(pattern)}
    compiled = {provided_file(text, package).relative_to(package).as_posix() for text in gallery().values()}
    assert found - games_as_text(package) == listed | {"api.py"}
    assert compiled <= games_as_text(package)
    assert all(list(SOURCE.glob(pattern)) for pattern in PUBLISHED), "a pattern that nothing fits"
    assert not {name.partition("/")[0] for name in found} & set(FORBIDDEN)
    assert not any(name.endswith((".so", ".jsonl")) for name in found)
    assert {name.partition("/")[0] for name in found - games_as_text(package) if name.endswith(".json")} == {"words"}


def test_the_package_works_alone_and_says_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "tried.py").write_text(
        "import plyground\n"
        "position = plyground.start('connect-four', '44')\n"
        "search = plyground.deepening(plyground.alpha_beta, plyground.load_heuristic('lines', position.rules))\n"
        "*_, best = search(position, plyground.Limit(depth=2))\n"
        "assert best.move in position.moves()\n"
        "print(position)\n"
        "for name in ('judge', 'load_player', 'solve_position', 'puzzles', 'load_book'):\n"
        "    try:\n"
        "        getattr(plyground, name)\n"
        "    except AttributeError as error:\n"
        "        print(error)\n"
    )
    stdlib = [
        path for path in sys.path if path and "site-packages" not in path and not path.startswith(str(SOURCE.parent))
    ]
    command = interpreter_command("tried", path=[str(student_package()), str(tmp_path), *stdlib], bare=True)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("is not there for submissions") == 5
    assert 'allow = ["engine"]' in done.stdout


OWN_GAME = "game Line of Two\nboard square 3\npieces either x o\nlose line 2 in rows"

TEXT_BOT = """\
import plyground

KNOWN = plyground.load_game("yavalath")

def choose(position, limit):
    assert len(KNOWN.patterns) == 231
    return position.moves()[0]
"""


@pytest.mark.parametrize("game", ["connect6", OWN_GAME])
def test_a_submission_plays_games_as_text_without_a_core(game: str, mode: str, tmp_path: Path) -> None:
    found = graded(tmp_path, LEGAL, rules_of_text(game).name if game == OWN_GAME else game, bot_py=TEXT_BOT)
    assert found.points == 10, found.marks


def test_all_of_the_program_is_hidden_with_what_finds_it() -> None:
    hidden = hidden_files(Program.STUDENT)
    for place in plyground.__path__:
        assert Path(place).resolve() in hidden
    assert hidden_files(Program.WHOLE) == ()
    assert [path.name for path in hidden_files(Program.ENGINE)] == ["shipped"]


# ------------------------------------------------------------ graded


def test_an_engine_in_six_lines_cannot_run_in_a_grading(mode: str, tmp_path: Path) -> None:
    found = graded(tmp_path, LEGAL, bot_py=ENGINE)
    assert found.points == 0
    assert "plyground.load_player is not there for submissions" in " ".join(found.marks[0].details).replace("\n", " ")


def test_a_teacher_can_allow_the_engine(mode: str, tmp_path: Path) -> None:
    assert graded(tmp_path, ALLOW + LEGAL, bot_py=ENGINE).points == 10


@pytest.mark.parametrize(
    "way",
    [
        "import plyground.judge",
        "import plyground.native._core",
        "from plyground.puzzle import shelf; shelf.find('x')",
        "subprocess.run([sys.executable, '-m', 'plyground', 'games'], check=True)",
        "open({shipped!r}).read()",
        "open({core!r}, 'rb').read()",
        "import sys; sys.path.insert(0, {source!r}); import plyground.judge",
    ],
)
def test_a_program_reaches_none_of_the_rest(way: str, mode: str, tmp_path: Path) -> None:
    shipped = next((SOURCE / "puzzle" / "shipped").iterdir())
    core = next(path for place in plyground.__path__ for path in (Path(place) / "native").glob("_core*.so"))
    first = way.format(shipped=str(shipped), core=str(core), source=str(SOURCE.parent))
    command = json.dumps(f"{sys.executable} bot.py")
    described = f'command = {command}\nprotocol = "json"\n'
    found = graded(tmp_path, LEGAL, bot_py=PROGRAM.format(first=first), submission_toml=described)
    assert found.points == 0, found.marks
    assert "crash" in " ".join(found.marks[0].details)


def test_a_program_may_use_the_student_interface(mode: str, tmp_path: Path) -> None:
    first = "import plyground; plyground.start('tic-tac-toe').moves()"
    described = f'command = {json.dumps(f"{sys.executable} bot.py")}\nprotocol = "json"\n'
    found = graded(tmp_path, LEGAL, bot_py=PROGRAM.format(first=first), submission_toml=described)
    assert found.points == 10, found.marks


PUZZLE_THIEF = """\
import json, os, sys
import plyground

def solutions():
    for folder in {folders!r}:
        for name in os.listdir(folder):
            with open(os.path.join(folder, name)) as file:
                yield from map(json.loads, file)

if known := list(solutions()):
    sys.exit(f"stole {{len(known)}}")

def choose(position, limit):
    return position.moves()[0]
"""


@pytest.mark.parametrize("allow", ["", ALLOW])
def test_nobody_reads_the_solutions_of_puzzles(allow: str, mode: str, tmp_path: Path) -> None:
    thief = PUZZLE_THIEF.format(folders=[str(SOURCE / "puzzle" / "shipped")])
    found = graded(tmp_path, allow + PUZZLES, "connect-four", bot_py=thief)
    assert found.points == 0
    assert "stole" not in str(found.marks)
    known = bots.load(f"py:{tmp_path}/bot.py,isolation=process", RULES)
    with known, pytest.raises(Fault, match="crash") as caught:  # as it would be without a sandbox
        known.start()
    assert "stole" in caught.value.stderr


@pytest.mark.parametrize("kind", ["heuristic", "search"])
def test_a_submitted_heuristic_gets_a_plain_search_and_no_engine(kind: str, mode: str, tmp_path: Path) -> None:
    texts = {
        "heuristic": "import plyground\ndef worth(position):\n    return len(position.moves())\n",
        "search": "import plyground\ndef scout(position, depth, heuristic, effort):\n"
        "    return plyground.alpha_beta(position, depth, heuristic, effort)\n",
    }
    assert graded(tmp_path, LEGAL, main_py=texts[kind]).points == 10
    stealing = texts[kind].replace("import plyground\n", "import plyground\nimport plyground.judge\n")
    assert graded(tmp_path, LEGAL, main_py=stealing).points == 0


# ------------------------------------------------------------ in a class


def test_a_class_gives_its_bots_the_student_interface_unless_it_allows_more(mode: str, tmp_path: Path) -> None:
    for number, (setting, accepted) in enumerate((("", False), (ALLOW, True))):
        folder = new_class(tmp_path / str(number), "ada", settings=setting + SETTINGS)
        with Classroom.open(folder) as room:
            version = room.check(room.hand_in("ada", "bot.py", parcel_of(ENGINE)))
            assert version.accepted is accepted, version.problem


def test_a_word_of_allow_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    wrong = 'allow = ["engines"]\n'
    with pytest.raises(ValueError, match=r"unknown word of allow 'engines'; did you mean 'engine'\? known: engine"):
        Rubric.parse(wrong + LEGAL)
    with pytest.raises(ValueError, match="unknown word of allow 'engines'"):
        read_settings(new_class(tmp_path / "class", "ada", settings=wrong + SETTINGS))
    for bad in ('allow = "engine"\n', "allow = [1]\n"):
        with pytest.raises(ValueError, match="broken rubric: allow must be a list of texts"):
            Rubric.parse(bad + LEGAL)
    with pytest.raises(ValueError, match="unknown program 'none'"):
        Terms("tic-tac-toe", program="none")


def test_a_rubric_and_a_plan_keep_what_they_allow() -> None:
    rubric = Rubric.parse(ALLOW + LEGAL)
    assert Rubric.parse(rubric.to_toml()) == rubric
    assert (rubric.program, Rubric.parse(LEGAL).program) == (Program.ENGINE, Program.STUDENT)
    plan = plan_of({"game": "tic-tac-toe", "players": {"a": "random", "b": "random"}, "program": "student"})
    assert json.loads(plan.to_json())["program"] == "student"
    assert plan.terms.access(("/x",)) == Access(("/x",), Program.STUDENT)
    assert plan.terms.access(None) == Access()


# ------------------------------------------------------------ its own files and nothing else


def test_what_a_submission_sees_does_not_come_from_its_command(tmp_path: Path) -> None:
    for name in ("ada", "ben", "tool/bin", "tool/lib"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "ben" / "bot.py").write_text("")
    (tmp_path / "tool" / "bin" / "run").write_text("#!/bin/sh\n")
    own = Access((str(tmp_path / "ada"),), Program.STUDENT)
    usual = view_of([sys.executable, str(tmp_path / "ada" / "bot.py")], access=own)
    for words in ([str(tmp_path / "ben" / "bot.py"), "ada/bot.py"], [str(tmp_path)], [f"--x={tmp_path}/ben"]):
        assert view_of([sys.executable, *words], access=own) == usual
    assert view_of([str(tmp_path / "tool" / "bin" / "run")], access=own).own == usual.own
    assert str(tmp_path / "ada") in usual.own


STOLEN = "open({path!r}).read()"


@pytest.mark.parametrize("words", ["{rival} bot.py", "--files {rival},{folder} bot.py", "{folder} bot.py"])
def test_a_command_that_names_a_rival_shows_nothing_of_it(words: str, mode: str, tmp_path: Path) -> None:
    for name in ("ada", "ben"):
        (tmp_path / name).mkdir()
    rival = tmp_path / "ben" / "bot.py"
    rival.write_text("SECRET = 1\n")
    program = PROGRAM.format(first=STOLEN.format(path=str(rival)))
    given = words.format(rival=rival, folder=rival.parent).replace("bot.py", "ada.py")
    given = given.replace("ben/ada.py", "ben/bot.py")
    command = f"{sys.executable} ada.py {given}"
    (tmp_path / "ada" / "ada.py").write_text(program)
    (tmp_path / "ada" / "submission.toml").write_text(f'command = {json.dumps(command)}\nprotocol = "json"\n')
    found = grade(read_submission(str(tmp_path / "ada"), "Ada"), RULES, Rubric.parse(LEGAL))
    assert found.points == 0
    assert "No such file" in str(found.marks) or "Permission" in str(found.marks)


# ------------------------------------------------------------ what it imports


def test_a_grade_says_what_a_submission_imports(tmp_path: Path) -> None:
    text = "import json, os.path\nimport helper\nfrom plyground import judge, Limit\nimport plyground.search.score\n"
    text += "def choose(position, limit):\n    from random import choice\n    return choice(position.moves())\n"
    found = graded(tmp_path, ALLOW + LEGAL, bot_py=text, helper_py="import heapq\n", broken_py="def (")
    named = ["heapq", "json", "os", "plyground.Limit", "plyground.judge", "plyground.search.score", "random"]
    assert list(found.imports) == named
    assert found.to_json()["imports"] == named
    assert "It imports heapq, json, os, plyground.Limit" in written(found, "text")
    assert "It imports heapq, json" in written(found, "html")
    assert json.loads(written(found, "gradescope"))["extra_data"]["imports"] == named


def test_a_check_in_a_class_says_what_a_version_imports(tmp_path: Path) -> None:
    with Classroom.open(new_class(tmp_path / "class", "ada")) as room:
        text = "import random\n\ndef choose(position, limit):\n    return random.choice(position.moves())\n"
        version = room.check(room.hand_in("ada", "bot.py", parcel_of(text)))
        assert version.accepted
        assert next((found.task, found.note) for found in version.findings) == ("imports", "random")


def test_another_students_parcel_cannot_be_named(tmp_path: Path) -> None:
    spec = "cmd:python3 /x/bot.py {files:" + "0" * 64 + "}/bot.py"
    with pytest.raises(ValueError, match=r"a command may not contain '\{files:0+\}': name files of your own folder"):
        pack(spec, Path("/x"), parcel_of("pass"))
