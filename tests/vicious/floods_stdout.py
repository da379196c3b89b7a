"""Lines without end."""

from honest import play, say


def misbehave(_: list[str]) -> None:
    while True:
        say("info string thinking")


play(misbehave)
