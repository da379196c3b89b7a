// A position that moves are made and unmade in, with everything a search asks kept up to date.
//
// Laying and lifting a card are exact reverses: every count below is raised by one and lowered by the other.
//
//   pattern   occupied cells, cells a view holds, poles a side has taken
//   live      a view holds every occupied cell of the pattern, and its opponent not all poles
//   threat    a live pattern lacking one cell: whoever adds that cell to the view completes it
//   nearly    on large boards: a live pattern lacking two cells, so that one of them makes a threat of the other
//   obstacle  of a placement: a cell of it that is taken, or one it rests on that is empty
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/directions.hpp"
#include "core/evaluate.hpp"
#include "core/hot.hpp"
#include "core/lines.hpp"
#include "core/mask.hpp"
#include "core/nearly.hpp"
#include "core/net.hpp"
#include "core/obstacles.hpp"
#include "core/outcome.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"
#include "core/threats.hpp"

namespace plyground {

// A key, and the symmetry that shows the position so.
struct Key {
    std::uint64_t key;
    int symmetry;
};

template <int W>
class alignas(CACHE_LINES) Position {
  public:
    Position(const Tables& tables, const Evaluator& evaluator, const State& state)
        : t_(&tables),
          e_(&evaluator),
          directed_(!evaluator.directions.empty()),
          obstacles_(tables),
          threats_(tables),
          sums_(evaluator.net ? tables.data.max_plies + 1 : 0),
          directions_(tables, evaluator) {
        for (int side = 0; side < 2; ++side)
            if (t_->has_passes()) only_pass_[side].set(t_->pass_of(side));
        for (int p = 0; p < t_->patterns; ++p) {
            patterns_.push_back({e_->states.start(p), t_->shapes[p].xor_cells});
            const auto& first = e_->states[patterns_[p].state];
            count<+1>(first, p, patterns_[p].missing);
            if (first.nearly) count_nearly<+1>(first, p, patterns_[p].missing, -1);
            if (directed_) value_ += directions_.change(p, 0, first.views, kinds_);
        }
        for (int cell = 0; cell < t_->cells; ++cell)
            if (int kind = state.kinds[cell]) {
                obstacles_.template change<+1>(*t_, cell);
                change_patterns<+1>(cell, kind);
                if (!t_->recycles())
                    for (int g = 0; g < t_->symmetries; ++g) keys_[g] ^= t_->cell_keys[kind * t_->cells + cell][g];
            }
        for (int card : state.cards) {
            cards_.set(card);
            for (int cell : t_->rests_on[0][card]) ++rested_[cell];
            for (int g = 0; g < t_->symmetries; ++g) keys_[g] ^= t_->keys[0][card][g];
        }
        ply = state.ply;
        last = state.last;
    }

    int ply = 0;
    Move last;

    int to_move() const { return ply & 1; }
    bool recycling() const { return ply >= t_->data.recycle_from; }
    bool last_ply() const { return ply + 1 >= t_->data.max_plies; }

    void make(Move move) {
        const int side = to_move();
        if (e_->net) {
            sums_[made_ + 1] = sums_[made_];
            ++made_;
        }
        if (move.lift >= 0) change<-1>(side, move.lift);
        change<+1>(side, move.place);
        last = move;
        ++ply;
    }

    // Takes back the last move; `before` is what `last` was before it.
    void unmake(Move before) {
        const Move move = last;
        last = before;
        --ply;
        const int side = to_move();
        change<-1>(side, move.place);
        if (move.lift >= 0) change<+1>(side, move.lift);
        if (e_->net) --made_;
    }

    Outcome outcome() {
        const int mover = to_move() ^ 1;
        const int first = t_->data.mover_wins_ties ? mover : mover ^ 1;
        if (completed_[first]) return {Ending::PATTERN, first};
        if (completed_[first ^ 1]) return {Ending::PATTERN, first ^ 1};
        if (occupied_ == t_->cells) return {Ending::FULL, t_->data.full_winner};
        if (ply >= t_->data.max_plies) return {Ending::LIMIT, -1};
        if (!has_move()) return {Ending::STUCK, -1};
        return {};
    }

    // What the side could lay as a plain move, here and at a ply at which it does not pass.
    const Mask<W>& playable(int side) const { return t_->passes(ply) ? only_pass_[side] : layable(side); }
    const Mask<W>& layable(int side) const { return obstacles_.playable(t_->shape_of[side]); }
    // What would complete a pattern of `owner` were `side` to lay it.
    const Mask<W>& completing(int side, int owner) const { return threats_.completing(t_->mover_of[side], owner); }

