// What the searches as JavaScript sees them share. The engine and the prover keep one table each, whatever the game.
#pragma once

#include <cstdint>
#include <string>

#include "core/evaluate.hpp"

namespace plyground::wasm {

// Give up what earlier searches have found, and its memory. A module that only plays has no proofs.
void forget_engine();
[[gnu::weak]] void forget_proofs();

inline void forget_searches() {
    forget_engine();
    if (forget_proofs) forget_proofs();
}

inline std::string unsound(std::int64_t value) {
    return "a heuristic must stay within ±" + std::to_string(MAX_HEURISTIC) + ", got " + std::to_string(value);
}

}  // namespace plyground::wasm
