// Rules, positions, heuristics and plain searches as Python sees them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/running.hpp"
#include "core/core.hpp"
#include "search/control.hpp"
#include "search/plain.hpp"

namespace plyground {

namespace {

constexpr int MAX_DEPTH = 4096;  // of searches that need the stack for every ply

// Rules as Python hands them over.
using PatternTuple = std::tuple<Cells, Cells, int, Cells, Cells, std::vector<int>>;  // as the fields of PatternData
using PlacementTuple = std::pair<std::vector<Cells>, Cells>;          // what it adds by layer, what it rests on
using SymmetryTuple = std::pair<std::vector<int>, std::vector<int>>;  // of cells, of layers
template <class T>
using BySide = std::array<std::vector<T>, 2>;
using ThreatsTuple = std::pair<BySide<std::int64_t>, std::vector<Cells>>;  // weights, shades
using NetTuple = std::tuple<nb::bytes, std::vector<std::int64_t>, int>;    // rows, out, shift

RulesData to_rules(int cells, int layers, const BySide<int>& watches, const std::vector<PatternTuple>& patterns,
                   const BySide<PlacementTuple>& placements, int max_plies, std::optional<int> recycle_from,
                   const std::vector<SymmetryTuple>& symmetries, bool mover_wins_ties, std::optional<int> full_winner,
                   std::vector<int> passes) {
    RulesData data{cells,
                   layers,
                   watches,
                   {},
                   {},
                   max_plies,
                   recycle_from.value_or(NEVER),
                   {},
                   mover_wins_ties,
                   full_winner.value_or(-1),
                   std::move(passes)};
    for (const auto& [own, neutraliser, family, barred, swapped, views] : patterns)
        data.patterns.push_back({own, neutraliser, family, barred, swapped, views});
    for (int side = 0; side < 2; ++side)
        for (const auto& [adds, rests_on] : placements[side]) data.placements[side].push_back({adds, rests_on});
    for (const auto& [to_cells, to_layers] : symmetries) data.symmetries.push_back({to_cells, to_layers});
    return data;
}

std::vector<ThreatWeights> to_threats(const Tables& tables, const std::vector<ThreatsTuple>& parts) {
    std::vector<ThreatWeights> threats;
    for (const auto& [weights, shades] : parts) {
        threats.push_back({weights, {}});
        for (const auto& shade : shades) {
            auto& mask = threats.back().shades.emplace_back();
            for (int cell : shade) {
                if (cell < 0 || cell >= tables.cells) refuse("a shade lies on no cell");
                mask.set(cell);
            }
        }
    }
    return threats;
}

// Signed bytes.
std::vector<std::int8_t> to_weights(const nb::bytes& bytes) {
    const auto* first = static_cast<const std::int8_t*>(bytes.data());
    return {first, first + bytes.size()};
}

// Has a Python function answer for a heuristic. Whoever owns the result holds a reference to the function.
auto asking(const Tables& tables, nb::callable function) {
    return [&tables, function](const State& state) -> Opinion {
        nb::gil_scoped_acquire gil;
        try {
            const auto [layers, ply, cards, last] = to_tuple(tables, state);
            return opinion(nb::cast<std::int64_t>(function(layers, ply, cards, last)));
        } catch (...) {
            Raised::keep();
            return {};
        }
    };
}

BoundEvaluator data_evaluator(const Core& core, decltype(Weights::patterns) patterns, decltype(Weights::lines) lines,
                              decltype(Weights::cells) cells, decltype(Weights::directions) directions,
                              const std::vector<ThreatsTuple>& threats, const std::vector<NetTuple>& nets) {
    const auto& tables = core.tables();
    Weights weights{std::move(patterns),
                    std::move(lines),
                    std::move(cells),
                    std::move(directions),
                    to_threats(tables, threats),
                    {}};
    for (const auto& [rows, out, shift] : nets) weights.nets.push_back({to_weights(rows), out, shift});
    return {checked(Evaluator::make(tables, std::move(weights))), tables.fingerprint()};
}

BoundEvaluator asking_evaluator(const Core& core, nb::callable function) {
    auto evaluator = checked(Evaluator::none(core.tables()));
    evaluator.callback = asking(core.tables(), std::move(function));
    evaluator.symmetric = false;
    return {std::move(evaluator), core.tables().fingerprint()};
}

std::int64_t evaluate(const Core& core, const BoundEvaluator& evaluator, const BoundState& state) {
    const auto [value, sound] = core.evaluate(own(core, evaluator), own(core, state));
    Raised::rethrow();
    if (!sound) check_sound(value);
    return value;
}

auto plain(const Core& core, const BoundEvaluator& evaluator, const BoundState& state, int depth,
           const std::array<std::int64_t, 3>& win, const std::array<std::int64_t, 2>& leaf, bool prune,
           std::vector<int> order, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
    const auto& places = core.tables().places;
    if (!order.empty() && static_cast<int>(order.size()) < std::max(places[0], places[1]))
        refuse("an order needs a rank for each placement");
    checked("depth", depth, 0, MAX_DEPTH);
    const auto& heuristic = own(core, evaluator);
    const auto& start = own(core, state);
    const PlainStyle style{{win[0], win[1], win[2]}, {leaf[0], leaf[1]}, prune, std::move(order)};
    Control control;
    control.begin(to_limit(nodes, seconds), interrupted, static_cast<bool>(heuristic.callback));
    const auto found = searched([&] { return plain_search(core, heuristic, start, control, depth, style); });
    check_sound(control.unsound());
    return std::tuple{found.finished, found.score, to_tuples(found.line), found.nodes, found.evaluations};
}

}  // namespace

void bind_core(nb::module_& m) {
    nb::exception<HeuristicRangeError>(m, "HeuristicRangeError", PyExc_OverflowError);

    nb::class_<BoundState>(m, "State").def_prop_ro("ply", [](const BoundState& state) { return state.value.ply; });

    nb::class_<BoundEvaluator>(m, "Evaluator").def_prop_ro("symmetric", [](const BoundEvaluator& evaluator) {
        return evaluator.value.symmetric;
    });

    nb::class_<Core>(m, "Core")
        .def(
            "__init__",
            [](Core* self, int cells, int layers, const BySide<int>& watches, const std::vector<PatternTuple>& patterns,
               const BySide<PlacementTuple>& placements, int max_plies, std::optional<int> recycle_from,
               const std::vector<SymmetryTuple>& symmetries, bool mover_wins_ties, std::optional<int> full_winner,
               std::vector<int> passes) {
                new (self) Core(
                    checked(Core::make(to_rules(cells, layers, watches, patterns, placements, max_plies, recycle_from,
                                                symmetries, mover_wins_ties, full_winner, std::move(passes)))));
            },
            nb::arg("cells"), nb::arg("layers"), nb::arg("watches"), nb::arg("patterns"), nb::arg("placements"),
            nb::arg("max_plies"), nb::arg("recycle_from").none(), nb::arg("symmetries"), nb::arg("mover_wins_ties"),
            nb::arg("full_winner").none(), nb::arg("passes"))
        .def(
            "state",
            [](const Core& core, nb::bytes layers, int ply, const std::vector<int>& cards,
               const std::optional<MoveTuple>& last) {
                const auto& tables = core.tables();
                return BoundState{to_state(tables, layers, ply, cards, last), tables.fingerprint()};
            },
            nb::arg("layers"), nb::arg("ply"), nb::arg("cards"), nb::arg("last").none())
        .def("evaluator", &data_evaluator, nb::keep_alive<0, 1>())
        .def("asking", &asking_evaluator, nb::keep_alive<0, 1>())
        .def("perft",
             [](const Core& core, const BoundState& state, int depth) {
                 checked("depth", depth, 0, MAX_DEPTH);
                 const auto& start = own(core, state);
                 nb::gil_scoped_release free;
                 return core.perft(start, depth);
             })
        .def("moves", [](const Core& core, const BoundState& state) { return to_tuples(core.moves(own(core, state))); })
        .def("key", [](const Core& core, const BoundState& state) { return core.key(own(core, state)); })
        .def("outcome",
             [](const Core& core, const BoundState& state) {
                 const auto outcome = core.outcome(own(core, state));
                 return std::pair{static_cast<int>(outcome.ending), outcome.winner};
             })
        .def("evaluate", &evaluate, nb::arg("evaluator"), nb::arg("state"))
        .def("plain", &plain, nb::arg("evaluator"), nb::arg("state"), nb::arg("depth"), nb::arg("win"), nb::arg("leaf"),
             nb::arg("prune"), nb::arg("order"), nb::arg("nodes").none(), nb::arg("seconds").none());
}

}  // namespace plyground
