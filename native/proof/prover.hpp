// A proof search that keeps its table from question to question, so that asking again goes on where it stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "core/state.hpp"
#include "proof/proof.hpp"
#include "proof/proof_table.hpp"
#include "search/control.hpp"

namespace plyground {

class Prover {
  public:
    // `bytes` are ProofTable::LEAST_BYTES or more; `ready` says whether there was so much memory.
    Prover(const Core& core, std::size_t bytes) : core_(core), table_(bytes) {}

    bool ready() const { return table_.ready(); }
    const Core& core() const { return core_; }
    ProofTable& table() { return table_; }
    // Positions expanded so far.
    std::uint64_t nodes() const { return nodes_; }
    // Ends a search that runs in another thread.
    void stop() { control_.stop(); }

  private:
    template <class F>
    auto search(const State& state, Limit limit, Interrupt interrupt, F&& f) {
        // A node takes so long that looking at the clock each time costs nothing.
        control_.begin(limit, std::move(interrupt), true);
        return core_.with_position(core_.none(), state, [&]<int W>(Position<W>& position) {
            ProofSearch<W> proof(core_.tables(), position, table_, control_);
            auto answer = f(proof);
            nodes_ += proof.nodes();
            return answer;
        });
    }

  public:
    ProofAnswer ask(const State& state, Question question, Limit limit, Interrupt interrupt) {
        return search(state, limit, std::move(interrupt), [&](auto& proof) { return proof.ask(question); });
    }

    // The play that follows from a proved win, cut short when out of time.
    std::vector<Move> line(const State& state, Question question, Limit limit, Interrupt interrupt) {
        return search(state, limit, std::move(interrupt), [&](auto& proof) { return proof.line(question); });
    }

    // Whether the strategy of a proved win is complete; false when a limit was reached first.
    bool strategy(const State& state, Question question, Limit limit, Interrupt interrupt,
                  std::vector<Reply>& replies) {
        return search(state, limit, std::move(interrupt),
                      [&](auto& proof) { return proof.strategy(question, replies); });
    }

  private:
    const Core& core_;
    ProofTable table_;
    Control control_;
    std::uint64_t nodes_ = 0;
};

// Whether the opponent's moves may add to a side's patterns, so that they can be complete after any of them.
inline bool serves(const Tables& tables, int side) {
    for (const auto& cover : tables.covered[side ^ 1])
        for (auto [cell, kind] : cover)
            if (tables.sides_of_kind[kind] >> side & 1) return true;
    return false;
}

}  // namespace plyground