    // On large boards: the cells that make a threat of a side once it takes them, and those that may make two.
    const Mask<W>& threatening(int side) const { return nearly_.threatening(side); }
    const Mask<W>& forking(int side) const { return nearly_.forking(side); }

    // Calls f with the cells that would complete a pattern of a side if it took that one, until it answers true.
    template <class F>
    bool any_end(int side, int cell, F&& f) const {
        for (int p : t_->through[cell]) {
            const auto& now = patterns_[p];
            if (e_->states[now.state].nearly >> side & 1 && f(now.missing ^ cell)) return true;
        }
        return false;
    }

    // Calls f with every move the board allows, in the order of the reference, until it answers true.
    template <class F>
    bool any_move(F&& f) {
        const int side = to_move();
        if (!recycling())
            return playable(side).any_of([&](int place) { return f(Move{static_cast<std::int16_t>(place), -1}); });
        return cards_.any_of([&](int lift) {
            if (!liftable(lift)) return false;
            for (auto [cell, kind] : t_->covered[0][lift]) obstacles_.template change<-1>(*t_, cell);
            Mask<W> free = playable(side);
            for (auto [cell, kind] : t_->covered[0][lift]) obstacles_.template change<+1>(*t_, cell);
            free.reset(lift);
            return free.any_of(
                [&](int place) { return f(Move{static_cast<std::int16_t>(place), static_cast<std::int16_t>(lift)}); });
        });
    }

    // A recycling move that completes a pattern of the side to move; place -1 when there is none.
    Move winning_recycling() {
        const int side = to_move();
        Move found;
        cards_.any_of([&](int lift) {
            if (!liftable(lift)) return false;
            change<-1>(side, lift);
            Mask<W> wins = playable(side) & completing(side, side);
            change<+1>(side, lift);
            wins.reset(lift);
            if (!wins.any()) return false;
            found = {static_cast<std::int16_t>(wins.first()), static_cast<std::int16_t>(lift)};
            return true;
        });
        return found;
    }

    // Calls f with every pattern a side may still complete, until it answers true.
    template <class F>
    bool any_live(int side, F&& f) const {
        for (int p = 0; p < t_->patterns; ++p)
            if (live_for(side, e_->states[patterns_[p].state].live) && f(p)) return true;
        return false;
    }

    // What stands on a pattern.
    const PatternState& pattern(int p) const { return e_->states[patterns_[p].state]; }

    // Whether some pattern a side may still complete lacks so few cells.
    bool within_reach(int side, int lacking) const {
        return any_live(side,
                        [&](int p) { return e_->states[patterns_[p].state].occupied + lacking >= t_->shapes[p].size; });
    }

    // The layers on a cell.
    int kind(int cell) const { return kinds_[cell]; }
    bool taken(int cell) const { return kinds_[cell] != 0; }

    // The empty cells that would complete a pattern of each side.
    std::array<Mask<MAX_CELLS / 64>, 2> threatened() const { return threats_.threatened(*t_); }

    // How many patterns a side may still complete.
    int live(int side) const { return live_for(side, live_); }
    int empty_cells() const { return t_->cells - occupied_; }

    // What the heuristic says to the side to move.
    Opinion evaluate() const {
        if (e_->callback) return e_->callback(state());
        std::int64_t value = value_;
        for (const auto& part : e_->threats) value += threats_.value(*t_, part);
        if (e_->net) value += e_->net->value(sums_[made_], to_move(), threatened());
        return opinion(to_move() == 0 ? value : -value);
    }

    // The key of the position as a symmetry shows it.
    std::uint64_t key(int symmetry) const {
        std::uint64_t key = keys_[symmetry] ^ t_->ply_keys[ply];
        if (recycling() && last.place >= 0) key ^= t_->barred_keys[last.place][symmetry];
        return key;
    }

    // The key of the position as the symmetry shows it under which it is least, out of the first so many.
    Key least_key(int symmetries) const {
        const auto* barred = recycling() && last.place >= 0 ? t_->barred_keys[last.place].data() : nullptr;
        Key least{keys_[0] ^ (barred ? barred[0] : 0), 0};
        for (int g = 1; g < symmetries; ++g)
            if (const auto key = keys_[g] ^ (barred ? barred[g] : 0); key < least.key) least = {key, g};
        least.key ^= t_->ply_keys[ply];
        return least;
    }

