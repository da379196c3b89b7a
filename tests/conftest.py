"""Settings for all tests."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from playwright.sync_api import Browser, Page

    from serving import Serving

# The same examples every time, and no clock: a test fails on a busy machine only if it fails on an idle one.
settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")

SLOW_SECONDS = 4 * 3600
"""What a long proof may take before it counts as hanging; for all other tests pyproject.toml says it."""


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C be heard, and keep the user's cache out of it, here and in every process that a test begins.

    A shell that runs a script in the background has Ctrl-C ignored, and whoever is born then ignores it too.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):  # workers have the folder of those who sent them
        os.environ["PLYGROUND_EXAMS"] = tempfile.mkdtemp(prefix="plyground-exams-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove what was found for exams."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["PLYGROUND_EXAMS"], ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the slow tests their time."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))


@pytest.fixture
def ctrl_c_heard() -> Iterator[None]:
    """Have Ctrl-C raise KeyboardInterrupt, whatever the shell or another test made of it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    """A process beside this one, as those have that read and grade what is handed in."""
    from plyground.tournament import executors

    with executors.local(1) as (executor, _):
        yield executor


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    """A server for one visitor at a time; a module may have one of its own under the same name."""
    from plyground.web.security.quotas import Quotas
    from serving import serving

    with serving(quotas=Quotas(workers=1, messages_burst=1000)) as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser."""
    from browsing import browser

    with browser() as started:
        yield started


@pytest.fixture
def page(chromium: Browser, server: Serving) -> Iterator[Page]:
    """The page of a fresh visitor."""
    from browsing import page_of

    with page_of(chromium, server) as opened:
        yield opened
