"""Answers what the opponent will be asked too."""

from honest import lowest_column, play, say


def misbehave(moves: list[str]) -> None:
    mine = lowest_column(moves)
    say("bestmove " + mine)
    say("bestmove " + lowest_column([*moves, mine]))


play(misbehave)
