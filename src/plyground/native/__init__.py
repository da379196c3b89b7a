"""The native core, where it was built, and everything that calls it."""

from plyground.native.bridge import (
    LAYER_BYTES,
    RulesData,
    available,
    build,
    core_for,
    perft,
    position_of,
    rules_data,
    state_of,
    supports,
)

__all__ = [
    "LAYER_BYTES",
    "RulesData",
    "available",
    "build",
    "core_for",
    "perft",
    "position_of",
    "rules_data",
    "state_of",
    "supports",
]
