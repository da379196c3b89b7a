"""Positions as pictures: text for terminals."""