    // The key of the position that a move leads to, as a symmetry shows it.
    std::uint64_t key_after(Move move, int symmetry) const {
        std::uint64_t key = keys_[symmetry] ^ t_->ply_keys[ply + 1] ^ t_->keys[to_move()][move.place][symmetry];
        if (move.lift >= 0) key ^= t_->keys[to_move()][move.lift][symmetry];
        if (ply + 1 >= t_->data.recycle_from) key ^= t_->barred_keys[move.place][symmetry];
        return key;
    }

    // Of the opponent's winning placement `place`: what the side to move can lay that takes a last pole of a
    // pattern it would complete.
    Mask<W> pole_stops(int place) const {
        Mask<W> stops;
        const int side = to_move(), other = side ^ 1;
        for (auto [cell, kind] : t_->covered[other][place])
            for (int p : t_->through[cell]) {
                const auto& state = e_->states[patterns_[p].state];
                const auto& shape = t_->shapes[p];
                if (state.occupied + 1 != shape.size || state.taken[side] + 1 != shape.poles) continue;
                for (int pole : t_->poles_of[p])
                    for (int own : t_->covering[t_->shape_of[side]][pole]) stops.set(own);
            }
        return stops;
    }

    // How much a placement does for the side to move: its own live patterns advanced, the opponent's advanced
    // (a fault) or stopped.
    PLYGROUND_HOT int potential(int place) const {
        static constexpr int worth[] = {1, 4, 16, 64, 256, 1024, 4096};
        const int side = to_move();
        int total = 0;
        for (auto [cell, kind] : t_->covered[side][place]) {
            const unsigned gaining = t_->views_of_kind[kind];
            for (int p : t_->through[cell]) {
                const auto& state = e_->states[patterns_[p].state];
                const int gain = worth[std::min<int>(state.occupied, 6)];
                for (unsigned views = state.views; views; views &= views - 1) {
                    const int v = std::countr_zero(views);
                    const bool own = t_->views[v].side == side, advances = gaining >> t_->view_at(p, v, cell) & 1;
                    total += own == advances ? gain : -gain;
                }
            }
        }
        return total;
    }

    // The position as data.
    State state() const {
        State state{{kinds_.begin(), kinds_.begin() + t_->cells}, ply, {}, last};
        cards_.each([&](int card) { state.cards.push_back(card); });
        return state;
    }

  private:
    struct PatternNow {
        std::uint16_t state;
        std::uint8_t missing;  // its empty cells xored: the missing one when there is one
    };

    const Tables* t_;
    const Evaluator* e_;
    bool directed_;  // discs count the families in which some pattern through them is live, times their cell's weight
    OwnList<PatternNow> patterns_;
    Obstacles<W> obstacles_;
    Threats<W> threats_;
    Nearly<W> nearly_;
    std::array<std::uint8_t, MAX_CELLS> kinds_{}, rested_{};
    Mask<W> cards_{};
    std::uint32_t live_ = 0;  // as in PatternState, over all patterns
    std::array<int, 2> completed_{};
    std::array<Mask<W>, 2> only_pass_{};
    int occupied_ = 0;
    std::int64_t value_ = 0;
    OwnList<Net::Sums> sums_;  // of the net, after each move that was made: so they need not be undone
    std::size_t made_ = 0;
    Directions directions_;
    std::array<std::uint64_t, MAX_SYMMETRIES> keys_{};

    // The half of a count of live patterns that is a side's.
    static int live_for(int side, std::uint32_t live) {
        return static_cast<int>(side == 0 ? live & 0xffff : live >> 16);
    }

    bool has_move() {
        if (!recycling()) return playable(to_move()).any();
        return any_move([](Move) { return true; });
    }

    bool liftable(int card) const {
        if (card == last.place) return false;
        for (auto [cell, kind] : t_->covered[0][card])
            if (rested_[cell]) return false;
        return true;
    }

    template <int D>
    void change(int side, int place) {
        for (auto [cell, kind] : t_->covered[side][place]) {
            obstacles_.template change<D>(*t_, cell);
            change_patterns<D>(cell, kind);
        }
        const auto& keys = t_->keys[side][place];
        for (int g = 0; g < t_->symmetries; ++g) keys_[g] ^= keys[g];
        if (t_->recycles()) {
            D > 0 ? cards_.set(place) : cards_.reset(place);
            for (int cell : t_->rests_on[side][place]) rested_[cell] += D;
        }
    }

    // Enters a state of a pattern into the sums, or takes it out.
    template <int D>
    void count(const PatternState& state, int pattern, int missing) {
        value_ += D * state.value;
        live_ += static_cast<std::uint32_t>(D) * state.live;
        for (unsigned views = state.threats; views; views &= views - 1)
            threats_.template count<D>(*t_, t_->view_at(pattern, std::countr_zero(views), missing), missing);
        for (int side = 0; side < 2; ++side) completed_[side] += D * (state.completed >> side & 1);
    }

