#include "bind_batch.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>

#include "batch.hpp"
#include "core.hpp"

namespace nb = nanobind;
using namespace plyground;

namespace {

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

// A batch and the arrays it writes into, which live as long as it does.
struct BoundBatch {
    Array<std::int8_t> observations, masks;
    Array<float> rewards;
    Array<bool> dones;
    Array<std::int8_t> to_move;
    Array<std::int64_t> actions;
    std::unique_ptr<Batch> batch;
    int games;
};

void check(std::size_t got, std::size_t wanted) {
    if (got != wanted) throw std::invalid_argument("an array of a batch has the wrong size");
}

void check_form(const Tables& t, const BatchForm& form) {
    if (form.games < 1) throw std::invalid_argument("a batch has at least one game");
    check(form.square_of.size(), t.cells);
    for (int square : form.square_of)
        if (square < 0 || square >= form.squares) throw std::invalid_argument("no such square");
    for (int side = 0; side < 2; ++side) {
        check(form.planes[side].size(), t.layers);
        check(form.action_of[side].size(), t.places[side]);
        for (int layer : form.planes[side])
            if (layer < 0 || layer >= t.layers) throw std::invalid_argument("no such layer");
        for (int action : form.action_of[side])
            if (action < 0 || action >= form.actions) throw std::invalid_argument("no such action");
    }
}

}  // namespace

void bind_batch(nb::module_& m) {
    nb::class_<BoundBatch>(m, "Batch")
        .def("__init__",
             [](BoundBatch* self, const Core& core, const std::vector<int>& square_of,
                const std::array<std::vector<int>, 2>& planes, const std::array<std::vector<int>, 2>& action_of,
                bool auto_reset, bool opponent, std::uint64_t seed, Array<std::int8_t> observations,
                Array<std::int8_t> masks, Array<float> rewards, Array<bool> dones, Array<std::int8_t> to_move,
                Array<std::int64_t> actions) {
                 const auto& t = core.tables();
                 if (observations.ndim() != 4 || masks.ndim() != 2)
                     throw std::invalid_argument("observations have four dimensions and masks two");
                 const std::size_t games = observations.shape(0);
                 BatchForm form{static_cast<int>(games), static_cast<int>(observations.shape(2) * observations.shape(3)),
                                square_of, planes, static_cast<int>(masks.shape(1)), action_of, auto_reset, opponent, seed};
                 check_form(t, form);
                 check(observations.shape(1), t.layers + 1 + t.recycles());
                 check(masks.shape(0), games);
                 for (std::size_t size : {rewards.size(), dones.size(), to_move.size(), actions.size()}) check(size, games);
                 BatchArrays to{observations.data(), masks.data(), rewards.data(), dones.data(), to_move.data(),
                                actions.data()};
                 auto batch = core.with_width([&]<int W>(std::integral_constant<int, W>) -> std::unique_ptr<Batch> {
                     return std::make_unique<BatchOf<W>>(t, core.none(), std::move(form), to);
                 });
                 new (self) BoundBatch{observations, masks, rewards, dones, to_move, actions, std::move(batch),
                                       static_cast<int>(games)};
             }, nb::keep_alive<1, 2>(), nb::arg("core"), nb::arg("square_of"), nb::arg("planes"), nb::arg("action_of"),
             nb::arg("auto_reset"), nb::arg("opponent"), nb::arg("seed"), nb::arg("observations").noconvert(),
             nb::arg("masks").noconvert(), nb::arg("rewards").noconvert(), nb::arg("dones").noconvert(),
             nb::arg("to_move").noconvert(), nb::arg("actions").noconvert())
        .def("reset",
             [](BoundBatch& self, std::uint64_t seed) {
                 nb::gil_scoped_release free;
                 self.batch->reset(seed);
             }, nb::arg("seed"))
        .def("step",
             [](BoundBatch& self) {
                 nb::gil_scoped_release free;
                 self.batch->step();
             })
        .def("sample",
             [](BoundBatch& self) {
                 nb::gil_scoped_release free;
                 self.batch->sample();
             })
        .def("game",
             [](const BoundBatch& self, int index) {
                 if (index < 0 || index >= self.games) throw nb::index_error("no such game");
                 const auto game = self.batch->game(index);
                 std::optional<std::pair<int, std::optional<int>>> last;
                 if (game.last.place >= 0)
                     last = {game.last.place, game.last.lift < 0 ? std::nullopt : std::optional<int>(game.last.lift)};
                 return std::tuple{nb::bytes(reinterpret_cast<const char*>(game.kinds.data()), game.kinds.size()),
                                   game.ply, game.cards, last};
             }, nb::arg("index"));
}
