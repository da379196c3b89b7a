// Batches of games as Python sees them.
#include "batch/batch.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "core/core.hpp"

namespace plyground {

namespace {

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

void check_size(std::size_t got, std::size_t wanted) {
    if (got != wanted) refuse("an array of a batch has the wrong size");
}

void check_all(const std::vector<int>& numbers, int end, const char* what) {
    for (int number : numbers)
        if (number < 0 || number >= end) refuse(std::string("no such ") + what);
}

void check_form(const Tables& tables, const BatchForm& form) {
    if (form.games < 1) refuse("a batch has at least one game");
    check_size(form.square_of.size(), tables.cells);
    check_all(form.square_of, form.squares, "square");
    for (int side = 0; side < 2; ++side) {
        check_size(form.planes[side].size(), tables.layers);
        check_all(form.planes[side], tables.layers, "layer");
        check_size(form.action_of[side].size(), tables.places[side]);
        check_all(form.action_of[side], form.actions, "action");
    }
}

// A batch and the arrays it writes into, which live as long as it does.
class BoundBatch {
  public:
    BoundBatch(const Core& core, const std::vector<int>& square_of, const std::array<std::vector<int>, 2>& planes,
               const std::array<std::vector<int>, 2>& action_of, bool auto_reset, bool opponent, std::uint64_t seed,
               Array<std::int8_t> observations, Array<std::int8_t> masks, Array<float> rewards, Array<bool> dones,
               Array<std::int8_t> to_move, Array<std::int64_t> actions)
        : core_(core),
          observations_(std::move(observations)),
          masks_(std::move(masks)),
          rewards_(std::move(rewards)),
          dones_(std::move(dones)),
          to_move_(std::move(to_move)),
          actions_(std::move(actions)) {
        const auto& tables = core_.tables();
        if (observations_.ndim() != 4 || masks_.ndim() != 2) refuse("observations have four dimensions and masks two");
        const std::size_t games = masks_.shape(0), squares = observations_.shape(2) * observations_.shape(3);
        BatchForm form{static_cast<int>(games),
                       static_cast<int>(squares),
                       square_of,
                       planes,
                       static_cast<int>(masks_.shape(1)),
                       action_of,
                       auto_reset,
                       opponent,
                       seed};
        check_form(tables, form);
        check_size(observations_.shape(1), tables.layers + 1 + tables.recycles());
        // Without games in it the array of observations only says what a plane looks like: none are wanted.
        const bool observed = observations_.shape(0) != 0;
        if (observed) check_size(observations_.shape(0), games);
        for (std::size_t size : {rewards_.size(), dones_.size(), to_move_.size(), actions_.size()})
            check_size(size, games);
        games_ = form.games;
        const BatchArrays arrays{observed ? observations_.data() : nullptr,
                                 masks_.data(),
                                 rewards_.data(),
                                 dones_.data(),
                                 to_move_.data(),
                                 actions_.data()};
        batch_ = make_batch(core_, std::move(form), arrays);
    }

    void reset(std::uint64_t seed) {
        nb::gil_scoped_release free;
        batch_->reset(seed);
    }

    void restart(const Array<const bool>& marked) {
        check_size(marked.size(), games_);
        nb::gil_scoped_release free;
        batch_->restart(marked.data());
    }

    void sample() {
        nb::gil_scoped_release free;
        batch_->sample();
    }

    void step() {
        const auto illegal = [&] {
            nb::gil_scoped_release free;
            return batch_->step();
        }();
        if (!illegal) return;
        const auto action = actions_.data()[*illegal];
        refuse("illegal action " + std::to_string(action) + " in game " + std::to_string(*illegal));
    }

    PositionTuple game(int index) const {
        if (index < 0 || index >= games_) throw nb::index_error("no such game");
        return to_tuple(core_.tables(), batch_->game(index));
    }

  private:
    const Core& core_;
    Array<std::int8_t> observations_, masks_;
    Array<float> rewards_;
    Array<bool> dones_;
    Array<std::int8_t> to_move_;
    Array<std::int64_t> actions_;
    std::unique_ptr<Batch> batch_;
    int games_ = 0;
};

}  // namespace

void bind_batch(nb::module_& m) {
    nb::class_<BoundBatch>(m, "Batch")
        .def(nb::init<const Core&, const std::vector<int>&, const std::array<std::vector<int>, 2>&,
                      const std::array<std::vector<int>, 2>&, bool, bool, std::uint64_t, Array<std::int8_t>,
                      Array<std::int8_t>, Array<float>, Array<bool>, Array<std::int8_t>, Array<std::int64_t>>(),
             nb::keep_alive<1, 2>(), nb::arg("core"), nb::arg("square_of"), nb::arg("planes"), nb::arg("action_of"),
             nb::arg("auto_reset"), nb::arg("opponent"), nb::arg("seed"), nb::arg("observations").noconvert(),
             nb::arg("masks").noconvert(), nb::arg("rewards").noconvert(), nb::arg("dones").noconvert(),
             nb::arg("to_move").noconvert(), nb::arg("actions").noconvert())
        .def("reset", &BoundBatch::reset, nb::arg("seed"))
        .def("restart", &BoundBatch::restart, nb::arg("marked").noconvert())
        .def("step", &BoundBatch::step)
        .def("sample", &BoundBatch::sample)
        .def("game", &BoundBatch::game, nb::arg("index"));
}

}  // namespace plyground
