"""Two answers to one question."""

from honest import move, play


def misbehave(moves: list[str]) -> None:
    move(moves)
    move(moves)


play(misbehave)
