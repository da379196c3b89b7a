"""Completion in real shells: what Tab offers in bash, zsh and fish."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command import COMMAND, environment, run

LINES = {
    "plyground ana": {"analyse"},
    "plyground show connect-": {"connect-four"},
    "plyground show connect-four:ro": {"connect-four:rows="},
    "plyground show polarized-ladder:variant=": {"polarized-ladder:variant=grounded", "polarized-ladder:variant=open"},
    "plyground play connect-four --second hazar": {"hazar-isik"},
    "plyground play connect-four --second hazar-isik:plies=3,heuristic=cent": {
        "hazar-isik:plies=3,heuristic=centrality"
    },
    "plyground help conn": {"connect-four"},
}
"""What is typed, and the words that may stand in place of the last one."""


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """An environment in which `plyground` is this program, and the home folder is empty."""
    program = tmp_path / "bin" / "plyground"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return environment(PATH=f"{program.parent}:{os.environ['PATH']}", HOME=str(tmp_path), TERM="dumb", PS1="")


def in_bash(line: str, surroundings: dict[str, str], folder: Path) -> set[str]:
    """Bash gives what follows the last : or = of the word only."""
    script = run("completion", "bash").stdout
    asked = f'COMP_LINE="{line}"; COMP_POINT=${{#COMP_LINE}}; compopt() {{ :; }}; _plyground_completion plyground'
    done = subprocess.run(
        ["bash", "-c", f'{script}\n{asked}\nprintf "%s\\n" "${{COMPREPLY[@]}}"'],
        capture_output=True,
        text=True,
        check=True,
        env=surroundings,
        cwd=folder,
    )
    word = line.split(" ")[-1]
    kept = word[: len(re.sub(r"[^:=]*$", "", word))]
    return {kept + each for each in done.stdout.split()}


def in_fish(line: str, surroundings: dict[str, str], folder: Path) -> set[str]:
    code = f"plyground completion fish | source; complete -C {shlex.quote(line)}"
    done = subprocess.run(
        ["fish", "--no-config", "-c", code], capture_output=True, text=True, check=True, env=surroundings, cwd=folder
    )
    assert not done.stderr
    return {each.partition("\t")[0] for each in done.stdout.splitlines()}


def in_zsh(line: str, surroundings: dict[str, str], folder: Path) -> set[str]:
    """What is on the line, or listed below it, after Tab in an interactive zsh."""
    pexpect: Any = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")
    zsh = pexpect.spawn(
        "zsh", ["-f", "-i"], cwd=str(folder), env=surroundings, encoding="utf-8", timeout=60, dimensions=(24, 200)
    )
    try:
        zsh.sendline('autoload -U compinit; compinit -u -D; eval "$(plyground completion zsh)"')
        zsh.sendline('show() { print -r -- "[$BUFFER]"; zle kill-whole-line }; zle -N show; bindkey "^X" show')
        zsh.sendline("PS1=; print re''ady")
        zsh.expect("ready")
        zsh.send(f"{line}\t")
        zsh.send("\x18")
        zsh.expect(r"\[(plyground [^\]]*)\]")
        shown = re.sub(r"\x07|\x1b\[[?\d]*[a-zA-Z]", "", zsh.before)
        typed = zsh.match[1]
    finally:
        zsh.close(force=True)
    if typed != line:
        return {typed.removeprefix(line.rpartition(" ")[0] + " ")}
    return set(shown.rpartition(line)[0].rpartition(line)[2].split())


SHELLS: dict[str, Callable[[str, dict[str, str], Path], set[str]]] = {"bash": in_bash, "fish": in_fish, "zsh": in_zsh}


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_commands_games_players_and_their_options(
    shell: str, line: str, surroundings: dict[str, str], tmp_path: Path
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}, which is not installed here")
    assert {each.rstrip() for each in SHELLS[shell](line, surroundings, tmp_path)} == LINES[line]


def test_zsh_leaves_no_blank_where_a_value_follows(surroundings: dict[str, str], tmp_path: Path) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("needs zsh, which is not installed here")
    assert in_zsh("plyground show connect-four:ro", surroundings, tmp_path) == {"connect-four:rows="}
    assert in_zsh("plyground show connect-", surroundings, tmp_path) == {"connect-four "}


def test_another_shell_is_refused_with_the_known_ones() -> None:
    done = run("completion", "tcsh")
    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr
