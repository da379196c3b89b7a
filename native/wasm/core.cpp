// Rules, positions and heuristics as JavaScript sees them.
#include "core/core.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/mask.hpp"
#include "wasm/exchange.hpp"
#include "wasm/games.hpp"
#include "wasm/searches.hpp"

namespace plyground::wasm {

namespace {

constexpr int MAX_PERFT = 64;

using AnyPosition = Position<PLYGROUND_WIDTH>;

std::vector<Move> legal_moves(AnyPosition& position) {
    std::vector<Move> all;
    if (!position.outcome()) position.any_move([&](Move move) { return all.push_back(move), false; });
    return all;
}

// The cells of the patterns that the winner has completed.
Cells winning_cells(const Tables& tables, const AnyPosition& position, int winner) {
    std::vector<bool> wins(tables.cells);
    position.any_live(winner, [&](int pattern) {
        const auto cells = tables.cells_of[pattern];
        if (std::ranges::all_of(cells, [&](int cell) { return position.taken(cell); }))
            for (int cell : cells) wins[cell] = true;
        return false;
    });
    Cells cells;
    for (int cell = 0; cell < tables.cells; ++cell)
        if (wins[cell]) cells.push_back(cell);
    return cells;
}

std::vector<ThreatWeights> read_threats(Reader& given, const Tables& tables) {
    std::vector<std::pair<std::array<std::vector<std::int64_t>, 2>, std::vector<Cells>>> parts;
    given >> parts;
    std::vector<ThreatWeights> threats;
    for (const auto& [weights, shades] : parts) {
        threats.push_back({weights, {}});
        for (const auto& shade : shades) {
            auto& mask = threats.back().shades.emplace_back();
            for (int cell : shade)
                if (cell < 0 || cell >= tables.cells)
                    given.refuse("a shade lies on no cell");
                else
                    mask.set(cell);
        }
    }
    return threats;
}

// Runs f with the position that the first arguments of a call describe.
template <class F>
int about_position(int words, F&& f) {
    return call(words, [&](Reader& given) -> Refusal {
        const Game* game = read_game(given);
        const State state = read_state(given, game);
        if (given.refusal()) return {};
        AnyPosition position(game->core.tables(), game->core.none(), state);
        return f(given, game->core.tables(), position);
    });
}

// The side that an argument names.
std::optional<int> read_side(Reader& given) {
    int side = 0;
    given >> side;
    if (side != 0 && side != 1) given.refuse("a side is 0 or 1");
    return given.done() ? std::optional(side) : std::nullopt;
}

}  // namespace

// Cells, layers, watches, patterns, placements, plies, from which ply moves lift cards, symmetries: as the module for
// Python gets them. Answers the game's number.
PLYGROUND_EXPORT("make_game") int make_game(int words) {
    return call(words, [](Reader& given) -> Refusal {
        RulesData data;
        std::optional<int> recycle_from, full_winner;
        given >> data.cells, given >> data.layers, given >> data.watches, given >> data.patterns;
        given >> data.placements, given >> data.max_plies, given >> recycle_from, given >> data.symmetries;
        given >> data.mover_wins_ties, given >> full_winner, given >> data.passes;
        data.recycle_from = recycle_from.value_or(NEVER);
        data.full_winner = full_winner.value_or(-1);
        if (!given.done()) return {};
        auto made = Core::make(std::move(data));
        if (made.refusal) return made.refusal;
        auto place = std::ranges::find(games, nullptr);
        if (place == games.end()) place = games.insert(place, nullptr);
        *place = std::make_unique<Game>(Game{std::move(*made.value), {}, {}});
        exchange.say(place - games.begin());
        return {};
    });
}

PLYGROUND_EXPORT("drop_game") int drop_game(int words) {
    return call(words, [](Reader& given) -> Refusal {
        const Game* game = read_game(given);
        if (!given.done()) return {};
        forget_searches(game);
        *std::ranges::find(games, game, &std::unique_ptr<Game>::get) = nullptr;
        return {};
    });
}

// Forgets what earlier searches have found, so that the next one is as the first.
PLYGROUND_EXPORT("forget") int forget(int words) {
    return call(words, [](Reader& given) -> Refusal {
        if (given.done()) forget_searches(nullptr);
        return {};
    });
}

// A heuristic of a game as weights. Answers its number.
PLYGROUND_EXPORT("make_evaluator") int make_evaluator(int words) {
    return call(words, [](Reader& given) -> Refusal {
        Game* game = read_game(given);
        if (!game) return {};
        Weights weights;
        given >> weights.patterns, given >> weights.lines, given >> weights.cells, given >> weights.directions;
        weights.threats = read_threats(given, game->core.tables());
        given >> weights.nets;
        if (!given.done()) return {};
        auto made = Evaluator::make(game->core.tables(), std::move(weights));
        if (made.refusal) return made.refusal;
        game->evaluators.push_back(std::make_unique<Evaluator>(std::move(*made.value)));
        exchange.say(game->evaluators.size() - 1);
        return {};
    });
}

PLYGROUND_EXPORT("moves") int moves(int words) {
    return about_position(words, [](Reader& given, const Tables&, AnyPosition& position) -> Refusal {
        if (given.done()) exchange.say(legal_moves(position));
        return {};
    });
}

// The position after a legal move.
PLYGROUND_EXPORT("play") int play(int words) {
    return about_position(words, [](Reader& given, const Tables&, AnyPosition& position) -> Refusal {
        Move move;
        given >> move;
        if (!given.done()) return {};
        const auto legal = legal_moves(position);
        if (std::ranges::find(legal, move) == legal.end()) return "the move is not legal";
        position.make(move);
        say_state(position.state());
        return {};
    });
}

// How the game ended (0: it goes on), the winner (-1: nobody), the cells that won.
PLYGROUND_EXPORT("outcome") int outcome(int words) {
    return about_position(words, [](Reader& given, const Tables& tables, AnyPosition& position) -> Refusal {
        if (!given.done()) return {};
        const auto over = position.outcome();
        exchange.say(static_cast<int>(over.ending), over.winner);
        say_list(over.winner < 0 ? Cells{} : winning_cells(tables, position, over.winner));
        return {};
    });
}

// Every pattern that a side may still complete, or has, by the layers it watches: pattern, layer, cells held, and cells
// of the neutraliser that the opponent has.
PLYGROUND_EXPORT("live") int live(int words) {
    return about_position(words, [](Reader& given, const Tables& tables, AnyPosition& position) -> Refusal {
        const auto side = read_side(given);
        if (!side) return {};
        for (std::size_t v = 0; v < tables.views.size(); ++v)
            for (int p = 0; p < tables.patterns && tables.views[v].side == *side; ++p)
                if (const auto& state = position.pattern(p); state.views >> v & 1)
                    exchange.say(p, tables.views[v].layer, state.occupied, state.taken[*side ^ 1]);
        return {};
    });
}

// The placements of a side for which there is room and support now.
PLYGROUND_EXPORT("fitting") int fitting(int words) {
    return about_position(words, [](Reader& given, const Tables&, AnyPosition& position) -> Refusal {
        if (const auto side = read_side(given)) position.playable(*side).each([](int place) { exchange.say(place); });
        return {};
    });
}

// The key that a position shares with its images, as two numbers of 32 bits, the upper one first.
PLYGROUND_EXPORT("key") int key(int words) {
    return about_position(words, [](Reader& given, const Tables& tables, AnyPosition& position) -> Refusal {
        if (!given.done()) return {};
        const auto key = position.least_key(tables.symmetries).key;
        exchange.say(key >> 32, key & 0xffffffff);
        return {};
    });
}

PLYGROUND_EXPORT("perft") int perft(int words) {
    return about_position(words, [](Reader& given, const Tables&, AnyPosition& position) -> Refusal {
        int depth = 0;
        given >> depth;
        if (!given.done()) return {};
        if (depth < 0 || depth > MAX_PERFT) return "a depth is 0 to " + std::to_string(MAX_PERFT);
        exchange.say(depth > 0 && position.outcome() ? 0 : plyground::perft(position, depth));
        return {};
    });
}

// What a heuristic says to the side to move.
PLYGROUND_EXPORT("evaluate") int evaluate(int words) {
    return call(words, [](Reader& given) -> Refusal {
        const Game* game = read_game(given);
        const Evaluator* evaluator = read_evaluator(given, game);
        const State state = read_state(given, game);
        if (!given.done()) return {};
        const auto [value, sound] = AnyPosition(game->core.tables(), *evaluator, state).evaluate();
        if (!sound) return unsound(value);
        exchange.say(value);
        return {};
    });
}

}  // namespace plyground::wasm
