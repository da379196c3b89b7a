"""A bot for Connect Four that behaves: UGI, the lowest column that has room."""

import os
import sys
import time
from collections.abc import Callable


def lowest_column(moves: list[str]) -> str:
    return min("12345678", key=lambda column: (moves.count(column), column))


def play(answer: Callable[[list[str]], None]) -> None:
    """Speak UGI, and leave what happens at each `go` to a function of the moves so far."""
    moves: list[str] = []
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ugi":
            say("id name " + sys.argv[0])
            say("ugiok")
        elif word == "isready":
            say("readyok")
        elif word == "position":
            moves = rest.partition("moves")[2].split()
        elif word == "go":
            answer(moves)
        elif word == "quit":
            return


def say(line: str) -> None:
    print(line, flush=True)


def move(moves: list[str]) -> None:
    say("bestmove " + lowest_column(moves))


def leave_a_daemon() -> None:
    """Start a process in a session of its own, which nobody is the parent of."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)
    os.wait()


if __name__ == "__main__":
    play(move)
