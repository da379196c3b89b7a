"""Exact values and proofs."""
