"""Submissions of students who mean harm: to the class, to its server, or to whoever else is in it."""

from __future__ import annotations

import io
import random
import struct
import zipfile

GOOD = "def choose(position, limit):\n    return position.moves()[0]\n"

SNOOP = """\
import os, sys
def choose(position, limit):
    for place, folders, files in os.walk("/tmp"):
        for name in files:
            try:
                with open(os.path.join(place, name), errors="replace") as file:
                    text = file.read()
            except OSError:
                continue
            if "SECRET" in text.replace("SEC" + "RET\\"", "") and not os.path.samefile(name, __file__):
                sys.stderr.write("found " + text)
    return position.moves()[0]
"""


def archive(files: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return data.getvalue()


def described(command: str) -> bytes:
    """A zip archive with a command in its description."""
    return archive({"submission.toml": f"command = {command!r}\n", "bot.py": GOOD})


def _changed(data: bytes, central: int, local: int, value: int) -> bytes:
    """An archive with a field of two bytes changed in both headers of its first file."""
    changed = bytearray(data)
    for mark, at in ((b"PK\x01\x02", central), (b"PK\x03\x04", local)):
        place = changed.find(mark) + at
        changed[place : place + 2] = struct.pack("<H", value)
    return bytes(changed)


def _corrupt(method: int) -> bytes:
    noise = "".join(random.Random(1).choices("abcdefgh", k=5000))
    changed = bytearray(archive({"bot.py": GOOD + "#" + noise}, method))
    changed[60:90] = b"\xff" * 30
    return bytes(changed)


HOSTILE: dict[str, tuple[str, bytes]] = {
    "many words": ("bot.zip", described("python3 bot.py " + "x " * 500_000)),
    "a reference in words": ("bot.zip", described(f"python3 bot.py {{files:''{'a' * 64}}}/bot.py")),
    "deep expression": ("bot.py", f"{GOOD}x = {'-' * 300_000}1\n".encode()),
    "deep attributes": ("bot.py", f"{GOOD}x = y{'.z' * 100_000}\n".encode()),
    "deep table": ("bot.zip", archive({"submission.toml": "x = " + "[" * 7000, "bot.py": GOOD})),
    "corrupt deflate": ("bot.zip", _corrupt(zipfile.ZIP_DEFLATED)),
    "corrupt LZMA": ("bot.zip", _corrupt(zipfile.ZIP_LZMA)),
    "encrypted": ("bot.zip", _changed(archive({"bot.py": GOOD}), 8, 6, 1)),
    "unknown method": ("bot.zip", _changed(archive({"bot.py": GOOD}), 10, 8, 97)),
    "never ready": ("bot.py", b"import time\nwhile True:\n    time.sleep(1)\n"),
}
"""What they are called, and their files. Each is refused, with a reason."""