    // Enters the two cells that a pattern lacks, or takes them out; `change` is the one that is filled or emptied just
    // now, which is noted later.
    template <int D>
    void count_nearly(const PatternState& state, int pattern, int missing, int change) {
        int lone = 0;
        for (int cell : t_->cells_of[pattern])
            if (cell != change && !kinds_[cell]) lone = cell;
        for (unsigned views = state.nearly; views; views &= views - 1) {
            const int side = t_->views[std::countr_zero(views)].side;
            for (int cell : {lone, missing ^ lone}) nearly_.template count<D>(side, cell);
        }
    }

    template <int D>
    PLYGROUND_HOT void change_patterns(int cell, int kind) {
        const auto& states = e_->states;
        if (directed_) [[unlikely]] {
            change_directed<D>(cell, kind);
        } else {
            if (t_->has_swaps) [[unlikely]]
                change_swapping<D>(cell, kind);
            else
                for (int p : t_->through[cell]) step<D>(p, states.template cell<D>(patterns_[p].state, kind), cell);
            for (int p : t_->pole_of[cell]) step<D>(p, states.template pole<D>(patterns_[p].state, kind), 0);
            for (int p : t_->bar_of[cell]) step<D>(p, states.template bar<D>(patterns_[p].state, kind), 0);
        }
        occupied_ += D;
        kinds_[cell] = static_cast<std::uint8_t>(D > 0 ? kind : 0);
        value_ += D * e_->kinds[kind * t_->cells + cell];
        if (D > 0 && e_->net) e_->net->count_disc(sums_[made_], kind, cell);
    }

    // Takes a pattern to its next state; `change` is the cell that was filled (D > 0) or emptied for that.
    template <int D>
    PLYGROUND_HOT void step(int pattern, std::uint16_t next, int change) {
        auto& now = patterns_[pattern];
        const auto& from = e_->states[now.state];
        const auto& to = e_->states[next];
        now.state = next;
        const std::uint8_t missing = now.missing;
        now.missing ^= static_cast<std::uint8_t>(change);
        if (from.eventful | to.eventful) [[unlikely]] {
            count<-1>(from, pattern, missing);
            count<+1>(to, pattern, now.missing);
            if (from.nearly | to.nearly) change_nearly(pattern, from, to, missing, change);
        } else {
            value_ += to.value - from.value;
            live_ += to.live - from.live;
        }
        if (D > 0 && e_->net && from.holding != to.holding)
            e_->net->change_pattern(sums_[made_], pattern, from.holding, to.holding);
    }

    // What a disc is to a pattern: one of the other layer where the pattern wants it to lie in that one.
    int kind_for(int pattern, int cell, int kind) const {
        return t_->has_swaps && t_->swapped[pattern].test(cell) ? (kind & 1) << 1 | kind >> 1 : kind;
    }

    template <int D>
    [[gnu::noinline]] void change_swapping(int cell, int kind) {
        for (int p : t_->through[cell])
            step<D>(p, e_->states.template cell<D>(patterns_[p].state, kind_for(p, cell, kind)), cell);
    }

    // On large boards only, so it is kept out of what all others do.
    [[gnu::noinline]] void change_nearly(int pattern, const PatternState& from, const PatternState& to, int missing,
                                         int change) {
        if (from.nearly) count_nearly<-1>(from, pattern, missing, change);
        if (to.nearly) count_nearly<+1>(to, pattern, patterns_[pattern].missing, change);
    }

    // Takes the patterns of a cell to their next states, and the disc on it into the sum or out of it.
    template <int D>
    void change_directed(int cell, int kind) {
        const auto& states = e_->states;
        auto directed_step = [&](int p, std::uint16_t next, int change) {
            const unsigned before = states[patterns_[p].state].views;
            step<D>(p, next, change);
            value_ += directions_.change(p, before, states[next].views, kinds_);
        };
        for (int p : t_->through[cell])
            directed_step(p, states.template cell<D>(patterns_[p].state, kind_for(p, cell, kind)), cell);
        for (int p : t_->pole_of[cell]) directed_step(p, states.template pole<D>(patterns_[p].state, kind), 0);
        for (int p : t_->bar_of[cell]) directed_step(p, states.template bar<D>(patterns_[p].state, kind), 0);
        value_ += D * directions_.value(cell, kind);
    }
};

}  // namespace plyground
