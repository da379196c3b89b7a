// A position as plain data: what goes in and out of the core.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/refusal.hpp"
#include "core/rules.hpp"

namespace plyground {

struct State {
    std::vector<std::uint8_t> kinds;  // the layers on each cell
    int ply = 0;
    std::vector<int> cards;  // lowest first; only where they can be lifted again
    Move last;
};

// Why data from outside is no position of the rules; with nothing refused the core may be asked about it.
inline Refusal refusal_of(const Tables& tables, const State& state) {
    const auto within = [](const char* name, int value, int most) -> Refusal {
        if (0 <= value && value <= most) return {};
        return std::string(name) + " must be 0 to " + std::to_string(most) + ", got " + std::to_string(value);
    };
    if (static_cast<int>(state.kinds.size()) != tables.cells) return "a position needs an entry for each cell";
    if (auto refusal = within("ply", state.ply, tables.data.max_plies)) return refusal;
    const int places = std::max(tables.places[0], tables.places[1]);
    for (int place : {state.last.place, state.last.lift})
        if (place < -1 || place >= places) return "the last move is none of these rules";
    for (int kind : state.kinds)
        if (kind && std::ranges::find(tables.kinds, kind) == tables.kinds.end())
            return "a cell holds what no placement puts there";
    for (int card : state.cards) {
        if (auto refusal = within("card", card, tables.places[0] - 1)) return refusal;
        for (auto [cell, kind] : tables.covered[0][card])
            if (state.kinds[cell] != kind) return "card " + std::to_string(card) + " is not on the board";
    }
    return {};
}

// The board before the first move.
inline State start_of(const Tables& tables) { return {std::vector<std::uint8_t>(tables.cells), 0, {}, {}}; }

}  // namespace plyground
