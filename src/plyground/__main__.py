"""`python -m plyground`, and the command `plyground`: the command line."""

import sys


def start() -> None:
    """Run the command line; Ctrl-C while it is still loading ends it without a traceback."""
    try:
        from plyground.cli import main
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted\n")
        sys.exit(130)
    main()


if __name__ == "__main__":
    start()
