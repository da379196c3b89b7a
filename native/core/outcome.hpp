// How a game ended, and who won.
#pragma once

#include <cstdint>

namespace plyground {

enum class Ending : std::uint8_t { NONE, PATTERN, FULL, LIMIT, STUCK };

struct Outcome {
    Ending ending = Ending::NONE;
    int winner = -1;
    explicit operator bool() const { return ending != Ending::NONE; }
};

}  // namespace plyground
