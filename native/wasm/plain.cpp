// The searches to read as JavaScript sees them, and the trees they walk.
#include "search/plain.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wasm/exchange.hpp"
#include "wasm/games.hpp"
#include "wasm/searches.hpp"

namespace plyground::wasm {

namespace {

constexpr int MAX_DEPTH = 128;  // the stack of a module is small

// Keeps the tree, where it is wanted, as a list, each position before those that follow it.
class Recorder {
  public:
    explicit Recorder(bool wanted) : wanted_(wanted) {}

    struct Node {
        Move move;
        std::int64_t value = 0;
        int ending = 0, winner = -1;
        int legal = 0, children = 0;
    };
    std::vector<Node> nodes;

    void enter(Move move) {
        if (!wanted_) return;
        if (!path_.empty()) ++nodes[path_.back()].children;
        path_.push_back(nodes.size());
        nodes.push_back({move});
    }
    template <int W>
    void leave(Position<W>& position, std::int64_t value) {
        if (!wanted_) return;
        auto& node = nodes[path_.back()];
        path_.pop_back();
        node.value = value;
        const auto over = position.outcome();
        node.ending = static_cast<int>(over.ending);
        node.winner = over.winner;
        if (node.children) position.any_move([&](Move) { return ++node.legal, false; });
    }

  private:
    const bool wanted_;
    std::vector<std::size_t> path_;
};

void say(const Recorder& recorder) {
    for (const auto& [move, value, ending, winner, legal, children] : recorder.nodes) {
        exchange.say(move);
        exchange.say(value, ending, winner, legal, children);
    }
}

// Game, heuristic, position, depth, what a win is worth (at once, per ply, per empty cell), what a leaf is worth (here,
// before), whether there are cut-offs, the rank of each placement (none: as the rules list them), nodes, seconds.
int run(int words, bool traced) {
    return call(words, [&](Reader& given) -> Refusal {
        const Game* game = read_game(given);
        const Evaluator* evaluator = read_evaluator(given, game);
        const State state = read_state(given, game);
        int depth = 0;
        std::array<std::int64_t, 3> win{};
        std::array<std::int64_t, 2> leaf{};
        PlainStyle style{};
        std::optional<std::uint64_t> nodes;
        std::optional<double> seconds;
        given >> depth, given >> win, given >> leaf, given >> style.prune, given >> style.order;
        given >> nodes, given >> seconds;
        if (!given.done()) return {};
        const auto& places = game->core.tables().places;
        if (!style.order.empty() && static_cast<int>(style.order.size()) < std::max(places[0], places[1]))
            return "an order needs a rank for each placement";
        if (depth < 0 || depth > MAX_DEPTH) return "a depth is 0 to " + std::to_string(MAX_DEPTH);
        style.win = {win[0], win[1], win[2]};
        style.leaf = {leaf[0], leaf[1]};
        Control control;
        control.begin(to_limit(nodes, seconds), interrupted, false);
        Recorder recorder(traced);
        const auto found = plain_search(game->core, *evaluator, state, control, depth, style, recorder);
        exchange.begin_answer();
        if (control.unsound()) return unsound(control.unsound());
        exchange.say(found.finished, found.score, found.nodes, found.evaluations);
        exchange.say(found.line);
        if (found.finished) say(recorder);
        return {};
    });
}

}  // namespace

// Answers whether the search is finished, the value, the nodes, the evaluations and the line.
PLYGROUND_EXPORT("plain") int plain(int words) { return run(words, false); }

// The same, and each position that was looked at: the move that led there, its value, how the game ended there and who
// won, how many moves are legal there (0 where none was looked at) and how many were looked at.
PLYGROUND_EXPORT("trace") int trace(int words) { return run(words, true); }

}  // namespace plyground::wasm
