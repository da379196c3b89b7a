"""A move that does not exist."""

from honest import play, say


def misbehave(_: list[str]) -> None:
    say("bestmove 9")


play(misbehave)
