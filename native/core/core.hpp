// Rules compiled once, and what can be asked of any position under them, whatever width their masks need.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/evaluate.hpp"
#include "core/perft.hpp"
#include "core/position.hpp"
#include "core/refusal.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"

namespace plyground {

class Core {
  public:
    static Made<Core> make(RulesData data) {
        auto tables = Tables::compile(std::move(data));
        if (tables.refusal) return {{}, tables.refusal};
        auto none = Evaluator::none(*tables.value);
        if (none.refusal) return {{}, none.refusal};
#if defined(PLYGROUND_WIDTH)
        const auto& places = tables.value->places;
        if (std::max(places[0], places[1]) > 64 * PLYGROUND_WIDTH)
            return {{}, "the game has more moves than this core"};
#endif
        return {Core(std::move(*tables.value), std::move(*none.value)), {}};
    }

    const Tables& tables() const { return tables_; }
    // The heuristic to which every position is worth nothing.
    const Evaluator& none() const { return none_; }

    // Calls f with the number of words a set of these rules' placements needs.
    template <class F>
    auto with_width(F&& f) const {
#if defined(PLYGROUND_WIDTH)  // a page loads only what its game needs
        return f(std::integral_constant<int, PLYGROUND_WIDTH>{});
#else
        const int places = std::max(tables_.places[0], tables_.places[1]);
        if (places <= 64) return f(std::integral_constant<int, 1>{});
        if (places <= 128) return f(std::integral_constant<int, 2>{});
        if (places <= 256) return f(std::integral_constant<int, 4>{});
        return f(std::integral_constant<int, MAX_PLACEMENTS / 64>{});
#endif
    }

    // Calls f with a position of that width.
    template <class F>
    auto with_position(const Evaluator& evaluator, const State& state, F&& f) const {
        return with_width([&]<int W>(std::integral_constant<int, W>) {
            Position<W> position(tables_, evaluator, state);
            return f(position);
        });
    }

    std::uint64_t perft(const State& state, int depth) const {
        return with_position(none_, state, [&](auto& position) {
            if (depth > 0 && position.outcome()) return std::uint64_t{0};
            return plyground::perft(position, depth);
        });
    }

    std::vector<Move> moves(const State& state) const {
        return with_position(none_, state, [&](auto& position) {
            std::vector<Move> all;
            if (!position.outcome()) position.any_move([&](Move move) { return all.push_back(move), false; });
            return all;
        });
    }

    // The key that a position shares with its images under the symmetries of the rules, and with no other.
    std::uint64_t key(const State& state) const {
        return with_position(none_, state, [&](auto& position) { return position.least_key(tables_.symmetries).key; });
    }

    Outcome outcome(const State& state) const {
        return with_position(none_, state, [](auto& position) { return position.outcome(); });
    }

    Opinion evaluate(const Evaluator& evaluator, const State& state) const {
        return with_position(evaluator, state, [](auto& position) { return position.evaluate(); });
    }

  private:
    Core(Tables tables, Evaluator none) : tables_(std::move(tables)), none_(std::move(none)) {}

    Tables tables_;
    Evaluator none_;
};

}  // namespace plyground
