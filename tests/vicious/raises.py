"""An exception nobody catches."""

from honest import play


def misbehave(_: list[str]) -> None:
    raise LookupError("lost my way")


play(misbehave)
