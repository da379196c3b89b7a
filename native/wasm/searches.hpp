// What the searches as JavaScript sees them share. The engine keeps one table, whatever the game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/evaluate.hpp"

namespace plyground::connect_four {

struct MadeSolver;

}  // namespace plyground::connect_four

namespace plyground::wasm {

struct Game;

// Give up what earlier searches have found, and its memory. A module that only plays has no judges.
void forget_engine();
[[gnu::weak]] void forget_judges(const Game* of);

// Of one game, or of all.
inline void forget_searches(const Game* of) {
    forget_engine();
    if (forget_judges) forget_judges(of);
}

// The solver of Connect Four; only the modules for that game have it.
[[gnu::weak]] connect_four::MadeSolver new_solver(int rows, int columns, int line, std::size_t bytes);

inline std::string unsound(std::int64_t value) {
    return "a heuristic must stay within ±" + std::to_string(MAX_HEURISTIC) + ", got " + std::to_string(value);
}

}  // namespace plyground::wasm
