// In which order the engine tries moves: the table's, then those that have refuted others before or promise most.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/lines.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"
#include "search/value.hpp"

namespace plyground {

// One thread's. The moves of all nodes on the path lie end to end in one stack.
class MovePicker {
  public:
    explicit MovePicker(const Tables& tables) : stack_(1 << 14), lifts_(tables.places[0]) {
        for (auto& side : history_) side.resize(std::max(tables.places[0], tables.places[1]));
    }

    // The moves of one node.
    struct Moves {
        std::size_t from, to;
        int count() const { return static_cast<int>(to - from); }
    };

    // Unlearns everything.
    void forget() {
        for (auto& side : history_) std::ranges::fill(side, 0);
        std::ranges::fill(lifts_, 0);
        killers_ = {};
        top_ = 0;
    }

    std::size_t top() const { return top_; }

    void push(Move move) {
        if (top_ == stack_.size()) stack_.resize(2 * top_);
        stack_[top_++] = {move, 0};
    }

    // The moves pushed since the stack was so high, with what they promise.
    template <int W>
    Moves ordered(std::size_t from, const Position<W>& position, int depth, int plies, Move table_move) {
        const int side = position.to_move();
        for (std::size_t i = from; i < top_; ++i) {
            auto& [move, promise] = stack_[i];
            if (move == table_move) {
                promise = FIRST;
                continue;
            }
            promise = history_[side][move.place];
            if (move.lift >= 0)
                promise += lifts_[move.lift];
            else if (depth > 1)
                promise += POTENTIAL * position.potential(move.place);
            if (move == killers_[plies][0] || move == killers_[plies][1]) promise += KILLER;
        }
        return {from, top_};
    }

    // The most promising of the moves left when `i` were picked before.
    Move pick(Moves moves, int i) {
        const std::size_t at = moves.from + i;
        std::size_t best = at;
        for (std::size_t other = at + 1; other < moves.to; ++other)
            if (stack_[other].promise > stack_[best].promise) best = other;
        std::swap(stack_[at], stack_[best]);
        return stack_[at].move;
    }

    // One that was picked before.
    Move at(Moves moves, int i) const { return stack_[moves.from + i].move; }

    void drop(Moves moves) { top_ = moves.from; }

    // Learns that a move refuted the one before it.
    void reward(int side, Move move, int depth, int plies) {
        const int gain = depth > 1 ? depth * depth : 1;
        auto raise = [&](int& value) { value += gain - value * gain / MOST_HISTORY; };
        raise(history_[side][move.place]);
        if (move.lift >= 0) raise(lifts_[move.lift]);
        if (killers_[plies][0] != move) killers_[plies] = {move, killers_[plies][0]};
    }

  private:
    static constexpr int FIRST = 1 << 30, KILLER = 4096, POTENTIAL = 16, MOST_HISTORY = 8192;

    struct Candidate {
        Move move;
        int promise;
    };

    OwnList<Candidate> stack_;
    std::size_t top_ = 0;
    std::array<OwnList<int>, 2> history_;                      // by side and placement
    OwnList<int> lifts_;                                       // by card
    std::array<std::array<Move, 2>, MAX_LINE + 1> killers_{};  // by plies: the last two that refuted
};

}  // namespace plyground
