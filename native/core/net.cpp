#include "core/net.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace plyground {

namespace {

// How many rows the net of a game has.
std::size_t rows_of(const Tables& tables) {
    return 2 + 4 * static_cast<std::size_t>(tables.cells) +
           2 * static_cast<std::size_t>(tables.patterns) * static_cast<std::size_t>(tables.longest - 1);
}

// The patterns by their cells.
std::map<Cells, int> numbers_of(const Tables& tables) {
    std::map<Cells, int> numbers;
    for (int pattern = 0; pattern < tables.patterns; ++pattern) {
        Cells cells = tables.data.patterns[pattern].cells;
        std::ranges::sort(cells);
        numbers[cells] = pattern;
    }
    return numbers;
}

bool within(const auto& numbers, std::int64_t largest) {
    return std::ranges::all_of(numbers, [&](std::int64_t number) { return -largest <= number && number <= largest; });
}

}  // namespace

Refusal Net::refusal_of(const Tables& tables, const NetWeights& weights) {
    const auto& watches = tables.data.watches;
    if (watches[0].size() != 1 || watches[1].size() != 1 || watches[0] == watches[1])
        return "a net needs a game in which each side has discs of its own";
    if (tables.recycles()) return "a net needs a game in which nothing is lifted again";
    for (const auto& symmetry : tables.group)
        if (!std::ranges::is_sorted(symmetry.layers))
            return "a net needs a game whose symmetries leave the sides alone";
    const auto units = weights.out.size();
    if (units == 0 || units * tables.group.size() > LANES)
        return "a net has 1 to " + std::to_string(LANES / tables.group.size()) + " units, got " + std::to_string(units);
    if (weights.rows.size() != rows_of(tables) * units) return "a net needs a row for all it counts";
    if (!within(weights.rows, LARGEST_WEIGHT) || !within(weights.out, LARGEST_OUT))
        return "a net has weights within " + std::to_string(LARGEST_WEIGHT) + ", and out of units within " +
               std::to_string(LARGEST_OUT);
    if (weights.shift < 0 || weights.shift > LARGEST_SHIFT) return "a net is divided by 2 to 0, up to 2 to 30";
    // Nothing more can be counted at once: the turn, a disc or two threats on each cell, each pattern for one side.
    if ((1 + 2 * tables.cells + tables.patterns) * LARGEST_WEIGHT > INT16_MAX)
        return "the board is too large for a net";
    return {};
}

Net::Net(const Tables& tables, const NetWeights& weights)
    : rows_(rows_of(tables)),
      cells_(tables.cells),
      holdings_(tables.longest - 1),
      discs_(2),
      threats_(2 + 2 * tables.cells),
      patterns_(2 + 4 * tables.cells),
      shift_(weights.shift) {
    for (int side = 0; side < 2; ++side)
        side_of_kind_[1 << tables.data.watches[side].front()] = static_cast<std::uint8_t>(side);
    const auto numbers = numbers_of(tables);
    const int units = static_cast<int>(weights.out.size());
    int lane = 0;
    for (const auto& symmetry : tables.group) {
        // What lies here is shown to the units where the symmetry takes it.
        const auto show = [&](int row, std::size_t image) {
            for (int unit = 0; unit < units; ++unit) rows_[row][lane + unit] = weights.rows[image * units + unit];
        };
        for (int side = 0; side < 2; ++side) {
            show(side, side);
            for (int cell = 0; cell < cells_; ++cell) {
                const int image = symmetry.cells[cell];
                show(discs_ + side * cells_ + cell, discs_ + side * cells_ + image);
                show(threats_ + side * cells_ + cell, threats_ + side * cells_ + image);
            }
        }
        for (const auto& [cells, pattern] : numbers) {
            Cells moved;
            for (int cell : cells) moved.push_back(symmetry.cells[cell]);
            std::ranges::sort(moved);
            const int image = numbers.at(moved);
            for (int side = 0; side < 2; ++side)
                for (int held = 0; held < holdings_; ++held)
                    show(patterns_ + (pattern * 2 + side) * holdings_ + held,
                         patterns_ + (side * tables.patterns + image) * holdings_ + held);
        }
        for (int unit = 0; unit < units; ++unit) out_[lane + unit] = static_cast<std::int16_t>(weights.out[unit]);
        lane += units;
    }
}

}  // namespace plyground
