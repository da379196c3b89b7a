"""Firefox for the page's tests, driven over WebDriver BiDi: a web socket that the browser opens, and no driver."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

BROWSERS = ("firefox-esr", "firefox")
MISSING = f"no Firefox found ({', '.join(BROWSERS)}): install the package firefox-esr to run these tests"
PATIENCE_SECONDS = 60

PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "toolkit.telemetry.enabled": False,
}
"""What keeps it from asking anybody anything."""


MIDDLE = """(() => {
  const one = document.querySelector(%s);
  one.scrollIntoView({ block: "nearest" });
  const box = one.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})()"""


class Firefox:
    """A browser with one window; each call waits for its answer."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.numbers = count(1)
        self.complaints: list[str] = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.window = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.call("browsingContext.activate", context=self.window)

    def call(self, method: str, **parameters: Any) -> Any:
        """The result of a command; RuntimeError with what the browser says when it fails."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            reported = json.loads(self.socket.recv(timeout=PATIENCE_SECONDS))
            if reported.get("type") == "event":
                self._heard(reported["params"])
            elif reported.get("id") == number:
                if reported["type"] == "error":
                    raise RuntimeError(f"{method}: {reported['error']}: {reported['message']}")
                return reported["result"]

    def _heard(self, entry: dict[str, Any]) -> None:
        if entry.get("level") in ("error", "warn"):
            self.complaints.append(f"{entry['level']}: {entry.get('text')}")

    def size(self, width: int, height: int) -> None:
        """Make the window's inside so large."""
        self.call("browsingContext.setViewport", context=self.window, viewport={"width": width, "height": height})

    def open(self, address: str) -> None:
        """Go to an address and wait until it is loaded."""
        self.call("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """What an expression of JavaScript, or a promise of it, comes to, as JSON values."""
        reported = self.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self.window},
            awaitPromise=True,
        )
        if reported["type"] == "exception":
            raise RuntimeError(f"{expression}: {reported['exceptionDetails']['text']}")
        return json.loads(reported["result"].get("value") or "null")

    def wait(self, expression: str) -> Any:
        """The first value of an expression that is true; TimeoutError when none comes."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            if found := self.evaluate(expression):
                return found
            time.sleep(0.1)
        raise TimeoutError(f"never true: {expression}")

    def click(self, selector: str) -> None:
        """Press the mouse in the middle of what a selector finds, wherever that is on the page."""
        self.wait(f"!!document.querySelector({json.dumps(selector)})")
        x, y = self.evaluate(MIDDLE % json.dumps(selector))
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "actions": [move, *press]})

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        strokes = [{"type": f"key{way}", "value": key} for way in ("Down", "Up")]
        self._act({"type": "key", "id": "keys", "actions": strokes})

    def _act(self, source: dict[str, Any]) -> None:
        self.call("input.performActions", context=self.window, actions=[source])

    def picture(self, path: Path) -> None:
        """Keep what is seen."""
        path.parent.mkdir(parents=True, exist_ok=True)
        data = self.call("browsingContext.captureScreenshot", context=self.window)["data"]
        path.write_bytes(base64.b64decode(data))


@contextmanager
def firefox() -> Iterator[Firefox]:
    """A fresh Firefox; the tests that need it are skipped, saying so, where there is none."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip(MISSING)
    with tempfile.TemporaryDirectory() as profile:
        lines = (f'user_pref("{name}", {json.dumps(value)});\n' for name, value in PREFERENCES.items())
        Path(profile, "user.js").write_text("".join(lines), encoding="utf-8")
        process = subprocess.Popen(
            [path, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "MOZ_HEADLESS": "1", "MOZ_CRASHREPORTER_DISABLE": "1", "HOME": profile},
        )
        try:
            with connect(f"{_address(process)}/session", max_size=None) as socket:
                yield Firefox(socket)
        finally:
            process.kill()
            process.wait()
            assert process.stderr is not None
            process.stderr.close()


def _address(process: subprocess.Popen[str]) -> str:
    """Where the browser listens, which it writes to stderr; a failure with what it wrote when it does not."""
    assert process.stderr is not None
    lines: Queue[str] = Queue()
    threading.Thread(target=_read, args=(process, lines), daemon=True).start()
    wrote: list[str] = []
    try:
        while True:
            wrote.append(lines.get(timeout=PATIENCE_SECONDS))
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", wrote[-1]):
                return found[1]
    except Empty:
        pytest.fail(f"Firefox does not listen; it wrote: {''.join(wrote)}")


def _read(process: subprocess.Popen[str], lines: Queue[str]) -> None:
    assert process.stderr is not None
    with suppress(ValueError):  # the browser is gone and its pipe closed
        for line in process.stderr:
            lines.put(line)
