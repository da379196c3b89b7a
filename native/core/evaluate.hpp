// Heuristics that are data: weights by live pattern, by cell, by live directions and by threat, and a net. All values
// are the first side's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/mask.hpp"
#include "core/net.hpp"
#include "core/pattern_states.hpp"
#include "core/refusal.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"

namespace plyground {

constexpr std::int64_t MAX_HEURISTIC = 900'000'000;

// What a heuristic says of a position, to the side to move.
struct Opinion {
    std::int64_t value = 0;
    bool sound = false;  // false: a value no heuristic may have, or 0 where none could be had
};

inline Opinion opinion(std::int64_t value) { return {value, -MAX_HEURISTIC <= value && value <= MAX_HEURISTIC}; }

// Empty cells that would complete a pattern, with what they are worth.
struct ThreatWeights {
    std::array<std::vector<std::int64_t>, 2> weights;  // by side and cell, to the side whose threat it is
    std::vector<Mask<MAX_CELLS / 64>> shades;          // by cell: the cells that count for nothing once it is a threat
};

// The parts of a heuristic, as many of each form as it has.
struct Weights {
    std::vector<std::vector<std::vector<std::int64_t>>> patterns;               // by poles taken and cells held
    std::vector<std::array<std::vector<std::vector<std::int64_t>>, 2>> lines;   // by side, pattern and cells held
    std::vector<std::vector<std::pair<int, std::vector<std::int64_t>>>> cells;  // by kind and cell
    std::vector<std::vector<std::int64_t>> directions;                          // by cell
    std::vector<ThreatWeights> threats;
    std::vector<NetWeights> nets;  // one at most
};

class Evaluator {
  public:
    // Every weight must be there.
    static Made<Evaluator> make(const Tables& tables, Weights weights);
    // The heuristic to which every position is worth nothing.
    static Made<Evaluator> none(const Tables& tables) { return make(tables, {}); }

    // The opinion of the side to move; set where the heuristic is no data, and asked then instead of the weights.
    std::function<Opinion(const State&)> callback;

    PatternStates states;
    std::vector<std::int64_t> kinds;       // by kind and cell
    std::vector<std::int64_t> directions;  // by cell; empty when unused
    std::vector<ThreatWeights> threats;
    std::optional<Net> net;
    bool symmetric = true;  // whether the symmetries of the rules leave it alone

  private:
    Evaluator(const Tables& tables, Weights weights);
    void add_cells(const Tables& tables, const Weights& weights);
    bool keeps(const SymmetryData& symmetry, const Tables& tables) const;
};

}  // namespace plyground
