"""Ways to choose a move: plain ones to read, a fast one to win."""
