"""Positions to solve: what they are, where they are kept, how they are found, answered and checked."""
