"""Books: files that know the right move in many positions of a game."""
