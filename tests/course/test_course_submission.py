"""What students hand in: looked at, never imported, and made into a player that runs in the sandbox."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from plyground.tournament.submission import BadSubmission, read_submission

BOT = "def choose(position, limit):\n    return position.moves()[0]\n"
HEURISTIC = "def threats(position):\n    return 0\n"
BOMB = "raise SystemExit('imported')\n"


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_with_choose_is_a_bot(tmp_path: Path) -> None:
    path = file(tmp_path, "ann.py", BOT + BOMB)
    submission = read_submission(str(path))
    assert (submission.name, submission.spec) == ("ann", f"py:{path.resolve()}")


def test_a_file_with_one_function_of_a_position_is_a_heuristic_in_the_sandbox(tmp_path: Path) -> None:
    path = file(tmp_path, "threats.py", HEURISTIC + "def _helper(a, b):\n    pass\n" + BOMB)
    spec = read_submission(str(path)).spec
    assert spec == f"alpha-beta:depth=2,heuristic={path.resolve()}:threats,isolated=yes"


def test_a_folder_begins_with_its_main_file(tmp_path: Path) -> None:
    main = file(tmp_path, "ben/bot.py", BOT)
    file(tmp_path, "ben/helper.py", "X = 1\n")
    submission = read_submission(str(tmp_path / "ben"))
    assert (submission.name, submission.spec, len(submission.files)) == ("ben", f"py:{main.resolve()}", 2)


def test_a_folder_may_say_how_it_is_run(tmp_path: Path) -> None:
    script = file(tmp_path, "cleo/Player.java", "class Player {}")
    file(tmp_path, "cleo/submission.toml", 'command = "java -Xmx64m Player.java"\nprotocol = "json"')
    assert read_submission(str(tmp_path / "cleo")).spec == f"cmd:java -Xmx64m {script.resolve()},protocol=json"


def test_a_folder_in_a_folder_is_found(tmp_path: Path) -> None:
    main = file(tmp_path, "dan/homework/bot.py", BOT)
    assert read_submission(str(tmp_path / "dan")).spec == f"py:{main.resolve()}"


@pytest.mark.parametrize("language", ["python", "java", "javascript"])
def test_what_students_start_with_can_be_handed_in(language: str) -> None:
    template = resources.files("plyground.referee").joinpath("templates", language)
    spec = read_submission(str(template)).spec
    assert spec.startswith("cmd:")
    assert spec.endswith("protocol=json")


@pytest.mark.parametrize("ending", ["main()\n", "if __name__ == '__main__':\n    main()\n"])
def test_a_program_with_functions_of_its_own_is_run(ending: str, tmp_path: Path) -> None:
    path = file(tmp_path, "ann.py", f"def main():\n    pass\n\n\ndef choose(question):\n    pass\n\n\n{ending}")
    assert read_submission(str(path)).spec == f"cmd:python3 {path.resolve()},protocol=json"


def test_specs_stay_as_they_are() -> None:
    assert read_submission("engine:level=2").spec == "engine:level=2"
    assert read_submission("cmd:./mybot,protocol=json").spec == "cmd:./mybot,protocol=json"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"x/notes.txt": "hello"}, "x: nothing to run; name the file submission.toml or bot.py"),
        ({"x/bot.py": "def choose(:\n"}, "bot.py is no Python"),
        ({"x/bot.py": ""}, "bot.py is empty"),
        ({"x/bot.py": "def a(p): pass\ndef b(p): pass\n"}, r"expected choose\(position, limit\).*found a, b"),
        ({"x/submission.toml": "command = 3"}, "submission.toml: expected command"),
        ({"x/submission.toml": "command = "}, "submission.toml: Invalid value"),
    ],
)
def test_what_cannot_be_run_is_refused_with_the_reason(tmp_path: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        file(tmp_path, name, text)
    with pytest.raises(BadSubmission, match=message):
        read_submission(str(tmp_path / "x"))


@pytest.mark.parametrize(
    ("name", "message"),
    [("bot.ipynb", "is a notebook: export it as a Python file"), ("bot.txt", "is no program: expected .py, .js")],
)
def test_what_no_system_runs_is_refused_before_it_is_tried(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(BadSubmission, match=message):
        read_submission(str(tmp_path / name))


def test_a_fingerprint_changes_with_the_files_and_not_with_the_place(tmp_path: Path) -> None:
    one, same, other = (file(tmp_path, f"{n}/bot.py", text) for n, text in enumerate((BOT, BOT, BOT + "\n")))
    prints = [read_submission(str(path)).fingerprint for path in (one, same, other)]
    assert prints[0] == prints[1] != prints[2]
    assert len(prints[0]) == 64
