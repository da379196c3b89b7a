// Heuristics that are data: weights by live pattern, by cell, by live directions and by threat. All values are the
// first side's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "mask.hpp"
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

// Empty cells that would complete a pattern, with what they are worth.
struct ThreatWeights {
    std::array<std::vector<std::int64_t>, 2> weights;  // by side and cell, to the side whose threat it is
    std::vector<Mask<MAX_CELLS / 64>> shades;          // by cell: the cells that count for nothing once it is a threat
};

// The parts of a heuristic, as many of each form as it has.
struct Weights {
    std::vector<std::vector<std::vector<std::int64_t>>> patterns;                 // by poles taken and cells held
    std::vector<std::array<std::vector<std::vector<std::int64_t>>, 2>> lines;     // by side, pattern and cells held
    std::vector<std::vector<std::pair<int, std::vector<std::int64_t>>>> cells;    // by kind and cell
    std::vector<std::vector<std::int64_t>> directions;                            // by cell
    std::vector<ThreatWeights> threats;
};

struct Evaluator {
    Evaluator(const Tables& tables, Weights weights);

    // The value for the side to move; set where the heuristic is no data, and asked then instead of the weights.
    std::function<std::int64_t(const Snapshot&)> callback;

    PatternStates states;
    std::vector<std::int64_t> kinds;       // by kind and cell
    std::vector<std::int64_t> directions;  // by cell; empty when unused
    std::vector<ThreatWeights> threats;
    bool symmetric = true;                 // whether the symmetries of the rules leave it alone
};

}  // namespace plyground
