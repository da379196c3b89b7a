"""`python -m plyground`: the command line."""

from plyground.cli import main

main()
