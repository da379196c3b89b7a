"""The machine that plays every game: cells, rules as data, positions, and their texts."""
