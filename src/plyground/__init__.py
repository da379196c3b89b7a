"""A laboratory for two-player pattern games."""

__version__ = "0.1.0"
