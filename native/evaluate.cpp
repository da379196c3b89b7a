#include "evaluate.hpp"

#include <algorithm>

namespace plyground {

namespace {

// What the parts say together of a live pattern.
std::int64_t worth_of(const std::vector<std::vector<std::vector<std::int64_t>>>& parts, int taken, int own, int longest) {
    std::int64_t total = 0;
    for (const auto& part : parts) {
        if (part.empty()) throw std::invalid_argument("pattern weights need at least one row");
        const auto& row = part[std::min<std::size_t>(taken, part.size() - 1)];
        // A completed pattern ends the game, so its weight may be left out.
        if (static_cast<int>(row.size()) < longest)
            throw std::invalid_argument("pattern weights need an entry for each number of cells held");
        if (own < static_cast<int>(row.size())) total += row[own];
    }
    return total;
}

}  // namespace

Evaluator::Evaluator(const Tables& tables, const std::vector<std::vector<std::vector<std::int64_t>>>& pattern_parts,
                     const std::vector<std::vector<std::pair<int, std::vector<std::int64_t>>>>& cell_parts,
                     const std::vector<std::vector<std::int64_t>>& direction_parts)
    : states(tables, [&](int taken, int own) { return worth_of(pattern_parts, taken, own, tables.longest); }) {
    kinds.assign(static_cast<std::size_t>(tables.cells) << MAX_LAYERS, 0);
    for (const auto& part : cell_parts)
        for (const auto& [kind, weights] : part) {
            if (kind <= 0 || kind >= 1 << tables.layers || static_cast<int>(weights.size()) != tables.cells)
                throw std::invalid_argument("cell weights need a set of layers and a weight for each cell");
            for (int cell = 0; cell < tables.cells; ++cell) kinds[kind * tables.cells + cell] += weights[cell];
        }
    for (const auto& part : direction_parts) {
        if (static_cast<int>(part.size()) != tables.cells)
            throw std::invalid_argument("live directions need a weight for each cell");
        directions.resize(tables.cells);
        for (int cell = 0; cell < tables.cells; ++cell) directions[cell] += part[cell];
    }
    for (const auto& symmetry : tables.group)
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

}  // namespace plyground
