#include "core/evaluate.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

namespace plyground {

namespace {

// A completed pattern ends the game, so its weight may be left out.
std::int64_t held(const std::vector<std::int64_t>& row, int own) {
    return own < static_cast<int>(row.size()) ? row[own] : 0;
}

// What the parts say together of a live pattern.
std::int64_t worth_of(const Weights& weights, int pattern, int side, int taken, int own) {
    std::int64_t total = 0;
    for (const auto& part : weights.patterns) total += held(part[std::min<std::size_t>(taken, part.size() - 1)], own);
    for (const auto& part : weights.lines) total += held(part[side][pattern], own);
    return total;
}

Refusal pattern_refusal(const Tables& tables, const Weights& weights) {
    const auto longest = static_cast<std::size_t>(tables.longest);
    const auto is_short = [&](const std::vector<std::int64_t>& row) { return row.size() < longest; };
    int poles = 1;
    for (const auto& shape : tables.shapes) poles = std::max<int>(poles, shape.poles);
    for (const auto& part : weights.patterns) {
        if (part.empty()) return "pattern weights need at least one row";
        // Rows for more poles than a pattern has are never read.
        if (std::ranges::any_of(part | std::views::take(poles), is_short))
            return "pattern weights need an entry for each number of cells held";
    }
    for (const auto& part : weights.lines)
        for (const auto& rows : part) {
            if (static_cast<int>(rows.size()) != tables.patterns)
                return "weights of single patterns need a row for each pattern and side";
            if (std::ranges::any_of(rows, is_short))
                return "pattern weights need an entry for each number of cells held";
        }
    return {};
}

Refusal refusal_of(const Tables& tables, const Weights& weights) {
    if (auto refusal = pattern_refusal(tables, weights)) return refusal;
    const std::size_t cells = tables.cells;
    for (const auto& part : weights.cells)
        for (const auto& [kind, row] : part)
            if (kind <= 0 || kind >= 1 << tables.layers || row.size() != cells)
                return "cell weights need a set of layers and a weight for each cell";
    for (const auto& part : weights.directions)
        if (part.size() != cells) return "live directions need a weight for each cell";
    for (const auto& [by_side, shades] : weights.threats)
        if (by_side[0].size() != cells || by_side[1].size() != cells || shades.size() != cells)
            return "threat weights need a weight and a shade for each cell";
    if (weights.nets.size() > 1) return "a heuristic has one net at most";
    return weights.nets.empty() ? Refusal{} : Net::refusal_of(tables, weights.nets.front());
}

// Numbers the patterns so that those with the same weights of their own have the same number.
std::vector<int> groups_of(const Tables& tables, const Weights& weights) {
    std::map<std::vector<std::vector<std::int64_t>>, int> numbers;
    std::vector<int> groups;
    for (int pattern = 0; pattern < tables.patterns; ++pattern) {
        std::vector<std::vector<std::int64_t>> own;
        for (const auto& part : weights.lines)
            for (const auto& rows : part) own.push_back(rows[pattern]);
        groups.push_back(numbers.emplace(own, static_cast<int>(numbers.size())).first->second);
    }
    return groups;
}

// Whether the symmetry takes every pattern to one of the same group.
bool keeps_groups(const SymmetryData& symmetry, const Tables& tables, const std::vector<int>& groups) {
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

bool keeps_threats(const SymmetryData& symmetry, const Tables& tables, const ThreatWeights& threats) {
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

Made<Evaluator> Evaluator::make(const Tables& tables, Weights weights) {
    if (auto refusal = refusal_of(tables, weights)) return {{}, refusal};
    Evaluator evaluator(tables, std::move(weights));
    if (!evaluator.states.fit()) return {{}, "the native core cannot play these rules: too many states of a pattern"};
    return {std::move(evaluator), {}};
}

Evaluator::Evaluator(const Tables& tables, Weights weights)
    : states(tables, groups_of(tables, weights),
             [&](int pattern, int side, int taken, int own) { return worth_of(weights, pattern, side, taken, own); }),
      threats(std::move(weights.threats)) {
    add_cells(tables, weights);
    if (!weights.nets.empty()) net.emplace(tables, weights.nets.front());
    for (const auto& symmetry : tables.group) {
        symmetric = symmetric && keeps(symmetry, tables);
        if (!weights.lines.empty()) symmetric = symmetric && keeps_groups(symmetry, tables, groups_of(tables, weights));
    }
}

void Evaluator::add_cells(const Tables& tables, const Weights& weights) {
    kinds.assign(static_cast<std::size_t>(tables.cells) << MAX_LAYERS, 0);
    for (const auto& part : weights.cells)
        for (const auto& [kind, row] : part)
            for (int cell = 0; cell < tables.cells; ++cell) kinds[kind * tables.cells + cell] += row[cell];
    for (const auto& part : weights.directions) {
        directions.resize(tables.cells);
        for (int cell = 0; cell < tables.cells; ++cell) directions[cell] += part[cell];
    }
}

// Whether the symmetry leaves the weights of cells, directions and threats alone.
bool Evaluator::keeps(const SymmetryData& symmetry, const Tables& tables) const {
    for (const auto& part : threats)
        if (!keeps_threats(symmetry, tables, part)) return false;
    for (int cell = 0; cell < tables.cells; ++cell) {
        const int image_cell = symmetry.cells[cell];
        if (!directions.empty() && directions[cell] != directions[image_cell]) return false;
        for (int kind = 0; kind < 1 << tables.layers; ++kind) {
            int image = 0;
            for (int layer = 0; layer < tables.layers; ++layer)
                if (kind >> layer & 1) image |= 1 << symmetry.layers[layer];
            if (kinds[kind * tables.cells + cell] != kinds[image * tables.cells + image_cell]) return false;
        }
    }
    return true;
}

}  // namespace plyground
