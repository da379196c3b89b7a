// The twins of the searches to read: fixed depth, a given order of moves, no table, the same nodes one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/core.hpp"
#include "core/position.hpp"
#include "search/control.hpp"

namespace plyground {

struct WinValue {
    std::int64_t base, per_ply, per_empty;
};

// What a leaf is worth: the heuristic's value of it and of the position one ply up, each times its weight.
struct LeafValue {
    std::int64_t here = 1, before = 0;
};

// How one plain search differs from another.
struct PlainStyle {
    WinValue win;
    LeafValue leaf;
    bool prune;
    std::vector<int> order;  // the rank of each placement, the lowest is tried first; empty: as the rules list them
};

struct PlainResult {
    bool finished = false;  // false: a limit was reached, the score and the line mean nothing
    std::int64_t score = 0;
    std::vector<Move> line;
    std::uint64_t nodes = 0, evaluations = 0;
};

// Whoever watches a search walk its tree is shown each position as it is entered, and before it is left.
struct NobodyWatches {
    void enter(Move) {}
    template <int W>
    void leave(Position<W>&, std::int64_t) {}
};

template <int W, class Watch = NobodyWatches>
class PlainSearch {
  public:
    static constexpr std::int64_t BOUND = std::numeric_limits<std::int32_t>::max();

    PlainSearch(Position<W>& position, Control& control, const PlainStyle& style, Watch& watch)
        : position_(position), control_(control), style_(style), watch_(watch) {}

    PlainResult run(int depth, int plies_left) {
        lines_.resize(std::min(depth, plies_left) + 1);
        PlainResult result;
        result.score = watched(Move{}, depth, 0, -BOUND, BOUND, 0);
        result.finished = !stopped_;
        if (result.finished) result.line = lines_[0];
        result.nodes = nodes_;
        result.evaluations = evaluations_;
        return result;
    }

  private:
    Position<W>& position_;
    Control& control_;
    const PlainStyle& style_;
    Watch& watch_;
    bool stopped_ = false;  // once it is, what the nodes on the path return means nothing
    std::uint64_t nodes_ = 0, evaluations_ = 0;
    std::vector<Move> moves_;               // of all nodes on the path, end to end
    std::vector<std::vector<Move>> lines_;  // the best line found at each ply

    // Appends the legal moves, those to be tried first in front.
    void push_moves() {
        const auto from = static_cast<std::ptrdiff_t>(moves_.size());
        position_.any_move([&](Move move) { return moves_.push_back(move), false; });
        if (style_.order.empty()) return;
        std::stable_sort(moves_.begin() + from, moves_.end(),
                         [&](Move a, Move b) { return style_.order[a.place] < style_.order[b.place]; });
    }

    std::int64_t stop() {
        stopped_ = true;
        return 0;
    }

    // What the heuristic says here; a value that is not sound ends the search.
    std::int64_t evaluated() {
        const auto [value, sound] = position_.evaluate();
        if (sound) return value;
        control_.refuse(value);
        return stop();
    }

    // What the end of a game is worth to the side to move.
    std::int64_t worth(const Outcome& over, int plies) const {
        if (over.winner < 0) return 0;
        const WinValue& win = style_.win;
        const std::int64_t worth = win.base + win.per_ply * plies + win.per_empty * position_.empty_cells();
        return over.winner == position_.to_move() ? worth : -worth;
    }

    void set_line(int plies, Move move) {
        auto& line = lines_[plies];
        const auto& rest = lines_[plies + 1];
        line.assign(1, move);
        line.insert(line.end(), rest.begin(), rest.end());
    }

    // The value of the position that a move has led to.
    std::int64_t watched(Move move, int depth, int plies, std::int64_t alpha, std::int64_t beta, std::int64_t before) {
        watch_.enter(move);
        const std::int64_t value = search(depth, plies, alpha, beta, before);
        watch_.leave(position_, value);
        return value;
    }

    // `before` is what the heuristic said one ply up, where a leaf is worth something of that.
    std::int64_t search(int depth, int plies, std::int64_t alpha, std::int64_t beta, std::int64_t before) {
        if (control_.poll(nodes_)) return stop();
        ++nodes_;
        lines_[plies].clear();
        if (const auto over = position_.outcome()) return worth(over, plies);
        if (depth == 0) {
            ++evaluations_;
            return style_.leaf.here * evaluated() + style_.leaf.before * before;
        }
        const std::int64_t here = style_.leaf.before && depth == 1 ? evaluated() : 0;
        if (stopped_) return 0;
        std::int64_t best = style_.prune ? -BOUND : std::numeric_limits<std::int64_t>::min();
        const std::size_t from = moves_.size();
        push_moves();
        const std::size_t to = moves_.size();
        const Move last = position_.last;
        for (std::size_t i = from; i < to; ++i) {
            const Move move = moves_[i];
            position_.make(move);
            const std::int64_t value = -watched(move, depth - 1, plies + 1, -beta, -alpha, here);
            position_.unmake(last);
            if (stopped_) return 0;
            if (value <= best) continue;
            best = value;
            set_line(plies, move);
            if (!style_.prune) continue;
            alpha = std::max(alpha, best);
            if (alpha >= beta) break;
        }
        moves_.resize(from);
        return best;
    }
};

// A plain search of a position, whatever width its rules need.
template <class Watch>
PlainResult plain_search(const Core& core, const Evaluator& evaluator, const State& state, Control& control, int depth,
                         const PlainStyle& style, Watch& watch) {
    return core.with_position(evaluator, state, [&]<int W>(Position<W>& position) {
        PlainSearch<W, Watch> search(position, control, style, watch);
        return search.run(depth, core.tables().data.max_plies - state.ply);
    });
}

inline PlainResult plain_search(const Core& core, const Evaluator& evaluator, const State& state, Control& control,
                                int depth, const PlainStyle& style) {
    NobodyWatches nobody;
    return plain_search(core, evaluator, state, control, depth, style, nobody);
}

}  // namespace plyground
