// A position with its moves and what each leads to, as a judge looks at it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "core/outcome.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"

namespace plyground {

// One position: what it shares with its images, and the symmetry under which it shows that.
struct Spot {
    State state;
    Outcome outcome;
    std::uint64_t key = 0;
    int symmetry = 0;

    int to_move() const { return state.ply & 1; }
};

struct Outlook {
    Spot here;
    std::vector<Move> moves;  // legal ones, in the order of the reference; none once the game is over
    std::vector<Spot> after;  // what each leads to

    int to_move() const { return here.to_move(); }
    std::size_t size() const { return moves.size(); }

    static Spot spot_of(const Core& core, const State& state) {
        return core.with_position(core.none(), state, [&](auto& position) { return spot(core, position); });
    }

    static Outlook of(const Core& core, const State& state) {
        return core.with_position(core.none(), state, [&](auto& position) {
            Outlook outlook;
            outlook.here = spot(core, position);
            if (outlook.here.outcome) return outlook;
            position.any_move([&](Move move) { return outlook.moves.push_back(move), false; });
            const Move before = position.last;
            for (Move move : outlook.moves) {
                position.make(move);
                outlook.after.push_back(spot(core, position));
                position.unmake(before);
            }
            return outlook;
        });
    }

    // The number of a move among all; -1 for an illegal one.
    int index(Move move) const {
        for (std::size_t i = 0; i < moves.size(); ++i)
            if (moves[i] == move) return static_cast<int>(i);
        return -1;
    }

  private:
    static Spot spot(const Core& core, auto& position) {
        const auto [key, symmetry] = position.least_key(core.tables().symmetries);
        return {position.state(), position.outcome(), key, symmetry};
    }
};

}  // namespace plyground
