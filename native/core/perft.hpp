// Counts of games, which show whether two implementations of the rules agree.
#pragma once

#include <cstdint>
#include <vector>

#include "core/position.hpp"

namespace plyground {

// Games of exactly `depth` more moves; a finished game has no continuation.
template <int W>
std::uint64_t perft(Position<W>& position, int depth) {
    if (depth == 0) return 1;
    std::uint64_t total = 0;
    if (depth == 1) {
        position.any_move([&](Move) { return ++total, false; });
        return total;
    }
    std::vector<Move> moves;
    position.any_move([&](Move move) { return moves.push_back(move), false; });
    const Move before = position.last;
    for (Move move : moves) {
        position.make(move);
        if (!position.outcome()) total += perft(position, depth - 1);
        position.unmake(before);
    }
    return total;
}

}  // namespace plyground
