// What the engine says of positions and moves.
//
// Scores are for the side to move; a game won n plies below the root scores WIN - n. Beside its score a search
// reports whether it is proved: whether no heuristic had a say in it. What is proved, every mate included, is the
// truth about a position whatever the depth it was found with.
#pragma once

#include <cstdlib>
#include <vector>

#include "core/evaluate.hpp"
#include "core/rules.hpp"

namespace plyground {

constexpr int WIN = 1'000'000'000;
constexpr int INFINITE = WIN + 1;
constexpr int MAX_LINE = 120;  // plies below the root at which even forced lines end

inline bool is_mate(int score) { return std::abs(score) > MAX_HEURISTIC; }

struct Value {
    int score = 0;
    bool proved = false;
    Value operator-() const { return {-score, proved}; }
};

struct RootMove {
    Move move;
    int score = -INFINITE, depth = 0;
    bool proved = false;
    std::vector<Move> line;
};

struct Deepened {
    bool complete = false;  // false: a limit came first; the rest shows what was found until then
    bool found = false;
    int score = 0;
    bool proved = false;
    std::vector<Move> line;
};

}  // namespace plyground
