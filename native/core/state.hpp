// A position as plain data: what goes in and out of the core.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rules.hpp"

namespace plyground {

struct State {
    std::vector<std::uint8_t> kinds;  // the layers on each cell
    int ply = 0;
    std::vector<int> cards;  // lowest first; only where they can be lifted again
    Move last;
};

// The board before the first move.
inline State start_of(const Tables& tables) { return {std::vector<std::uint8_t>(tables.cells), 0, {}, {}}; }

}  // namespace plyground
