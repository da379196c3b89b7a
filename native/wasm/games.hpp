// The games that JavaScript has handed over, by number, and positions of them as they come in and go out.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "core/state.hpp"
#include "wasm/exchange.hpp"

namespace plyground {

class Book;

}  // namespace plyground

namespace plyground::wasm {

struct Game {
    Core core;
    std::vector<std::unique_ptr<Evaluator>> evaluators;
    std::vector<std::shared_ptr<const Book>> books;  // for its next judge
};

inline std::vector<std::unique_ptr<Game>> games;  // none in the place of one that is gone

// Reads which game is meant; none where there is no such game, which is refused.
[[gnu::noinline]] inline Game* read_game(Reader& given) {
    std::size_t number = 0;
    given >> number;
    if (number < games.size() && games[number]) return games[number].get();
    given.refuse("there is no game of that number");
    return nullptr;
}

// Reads which heuristic of a game is meant.
[[gnu::noinline]] inline const Evaluator* read_evaluator(Reader& given, const Game* game) {
    std::size_t number = 0;
    given >> number;
    if (game && number < game->evaluators.size()) return game->evaluators[number].get();
    given.refuse("there is no heuristic of that number");
    return nullptr;
}

// Reads a position: what lies on each cell, the ply, the cards, the last move (-1 where there is none).
[[gnu::noinline]] inline State read_state(Reader& given, const Game* game) {
    State state;
    given >> state.kinds, given >> state.ply, given >> state.cards, given >> state.last;
    if (game && !given.refusal())
        if (auto refusal = refusal_of(game->core.tables(), state)) given.refuse("bad position: " + *refusal);
    return state;
}

inline void say_list(const auto& numbers) {
    exchange.say(numbers.size());
    for (auto number : numbers) exchange.say(number);
}

[[gnu::noinline]] inline void say_state(const State& state) {
    say_list(state.kinds);
    exchange.say(state.ply);
    say_list(state.cards);
    exchange.say(state.last);
}

}  // namespace plyground::wasm
