#include "evaluate.hpp"

#include <algorithm>

namespace plyground {

Evaluator::Evaluator(const Tables& tables, const std::vector<std::vector<std::vector<std::int64_t>>>& pattern_parts,
                     const std::vector<std::vector<std::pair<int, std::vector<std::int64_t>>>>& cell_parts,
                     const std::vector<std::vector<std::int64_t>>& direction_parts)
    : row(tables.longest + 1) {
    std::size_t poles = 0;
    for (const auto& shape : tables.shapes) poles = std::max<std::size_t>(poles, shape.poles);
    patterns.assign((poles + 1) * row, 0);
    for (const auto& part : pattern_parts) {
        if (part.empty()) throw std::invalid_argument("pattern weights need at least one row");
        for (std::size_t taken = 0; taken <= poles; ++taken) {
            const auto& weights = part[std::min(taken, part.size() - 1)];
            // A completed pattern ends the game, so its weight may be left out.
            if (weights.size() + 1 < static_cast<std::size_t>(row))
                throw std::invalid_argument("pattern weights need an entry for each number of cells held");
            for (std::size_t n = 0; n < std::min<std::size_t>(weights.size(), row); ++n)
                patterns[taken * row + n] += weights[n];
        }
    }
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
