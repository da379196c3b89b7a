"""Calls home."""

import socket
import sys

from honest import move, play


def misbehave(moves: list[str]) -> None:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5)
    move(moves)


play(misbehave)
