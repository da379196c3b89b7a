"""Games between players: the clock, one game, a match, and the records they leave."""
