// Proofs as Python sees them: the df-pn search with its table, and pairings.
#include "proof/proof.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/running.hpp"
#include "core/core.hpp"
#include "judge/outlook.hpp"
#include "judge/proofs.hpp"
#include "judge/solutions.hpp"
#include "proof/holding.hpp"
#include "proof/pairing.hpp"
#include "proof/proof_table.hpp"
#include "proof/prover.hpp"

namespace plyground {

namespace {

// A prover that answers one question at a time.
class BoundProver {
  public:
    BoundProver(const Core& core, std::size_t bytes)
        : proofs_(core, std::max(bytes, ProofTable::LEAST_BYTES), [this] { return halted(); }, stopped_) {
        if (bytes < ProofTable::LEAST_BYTES) refuse("a proof table needs room for one bucket at least");
        if (!proofs_.ready()) throw std::bad_alloc();
    }

    // What f gets out of the prover about a question.
    template <class F>
    auto search(const BoundState& state, int attacker, int horizon, F&& f) {
        const OneAtATime::Hold hold(searches_);
        stopped_ = false;
        const auto& start = own(core(), state);
        const Question question{checked("attacker", attacker, 0, 1), horizon};
        return searched([&] { return f(proofs_, start, question); });
    }

    // The same for what asks many questions.
    template <class F>
    auto ask_many(F&& f) {
        const OneAtATime::Hold hold(searches_);
        stopped_ = false;
        return searched([&] { return f(proofs_); });
    }

    const Core& core() const { return proofs_.core(); }
    void stop() { proofs_.stop(); }
    std::uint64_t nodes() const { return proofs_.nodes(); }

  private:
    std::atomic<bool> stopped_{false};  // by a signal: no question of many is asked after that
    Proofs proofs_;
    OneAtATime searches_;

    bool halted() {
        if (interrupted()) stopped_ = true;
        return stopped_;
    }
};

int ask(BoundProver& prover, const BoundState& state, int attacker, int horizon, std::optional<std::uint64_t> nodes,
        std::optional<double> seconds) {
    const auto limit = to_limit(nodes, seconds);
    return static_cast<int>(prover.search(
        state, attacker, horizon,
        [&](Proofs& asked, const State& start, Question question) { return asked.ask(start, question, limit); }));
}

std::vector<MoveTuple> line(BoundProver& prover, const BoundState& state, int attacker, int horizon,
                            std::optional<double> seconds) {
    const auto limit = to_limit({}, seconds);
    return to_tuples(prover.search(state, attacker, horizon, [&](Proofs& asked, const State& start, Question question) {
        return asked.line(start, question, limit);
    }));
}

// Whether the strategy is complete, and its replies: a position and the move there.
std::pair<bool, std::vector<std::pair<PositionTuple, MoveTuple>>> strategy(BoundProver& prover, const BoundState& state,
                                                                           int attacker, int horizon,
                                                                           std::optional<double> seconds) {
    std::vector<Reply> replies;
    const auto limit = to_limit({}, seconds);
    const bool complete =
        prover.search(state, attacker, horizon, [&](Proofs& asked, const State& start, Question question) {
            return asked.strategy(start, question, limit, replies);
        });
    std::vector<std::pair<PositionTuple, MoveTuple>> tuples;
    for (const auto& [at, move] : replies) tuples.emplace_back(to_tuple(prover.core().tables(), at), to_tuple(move));
    return {complete, tuples};
}

// The solutions of a position, one after the other.
class BoundSolving {
  public:
    BoundSolving(BoundProver& prover, const BoundState& state, std::optional<int> within, std::optional<double> seconds)
        : prover_(prover), outlook_(Outlook::of(prover.core(), own(prover.core(), state))) {
        if (outlook_.here.outcome) refuse("the game is over, so there is nothing to solve");
        prover.ask_many([&](Proofs& proofs) {
            solving_ = std::make_unique<Solving>(proofs, outlook_, within, Budget{{}, {}, seconds});
            return 0;
        });
    }

    // Winner, plies, plies excluded for each side, first move, line, nodes and seconds; None after the last.
    nb::object next() {
        if (!prover_.ask_many([&](Proofs&) { return solving_->next(); })) return nb::none();
        const auto& found = solving_->found();
        std::optional<int> winner;
        if (found.winner >= 0) winner = found.winner;
        std::optional<MoveTuple> first;
        if (found.first) first = to_tuple(*found.first);
        return nb::make_tuple(found.within, winner, found.plies, found.excluded[0], found.excluded[1], first,
                              to_tuples(found.line), found.nodes, found.seconds);
    }

  private:
    BoundProver& prover_;
    const Outlook outlook_;
    std::unique_ptr<Solving> solving_;
};

constexpr int WORDS = MAX_CELLS / 64;

std::pair<int, std::vector<std::pair<int, int>>> pairing(const std::vector<std::vector<int>>& patterns,
                                                         std::uint64_t effort) {
    std::vector<Mask<WORDS>> masks;
    for (const auto& pattern : patterns) {
        auto& mask = masks.emplace_back();
        for (int cell : pattern) {
            if (cell < 0 || cell >= MAX_CELLS) refuse("a pattern lies off the board");
            mask.set(cell);
        }
    }
    PairingFinder<WORDS> finder;
    const auto found = finder.find(masks, effort);
    return {static_cast<int>(found), finder.pairs};
}

std::vector<MoveTuple> keeping(const Core& core, const BoundState& state, std::uint64_t effort) {
    return to_tuples(core.with_position(core.none(), own(core, state), [&](auto& position) {
        return Holder(core.tables()).keeping(position, effort);
    }));
}

}  // namespace

void bind_proof(nb::module_& m) {
    m.def("pairing", &pairing, nb::arg("patterns"), nb::arg("effort"), nb::call_guard<nb::gil_scoped_release>());
    m.def("keeping", &keeping, nb::arg("core"), nb::arg("state"), nb::arg("effort"));

    nb::class_<BoundSolving>(m, "Solving").def("next", &BoundSolving::next);

    nb::class_<BoundProver>(m, "Prover")
        .def(nb::init<const Core&, std::size_t>(), nb::arg("core"), nb::arg("table_bytes"), nb::keep_alive<1, 2>())
        .def_prop_ro("nodes", &BoundProver::nodes)
        .def("stop", &BoundProver::stop)
        .def("ask", &ask, nb::arg("state"), nb::arg("attacker"), nb::arg("horizon"), nb::arg("nodes").none(),
             nb::arg("seconds").none())
        .def("line", &line, nb::arg("state"), nb::arg("attacker"), nb::arg("horizon"), nb::arg("seconds").none())
        .def(
            "solve",
            [](BoundProver& prover, const BoundState& state, std::optional<int> within, std::optional<double> seconds) {
                return new BoundSolving(prover, state, within, seconds);
            },
            nb::rv_policy::take_ownership, nb::keep_alive<0, 1>(), nb::arg("state"), nb::arg("within").none(),
            nb::arg("seconds").none())
        .def("strategy", &strategy, nb::arg("state"), nb::arg("attacker"), nb::arg("horizon"),
             nb::arg("seconds").none());
}

}  // namespace plyground
