// A position being searched, and what comes of its moves.
#pragma once

#include "core/position.hpp"
#include "core/rules.hpp"
#include "search/tactics.hpp"
#include "search/value.hpp"

namespace plyground {

// What was asked about a position, and what is known so far.
template <int W>
struct Node {
    int alpha;
    const int beta, depth, plies;
    const Key key;
    const bool exhaustive;  // deep enough to see the end of the game: nothing is left to opinion
    Move table_move;
    Sensible<W> plain;      // where no card is lifted
    Value value;            // once it is settled
    int next = 0;           // the depth of its moves
    bool left_out = false;  // whether moves far from everything are

    bool principal() const { return beta - alpha > 1; }
    bool settle(int score, bool proved) {
        value = {score, proved};
        return true;
    }
};

// What has come of the moves tried so far.
struct Tried {
    Value best{-INFINITE, false};
    Move move;
    bool all_proved = true;
    bool beyond = false;  // more than beta: no other move matters
};

}  // namespace plyground
