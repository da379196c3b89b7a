// A small net: units that add up weights of what lies on the board and count where the sum is above 0.
//
// Every image of the position under the symmetries of the rules is shown to the same units, so that the value is the
// same for all of them. Sums are kept up to date move by move, in whole numbers that fit 16 bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/lines.hpp"
#include "core/mask.hpp"
#include "core/refusal.hpp"
#include "core/rules.hpp"

namespace plyground {

// The rows of a net: one for each side to move, one for each side and cell with its disc, one for each side and cell it
// threatens, one for each side, pattern live for it and number of cells held, from one to all but one.
struct NetRows {
    explicit NetRows(const Tables& tables);

    int cells, patterns, holdings;
    std::array<int, 2> kinds{};  // of disc, by side; 0 where a side has not one kind of its own

    int side_of(int kind) const { return kind == kinds[1]; }
    int of_disc(int side, int cell) const { return 2 + side * cells + cell; }
    int of_threat(int side, int cell) const { return 2 + (2 + side) * cells + cell; }
    int of_pattern(int side, int pattern, int held) const {
        return 2 + 4 * cells + (side * patterns + pattern) * holdings + held - 1;
    }
    int count() const { return of_pattern(1, patterns - 1, holdings) + 1; }

    // For each symmetry of the rules which row counts in the image of a position where a row counts in it.
    std::vector<std::vector<int>> images(const Tables& tables) const;
};

// As it is handed over: a row has a weight for each unit.
struct NetWeights {
    std::vector<std::int8_t> rows;  // end to end
    std::vector<std::int64_t> out;  // what a unit's sum is multiplied by, to the first side
    int shift = 0;                  // the value is their sum, divided by 2 to this
};

class Net {
  public:
    static constexpr int LANES = 128;  // units, once for each image
    using Sums = std::array<std::int16_t, LANES>;

    static constexpr std::int64_t LARGEST_OUT = 512;
    static constexpr int LARGEST_SHIFT = 30;

    // The largest weight of a row, so that no sum is too large: less on boards on which more is counted.
    static std::int64_t largest_weight(const Tables& tables) {
        // Nothing more can count at once: the turn, a disc or two threats on each cell, each pattern for one side.
        const std::int64_t most = 1 + 2 * tables.cells + tables.patterns;
        return std::min<std::int64_t>(127, std::numeric_limits<std::int16_t>::max() / most);
    }

    // Why a game can have no net.
    static Refusal refusal_of(const Tables& tables);
    static Refusal refusal_of(const Tables& tables, const NetWeights& weights);

    // Of weights that are not refused.
    Net(const Tables& tables, const NetWeights& weights);

    // A disc is laid.
    void count_disc(Sums& sums, int kind, int cell) const { add(sums, rows_.of_disc(rows_.side_of(kind), cell)); }

    // A pattern goes from one holding to another: 0, or 1 + the side's number times `holdings` + cells held - 1.
    void change_pattern(Sums& sums, int pattern, int from, int to) const {
        const int first = pattern * rows_.holdings;
        if (from) take(sums, first + first_of_holding_[from]);
        if (to) add(sums, first + first_of_holding_[to]);
    }

    // To the first side, with the cells that each side threatens.
    std::int64_t value(Sums sums, int to_move, const std::array<Mask<MAX_CELLS / 64>, 2>& threatened) const {
        add(sums, to_move);
        for (int side = 0; side < 2; ++side)
            threatened[side].each([&](int cell) { add(sums, rows_.of_threat(side, cell)); });
        std::int32_t total = 0;
        for (int lane = 0; lane < LANES; ++lane) total += out_[lane] * (sums[lane] > 0 ? sums[lane] : std::int16_t{0});
        return total >> shift_;
    }

  private:
    OwnList<Sums> weights_;  // by row
    alignas(CACHE_LINES) Sums out_{};
    NetRows rows_;
    int shift_;
    std::vector<int> first_of_holding_;  // the row of the first pattern that is held so

    void add(Sums& sums, int row) const {
        const Sums& weights = weights_[row];
        for (int lane = 0; lane < LANES; ++lane) sums[lane] = static_cast<std::int16_t>(sums[lane] + weights[lane]);
    }
    void take(Sums& sums, int row) const {
        const Sums& weights = weights_[row];
        for (int lane = 0; lane < LANES; ++lane) sums[lane] = static_cast<std::int16_t>(sums[lane] - weights[lane]);
    }
};

}  // namespace plyground
