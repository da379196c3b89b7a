// The moves at the root of a search.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/mask.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"
#include "search/tactics.hpp"
#include "search/value.hpp"

namespace plyground {

template <int W>
class Roots {
  public:
    // The legal moves, or those of them that are given; false where there are none.
    bool begin(Position<W>& position, const std::vector<Move>& among) {
        all_.clear();
        far_.clear();
        position.any_move([&](Move move) { return all_.push_back({move, -INFINITE, 0, false, {}}), false; });
        if (!among.empty()) {
            auto left_out = [&](const RootMove& root) { return std::ranges::find(among, root.move) == among.end(); };
            std::erase_if(all_, left_out);
        }
        roots_ = all_;
        return !all_.empty();
    }

    // A win at once alone, or the moves that do not lose at once; the most promising first.
    void keep_sensible(Position<W>& position, const Tactics<W>& tactics) {
        const Move win = tactics.winning_move(position);
        if (win.place >= 0) {
            auto wins = [&](const RootMove& root) { return root.move == win; };
            if (std::ranges::any_of(roots_, wins)) std::erase_if(roots_, std::not_fn(wins));
        } else if (const auto found = tactics.sensible(position); !found.lost_in) {
            auto makes_sense = [&](const RootMove& root) { return found.places.test(root.move.place); };
            if (std::ranges::any_of(roots_, makes_sense)) std::erase_if(roots_, std::not_fn(makes_sense));
        }
        for (auto& root : roots_) root.score = position.potential(root.move.place);
        std::ranges::stable_sort(roots_, std::greater{}, &RootMove::score);
    }

    // Those far from everything are left out for now.
    void keep_near(const Mask<W>& near) {
        const auto far =
            std::ranges::stable_partition(roots_, [&](const RootMove& root) { return near.test(root.move.place); });
        if (far.begin() == roots_.begin()) return;
        far_.assign(far.begin(), far.end());
        roots_.erase(far.begin(), far.end());
    }

    // Whether some are.
    bool left_out() const { return !far_.empty(); }

    // Those are moves as any others from here on, and are added to `moves`; false where there are none.
    bool take_far(std::vector<Move>& moves) {
        if (far_.empty()) return false;
        for (const auto& root : far_) moves.push_back(root.move);
        roots_.insert(roots_.end(), far_.begin(), far_.end());
        far_.clear();
        return true;
    }

    // In the order in which they should be tried.
    std::vector<Move> moves() const {
        std::vector<Move> moves;
        for (const auto& root : roots_) moves.push_back(root.move);
        return moves;
    }

    // A move is the best so far: it goes to the front.
    void lead_with(Move move, int score, std::vector<Move> line) {
        const auto root = std::ranges::find(roots_, move, &RootMove::move);
        root->score = score;
        root->line = std::move(line);
        std::rotate(roots_.begin(), root, root + 1);
    }

    const RootMove& best() const { return roots_.front(); }

    // Every move, sensible or not.
    std::vector<RootMove>& all() { return all_; }
    const std::vector<RootMove>& all() const { return all_; }

  private:
    std::vector<RootMove> roots_, far_, all_;
};

}  // namespace plyground
