"""The native core, and everything that calls it."""

from plyground.native.bridge import (
    LAYER_BYTES,
    RulesData,
    build,
    compile_game,
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
    "build",
    "compile_game",
    "core_for",
    "perft",
    "position_of",
    "rules_data",
    "state_of",
    "supports",
]
