#include "core/net.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>

namespace plyground {

namespace {

constexpr std::int64_t COARSEST = 16;  // a net whose weights have to be smaller than this is of no use

Cells sorted(Cells cells) {
    std::ranges::sort(cells);
    return cells;
}

// The patterns by their cells.
std::map<Cells, int> numbers_of(const Tables& tables) {
    std::map<Cells, int> numbers;
    for (int pattern = 0; pattern < tables.patterns; ++pattern)
        numbers[sorted(tables.data.patterns[pattern].cells)] = pattern;
    return numbers;
}

bool within(const auto& numbers, std::int64_t largest) {
    return std::ranges::all_of(numbers, [&](std::int64_t number) { return -largest <= number && number <= largest; });
}

}  // namespace

NetRows::NetRows(const Tables& tables) : cells(tables.cells), patterns(tables.patterns), holdings(tables.longest - 1) {
    for (int side = 0; side < 2; ++side) {
        std::set<int> laid;
        for (const auto& covered : tables.covered[side])
            for (auto [cell, kind] : covered) laid.insert(kind);
        if (laid.size() == 1 && std::has_single_bit(static_cast<unsigned>(*laid.begin()))) kinds[side] = *laid.begin();
    }
}

std::vector<std::vector<int>> NetRows::images(const Tables& tables) const {
    std::vector<std::vector<int>> images;
    const auto numbers = numbers_of(tables);
    for (const auto& symmetry : tables.group) {
        auto& image = images.emplace_back(count());
        for (int side = 0; side < 2; ++side) {
            image[side] = side;
            for (int cell = 0; cell < cells; ++cell) {
                image[of_disc(side, cell)] = of_disc(side, symmetry.cells[cell]);
                image[of_threat(side, cell)] = of_threat(side, symmetry.cells[cell]);
            }
            for (const auto& [own, pattern] : numbers) {
                Cells moved;
                for (int cell : own) moved.push_back(symmetry.cells[cell]);
                const int to = numbers.at(sorted(moved));
                for (int held = 1; held <= holdings; ++held)
                    image[of_pattern(side, pattern, held)] = of_pattern(side, to, held);
            }
        }
    }
    return images;
}

Refusal Net::refusal_of(const Tables& tables) {
    if (tables.recycles()) return "a net needs a game in which nothing is lifted again";
    if (const auto kinds = NetRows(tables).kinds; !kinds[0] || !kinds[1] || kinds[0] == kinds[1])
        return "a net needs a game in which each side has discs of its own";
    for (const auto& symmetry : tables.group)
        if (!std::ranges::is_sorted(symmetry.layers))
            return "a net needs a game whose symmetries leave the sides alone";
    if (tables.longest < 2 || static_cast<int>(numbers_of(tables).size()) != tables.patterns)
        return "a net needs patterns of two cells or more, no two of the same cells";
    if (largest_weight(tables) < COARSEST) return "the board is too large for a net";
    return {};
}

Refusal Net::refusal_of(const Tables& tables, const NetWeights& weights) {
    if (auto refusal = refusal_of(tables)) return refusal;
    const auto units = weights.out.size();
    if (units == 0 || units * tables.group.size() > LANES)
        return "a net has 1 to " + std::to_string(LANES / tables.group.size()) + " units, got " + std::to_string(units);
    if (weights.rows.size() != static_cast<std::size_t>(NetRows(tables).count()) * units)
        return "a net needs a row for all it counts";
    if (!within(weights.rows, largest_weight(tables)) || !within(weights.out, LARGEST_OUT))
        return "a net has weights within " + std::to_string(largest_weight(tables)) + ", and out of units within " +
               std::to_string(LARGEST_OUT);
    if (weights.shift < 0 || weights.shift > LARGEST_SHIFT) return "a net is divided by 2 to 0, up to 2 to 30";
    return {};
}

Net::Net(const Tables& tables, const NetWeights& weights)
    : weights_(NetRows(tables).count()), rows_(tables), shift_(weights.shift), first_of_holding_(1) {
    for (int side = 0; side < 2; ++side) {
        for (int held = 1; held <= rows_.holdings; ++held) first_of_holding_.push_back(rows_.of_pattern(side, 0, held));
    }
    const int units = static_cast<int>(weights.out.size());
    int lane = 0;
    for (const auto& image : rows_.images(tables)) {
        // What lies here is shown to the units where the symmetry takes it.
        for (int row = 0; row < rows_.count(); ++row)
            std::copy_n(weights.rows.begin() + static_cast<std::ptrdiff_t>(image[row]) * units, units,
                        weights_[row].begin() + lane);
        for (int unit = 0; unit < units; ++unit) out_[lane + unit] = static_cast<std::int16_t>(weights.out[unit]);
        lane += units;
    }
}

}  // namespace plyground
