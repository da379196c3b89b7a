"""Positions drawn: as text, as SVG and as pixels."""
