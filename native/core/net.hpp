// A small net: units that add up weights of what lies on the board and count where the sum is above 0.
//
// Every image of the position under the symmetries of the rules is shown to the same units, so that the value is the
// same for all of them. Sums are kept up to date move by move, in whole numbers that fit 16 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/lines.hpp"
#include "core/mask.hpp"
#include "core/refusal.hpp"
#include "core/rules.hpp"

namespace plyground {

// As it is handed over. A row has a weight for each unit; the rows: one for each side to move, one for each side and
// cell with its disc, one for each side and cell it threatens, one for each side, pattern live for it and number of
// cells held, from one to all but one.
struct NetWeights {
    std::vector<std::int8_t> rows;  // end to end
    std::vector<std::int64_t> out;  // what a unit's sum is multiplied by, to the first side
    int shift = 0;                  // the value is their sum, divided by 2 to this
};

class Net {
  public:
    static constexpr int LANES = 128;  // units, once for each image
    using Sums = std::array<std::int16_t, LANES>;

    static constexpr std::int64_t LARGEST_WEIGHT = 127, LARGEST_OUT = 512;
    static constexpr int LARGEST_SHIFT = 30;

    static Refusal refusal_of(const Tables& tables, const NetWeights& weights);

    // Of weights that are not refused.
    Net(const Tables& tables, const NetWeights& weights);

    // A disc is laid.
    void count_disc(Sums& sums, int kind, int cell) const { add(sums, discs_ + side_of_kind_[kind] * cells_ + cell); }

    // A pattern goes from one holding to another: 0, or 1 + the side's number times `holdings` + cells held - 1.
    void change_pattern(Sums& sums, int pattern, int from, int to) const {
        const int first = patterns_ + pattern * 2 * holdings_ - 1;
        if (from) take(sums, first + from);
        if (to) add(sums, first + to);
    }

    // To the first side, with the cells that each side threatens.
    std::int64_t value(Sums sums, int to_move, const std::array<Mask<MAX_CELLS / 64>, 2>& threatened) const {
        add(sums, to_move);
        for (int side = 0; side < 2; ++side)
            threatened[side].each([&](int cell) { add(sums, threats_ + side * cells_ + cell); });
        std::int32_t total = 0;
        for (int lane = 0; lane < LANES; ++lane) total += out_[lane] * (sums[lane] > 0 ? sums[lane] : std::int16_t{0});
        return total >> shift_;
    }

  private:
    OwnList<Sums> rows_;
    alignas(CACHE_LINES) Sums out_{};
    int cells_, holdings_, discs_, threats_, patterns_, shift_;  // in `rows_`: the first of each kind
    std::array<std::uint8_t, 1 << MAX_LAYERS> side_of_kind_{};

    void add(Sums& sums, int row) const {
        const Sums& weights = rows_[row];
        for (int lane = 0; lane < LANES; ++lane) sums[lane] = static_cast<std::int16_t>(sums[lane] + weights[lane]);
    }
    void take(Sums& sums, int row) const {
        const Sums& weights = rows_[row];
        for (int lane = 0; lane < LANES; ++lane) sums[lane] = static_cast<std::int16_t>(sums[lane] - weights[lane]);
    }
};

}  // namespace plyground
