"""A bot that plays any game: it reads one question per line and answers with one line, both JSON. Change `choose`."""

import json
import random
import sys
from typing import Any


def choose(question: dict[str, Any]) -> str:
    """One of the legal moves. This is where your ideas go.

    question["legal"]     the moves you may play
    question["moves"]     everything played so far, from the empty board on
    question["side"]      "first" or "second": who you are
    question["position"]  the board as text
    question["seconds"]   how long you may think
    """
    move: str = random.choice(question["legal"])
    return move


def main() -> None:
    """Answer until the referee says that it is over. To see what happens, print to stderr, never to stdout."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            print(json.dumps({"name": "my bot"}), flush=True)
        elif message["type"] == "move":
            print(json.dumps({"move": choose(message)}), flush=True)
        elif message["type"] == "end":
            return


main()
