"""The native core, where it was built, and everything that calls it."""

from plyground.native.bridge import LAYER_BYTES, available, core_for, perft, position_of, state_of, supports

__all__ = ["LAYER_BYTES", "available", "core_for", "perft", "position_of", "state_of", "supports"]
