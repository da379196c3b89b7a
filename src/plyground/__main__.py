"""`python -m plyground`, and the command `plyground`: the command line, quiet from its first moment on."""

import sys


def start() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it like any other, without a trace."""
    try:
        from plyground.cli import main
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted\n")
        sys.exit(130)
    main()


if __name__ == "__main__":
    start()
