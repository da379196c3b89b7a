// What is known about a position and each of its moves: the one place that everybody asks.
//
// Books are asked first, then the solver, proof search and pairings, then the engine for an opinion about the rest
// (`inquiry.hpp`). A position is worth the best of its moves; a verdict does not change when its move is made; what is
// proved stays proved; moves are ranked by comparable evidence only: a proof, or a search of the same depth.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "connect_four/solver.hpp"
#include "core/core.hpp"
#include "core/refusal.hpp"
#include "judge/analysis.hpp"
#include "judge/books.hpp"
#include "judge/findings.hpp"
#include "judge/memory.hpp"
#include "judge/numbers.hpp"
#include "judge/outlook.hpp"
#include "judge/proofs.hpp"
#include "proof/holding.hpp"
#include "search/engine.hpp"

namespace plyground {

// What a judge works with beside its books; whoever makes one hands it over, so that what is not asked for need not be
// there.
struct JudgeTools {
    std::size_t proof_bytes = 32 << 20;               // of the table of proof search
    std::unique_ptr<connect_four::Solver> solver;     // none where the game has none
    int columns = 0;                                  // of the board that the solver is for
    std::function<std::unique_ptr<Engine>()> engine;  // makes one; none of it when there is too little memory
};

// Judges positions of one game, and remembers what it has proved. It answers one question at a time, except that
// `halt` may be called by any thread.
class Judge {
  public:
    static constexpr std::uint64_t EFFORT_TRIES = 300'000;  // pairs tried for a proof before it gives up
    static constexpr std::uint64_t GLANCE_TRIES = 100;      // at a look at one move of many
    static constexpr int MANY_PATTERNS = 100;  // of the opponent: with more no move is looked at, it would take long

    // The core must outlive it.
    Judge(const Core& core, Books books, JudgeTools tools)
        : core_(core),
          tools_(std::move(tools)),
          books_(std::move(books)),
          memory_(core.tables()),
          proofs_(core, tools_.proof_bytes, halting_, halted_) {}

    // Whether there was enough memory for it.
    bool ready() const { return proofs_.ready(); }

    const Core& core() const { return core_; }
    const Tables& tables() const { return core_.tables(); }
    const Books& books() const { return books_; }
    Memory& memory() { return memory_; }
    // None where the game has no solver.
    connect_four::Solver* solver() { return tools_.solver.get(); }
    int columns() const { return tools_.columns; }
    Proofs& proofs() { return proofs_; }

    // ------------------------------------------------------------ ending what runs

    // What the outside world is asked now and then, until the next call: whether the question must end.
    void begin(Interrupt interrupt) { interrupt_ = std::move(interrupt); }
    // Ends the question at work, or the next one; `resume` lets questions run again.
    void halt() { halted_ = true; }
    void resume() { halted_ = false; }
    bool halted() const { return halted_.load(std::memory_order_relaxed); }
    // What a search asks now and then.
    const Interrupt& halting() const { return halting_; }

    // ------------------------------------------------------------ what is proved

    // What is known about moves without a search: games that are over, what was proved before, books. What is
    // remembered about the position itself does not say which move it holds for.
    Facts at_a_glance(const Outlook& outlook) {
        Facts facts(outlook.size());
        for (std::size_t i = 0; i < outlook.size(); ++i) {
            const auto& after = outlook.after[i];
            if (after.outcome) {
                const int winner = after.outcome.winner;
                const Score score = winner < 0                    ? Score::draw()
                                    : winner == outlook.to_move() ? Score::win(1)
                                                                  : Score::loss(1);
                facts[i] = Analysis::proof(score, {outlook.moves[i]}, Source::SEARCH);
                facts[i]->depth = 1;
            } else if (auto known = memory_.find(after)) {
                known->line.insert(known->line.begin(), outlook.moves[i]);
                known->score = known->score->before_move();
                facts[i] = std::move(known);
            }
        }
        if (books_.empty()) return facts;
        const auto entries = books_.entries(outlook);
        for (std::size_t i = 0; i < outlook.size(); ++i) {
            if (!entries[i] || !entries[i]->score) continue;
            auto proof = Analysis::proof(*entries[i]->score, {outlook.moves[i]}, Source::BOOK, entries[i]->note);
            if (!facts[i]) {
                facts[i] = std::move(proof);
            } else {
                agree(*facts[i]->score, *proof.score, memory_.contradiction);
            }
        }
        return facts;
    }

    // What is known about a position as a whole without a search: proved before, or in a book.
    std::optional<Analysis> known(const Spot& spot) {
        if (auto found = memory_.find(spot)) return found;
        if (const auto score = books_.score_of(spot.state)) return Analysis::proof(*score, {}, Source::BOOK);
        return {};
    }

