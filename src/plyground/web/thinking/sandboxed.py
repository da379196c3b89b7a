"""Code that a visitor has typed: it runs in the sandbox of bots, never in a process of the server."""

from __future__ import annotations

import json
import math
import time

from plyground.core.interpreter import interpreter_command
from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault
from plyground.referee.sandbox.limits import Limits
from plyground.referee.sandbox.modes import mode_here
from plyground.referee.sandbox.process import BotProcess
from plyground.referee.sandbox.view import Access

CLOSED_MODES = ("bubblewrap", "landlock")
"""The ways of isolation that keep code from the files and the network of the machine."""

START_SECONDS = 10.0
"""How long the interpreter may take beside the check itself, on a busy machine."""

OUTPUT_KB = 4096
"""How much the answer may be: the report with its trees."""


def typed_answer(job: dict[str, object], seconds: float, wall_seconds: float) -> dict[str, object]:
    """The answer of `plyground.web.typed` to a job that may compute for some seconds; ValueError where there is none.

    Also where this machine has no sandbox that is closed: then nobody's code is run.
    """
    if mode_here() not in CLOSED_MODES:
        raise ValueError(
            "this server cannot keep your code from its files, so it does not run it; check the file on your own "
            "machine: plyground check FILE GAME"
        )
    limits = Limits(cpu=math.ceil(2 * seconds + START_SECONDS), output=OUTPUT_KB)
    try:
        process = BotProcess(interpreter_command("plyground.web.typed"), limits, Access(files=()))
        try:
            process.begin_move()
            process.send(json.dumps(job | {"seconds": seconds}))
            line = process.read(time.monotonic() + wall_seconds)
        finally:
            process.close()
    except Fault as fault:
        raise ValueError(f"your code ended its process: {fault.why}") from None
    except InternalFailure as failure:
        raise ValueError(f"the sandbox failed, which is no fault of your code; try again: {failure}") from None
    if line is None:
        return {"error": {"code": "slow", "message": f"no answer after {wall_seconds:g} s", "line": None}}
    found: dict[str, object] = json.loads(line)
    return found
