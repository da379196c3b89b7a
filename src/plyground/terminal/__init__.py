"""A game at the terminal: questions, the board, people and programs taking turns."""