    // The move to make if the board, the books and earlier proofs show it at once.
    std::optional<Analysis> advice(const Outlook& outlook) {
        const auto facts = at_a_glance(outlook);
        std::vector<Analysis> known;
        for (const auto& fact : facts)
            if (fact) known.push_back(*fact);
        // Of equal moves, one that lies on more patterns sets the opponent more problems.
        std::ranges::stable_sort(known, std::ranges::greater{},
                                 [&](const Analysis& each) { return touched(outlook.to_move(), each.move()); });
        const bool all = known.size() == outlook.size();
        if (!known.empty()) {
            const auto ranking = Ranking::of(std::move(known));
            const Analysis& best = ranking.best();
            if (best.score->won() || (all && best.settled())) return best;
            const auto whole = this->known(outlook.here);
            if (whole && whole->score->drawn() && best.score->drawn()) return best;
        }
        const auto entries = books_.entries(outlook);
        for (std::size_t i = 0; i < outlook.size(); ++i)
            if (entries[i] && !entries[i]->score) {
                auto found = Analysis::unsearched(outlook.moves[i]);
                found.source = Source::BOOK;
                found.note = entries[i]->note;
                return found;
            }
        return {};
    }

    // The moves after which a pairing proves that the mover never loses, those hard to find left out; none where
    // pairings say nothing. So many pairs may be tried for each.
    std::vector<Move> safe_moves(const State& state, std::uint64_t tries) {
        if (!tables().pairable()) return {};
        return core_.with_position(core_.none(), state, [&](auto& position) -> std::vector<Move> {
            if (position.live(position.to_move() ^ 1) > MANY_PATTERNS) return {};
            Holder holder(tables());
            auto kept = holder.keeping(position, GLANCE_TRIES);
            // Where none would remain, each is given the effort.
            return kept.empty() && tries > GLANCE_TRIES ? holder.keeping(position, tries) : kept;
        });
    }

    // How many pairs may be tried for each of so many moves, so that all of them together take a share of a limit.
    static std::uint64_t tries(std::size_t moves, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        static constexpr double SHARE = 0.15, TRIES_PER_SECOND = 1'000'000;
        std::uint64_t tries = EFFORT_TRIES;
        if (seconds) tries = std::min(tries, static_cast<std::uint64_t>(*seconds * SHARE * TRIES_PER_SECOND) / moves);
        if (nodes) tries = std::min(tries, static_cast<std::uint64_t>(*nodes * SHARE) / moves);
        return tries;
    }

    // Whether a pairing proves that the side to move cannot win, whatever it plays.
    bool cannot_win(const State& state) {
        if (!tables().pairable()) return false;
        return core_.with_position(core_.none(), state, [&](const auto& position) {
            const int side = position.to_move();
            return position.live(side) <= MANY_PATTERNS &&
                   Holder(tables()).holds(position, side ^ 1, 10 * GLANCE_TRIES);
        });
    }

    // Keeps what is proved about a position; an opinion is not kept.
    void remember(const Spot& spot, const Analysis& analysis) {
        if (analysis.proved()) memory_.add(spot, analysis);
    }

    // The score by the solver, as its number; nothing when a limit came first or it cannot say. Counts what it visited.
    std::optional<int> solve(const State& state, Window window, Limit limit, std::uint64_t& visited) {
        const auto board = solver() ? to_board(state) : std::nullopt;
        if (!board) return {};
        control_.begin(limit, halting_, false);
        const auto found = solver()->solve(*board, window, 1, control_);
        visited += found.nodes;
        return found.score;
    }

    // ------------------------------------------------------------ the engine, for opinions

    // An engine that nobody uses, which is given back later; none when there is too little memory.
    std::unique_ptr<Engine> take_engine() {
        ++searches;
        if (idle_.empty()) return tools_.engine ? tools_.engine() : nullptr;
        auto engine = std::move(idle_.back());
        idle_.pop_back();
        return engine;
    }
    void give_back(std::unique_ptr<Engine> engine) { idle_.push_back(std::move(engine)); }

    // Gives up what is only kept so that the next question begins sooner: it may be long until then.
    void rest() { idle_.clear(); }

    std::uint64_t searches = 0;  // how often an engine was asked for an opinion

  private:
    const Core& core_;
    JudgeTools tools_;
    const Books books_;
    Memory memory_;
    std::atomic<bool> halted_{false};
    Interrupt interrupt_;
    const Interrupt halting_ = [this] {
        if (!halted_ && interrupt_ && interrupt_()) halted_ = true;
        return halted();
    };
    Proofs proofs_;
    Control control_;
    std::vector<std::unique_ptr<Engine>> idle_;

    // How many patterns share a cell with a placement.
    int touched(int side, Move move) const {
        std::vector<int> found;
        for (auto [cell, kind] : tables().covered[side][move.place])
            for (int p : tables().through[cell]) found.push_back(p);
        std::ranges::sort(found);
        const auto [first, last] = std::ranges::unique(found);
        return static_cast<int>(first - found.begin());
    }
};

}  // namespace plyground
