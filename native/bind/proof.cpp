// Proofs as Python sees them: the df-pn search with its table, and pairings.
#include "proof/proof.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/running.hpp"
#include "core/core.hpp"
#include "proof/holding.hpp"
#include "proof/pairing.hpp"
#include "proof/proof_table.hpp"

namespace plyground {

namespace {

// A proof search that keeps its table from question to question, so that asking again goes on where it stopped.
class Prover {
  public:
    Prover(const Core& core, std::size_t bytes) : core_(core), table_(std::max(bytes, ProofTable::LEAST_BYTES)) {
        if (bytes < ProofTable::LEAST_BYTES) refuse("a proof table needs room for one bucket at least");
        if (!table_.ready()) throw std::bad_alloc();
    }

    // What f gets out of a search of the question.
    template <class F>
    auto search(const BoundState& state, int attacker, int horizon, std::optional<std::uint64_t> nodes,
                std::optional<double> seconds, F&& f) {
        const OneAtATime::Hold hold(searches_);
        const auto& start = own(core_, state);
        const Question question{checked("attacker", attacker, 0, 1), horizon};
        // A node takes so long that looking at the clock each time costs nothing.
        control_.begin(to_limit(nodes, seconds), interrupted, true);
        return searched([&] {
            return core_.with_position(core_.none(), start, [&]<int W>(Position<W>& position) {
                ProofSearch<W> proof(core_.tables(), position, table_, control_);
                auto answer = f(proof, question);
                nodes_ += proof.nodes();
                return answer;
            });
        });
    }

    const Core& core() const { return core_; }
    void stop() { control_.stop(); }
    std::uint64_t nodes() const { return nodes_; }

  private:
    const Core& core_;
    ProofTable table_;
    Control control_;
    OneAtATime searches_;
    std::uint64_t nodes_ = 0;
};

int ask(Prover& prover, const BoundState& state, int attacker, int horizon, std::optional<std::uint64_t> nodes,
        std::optional<double> seconds) {
    const auto answer = prover.search(state, attacker, horizon, nodes, seconds,
                                      [](auto& proof, Question question) { return proof.ask(question); });
    return static_cast<int>(answer);
}

std::vector<MoveTuple> line(Prover& prover, const BoundState& state, int attacker, int horizon,
                            std::optional<double> seconds) {
    return to_tuples(prover.search(state, attacker, horizon, std::nullopt, seconds,
                                   [](auto& proof, Question question) { return proof.line(question); }));
}

// Whether the strategy is complete, and its replies: a position and the move there.
std::pair<bool, std::vector<std::pair<PositionTuple, MoveTuple>>> strategy(Prover& prover, const BoundState& state,
                                                                           int attacker, int horizon,
                                                                           std::optional<double> seconds) {
    std::vector<Reply> replies;
    const bool complete =
        prover.search(state, attacker, horizon, std::nullopt, seconds,
                      [&](auto& proof, Question question) { return proof.strategy(question, replies); });
    std::vector<std::pair<PositionTuple, MoveTuple>> tuples;
    for (const auto& [at, move] : replies) tuples.emplace_back(to_tuple(prover.core().tables(), at), to_tuple(move));
    return {complete, tuples};
}

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

    nb::class_<Prover>(m, "Prover")
        .def(nb::init<const Core&, std::size_t>(), nb::arg("core"), nb::arg("table_bytes"), nb::keep_alive<1, 2>())
        .def_prop_ro("nodes", &Prover::nodes)
        .def("stop", &Prover::stop)
        .def("ask", &ask, nb::arg("state"), nb::arg("attacker"), nb::arg("horizon"), nb::arg("nodes").none(),
             nb::arg("seconds").none())
        .def("line", &line, nb::arg("state"), nb::arg("attacker"), nb::arg("horizon"), nb::arg("seconds").none())
        .def("strategy", &strategy, nb::arg("state"), nb::arg("attacker"), nb::arg("horizon"),
             nb::arg("seconds").none());
}

}  // namespace plyground
