"""Answers before it is asked."""

import sys

from honest import say

for line in sys.stdin:
    if line.startswith("ugi\n"):
        say("ugiok")
    if line.startswith("isready"):
        say("readyok")
        say("bestmove 4")
