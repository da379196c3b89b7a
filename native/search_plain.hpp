// The twins of the searches to read: fixed depth, generation order, no table, the same nodes one by one.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "control.hpp"
#include "position.hpp"

namespace plyground {

struct WinValue {
    std::int64_t base, per_ply, per_level, per_empty;
};

struct PlainResult {
    bool finished = false;  // false: a limit was reached, the score and the line mean nothing
    std::int64_t score = 0;
    std::vector<Move> line;
    std::uint64_t nodes = 0, evaluations = 0;
};

template <int W>
class PlainSearch {
  public:
    static constexpr std::int64_t BOUND = std::numeric_limits<std::int32_t>::max();

    PlainSearch(Position<W>& position, Control& control, WinValue win, bool prune, bool gains)
        : position_(position), control_(control), win_(win), prune_(prune), gains_(gains) {}

    PlainResult run(int depth) {
        lines_.resize(depth + 1);
        PlainResult result;
        try {
            result.score = search(depth, 0, -BOUND, BOUND, 0);
            result.finished = true;
            result.line = lines_[0];
        } catch (const Stopped&) {
        }
        result.nodes = nodes_;
        result.evaluations = evaluations_;
        return result;
    }

  private:
    struct Stopped {};

    Position<W>& position_;
    Control& control_;
    const WinValue win_;
    const bool prune_, gains_;
    std::uint64_t nodes_ = 0, evaluations_ = 0;
    std::vector<Move> moves_;               // of all nodes on the path, end to end
    std::vector<std::vector<Move>> lines_;  // the best line found at each ply

    // `before` is what the heuristic said one ply up, where gains are asked for.
    std::int64_t search(int depth, int plies, std::int64_t alpha, std::int64_t beta, std::int64_t before) {
        if (control_.poll(nodes_)) throw Stopped{};
        ++nodes_;
        lines_[plies].clear();
        if (const auto over = position_.outcome()) {
            if (over.winner < 0) return 0;
            const std::int64_t worth = win_.base + win_.per_ply * plies + win_.per_level * depth +
                                       win_.per_empty * position_.empty_cells();
            return over.winner == position_.to_move() ? worth : -worth;
        }
        if (depth == 0) {
            ++evaluations_;
            return position_.evaluate() + before;
        }
        const std::int64_t here = gains_ && depth == 1 ? position_.evaluate() : 0;
        std::int64_t best = prune_ ? -BOUND : std::numeric_limits<std::int64_t>::min();
        const std::size_t from = moves_.size();
        position_.any_move([&](Move move) { return moves_.push_back(move), false; });
        const std::size_t to = moves_.size();
        const Move last = position_.last;
        for (std::size_t i = from; i < to; ++i) {
            const Move move = moves_[i];
            position_.make(move);
            const std::int64_t value = -search(depth - 1, plies + 1, -beta, -alpha, here);
            position_.unmake(last);
            if (value <= best) continue;
            best = value;
            auto& line = lines_[plies];
            line.assign(1, move);
            line.insert(line.end(), lines_[plies + 1].begin(), lines_[plies + 1].end());
            if (!prune_) continue;
            alpha = std::max(alpha, best);
            if (alpha >= beta) break;
        }
        moves_.resize(from);
        return best;
    }
};

}  // namespace plyground
