// Between Python's values and the core's: moves, positions, limit; and what is refused on the way.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "core/refusal.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"
#include "search/control.hpp"

namespace plyground {

namespace nb = nanobind;

[[noreturn]] inline void refuse(const std::string& why) { throw std::invalid_argument(why); }

inline void check(const Refusal& refusal) {
    if (refusal) refuse(*refusal);
}

template <class T>
T checked(Made<T> made) {
    check(made.refusal);
    return std::move(*made.value);
}

inline int checked(const char* name, int value, int least, int most) {
    if (value < least || value > most)
        refuse(std::string(name) + " must be " + std::to_string(least) + " to " + std::to_string(most) + ", got " +
               std::to_string(value));
    return value;
}

// Moves: (place, lift), lift None for a plain one.
using MoveTuple = std::pair<int, std::optional<int>>;

inline MoveTuple to_tuple(Move move) {
    return {move.place, move.lift < 0 ? std::nullopt : std::optional<int>(move.lift)};
}

inline std::vector<MoveTuple> to_tuples(const std::vector<Move>& moves) {
    std::vector<MoveTuple> tuples;
    for (Move move : moves) tuples.push_back(to_tuple(move));
    return tuples;
}

inline Move to_move(const MoveTuple& tuple) {
    const auto number = [](int place) {
        if (place < 0 || place >= MAX_PLACEMENTS) refuse("no such placement: " + std::to_string(place));
        return static_cast<std::int16_t>(place);
    };
    return {number(tuple.first), tuple.second ? number(*tuple.second) : std::int16_t{-1}};
}

inline std::vector<Move> to_moves(const std::vector<MoveTuple>& tuples) {
    std::vector<Move> moves;
    for (const auto& tuple : tuples) moves.push_back(to_move(tuple));
    return moves;
}

// Positions: (layers, ply, cards, last move or None), each layer as 32 bytes, lowest cell first.
using PositionTuple = std::tuple<nb::bytes, int, std::vector<int>, std::optional<MoveTuple>>;

constexpr int LAYER_BYTES = MAX_CELLS / 8;

inline PositionTuple to_tuple(const Tables& tables, const State& state) {
    std::vector<char> layers(static_cast<std::size_t>(tables.layers) * LAYER_BYTES);
    for (int cell = 0; cell < tables.cells; ++cell)
        for (int layer = 0; layer < tables.layers; ++layer)
            if (state.kinds[cell] >> layer & 1)
                layers[layer * LAYER_BYTES + cell / 8] |= static_cast<char>(1 << cell % 8);
    std::optional<MoveTuple> last;
    if (state.last.place >= 0) last = to_tuple(state.last);
    return {nb::bytes(layers.data(), layers.size()), state.ply, state.cards, last};
}

inline State to_state(const Tables& tables, const nb::bytes& layers, int ply, const std::vector<int>& cards,
                      const std::optional<MoveTuple>& last) {
    if (layers.size() != static_cast<std::size_t>(tables.layers) * LAYER_BYTES)
        refuse("a position needs 32 bytes for each layer");
    State state = start_of(tables);
    state.ply = ply;
    state.cards = cards;
    if (last) state.last = to_move(*last);
    const auto* bytes = static_cast<const std::uint8_t*>(layers.data());
    for (int layer = 0; layer < tables.layers; ++layer)
        for (int cell = 0; cell < tables.cells; ++cell)
            if (bytes[layer * LAYER_BYTES + cell / 8] >> (cell % 8) & 1) state.kinds[cell] |= 1 << layer;
    check(refusal_of(tables, state));
    return state;
}

// What belongs to the rules of one core: equal rules may share it, others must not.
template <class T>
struct Of {
    T value;
    std::uint64_t rules;  // their fingerprint
};

using BoundState = Of<State>;
using BoundEvaluator = Of<Evaluator>;

inline const State& own(const Core& core, const BoundState& state) {
    if (state.rules != core.tables().fingerprint()) refuse("the state is a position of other rules");
    return state.value;
}

inline const Evaluator& own(const Core& core, const BoundEvaluator& evaluator) {
    if (evaluator.rules != core.tables().fingerprint()) refuse("the evaluator is for other rules");
    return evaluator.value;
}

inline Limit to_limit(std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
    Limit limit;
    if (nodes) limit.nodes = *nodes;
    if (seconds) limit.seconds = *seconds;
    if (std::isnan(limit.seconds)) refuse("seconds must be a number");
    return limit;
}

}  // namespace plyground
