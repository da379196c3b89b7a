// What can be said about a position of Connect Four without searching it: who wins the waiting game.
//
// Take the moment when an even number of cells is empty. The side that is not to move, the *follower*, can
// answer every move: on top of it, or, if that was the lowest cell of a column with an odd number of empty
// cells, in the lowest cell of another such column (there is an even number of them). That settles whose the
// cells are, counted from the top of each column: the follower gets the top cell and every second one below
// (F), the other side, the *leader*, those between (l). Only the lowest cells of the odd columns (?) are open to
// both:
//
//     F F F F F F F
//     l l l l l l l
//     F F ? F F F F
//     l l x l l l l
//     F F o ? F F F
//     l l x o l l l
//
// If the leader's discs, its cells and the open ones hold no line, the leader cannot win. If the follower
// completes a line in a cell of its own, it wins once the leader has nothing else to play, as the leader must
// not play below that cell: from there up the column stays empty until then, which also says how
// early the game ends at the latest.
//
// The leader becomes the one who answers if it completes a line in a cell of its own (T, an odd threat of the
// first player) above an empty cell. That cell (*) is poison for the other side. What lies below it is filled as
// a column of its own, and as the cells from the poison up are odd in number, so are the ones to be played:
// the leader takes one, and answers from then on. It gets the cells F, and below the poison those next to it (L).
//
//     F F F . F F F
//     l l l . l l l
//     F F F . F F F
//     l l l T l l l
//     F F F * F F F
//     l l l L l l l
#pragma once

#include "connect_four/shape.hpp"

namespace plyground::connect_four {

constexpr int UNKNOWN = 1000;

template <class Size>
class WaitingGame {
    using Word = typename Size::Word;

  public:
    explicit WaitingGame(const Shape<Size>& shape) : shape_(shape) {}

    // A bound that decides whether the score is above alpha for the side to move, or `UNKNOWN`: a value
    // above alpha is a lower bound, any other an upper bound. `own_wins`, `other_wins`: the empty
    // cells that complete a line for the side to move and for the other side, which must not win at once.
    int bound(Word own, Word mask, Word own_wins, Word other_wins, int empty, int alpha) const {
        const bool leads = empty % 2 == 0;
        const int least_gain = alpha < 0 ? 0 : alpha + 1;  // what the side to move must have to exceed alpha
        const int least_loss = alpha >= 0 ? 0 : -alpha;    // what the other must have to keep it from that
        const Word next = shape_.playable(mask);
        if (leads) {
            int score = following(mask ^ own, own, other_wins, mask, next, false, least_loss);
            if (score != UNKNOWN) return -score;
            return leading(mask ^ own, own_wins, mask, next, true, least_gain);
        }
        const int score = following(own, mask ^ own, own_wins, mask, next, true, least_gain);
        if (score != UNKNOWN) return score;
        const int loss = leading(own, other_wins, mask, next, false, least_loss);
        return loss == UNKNOWN ? UNKNOWN : -loss;
    }

  private:
    // What the follower is sure of, if that is at least `needed`; 0 is a draw.
    int following(Word follower, Word leader, Word wins, Word mask, Word next, bool to_move, int needed) const {
        const Word rows = shape_.follower_rows;
        const Word waiting = wins & rows & ~next;
        if (needed > 1 && waiting == 0) return UNKNOWN;
        const Word empty = shape_.board & ~mask;
        const Word unreached = shape_.from_lowest_up(waiting);
        const Word open = next & rows;
        int score = count(unreached & rows);
        if (score == 0 && needed == 1 && shape_.has_line(follower | (empty & rows & ~open))) score = 1;
        if (score < needed || !stopped(leader | (empty & ~rows & ~unreached), open, to_move)) return UNKNOWN;
        return score;
    }

    // The same for the leader, by waiting below one of the lines it can complete in a cell of its own.
    int leading(Word follower, Word wins, Word mask, Word next, bool to_move, int needed) const {
        const Word empty = shape_.board & ~mask;
        for (Word ends = wins & ~shape_.follower_rows & ~next & empty << 1; ends != 0; ends &= ends - 1) {
            const Word poison = lowest(ends) >> 1;
            const Word column = shape_.column(shape_.column_of(poison));
            const Word below = column & (poison - 1);
            const Word above = column & ~below & ~poison;
            const Word rows = (shape_.follower_rows & ~column) | (~shape_.follower_rows & below);
            const Word unreached = shape_.from_lowest_up(wins & rows & ~next);
            if ((unreached & column) != 0) continue;
            const int score = count(above) / 2 + count(unreached & rows);
            if (score < needed) continue;
            const Word others = follower | (empty & ~rows & ~unreached & ~above);
            if (stopped(others, next & rows, to_move)) return score;
        }
        return UNKNOWN;
    }

    // Whether a side that gets these cells has no line, whatever it gets of the open cells, of which both sides
    // take one in turn.
    bool stopped(Word cells, Word open, bool stopper_first) const {
        if (shape_.has_line(cells)) return false;
        if (open == 0 || !shape_.has_line(cells | open)) return true;
        for (Word rest = open; rest != 0; rest &= rest - 1) {
            const Word cell = lowest(rest);
            const bool so = stopped(stopper_first ? cells : cells | cell, open ^ cell, !stopper_first);
            if (so == stopper_first) return so;
        }
        return !stopper_first;
    }

    const Shape<Size>& shape_;
};

}  // namespace plyground::connect_four
