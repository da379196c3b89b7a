"""Names for students who do not want theirs shown: the same again for the same student of the same class."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from itertools import count

COLOURS = (
    "amber", "azure", "black", "blue", "bronze", "coral", "crimson", "emerald", "golden", "green", "grey", "indigo",
    "ivory", "jade", "lilac", "lime", "orange", "pink", "purple", "red", "ruby", "scarlet", "silver", "teal", "violet",
    "white", "yellow",
)  # fmt: skip

ANIMALS = (
    "badger", "bear", "beaver", "bison", "crane", "crow", "deer", "dolphin", "eagle", "falcon", "ferret", "finch",
    "fox", "gecko", "hare", "heron", "horse", "ibis", "jay", "koala", "lemur", "lion", "lynx", "marten", "mole",
    "moose", "newt", "otter", "owl", "panda", "puffin", "quail", "raven", "robin", "seal", "swan", "tapir", "tiger",
    "turtle", "vole", "whale", "wolf", "wren", "yak", "zebra",
)  # fmt: skip


def pseudonym_of(student: str, secret: str, taken: Collection[str]) -> str:
    """A pseudonym that nobody has yet and that says nothing about the student."""
    for attempt in count():
        said = f"pseudonym/{attempt}/{student}".encode()
        number = int.from_bytes(hmac.new(secret.encode(), said, hashlib.sha256).digest())
        name = f"{COLOURS[number % len(COLOURS)]} {ANIMALS[number // len(COLOURS) % len(ANIMALS)]}"
        name += f" {attempt}" if attempt > 20 else ""
        if name not in taken:
            return name
    raise AssertionError("numbers do not end")
