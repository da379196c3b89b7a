"""Exact scores of Connect Four, and proofs of who wins it."""
