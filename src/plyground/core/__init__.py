"""The base of every game: cells, rules as data, positions, and their texts."""
