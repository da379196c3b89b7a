// A position that is only played on, for rules under which nothing is lifted again: as small as it can be.
//
// A search asks a position much that a game does not: what is threatened, what a heuristic says, how to take a move
// back. Here are the layers as sets of cells, what can be laid, and who has won; a thousand of them fit the processor's
// cache. `Position` is its twin, and both are held to the reference by tests.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/mask.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"

namespace plyground {

// Rules as sets, for games whose cells fit W words as their placements do.
template <int W>
class LightTables {
  public:
    explicit LightTables(const Tables& tables) : t(tables) {
        for (int cell = 0; cell < t.cells; ++cell) all_cells.set(cell);
        for (int p = 0; p < t.patterns; ++p) {
            auto& [cells, poles] = patterns.emplace_back();
            for (int cell : t.cells_of[p]) cells.set(cell);
            for (int cell : t.poles_of[p]) poles.set(cell);
        }
        add_lines();
        for (int shape = 0; shape < t.shape_count; ++shape) {
            blocked[shape].resize(t.cells);
            for (int cell = 0; cell < t.cells; ++cell)
                for (int place : t.covering[shape][cell]) blocked[shape][cell].set(place);
            for (int place = 0; place < t.places[shape]; ++place) {
                auto& [cells, below] = placements[shape].emplace_back();
                for (auto [cell, kind] : t.covered[shape][place]) cells.set(cell);
                for (int cell : t.rests_on[shape][place]) below.set(cell);
                if (!below.any()) playable_at_start[shape].set(place);
            }
        }
        for (auto [side, layer] : t.views) watched[side] |= 1 << layer;
    }

    static bool fits(const Tables& tables) { return !tables.recycles() && tables.plain() && tables.cells <= 64 * W; }

    struct PatternSet {
        Mask<W> cells, poles;
    };
    struct PlacementSet {
        Mask<W> cells, below;
    };

    const Tables& t;
    Mask<W> all_cells;
    std::vector<PatternSet> patterns;
    int lines_per_cell = 0;
    std::vector<Mask<W>> lines;                           // the patterns through each cell, as many for each
    std::array<std::vector<PlacementSet>, 2> placements;  // by shape
    std::array<std::vector<Mask<W>>, 2> blocked;          // placements by shape and the cell that is taken
    std::array<Mask<W>, 2> playable_at_start;             // by shape
    std::array<int, 2> watched{};                         // layers by side

  private:
    // Where a cell has fewer patterns than others all cells fill its rows, so that every cell is looked at in the same
    // number of steps, which the processor foresees.
    void add_lines() {
        for (int cell = 0; cell < t.cells; ++cell)
            lines_per_cell = std::max(lines_per_cell, static_cast<int>(t.through[cell].size()));
        for (int cell = 0; cell < t.cells; ++cell) {
            for (int p : t.through[cell]) lines.push_back(patterns[p].cells);
            lines.resize(static_cast<std::size_t>(cell + 1) * lines_per_cell, all_cells);
        }
    }
};

template <int W>
class LightPosition {
  public:
    explicit LightPosition(const LightTables<W>& tables)
        : s_(&tables), playable_(tables.playable_at_start), stuck_(!playable_[0].any()) {}

    int to_move() const { return ply_ & 1; }
    bool recycling() const { return false; }
    const Mask<W>& playable(int side) const { return playable_[s_->t.shape_of[side]]; }
    const Mask<W>& layer(int layer) const { return layers_[layer]; }

    template <class F>
    bool any_move(F&& f) const {
        return playable(to_move()).any_of([&](int place) { return f(Move{static_cast<std::int16_t>(place), -1}); });
    }

    void make(Move move) {
        const int side = to_move();
        unsigned completed = 0;
        const auto& covered = s_->t.covered[side][move.place];
        for (auto [cell, kind] : covered) lay(cell, kind);
        for (auto [cell, kind] : covered) {
            support(cell);
            completed |= completed_through(cell, kind);
        }
        if (completed) winner_ = static_cast<std::int8_t>(completed >> side & 1 ? side : side ^ 1);
        last_ = move;
        ++ply_;
        stuck_ = !playable(to_move()).any();
    }

    Outcome outcome() const {
        if (winner_ >= 0) return {Ending::PATTERN, winner_};
        if (!(s_->all_cells - occupied_).any()) return {Ending::FULL, -1};
        if (ply_ >= s_->t.data.max_plies) return {Ending::LIMIT, -1};
        if (stuck_) return {Ending::STUCK, -1};
        return {};
    }

    // The position as data.
    State state() const {
        State state = start_of(s_->t);
        for (int layer = 0; layer < s_->t.layers; ++layer)
            layers_[layer].each([&](int cell) { state.kinds[cell] |= 1 << layer; });
        state.ply = ply_;
        state.last = last_;
        return state;
    }

  private:
    const LightTables<W>* s_;
    std::array<Mask<W>, MAX_LAYERS> layers_{};
    Mask<W> occupied_;
    std::array<Mask<W>, 2> playable_;  // by shape
    Move last_;
    std::int16_t ply_ = 0;
    std::int8_t winner_ = -1;
    bool stuck_;

    void lay(int cell, int kind) {
        occupied_.set(cell);
        for (int layer = 0; layer < s_->t.layers; ++layer)
            if (kind >> layer & 1) layers_[layer].set(cell);
        for (int shape = 0; shape < s_->t.shape_count; ++shape)
            playable_[shape] = playable_[shape] - s_->blocked[shape][cell];
    }

    // What rests on a cell just taken can be laid once all it rests on is taken.
    void support(int cell) {
        for (int shape = 0; shape < s_->t.shape_count; ++shape)
            for (int place : s_->t.resting[shape][cell]) {
                const auto& [cells, below] = s_->placements[shape][place];
                if (!(below - occupied_).any() && !(cells & occupied_).any()) playable_[shape].set(place);
            }
    }

    // The sides that a cell just taken has completed a pattern for.
    unsigned completed_through(int cell, int kind) const {
        unsigned completed = 0;
        for (unsigned views = s_->t.views_of_kind[kind]; views; views &= views - 1) {
            const auto [side, layer] = s_->t.views[std::countr_zero(views)];
            if (!fills_line(cell, layers_[layer])) continue;
            for (int p : s_->t.through[cell]) {
                const auto& [cells, poles] = s_->patterns[p];
                if ((cells - layers_[layer]).any()) continue;
                if (!poles.any() || (poles - of_side(side ^ 1)).any()) completed |= 1u << side;
            }
        }
        return completed;
    }

    // Whether a set of cells has all of a line through that cell: then one of the patterns may be completed.
    bool fills_line(int cell, const Mask<W>& layer) const {
        const Mask<W>* lines = s_->lines.data() + static_cast<std::size_t>(cell) * s_->lines_per_cell;
        bool any = false;
        for (int i = 0; i < s_->lines_per_cell; ++i) any |= !(lines[i] - layer).any();
        return any;
    }

    Mask<W> of_side(int side) const {
        Mask<W> cells;
        for (int layer = 0; layer < s_->t.layers; ++layer)
            if (s_->watched[side] >> layer & 1) cells = cells | layers_[layer];
        return cells;
    }
};

}  // namespace plyground
