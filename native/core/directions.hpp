// The families of patterns in which some pattern through a cell is live: what discs count in some heuristics.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/evaluate.hpp"
#include "core/lines.hpp"
#include "core/rules.hpp"

namespace plyground {

class Directions {
  public:
    // Nothing is counted where the heuristic does not ask for it.
    Directions(const Tables& tables, const Evaluator& evaluator) : t_(&tables), e_(&evaluator) {
        if (evaluator.directions.empty()) return;
        for (const auto& shape : tables.shapes) families_ = std::max(families_, shape.family + 1);
        live_through_.resize(tables.views.size() * tables.cells * families_);
    }

    // What a disc of this kind on a cell is worth to the first side: its families, times the weight of the cell.
    std::int64_t value(int cell, int kind) const {
        std::int64_t value = 0;
        for (int v = 0; v < static_cast<int>(t_->views.size()); ++v)
            if (kind >> t_->views[v].layer & 1) value += weight(v, cell) * live_families_[v][cell];
        return value;
    }

    // Notes along the cells of a pattern for which views it was live and is live now; what that changes for the discs
    // on them, which are given by their kinds.
    template <class Kinds>
    std::int64_t change(int p, unsigned from, unsigned to, const Kinds& kinds) {
        std::int64_t value = 0;
        for (unsigned views = from ^ to; views; views &= views - 1) {
            const int pattern_view = std::countr_zero(views), by = to >> pattern_view & 1 ? 1 : -1;
            for (int cell : t_->cells_of[p]) {
                const int v = t_->view_at(p, pattern_view, cell);
                auto& live = live_through_[(v * t_->cells + cell) * families_ + t_->shapes[p].family];
                live += by;
                if (live != (by > 0 ? 1 : 0)) continue;
                live_families_[v][cell] += by;
                if (kinds[cell] >> t_->views[v].layer & 1) value += by * weight(v, cell);
            }
        }
        return value;
    }

  private:
    const Tables* t_;
    const Evaluator* e_;
    int families_ = 0;
    OwnList<std::uint8_t> live_through_;  // live patterns by view, cell and family
    std::array<std::array<std::uint8_t, MAX_CELLS>, MAX_VIEWS> live_families_{};

    std::int64_t weight(int v, int cell) const {
        return t_->views[v].side == 0 ? e_->directions[cell] : -e_->directions[cell];
    }
};

}  // namespace plyground
