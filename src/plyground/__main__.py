"""`python -m plyground`, and the command `plyground`: the command line."""

import os
import sys

if __name__ == "__main__" and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109  (the first import but these two)
    del sys.path[0]  # `python -m` looks for modules in the current folder first, where anybody's files may be

import signal


def _leave(*_: object) -> None:
    """End on Ctrl-C while the program is still loading: an exception would be raised anywhere in an import."""
    os.write(2, b"\ninterrupted\n")
    os._exit(130)


def start() -> None:
    """Run the command line; Ctrl-C ends it without a traceback, also while it is still loading."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # a shell's background job hears none
    if heard:
        signal.signal(signal.SIGINT, _leave)
    from plyground.cli import main

    try:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:
        _leave()


if __name__ == "__main__":
    start()
