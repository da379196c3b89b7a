// The only file that knows Python: what the core offers, as the module plyground._core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <tuple>

#include "bind_batch.hpp"
#include "bind_connect_four.hpp"
#include "bind_proof.hpp"
#include "core.hpp"

namespace nb = nanobind;
using namespace plyground;

namespace {

constexpr int LAYER_BYTES = MAX_CELLS / 8;

using MoveTuple = std::pair<int, std::optional<int>>;

MoveTuple to_tuple(Move move) {
    return {move.place, move.lift < 0 ? std::nullopt : std::optional<int>(move.lift)};
}

std::vector<MoveTuple> to_tuples(const std::vector<Move>& moves) {
    std::vector<MoveTuple> tuples;
    for (Move move : moves) tuples.push_back(to_tuple(move));
    return tuples;
}

Move to_move(const MoveTuple& move) {
    return {static_cast<std::int16_t>(move.first), static_cast<std::int16_t>(move.second.value_or(-1))};
}

RulesData rules_data(int cells, int layers, const std::array<std::vector<int>, 2>& watches,
                     const std::vector<std::tuple<Cells, Cells, int>>& patterns,
                     const std::array<std::vector<std::pair<std::vector<Cells>, Cells>>, 2>& placements, int max_plies,
                     std::optional<int> recycle_from,
                     const std::vector<std::pair<std::vector<int>, std::vector<int>>>& symmetries) {
    RulesData data{cells, layers, watches, {}, {}, max_plies, recycle_from.value_or(NEVER), {}};
    for (const auto& [own, neutraliser, family] : patterns) data.patterns.push_back({own, neutraliser, family});
    for (int side = 0; side < 2; ++side)
        for (const auto& [adds, rests_on] : placements[side]) data.placements[side].push_back({adds, rests_on});
    for (const auto& [to_cells, to_layers] : symmetries) data.symmetries.push_back({to_cells, to_layers});
    return data;
}

// A position as Python hands it over: each layer as 32 bytes, lowest first.
State make_state(const Core& core, nb::bytes layers, int ply, const std::vector<int>& cards,
                 const std::optional<MoveTuple>& last) {
    const auto& tables = core.tables();
    if (layers.size() != static_cast<std::size_t>(tables.layers) * LAYER_BYTES)
        throw std::invalid_argument("a position needs 32 bytes for each layer");
    if (ply < 0 || ply > tables.data.max_plies) throw std::invalid_argument("more plies than the rules allow");
    for (int card : cards)
        if (card < 0 || card >= tables.places[0]) throw std::invalid_argument("no such card");
    State state{std::vector<std::uint8_t>(tables.cells), ply, cards, last ? to_move(*last) : Move{}};
    if (state.last.place >= std::max(tables.places[0], tables.places[1])) throw std::invalid_argument("no such placement");
    const auto* bytes = static_cast<const std::uint8_t*>(layers.data());
    for (int layer = 0; layer < tables.layers; ++layer)
        for (int cell = 0; cell < tables.cells; ++cell)
            if (bytes[layer * LAYER_BYTES + cell / 8] >> (cell % 8) & 1) state.kinds[cell] |= 1 << layer;
    for (int kind : state.kinds)
        if (kind && std::ranges::find(tables.kinds, kind) == tables.kinds.end())
            throw std::invalid_argument("a cell holds what no placement puts there");
    return state;
}

// Has a Python function answer for a heuristic. Whoever owns the result holds a reference to the function.
auto ask(const Core& core, nb::callable function) {
    return [&core, function](const Snapshot& shot) {
        nb::gil_scoped_acquire gil;
        const auto& tables = core.tables();
        std::vector<char> layers(static_cast<std::size_t>(tables.layers) * LAYER_BYTES);
        for (int cell = 0; cell < tables.cells; ++cell)
            for (int layer = 0; layer < tables.layers; ++layer)
                if (shot.kinds[cell] >> layer & 1) layers[layer * LAYER_BYTES + cell / 8] |= static_cast<char>(1 << cell % 8);
        std::optional<MoveTuple> last;
        if (shot.last.place >= 0) last = to_tuple(shot.last);
        return nb::cast<std::int64_t>(function(nb::bytes(layers.data(), layers.size()), shot.ply, shot.cards, last));
    };
}

Limits limits_of(std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
    Limits limits;
    if (nodes) limits.nodes = *nodes;
    if (seconds) limits.seconds = *seconds;
    return limits;
}

std::vector<ThreatWeights> threats_of(
    const Tables& tables,
    const std::vector<std::pair<std::array<std::vector<std::int64_t>, 2>, std::vector<Cells>>>& parts) {
    std::vector<ThreatWeights> threats;
    for (const auto& [weights, shades] : parts) {
        threats.push_back({weights, {}});
        for (const auto& shade : shades) {
            auto& mask = threats.back().shades.emplace_back();
            for (int cell : shade) {
                if (cell < 0 || cell >= tables.cells) throw std::invalid_argument("a shade lies on no cell");
                mask.set(cell);
            }
        }
    }
    return threats;
}

// Gives Python's signal handlers their chance; what they raise ends the search.
void check_signals() {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The native core of plyground.";

    nb::exception<HeuristicRangeError>(m, "HeuristicRangeError", PyExc_OverflowError);

    nb::class_<State>(m, "State")
        .def_ro("ply", &State::ply);

    nb::class_<Evaluator>(m, "Evaluator")
        .def_ro("symmetric", &Evaluator::symmetric);

    nb::class_<Core>(m, "Core")
        .def("__init__",
             [](Core* self, int cells, int layers, const std::array<std::vector<int>, 2>& watches,
                const std::vector<std::tuple<Cells, Cells, int>>& patterns,
                const std::array<std::vector<std::pair<std::vector<Cells>, Cells>>, 2>& placements, int max_plies,
                std::optional<int> recycle_from,
                const std::vector<std::pair<std::vector<int>, std::vector<int>>>& symmetries) {
                 new (self) Core(
                     rules_data(cells, layers, watches, patterns, placements, max_plies, recycle_from, symmetries));
             }, nb::arg("cells"), nb::arg("layers"), nb::arg("watches"), nb::arg("patterns"), nb::arg("placements"),
             nb::arg("max_plies"), nb::arg("recycle_from").none(), nb::arg("symmetries"))
        .def("state", &make_state, nb::arg("layers"), nb::arg("ply"), nb::arg("cards"), nb::arg("last").none())
        .def("evaluator",
             [](const Core& core, decltype(Weights::patterns) patterns, decltype(Weights::lines) lines,
                decltype(Weights::cells) cells, decltype(Weights::directions) directions,
                const std::vector<std::pair<std::array<std::vector<std::int64_t>, 2>, std::vector<Cells>>>& threats) {
                 return Evaluator(core.tables(), {std::move(patterns), std::move(lines), std::move(cells),
                                                  std::move(directions), threats_of(core.tables(), threats)});
             }, nb::keep_alive<0, 1>())
        .def("asking",
             [](const Core& core, nb::callable function) {
                 Evaluator evaluator(core.tables(), {});
                 evaluator.callback = ask(core, std::move(function));
                 evaluator.symmetric = false;
                 return evaluator;
             }, nb::keep_alive<0, 1>())
        .def("perft", &Core::perft, nb::call_guard<nb::gil_scoped_release>())
        .def("moves", [](const Core& core, const State& state) { return to_tuples(core.moves(state)); })
        .def("key", &Core::key)
        .def("outcome",
             [](const Core& core, const State& state) {
                 const auto outcome = core.outcome(state);
                 return std::pair{static_cast<int>(outcome.ending), outcome.winner};
             })
        .def("evaluate", &Core::evaluate, nb::arg("evaluator"), nb::arg("state"))
        .def("plain",
             [](const Core& core, const Evaluator& evaluator, const State& state, int depth,
                const std::array<std::int64_t, 3>& win, const std::array<std::int64_t, 2>& leaf, bool prune,
                std::vector<int> order, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
                 const auto& places = core.tables().places;
                 if (!order.empty() && static_cast<int>(order.size()) < std::max(places[0], places[1]))
                     throw std::invalid_argument("an order needs a rank for each placement");
                 const PlainStyle style{{win[0], win[1], win[2]}, {leaf[0], leaf[1]}, prune, std::move(order)};
                 Control control;
                 control.begin(limits_of(nodes, seconds), check_signals, static_cast<bool>(evaluator.callback));
                 PlainResult result;
                 {
                     nb::gil_scoped_release free;
                     result = core.plain(evaluator, state, control, depth, style);
                 }
                 return std::tuple{result.finished, result.score, to_tuples(result.line), result.nodes,
                                   result.evaluations};
             }, nb::arg("evaluator"), nb::arg("state"), nb::arg("depth"), nb::arg("win"), nb::arg("leaf"),
             nb::arg("prune"), nb::arg("order"), nb::arg("nodes").none(), nb::arg("seconds").none())
        .def("engine",
             [](const Core& core, const Evaluator& evaluator, std::size_t table_bytes, int threads) {
                 return core.engine(evaluator, table_bytes, threads).release();
             }, nb::rv_policy::take_ownership, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(), nb::arg("evaluator"),
             nb::arg("table_bytes"), nb::arg("threads"));

    nb::class_<Engine>(m, "Engine")
        .def("begin",
             [](Engine& engine, const State& state, std::optional<std::uint64_t> nodes, std::optional<double> seconds,
                bool interruptible, const std::vector<MoveTuple>& among) {
                 std::vector<Move> moves;
                 for (const auto& move : among) moves.push_back(to_move(move));
                 engine.begin(state, moves, limits_of(nodes, seconds),
                              interruptible ? check_signals : std::function<void()>{});
             }, nb::arg("state"), nb::arg("nodes").none(), nb::arg("seconds").none(), nb::arg("interruptible"),
             nb::arg("among"))
        .def("deepen",
             [](Engine& engine, int depth) {
                 Deepened result;
                 {
                     nb::gil_scoped_release free;
                     result = engine.deepen(depth);
                 }
                 return std::tuple{result.complete, result.found, result.score, result.proved, to_tuples(result.line)};
             }, nb::arg("depth"))
        .def("score_all", &Engine::score_all, nb::arg("depth"), nb::call_guard<nb::gil_scoped_release>())
        .def("scores",
             [](const Engine& engine) {
                 std::vector<std::tuple<int, int, bool, std::vector<MoveTuple>>> scores;
                 for (const auto& root : engine.all_roots())
                     if (root.depth > 0) scores.emplace_back(root.score, root.depth, root.proved, to_tuples(root.line));
                 return scores;
             })
        .def("stop", &Engine::stop)
        .def_prop_ro("nodes", &Engine::nodes)
        .def_prop_ro("seconds", &Engine::seconds)
        .def_prop_ro("table_bytes", &Engine::table_bytes);

    bind_proof(m);
    bind_connect_four(m);
    bind_batch(m);
}
