"""Keeps everything."""

from honest import play


def misbehave(_: list[str]) -> None:
    kept = []
    while True:
        kept.append(b"x" * 1_000_000)


play(misbehave)
