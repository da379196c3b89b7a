"""Files of the user are written whole or not at all, and only where they belong."""

from __future__ import annotations

import io
import os
import resource
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from plyground.cli import cli
from plyground.cli.output import text_output
from plyground.core.files import replace_file, write_file

OLD = "what was there before"


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_replaced_only_once_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "result.txt"
    path.write_text(OLD)
    with pytest.raises(ZeroDivisionError), replace_file(path) as file:
        file.write(b"%d" % (1 // 0) if file.write(b"half of it") else b"")
    assert path.read_text() == OLD
    write_file(path, "all of it: ä\n")
    assert path.read_bytes() == "all of it: ä\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_names_the_file_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text(OLD)
    program = (
        "import resource, signal, sys\n"
        "from plyground.core.files import write_file\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        f"write_file({str(path)!r}, 'x' * 100_000)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert f"File too large: '{path}'" in ended.stderr
    assert path.read_text() == OLD
    assert list(tmp_path.iterdir()) == [path]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1000


def test_permissions_are_kept_and_private_files_are_for_their_owner(tmp_path: Path) -> None:
    shared, secret = tmp_path / "shared", tmp_path / "secret"
    shared.write_text(OLD)
    shared.chmod(0o640)
    secret.write_text(OLD)
    secret.chmod(0o644)
    write_file(shared, "new")
    write_file(secret, "new", private=True)
    assert (mode_of(shared), mode_of(secret)) == (0o640, 0o600)
    write_file(tmp_path / "fresh", "new")
    mask = os.umask(0)
    os.umask(mask)
    assert mode_of(tmp_path / "fresh") == 0o666 & ~mask


def test_a_link_stays_a_link_and_devices_are_written_to(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text(OLD)
    link.symlink_to(target)
    write_file(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    write_file("/dev/null", "nothing")


def test_a_folder_and_a_place_that_is_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as folder:
        write_file(tmp_path, "new")
    assert folder.value.filename == str(tmp_path)
    with pytest.raises(FileNotFoundError) as missing:
        write_file(tmp_path / "nowhere" / "file", "new")
    assert missing.value.filename == str(tmp_path / "nowhere" / "file")


def test_an_error_about_another_file_keeps_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing, replace_file(tmp_path / "out"):
        (tmp_path / "source").read_text()
    assert missing.value.filename == str(tmp_path / "source")
    with pytest.raises(OSError, match=r"^the store is damaged$"), replace_file(tmp_path / "out"):
        raise OSError("the store is damaged")
    assert not (tmp_path / "out").exists()


def test_results_go_to_a_file_or_to_stdout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with text_output(tmp_path / "out.csv", "utf-8-sig") as out:
        out.write("a,b\n")
    assert (tmp_path / "out.csv").read_bytes() == b"\xef\xbb\xbfa,b\n"
    with text_output(None) as out:
        out.write("a,b\n")
    assert capsys.readouterr().out == "a,b\n"


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, words)), catch_exceptions=False)


class FullDisk(io.BytesIO):
    """A file on a full disk."""

    def write(self, data: object) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    "command",
    [
        lambda store, out: ("report", store, "-o", out / "r.html"),
        lambda store, out: ("tournament", "export", store, "-o", out / "g.pgn"),
        lambda store, out: ("trace", "tic-tac-toe", "--player", "minimax:depth=1", "-o", out / "t.html"),
        lambda store, out: ("puzzles", "make", "tic-tac-toe", "--count", 1, "-o", out / "p.csv"),
    ],
)
def test_a_command_that_cannot_write_names_the_file_and_keeps_the_old_one(
    command: Callable[[Path, Path], tuple[object, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "t.db"
    played = ("--game", "tic-tac-toe", "--players", "random;minimax:depth=1", "--rounds", 1, "--store", store)
    assert run("tournament", "run", *played, "--concurrency", 1).exit_code == 0
    words = command(store, tmp_path)
    (out,) = (word for word in words if isinstance(word, Path) and word != store)
    out.write_text(OLD)
    monkeypatch.setattr("plyground.core.files.os.fdopen", lambda *_: FullDisk())
    with pytest.raises(OSError, match="No space left on device") as failed:
        run(*words)
    assert failed.value.filename == str(out)
    assert out.read_text() == OLD


@pytest.mark.parametrize("name", ["q", "q/nope/..", "q/../q"])
def test_a_folder_with_something_in_it_is_not_written_into_by_any_name(name: str, tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    (tmp_path / "q" / "README.md").write_text(OLD)
    refused = run("bot", "new", f"{tmp_path}/{name}")
    assert refused.exit_code == 2
    assert "is not empty; name a new directory" in refused.stderr
    assert (tmp_path / "q" / "README.md").read_text() == OLD


def test_a_class_is_not_created_over_another_by_any_name(tmp_path: Path) -> None:
    assert run("class", "new", tmp_path / "q").exit_code == 0
    before = (tmp_path / "q" / "class.toml").read_text()
    with pytest.raises(FileExistsError, match="exists already"):
        run("class", "new", f"{tmp_path}/q/nope/..", "--title", "Other")
    assert (tmp_path / "q" / "class.toml").read_text() == before


LOADING = """
import signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
from plyground.__main__ import start
sys.meta_path.insert(0, Interrupting())
sys.argv = ["plyground", "games"]
start()
"""


@pytest.mark.parametrize("module", ["plyground.cli", "click", "plyground.cli.listing", "plyground.games"])
def test_ctrl_c_while_loading_ends_without_a_traceback(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOADING.format(name=module)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 130
    assert "Traceback" not in ended.stderr
    assert "interrupted" in ended.stderr
