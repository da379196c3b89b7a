"""Debug output where answers belong."""

from honest import lowest_column, move, play, say


def misbehave(moves: list[str]) -> None:
    say("I think about " + lowest_column(moves))
    move(moves)


play(misbehave)
