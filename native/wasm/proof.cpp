// Proofs as JavaScript sees them: one prover at a time, with its table, and pairings.
#include "proof/proof.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "proof/holding.hpp"
#include "proof/pairing.hpp"
#include "proof/proof_table.hpp"
#include "wasm/exchange.hpp"
#include "wasm/games.hpp"
#include "wasm/searches.hpp"

namespace plyground::wasm {

namespace {

constexpr int WORDS = MAX_CELLS / 64;

// What the searches of one game have proved.
struct Proofs {
    std::unique_ptr<ProofTable> table;
    const Core* core = nullptr;
    std::size_t bytes = 0;

    bool serve(const Core& game, std::size_t table_bytes) {
        if (table && core == &game && bytes == table_bytes) return true;
        *this = {};
        if (table_bytes < ProofTable::LEAST_BYTES) return false;
        auto made = std::make_unique<ProofTable>(table_bytes);
        if (!made->ready()) return false;
        table = std::move(made), core = &game, bytes = table_bytes;
        return true;
    }
};

Proofs proofs;

// What is asked of a proof search.
struct Asked {
    const Core* core = nullptr;
    State state;
    Question question{};
    Control control;

    // Game, bytes of the table, position, attacker, by which ply, nodes, seconds.
    [[gnu::noinline]] Refusal read(Reader& given) {
        const Game* game = read_game(given);
        std::size_t bytes = 0;
        given >> bytes;
        state = read_state(given, game);
        std::optional<std::uint64_t> nodes;
        std::optional<double> seconds;
        given >> question.attacker, given >> question.horizon, given >> nodes, given >> seconds;
        if (!given.done()) return given.refusal();
        if (question.attacker != 0 && question.attacker != 1) return "a side is 0 or 1";
        core = &game->core;
        if (!proofs.serve(*core, bytes)) return "there is too little memory for the table of proofs";
        control.begin(to_limit(nodes, seconds), interrupted, true);
        return {};
    }
};

// Answers what f gets out of a search.
template <class F>
int ask(int words, F&& f) {
    return call(words, [&](Reader& given) -> Refusal {
        Asked asked;
        if (auto refusal = asked.read(given)) return refusal;
        const Core& core = *asked.core;
        core.with_position(core.none(), asked.state, [&]<int W>(Position<W>& position) {
            ProofSearch<W> search(core.tables(), position, *proofs.table, asked.control);
            f(search, asked.question);
            return 0;
        });
        return {};
    });
}

}  // namespace

void forget_proofs() { proofs = {}; }

// Answers 0 (not known), 1 (the attacker can force a win) or 2 (it cannot), and the nodes.
PLYGROUND_EXPORT("can_win") int can_win(int words) {
    return ask(words, [](auto& search, Question question) {
        const auto answer = search.ask(question);
        exchange.begin_answer();
        exchange.say(static_cast<int>(answer), search.nodes());
    });
}

// Answers the play after a win that was proved, and the nodes.
PLYGROUND_EXPORT("winning_line") int winning_line(int words) {
    return ask(words, [](auto& search, Question question) {
        const auto line = search.line(question);
        exchange.begin_answer();
        exchange.say(search.nodes());
        exchange.say(line);
    });
}

// Answers whether the strategy of a win that was proved is complete, the plies of the last answer in it (-1: none is
// needed), the first answer, and the nodes.
PLYGROUND_EXPORT("strategy") int strategy(int words) {
    return ask(words, [](auto& search, Question question) {
        std::vector<Reply> replies;
        const bool complete = search.strategy(question, replies);
        exchange.begin_answer();
        int last = -1;
        for (const auto& reply : replies) last = std::max(last, reply.state.ply);
        exchange.say(complete, last);
        exchange.say(replies.empty() ? Move{} : replies.front().move);
        exchange.say(search.nodes());
    });
}

// Patterns as lists of cells, and how many pairs may be tried. Answers 0 (there is no pairing), 1 (there is) or 2 (not
// known), and the pairs.
PLYGROUND_EXPORT("pairing") int pairing(int words) {
    return call(words, [](Reader& given) -> Refusal {
        std::vector<Cells> patterns;
        std::uint64_t effort = 0;
        given >> patterns, given >> effort;
        if (!given.done()) return {};
        std::vector<Mask<WORDS>> masks;
        for (const auto& pattern : patterns) {
            auto& mask = masks.emplace_back();
            for (int cell : pattern) {
                if (cell < 0 || cell >= MAX_CELLS) return "a pattern lies off the board";
                mask.set(cell);
            }
        }
        PairingFinder<WORDS> finder;
        exchange.say(static_cast<int>(finder.find(masks, effort)));
        exchange.say(finder.pairs.size());
        for (auto [low, high] : finder.pairs) exchange.say(low, high);
        return {};
    });
}

// Game, position, how many pairs may be tried. Answers the moves after which the mover holds the position.
PLYGROUND_EXPORT("keeping") int keeping(int words) {
    return call(words, [](Reader& given) -> Refusal {
        const Game* game = read_game(given);
        const State state = read_state(given, game);
        std::uint64_t effort = 0;
        given >> effort;
        if (!given.done()) return {};
        const Core& core = game->core;
        exchange.say(core.with_position(
            core.none(), state, [&](auto& position) { return Holder(core.tables()).keeping(position, effort); }));
        return {};
    });
}

}  // namespace plyground::wasm
