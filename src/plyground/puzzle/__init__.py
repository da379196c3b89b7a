"""Puzzles: what they are, where they are stored, and how they are found, answered and checked."""
