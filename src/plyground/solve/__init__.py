"""Exact values and proofs: what is known about a game rather than thought."""
