// The best line found below each node on the path of a search, by plies from the root.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/rules.hpp"
#include "search/value.hpp"

namespace plyground {

class BestLines {
  public:
    // Nothing follows that node.
    void end(int plies) { lengths_[plies] = 0; }

    // The best line there is that move and what follows the node it leads to.
    void set(int plies, Move move) {
        lines_[plies][0] = move;
        std::copy_n(lines_[plies + 1].begin(), lengths_[plies + 1], lines_[plies].begin() + 1);
        lengths_[plies] = lengths_[plies + 1] + 1;
    }

    // The same where nothing follows that move.
    void set_last(int plies, Move move) {
        end(plies + 1);
        set(plies, move);
    }

    // The line of a move at the root.
    std::vector<Move> from(Move move) const {
        std::vector<Move> line{move};
        line.insert(line.end(), lines_[1].begin(), lines_[1].begin() + lengths_[1]);
        return line;
    }

  private:
    std::array<std::array<Move, MAX_LINE + 4>, MAX_LINE + 4> lines_{};
    std::array<int, MAX_LINE + 4> lengths_{};
};

}  // namespace plyground
