"""Failures of the machine or of this program, for which no player is at fault."""

from __future__ import annotations


class InternalFailure(OSError):  # noqa: N818  (the opposite of a Fault, and it reads like it)
    """A game cannot go on although no player did anything wrong, such as a sandbox that does not start.

    It never decides a game: the game is played again, or the run stops with the reason.
    """
