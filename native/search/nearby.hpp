// On large boards: the cells near what lies there, which are looked at first.
//
// Where any empty cell can be taken, most of a large board is of no interest: a disc far from all others neither builds
// nor stops anything soon. Near are cells that stand at most two places apart in some pattern. A search that looks at
// near cells only has an opinion, and may find wins; a loss or a draw it proves only with all moves.
#pragma once

#include <algorithm>
#include <vector>

#include "core/mask.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"

namespace plyground {

template <int W>
class Nearby {
  public:
    explicit Nearby(const Tables& tables) : t_(tables) {
        if (!t_.roomy) return;
        around_.resize(t_.cells);
        for (int p = 0; p < t_.patterns; ++p) {
            const auto cells = t_.cells_of[p];
            for (int at = 0; at < static_cast<int>(cells.size()); ++at)
                for (int to = std::max(0, at - REACH); to < std::min<int>(cells.size(), at + REACH + 1); ++to)
                    around_[cells[at]].set(cells[to]);
        }
    }

    // Whether there is so much room that moves far from everything are left for later.
    bool counts() const { return !around_.empty(); }

    // What is near to a placement.
    const Mask<W>& around(int place) const { return around_[place]; }

    Mask<W> near(const Position<W>& position) const {
        Mask<W> near;
        for (int cell = 0; counts() && cell < t_.cells; ++cell)
            if (position.taken(cell)) near = near | around_[cell];
        return near;
    }

  private:
    static constexpr int REACH = 2;

    const Tables& t_;
    std::vector<Mask<W>> around_;  // by cell
};

}  // namespace plyground
