// The engine as JavaScript sees it: one at a time, with its table.
#include "search/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "wasm/exchange.hpp"
#include "wasm/games.hpp"
#include "wasm/searches.hpp"

namespace plyground::wasm {

namespace {

constexpr int MAX_DEPTH = 1 << 16;

struct Running {
    std::unique_ptr<Engine> engine;
    const Core* core = nullptr;
    const Evaluator* evaluator = nullptr;
    std::size_t bytes = 0;
    bool begun = false;

    // Whether there is an engine for these; one for others is gone first, so that there is never more than one table.
    bool serve(const Game& game, const Evaluator& heuristic, std::size_t table_bytes) {
        if (engine && core == &game.core && evaluator == &heuristic && bytes == table_bytes) return true;
        *this = {};
        engine = make_engine(game.core, heuristic, table_bytes, 1);
        core = &game.core, evaluator = &heuristic, bytes = table_bytes;
        return engine != nullptr;
    }
};

Running running;

// Runs f with a depth where a search has begun.
template <class F>
int search(int words, F&& f) {
    return call(words, [&](Reader& given) -> Refusal {
        int depth = 0;
        given >> depth;
        if (!given.done()) return {};
        if (!running.begun) return "nothing to search: begin first";
        if (depth < 1 || depth > MAX_DEPTH) return "a depth is 1 to " + std::to_string(MAX_DEPTH);
        f(*running.engine, depth);
        if (const auto value = running.engine->unsound()) return unsound(value);
        return {};
    });
}

}  // namespace

void forget_engine() { running = {}; }

// Game, heuristic, bytes of the table, position, the moves to choose among (none: all), nodes, seconds.
PLYGROUND_EXPORT("begin_search") int begin_search(int words) {
    return call(words, [](Reader& given) -> Refusal {
        const Game* game = read_game(given);
        const Evaluator* evaluator = read_evaluator(given, game);
        std::size_t bytes = 0;
        given >> bytes;
        const State state = read_state(given, game);
        std::vector<Move> among;
        std::optional<std::uint64_t> nodes;
        std::optional<double> seconds;
        given >> among, given >> nodes, given >> seconds;
        if (!given.done()) return {};
        if (!running.serve(*game, *evaluator, bytes)) return "there is too little memory for the engine's table";
        running.begun = false;
        if (auto refusal = running.engine->begin(state, among, to_limit(nodes, seconds), interrupted)) return refusal;
        running.begun = true;
        return {};
    });
}

// Answers whether the depth is complete, whether a move was found, its score, whether that is proved, the nodes so far
// and the line.
PLYGROUND_EXPORT("deepen") int deepen(int words) {
    return search(words, [](Engine& engine, int depth) {
        const auto found = engine.deepen(depth);
        exchange.begin_answer();
        exchange.say(found.complete, found.found, found.score, found.proved, engine.nodes());
        exchange.say(found.line);
    });
}

}  // namespace plyground::wasm
