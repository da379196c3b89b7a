"""What every attack does in the end: say whether the door was open. None of them goes through it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable


def attempt(attacks: dict[str, Callable[..., object]]) -> None:
    """Run the attack that is named, and print `open` with what it got, or `held` with why it did not.

    What it is to work on comes by stdin: a file that a bot's command names is its own.
    """
    try:
        got = attacks[sys.argv[1]](*json.loads(sys.stdin.readline()))
    except (OSError, AssertionError, MemoryError) as error:
        print(f"held {type(error).__name__}: {error}", flush=True)
    else:
        print(f"open {got}", flush=True)
    sys.stdin.read()  # until the test has read it
