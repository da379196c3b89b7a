// Heuristics that are data: weights by live pattern, by cell, and by live directions. All values are the first side's.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules.hpp"
#include "states.hpp"

namespace plyground {

constexpr std::int64_t MAX_HEURISTIC = 900'000'000;

// What a heuristic that is no data is told about a position.
struct Snapshot {
    const std::uint8_t* kinds;  // the layers on each cell
    int ply;
    std::vector<int> cards;
    Move last;
};

// A value no heuristic may have.
struct HeuristicRangeError : std::range_error {
    explicit HeuristicRangeError(std::int64_t value) : std::range_error(std::to_string(value)), value(value) {}
    std::int64_t value;
};

struct Evaluator {
    Evaluator(const Tables& tables, const std::vector<std::vector<std::vector<std::int64_t>>>& pattern_parts,
              const std::vector<std::vector<std::pair<int, std::vector<std::int64_t>>>>& cell_parts,
              const std::vector<std::vector<std::int64_t>>& direction_parts);

    // The value for the side to move; set where the heuristic is no data, and asked then instead of the weights.
    std::function<std::int64_t(const Snapshot&)> callback;

    PatternStates states;
    std::vector<std::int64_t> kinds;       // by kind and cell
    std::vector<std::int64_t> directions;  // by cell; empty when unused
    bool symmetric = true;                 // whether the symmetries of the rules leave it alone
};

}  // namespace plyground
