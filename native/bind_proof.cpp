// Proofs as Python sees them: the df-pn search with its table, and pairings.
#include "bind_proof.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core.hpp"
#include "holding.hpp"
#include "pairing.hpp"
#include "proof.hpp"

namespace nb = nanobind;
using namespace plyground;

namespace {

using MoveTuple = std::pair<int, std::optional<int>>;

MoveTuple to_tuple(Move move) { return {move.place, move.lift < 0 ? std::nullopt : std::optional<int>(move.lift)}; }

// A proof search that keeps its table from question to question, so that asking again goes on where it stopped.
class Prover {
  public:
    Prover(const Core& core, std::size_t bytes) : core_(core), none_(core.tables(), {}), table_(bytes) {}

    // Calls f with a search of a position, Python free to do other things meanwhile.
    template <class F>
    auto search(const State& state, std::optional<std::uint64_t> nodes, std::optional<double> seconds, F&& f) {
        Limits limits;
        if (nodes) limits.nodes = *nodes;
        if (seconds) limits.seconds = *seconds;
        control_.begin(
            limits,
            [] {
                nb::gil_scoped_acquire gil;
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
            },
            true);  // a node takes so long that looking at the clock each time costs nothing
        nb::gil_scoped_release free;
        return core_.with_position(none_, state, [&]<int W>(Position<W>& position) {
            ProofSearch<W> proof(core_.tables(), position, table_, control_);
            auto answer = f(proof);
            nodes_ += proof.nodes();
            return answer;
        });
    }

    void stop() { control_.stop(); }
    std::uint64_t nodes() const { return nodes_; }

  private:
    const Core& core_;
    Evaluator none_;
    ProofTable table_;
    Control control_;
    std::uint64_t nodes_ = 0;
};

constexpr int WORDS = MAX_CELLS / 64;

std::pair<int, std::vector<std::pair<int, int>>> pairing(const std::vector<std::vector<int>>& patterns,
                                                         std::uint64_t effort) {
    std::vector<Mask<WORDS>> masks;
    for (const auto& pattern : patterns) {
        auto& mask = masks.emplace_back();
        for (int cell : pattern) {
            if (cell < 0 || cell >= MAX_CELLS) throw std::invalid_argument("a pattern lies off the board");
            mask.set(cell);
        }
    }
    PairingFinder<WORDS> finder;
    const auto found = finder.find(masks, effort);
    return {static_cast<int>(found), finder.pairs};
}

}  // namespace

void bind_proof(nb::module_& m) {
    m.def("pairing", &pairing, nb::arg("patterns"), nb::arg("effort"), nb::call_guard<nb::gil_scoped_release>());

    m.def(
        "keeping",
        [](const Core& core, const State& state, std::uint64_t effort) {
            const Evaluator none(core.tables(), {});
            const auto moves = core.with_position(none, state, [&](auto& position) {
                return Holder(core.tables()).keeping(position, effort);
            });
            std::vector<MoveTuple> tuples;
            for (Move move : moves) tuples.push_back(to_tuple(move));
            return tuples;
        },
        nb::arg("core"), nb::arg("state"), nb::arg("effort"));

    nb::class_<Prover>(m, "Prover")
        .def(nb::init<const Core&, std::size_t>(), nb::arg("core"), nb::arg("table_bytes"), nb::keep_alive<1, 2>())
        .def_prop_ro("nodes", &Prover::nodes)
        .def("stop", &Prover::stop)
        .def("ask",
             [](Prover& prover, const State& state, int attacker, int horizon, std::optional<std::uint64_t> nodes,
                std::optional<double> seconds) {
                 return static_cast<int>(prover.search(
                     state, nodes, seconds, [&](auto& proof) { return proof.ask({attacker, horizon}); }));
             }, nb::arg("state"), nb::arg("attacker"), nb::arg("horizon"), nb::arg("nodes").none(),
             nb::arg("seconds").none())
        .def("line",
             [](Prover& prover, const State& state, int attacker, int horizon, std::optional<double> seconds) {
                 std::vector<MoveTuple> line;
                 for (Move move : prover.search(state, std::nullopt, seconds,
                                                [&](auto& proof) { return proof.line({attacker, horizon}); }))
                     line.push_back(to_tuple(move));
                 return line;
             }, nb::arg("state"), nb::arg("attacker"), nb::arg("horizon"), nb::arg("seconds").none())
        .def("strategy",
             [](Prover& prover, const State& state, int attacker, int horizon, std::optional<double> seconds) {
                 std::vector<Reply> replies;
                 const bool complete = prover.search(state, std::nullopt, seconds, [&](auto& proof) {
                     return proof.strategy({attacker, horizon}, replies);
                 });
                 std::vector<std::tuple<nb::bytes, int, std::vector<int>, MoveTuple, MoveTuple>> told;
                 for (const auto& [at, move] : replies)
                     told.emplace_back(nb::bytes(at.kinds.data(), at.kinds.size()), at.ply, at.cards,
                                       to_tuple(at.last), to_tuple(move));
                 return std::pair{complete, told};
             }, nb::arg("state"), nb::arg("attacker"), nb::arg("horizon"), nb::arg("seconds").none());
}
