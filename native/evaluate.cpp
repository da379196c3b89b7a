#include "evaluate.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace plyground {

namespace {

// A completed pattern ends the game, so its weight may be left out.
std::int64_t held(const std::vector<std::int64_t>& row, int own, int longest) {
    if (static_cast<int>(row.size()) < longest)
        throw std::invalid_argument("pattern weights need an entry for each number of cells held");
    return own < static_cast<int>(row.size()) ? row[own] : 0;
}

// What the parts say together of a live pattern.
std::int64_t worth_of(const Tables& tables, const Weights& weights, int pattern, int side, int taken, int own) {
    std::int64_t total = 0;
    for (const auto& part : weights.patterns) {
        if (part.empty()) throw std::invalid_argument("pattern weights need at least one row");
        total += held(part[std::min<std::size_t>(taken, part.size() - 1)], own, tables.longest);
    }
    for (const auto& part : weights.lines) total += held(part[side][pattern], own, tables.longest);
    return total;
}

// Numbers the patterns so that those with the same weights of their own have the same number.
std::vector<int> groups_of(const Tables& tables, const Weights& weights) {
    std::map<std::vector<std::vector<std::int64_t>>, int> numbers;
    std::vector<int> groups;
    for (const auto& part : weights.lines)
        for (const auto& rows : part)
            if (static_cast<int>(rows.size()) != tables.patterns)
                throw std::invalid_argument("weights of single patterns need a row for each pattern and side");
    for (int pattern = 0; pattern < tables.patterns; ++pattern) {
        std::vector<std::vector<std::int64_t>> own;
        for (const auto& part : weights.lines)
            for (const auto& rows : part) own.push_back(rows[pattern]);
        groups.push_back(numbers.emplace(own, static_cast<int>(numbers.size())).first->second);
    }
    return groups;
}

// Whether the symmetry takes every pattern to one of the same group.
bool keeps(const SymmetryData& symmetry, const Tables& tables, const std::vector<int>& groups) {
    std::map<Cells, int> group_of;
    auto sorted = [](Cells cells) { return std::ranges::sort(cells), cells; };
    for (int pattern = 0; pattern < tables.patterns; ++pattern)
        group_of[sorted(tables.data.patterns[pattern].cells)] = groups[pattern];
    for (int pattern = 0; pattern < tables.patterns; ++pattern) {
        Cells image;
        for (int cell : tables.data.patterns[pattern].cells) image.push_back(symmetry.cells[cell]);
        const auto found = group_of.find(sorted(image));
        if (found == group_of.end() || found->second != groups[pattern]) return false;
    }
    return true;
}

bool keeps(const SymmetryData& symmetry, const Tables& tables, const ThreatWeights& threats) {
    for (int cell = 0; cell < tables.cells; ++cell) {
        const int image = symmetry.cells[cell];
        for (const auto& weights : threats.weights)
            if (weights[cell] != weights[image]) return false;
        for (int other = 0; other < tables.cells; ++other)
            if (threats.shades[cell].test(other) != threats.shades[image].test(symmetry.cells[other])) return false;
    }
    return true;
}

}  // namespace

Evaluator::Evaluator(const Tables& tables, Weights weights)
    : states(tables, groups_of(tables, weights),
             [&](int pattern, int side, int taken, int own) {
                 return worth_of(tables, weights, pattern, side, taken, own);
             }),
      threats(std::move(weights.threats)) {
    const std::size_t cell_count = tables.cells;
    kinds.assign(cell_count << MAX_LAYERS, 0);
    for (const auto& part : weights.cells)
        for (const auto& [kind, row] : part) {
            if (kind <= 0 || kind >= 1 << tables.layers || row.size() != cell_count)
                throw std::invalid_argument("cell weights need a set of layers and a weight for each cell");
            for (int cell = 0; cell < tables.cells; ++cell) kinds[kind * tables.cells + cell] += row[cell];
        }
    for (const auto& part : weights.directions) {
        if (part.size() != cell_count) throw std::invalid_argument("live directions need a weight for each cell");
        directions.resize(tables.cells);
        for (int cell = 0; cell < tables.cells; ++cell) directions[cell] += part[cell];
    }
    for (const auto& part : threats)
        if (part.weights[0].size() != cell_count || part.weights[1].size() != cell_count || part.shades.size() != cell_count)
            throw std::invalid_argument("threat weights need a weight and a shade for each cell");
    for (const auto& symmetry : tables.group) {
        for (const auto& part : threats) symmetric = symmetric && keeps(symmetry, tables, part);
        if (!weights.lines.empty()) symmetric = symmetric && keeps(symmetry, tables, groups_of(tables, weights));
        for (int cell = 0; cell < tables.cells; ++cell) {
            if (!directions.empty() && directions[cell] != directions[symmetry.cells[cell]]) symmetric = false;
            for (int kind = 0; kind < 1 << tables.layers; ++kind) {
                int image = 0;
                for (int layer = 0; layer < tables.layers; ++layer)
                    if (kind >> layer & 1) image |= 1 << symmetry.layers[layer];
                if (kinds[kind * tables.cells + cell] != kinds[image * tables.cells + symmetry.cells[cell]])
                    symmetric = false;
            }
        }
    }
}

}  // namespace plyground
