"""Running what a page of documentation shows: commands, sessions at a terminal, Python, files.

The blocks of a page run from the top in one folder.

| block | what happens |
|---|---|
| console | each line after `$ ` runs in a shell; what follows it must be what it prints |
| sh | each line runs in a shell |
| python with `>>>` | runs as a doctest; the names are shared by the whole page |
| python, toml, ... that begins with `# NAME` | is that file |
| other python | runs |
| json | is JSON, line by line |
| text | is there to be read |

In what is shown `...` stands for anything, alone in a line for any lines or none. Times differ from run to run and are
not compared. A game with prompts is typed at a real terminal. `make` is asked only
whether it knows the target, `plyground serve` is stopped once it listens.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from command import COMMAND, environment
from warm import USABLE, WARM

PROJECT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```([\w+-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?:#|//) ([\w-]+\.\w+)\n")
PROMPT = re.compile(r"(?:, move \d+|, or Enter to leave): ?(.*)")
ANYTHING = "..."
FOR_A_SHELL = re.compile(r"[|<>&;$*?`~()]")
"""What a shell makes something of; a command without it is run without one."""


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """Every block of code with its language; pictures and other directives are none."""
    return iter(BLOCK.findall(page.read_text(encoding="utf-8")))


def comparable(text: str) -> str:
    """A text without what differs from run to run and from machine to machine."""
    lines = (line.rstrip() for line in text.splitlines() if not line.startswith("note: the native core is missing"))
    return re.sub(r"\d+\.\d+ s\b", "0.0 s", "\n".join(lines).strip())


def agrees(shown: str, reported: str) -> bool:
    """Whether a program printed what a page shows."""
    lines = (
        r"(?:[^\n]*\n)*" if line == ANYTHING else ".*".join(map(re.escape, line.split(ANYTHING))) + "\n"
        for line in comparable(shown).splitlines()
    )
    return re.fullmatch("".join(lines), comparable(reported) + "\n", re.DOTALL) is not None


@dataclass
class Page:
    """A page that is being run."""

    path: Path

    folder: Path
    """Where it runs."""

    names: dict[str, Any] = field(default_factory=dict)
    """What its Python has defined so far."""

    ran: int = 0
    """How many commands and examples."""

    reported: list[str] = field(default_factory=list)
    """What each command printed."""

    def run(self) -> None:
        """Everything on the page; AssertionError where it shows what is not so."""
        for language, text in blocks(self.path):
            if match := FILE.match(text):
                (self.folder / match[1]).write_text(text, encoding="utf-8")
            elif language == "console":
                self._console(text)
            elif language == "sh":
                self._console("".join(f"$ {line}\n" for line in text.splitlines()))
            elif language == "python":
                self._python(text)
            elif language == "json":
                assert [json.loads(line) for line in text.splitlines()], text
            else:
                assert language == "text", f"a block of {language} is not run by anybody: {text}"

    def _console(self, text: str) -> None:
        for session in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, shown = session.partition("\n")
            reported = self._output_of(command, shown)
            self.reported.append(reported)
            assert not shown.strip() or agrees(shown, reported), (
                f"{command}\n--- shown\n{shown}\n--- printed\n{reported}"
            )
            self.ran += 1

    def _output_of(self, command: str, shown: str) -> str:
        words = shlex.split(command, comments=True)
        if words[0] == "cd":
            self.folder = (self.folder / words[1]).resolve(strict=True)
            return ""
        if words == [".", ".venv/bin/activate"]:  # done already: these tests run in there
            return ""
        if words[0] == "make":
            subprocess.run(["make", "--dry-run", *words[1:]], cwd=PROJECT, check=True, capture_output=True)
            return shown
        if words[:2] == ["plyground", "serve"]:
            return self._served(words)
        if answers := PROMPT.findall(shown):
            return typed(command, answers, self.folder)
        if USABLE and words[0] == "plyground" and not FOR_A_SHELL.search(command):
            code, out, _ = WARM.run(words[1:], self._environment(), self.folder, merged=True)
        else:
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=120,
            )
            code, out = done.returncode, done.stdout
        reported = out.decode()
        assert code == 0, f"{command}\n{reported}"
        return reported

    def _served(self, words: list[str]) -> str:
        with subprocess.Popen(
            [*COMMAND, *words[1:], "--port", "0"], cwd=self.folder, env=self._environment(), stderr=subprocess.PIPE
        ) as server:
            assert server.stderr is not None
            try:
                return next(line.decode() for line in server.stderr if b"http" in line)
            finally:
                server.send_signal(signal.SIGINT)

    def _environment(self) -> dict[str, str]:
        """The usual plain terminal, with the commands that were installed beside this Python."""
        return environment(PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")

    def _python(self, text: str) -> None:
        here = Path.cwd()
        os.chdir(self.folder)
        try:
            if ">>>" not in text:
                exec(compile(text, str(self.path), "exec"), self.names)
                self.ran += 1
                return
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            example = doctest.DocTestParser().get_doctest(text, self.names, self.path.name, str(self.path), 0)
            reported: list[str] = []
            result = runner.run(example, out=reported.append, clear_globs=False)
            self.names |= example.globs
            assert result.failed == 0, "".join(reported)
            self.ran += result.attempted
        finally:
            os.chdir(here)


def typed(command: str, answers: list[str], folder: Path) -> str:
    """What a terminal shows when the answers are typed at the prompts of a game."""
    pexpect = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")
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
        child.expect(r"(, move \d+|, or Enter to leave): ")
        seen += child.before + child.after
        child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    return f"{seen}{child.before}".replace("\r\n", "\n")
