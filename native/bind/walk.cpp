// The plain walk as Python sees it.
#include "walk/walk.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/convert.hpp"
#include "bind/running.hpp"

namespace plyground {

namespace {

// Cells of a mask, in ascending order.
using CellList = std::vector<int>;
using LaidTuple = std::tuple<std::vector<CellList>, CellList, CellList>;  // what each layer gets, cells, rests on
using LineTuple = std::pair<CellList, CellList>;                          // cells, poles

constexpr int MOST_WALK_PLIES = 1024;

// A walk whatever the size of its game.
class AnyWalk {
  public:
    virtual ~AnyWalk() = default;
    virtual walk::Decision wins(const std::vector<CellList>& layers, int ply, int side, int plies,
                                std::uint64_t budget) = 0;
    virtual bool paired(const std::vector<CellList>& layers, int ply, int side, int steps) const = 0;
    virtual std::uint64_t nodes() const = 0;
};

template <int Words>
walk::Cells<Words> to_cells(const CellList& list) {
    walk::Cells<Words> cells;
    for (const int cell : list) {
        if (cell < 0 || cell >= 64 * Words) refuse("a cell lies off the board");
        cells.add(cell);
    }
    return cells;
}

template <int Words, int Layers>
std::array<walk::Cells<Words>, Layers> to_layers(const std::vector<CellList>& lists) {
    if (lists.size() != Layers) refuse("a board has as many layers as its game");
    std::array<walk::Cells<Words>, Layers> layers;
    for (int layer = 0; layer < Layers; ++layer) layers[layer] = to_cells<Words>(lists[layer]);
    return layers;
}

template <int Words, int Layers>
class SizedWalk final : public AnyWalk {
  public:
    explicit SizedWalk(walk::Tables<Words, Layers> tables) : walk_(std::move(tables)) {}

    walk::Decision wins(const std::vector<CellList>& layers, int ply, int side, int plies,
                        std::uint64_t budget) override {
        const walk::Board<Words, Layers> board{to_layers<Words, Layers>(layers), ply};
        checked("ply", ply, 0, walk_.plies());
        checked("plies", plies, 0, walk_.plies() - ply);
        checked("side", side, 0, 1);
        const OneAtATime::Hold hold(searches_);
        return searched([&] { return walk_.wins(board, side, plies, budget, interrupted); });
    }
    bool paired(const std::vector<CellList>& layers, int ply, int side, int steps) const override {
        checked("ply", ply, 0, walk_.plies());
        checked("side", side, 0, 1);
        return walk_.paired({to_layers<Words, Layers>(layers), ply}, side, steps);
    }
    std::uint64_t nodes() const override { return walk_.nodes(); }

  private:
    walk::Walk<Words, Layers> walk_;
    OneAtATime searches_;
};

class PlainWalk {
  public:
    PlainWalk(const std::array<std::vector<LaidTuple>, 2>& laid, const std::vector<LineTuple>& lines,
              const std::array<std::vector<int>, 2>& watches, std::pair<int, int> size, int plies, bool shared,
              bool pairs) {
        const auto [cells, layers] = size;
        checked("plies", plies, 0, MOST_WALK_PLIES);
        checked("cells", cells, 1, 256);
        const auto make = [&]<int Words, int Layers>() {
            walk::Tables<Words, Layers> tables{{}, {}, watches, plies, shared, pairs};
            for (int side = 0; side < 2; ++side) {
                for (const auto& [adds, covered, rests] : laid[side])
                    tables.laid[side].push_back(
                        {to_layers<Words, Layers>(adds), to_cells<Words>(covered), to_cells<Words>(rests)});
                for (const int layer : watches[side]) checked("a watched layer", layer, 0, Layers - 1);
            }
            for (const auto& [line, poles] : lines)
                tables.lines.push_back({to_cells<Words>(line), to_cells<Words>(poles)});
            walk_ = std::make_unique<SizedWalk<Words, Layers>>(std::move(tables));
        };
        if (layers == 2 && cells <= 64)
            make.operator()<1, 2>();
        else if (layers == 2)
            make.operator()<4, 2>();
        else if (layers == 4 && cells <= 128)
            make.operator()<2, 4>();
        else
            refuse("a walk is for games of two layers, or of four and at most 128 cells");
    }

    // Whether a side wins within so many plies; None when the budget was not enough.
    std::optional<bool> wins(const std::vector<CellList>& layers, int ply, int side, int plies, std::uint64_t budget) {
        const auto answer = walk_->wins(layers, ply, side, plies, budget);
        return answer == walk::Decision::UNDECIDED ? std::nullopt : std::optional(answer == walk::Decision::YES);
    }
    bool paired(const std::vector<CellList>& layers, int ply, int side, int steps) const {
        return walk_->paired(layers, ply, side, steps);
    }
    std::uint64_t nodes() const { return walk_->nodes(); }

  private:
    std::unique_ptr<AnyWalk> walk_;
};

}  // namespace

void bind_walk(nb::module_& m) {
    nb::class_<PlainWalk>(m, "PlainWalk")
        .def(nb::init<const std::array<std::vector<LaidTuple>, 2>&, const std::vector<LineTuple>&,
                      const std::array<std::vector<int>, 2>&, std::pair<int, int>, int, bool, bool>(),
             nb::arg("laid"), nb::arg("lines"), nb::arg("watches"), nb::arg("size"), nb::arg("plies"),
             nb::arg("shared"), nb::arg("pairs"))
        .def_prop_ro("nodes", &PlainWalk::nodes)
        .def("wins", &PlainWalk::wins, nb::arg("layers"), nb::arg("ply"), nb::arg("side"), nb::arg("plies"),
             nb::arg("budget"))
        .def("paired", &PlainWalk::paired, nb::arg("layers"), nb::arg("ply"), nb::arg("side"), nb::arg("steps"));
}

}  // namespace plyground
