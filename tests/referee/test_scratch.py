"""What a bot leaves in its scratch directory is removed, however it is nested or locked."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from plyground.referee.sandbox.scratch import remove_scratch

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no modes and no depth on Windows")

DEEP_FOLDERS = 1500
"""Folders in each other: more than a path can name and than Python can call itself."""


def nest(where: Path, name: str, depth: int) -> None:
    """Folders in each other, each with a file, made as a bot would: step by step."""
    here = os.open(where, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=inner))
        os.close(here)
        here = inner
    os.close(here)


def test_folders_nested_deeper_than_a_path_can_name_are_removed(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    nest(scratch, "b" * 100, DEEP_FOLDERS)
    nest(scratch, "a", 3)
    assert remove_scratch(str(scratch), seconds=600)
    assert list(tmp_path.iterdir()) == []


def test_what_nobody_may_enter_is_removed_too(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    (scratch / "closed" / "inside" / "deeper").mkdir(parents=True)
    (scratch / "closed" / "inside" / "file").write_text("x")
    for closed in ("closed/inside/deeper", "closed/inside/file", "closed/inside", "closed", ""):
        (scratch / closed).chmod(0)
    assert remove_scratch(str(scratch))
    assert list(tmp_path.iterdir()) == []


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("mine")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "folder").symlink_to(kept)
    (scratch / "inner").mkdir()
    (scratch / "inner" / "folder").symlink_to(kept)
    os.mkfifo(scratch / "pipe")
    assert remove_scratch(str(scratch))
    assert (kept / "file").read_text() == "mine"


def test_a_removal_ends_in_time_and_says_when_something_is_left(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "file").write_text("x")
    assert not remove_scratch(str(scratch), seconds=-1.0)
    assert (scratch / "file").exists()
    shutil.rmtree(scratch)
    assert remove_scratch(str(scratch))  # nothing there is nothing left
