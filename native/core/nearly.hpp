// On large boards: the two cells that a pattern lacks, each of which makes a threat of the other.
#pragma once

#include <array>
#include <cstdint>

#include "core/mask.hpp"
#include "core/rules.hpp"

namespace plyground {

template <int W>
class Nearly {
  public:
    // The cells that make a threat of a side once it takes them, and those that may make two.
    const Mask<W>& threatening(int side) const { return threatening_[side]; }
    const Mask<W>& forking(int side) const { return forking_[side]; }

    // A side has a pattern more (+1) or less (-1) that lacks this cell and another.
    template <int D>
    void count(int side, int cell) {
        const int count = counts_[side][cell] += D;
        if (count == (D > 0 ? 1 : 0)) D > 0 ? threatening_[side].set(cell) : threatening_[side].reset(cell);
        if (count == (D > 0 ? 2 : 1)) D > 0 ? forking_[side].set(cell) : forking_[side].reset(cell);
    }

  private:
    std::array<std::array<std::uint8_t, MAX_CELLS>, 2> counts_{};  // by side and empty cell
    std::array<Mask<W>, 2> threatening_{}, forking_{};             // cells with one and with several, by side
};

}  // namespace plyground
