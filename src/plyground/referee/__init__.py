"""Bots in other processes and any language, none of them trusted: the referee keeps board, clock and order."""
