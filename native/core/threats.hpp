// The cells that complete a pattern, and the placements that fill them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/evaluate.hpp"
#include "core/lines.hpp"
#include "core/mask.hpp"
#include "core/rules.hpp"

namespace plyground {

template <int W>
class Threats {
  public:
    explicit Threats(const Tables& tables) {
        for (auto& by_owner : hit_counts_)
            for (auto& counts : by_owner) counts.resize(std::max(tables.places[0], tables.places[1]));
    }

    // What would complete a pattern of `owner` were `mover` to lay it.
    const Mask<W>& completing(int mover, int owner) const { return hits_[mover][owner]; }

    // A view has a threat more (+1) or less (-1) in a cell.
    template <int D>
    void count(const Tables& tables, int v, int cell) {
        auto& threats = threats_[v][cell];
        threats += D;
        if (threats != (D > 0 ? 1 : 0)) return;
        D > 0 ? threatened_[v].set(cell) : threatened_[v].reset(cell);
        const int owner = tables.views[v].side;
        for (auto [mover, place] : tables.adders[v * MAX_CELLS + cell]) {
            auto& count = hit_counts_[mover][owner][place];
            count += D;
            if (count == (D > 0 ? 1 : 0)) D > 0 ? hits_[mover][owner].set(place) : hits_[mover][owner].reset(place);
        }
    }

    // The cells that each side threatens to complete a pattern with.
    std::array<Mask<MAX_CELLS / 64>, 2> threatened(const Tables& tables) const {
        std::array<Mask<MAX_CELLS / 64>, 2> threatened{};
        for (std::size_t v = 0; v < tables.views.size(); ++v)
            threatened[tables.views[v].side] = threatened[tables.views[v].side] | threatened_[v];
        return threatened;
    }

    // What a heuristic that weighs threats adds for the first side.
    std::int64_t value(const Tables& tables, const ThreatWeights& part) const {
        const auto threatened = this->threatened(tables);
        Mask<MAX_CELLS / 64> shade;
        (threatened[0] | threatened[1]).each([&](int cell) { shade = shade | part.shades[cell]; });
        std::int64_t value = 0;
        (threatened[0] - shade).each([&](int cell) { value += part.weights[0][cell]; });
        (threatened[1] - shade).each([&](int cell) { value -= part.weights[1][cell]; });
        return value;
    }

  private:
    std::array<std::array<OwnList<std::uint8_t>, 2>, 2> hit_counts_;  // by mover, owner and placement
    std::array<std::array<Mask<W>, 2>, 2> hits_{};
    std::array<std::array<std::uint8_t, MAX_CELLS>, MAX_VIEWS> threats_{};
    std::array<Mask<MAX_CELLS / 64>, MAX_VIEWS> threatened_{};  // the cells with threats, by view
};

}  // namespace plyground
