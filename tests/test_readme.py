"""The README is true: its commands, its game and its Python run and give what stands there.

Blocks are run from the top in one folder. A ```python block that begins with `# NAME.py` is that file.
Only times differ from run to run and are not compared.
"""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command import COMMAND, environment, run

pexpect = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r", move \d+: (.*)")


def blocks(language: str) -> Iterator[str]:
    return (text for name, text in BLOCK.findall(README.read_text(encoding="utf-8")) if name == language)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for text in blocks("python"):
        if match := re.match(r"# (\w+\.py)\n", text):
            (tmp_path / match[1]).write_text(text)
    return tmp_path


def comparable(text: str) -> str:
    lines = (line.rstrip() for line in text.splitlines() if not line.startswith("note: no native core"))
    return re.sub(r"\d+\.\d+ s\b", "0.0 s", "\n".join(lines).strip())


def typed(command: str, answers: list[str], folder: Path) -> str:
    """What a terminal shows when the answers are typed at the prompts of a game."""
    child: Any = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *shlex.split(command)[1:]],
        cwd=str(folder),
        env=environment(),
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 80),
    )
    seen = ""
    for answer in answers:
        child.expect(r", move \d+: ")
        seen += child.before + child.after
        child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    return f"{seen}{child.before}".replace("\r\n", "\n")


def test_every_command_gives_what_the_readme_shows(folder: Path) -> None:
    commands = 0
    for block in blocks("console"):
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = session.partition("\n")
            answers = PROMPT.findall(expected)
            if answers:
                told = typed(command, answers, folder)
            else:
                done = run(*shlex.split(command)[1:], where=folder)
                assert done.returncode == 0, command
                told = done.stderr + done.stdout
            assert comparable(told) == comparable(expected), command
            commands += 1
    assert commands >= 3


def test_the_python_in_the_readme_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    examples = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    names: dict[str, Any] = {}
    for text in blocks("python"):
        if ">>>" in text:
            runner.run(examples.get_doctest(text, names, "README", str(README), 0), clear_globs=False)
    results = runner.summarize()
    assert results.attempted >= 5
    assert results.failed == 0
