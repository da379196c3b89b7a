"""Writes beside itself, at home and into the root."""

from pathlib import Path

from honest import move, play


def misbehave(moves: list[str]) -> None:
    here = Path(__file__).parent / "written-by-a-bot"
    here.write_text("I was here")
    move(moves)


play(misbehave)
