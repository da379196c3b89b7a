// In which order moves are tried: what decides a position soonest should come first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "connect_four/shape.hpp"

namespace plyground::connect_four {

// The lines through each cell of a board.
template <class Size>
class Lines {
    using Word = typename Size::Word;

  public:
    explicit Lines(const Shape<Size>& shape) {
        constexpr std::array<std::array<int, 2>, 4> directions{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
        for (const auto [right, up] : directions) {
            for (int column = 0; column + (shape.line - 1) * right < shape.columns; ++column) {
                for (int row = 0; row < shape.rows; ++row) {
                    const int end = row + (shape.line - 1) * up;
                    if (end < 0 || end >= shape.rows) continue;
                    const auto cell = [&](int step) {
                        return (column + step * right) * shape.stride() + row + step * up;
                    };
                    Word line = 0;
                    for (int step = 0; step < shape.line; ++step) line |= Word(1) << cell(step);
                    for (int step = 0; step < shape.line; ++step) add(cell(step), line);
                }
            }
        }
    }

    // What a move to a cell adds to lines that are still open to its side, and takes from the other's.
    int worth(int cell, Word own, Word other) const {
        int sum = 0;
        for (int at = 0; at < sizes_[cell]; ++at) {
            const Word line = lines_[cell][at], ours = own & line, theirs = other & line;
            if (ours != 0 && theirs != 0) continue;
            if (ours != 0)
                sum += several(ours) ? SEVERAL_OURS : ONE_OURS;
            else
                sum += theirs == 0 ? NO_DISC : several(theirs) ? SEVERAL_THEIRS : ONE_THEIRS;
        }
        return sum;
    }

  private:
    static constexpr int NO_DISC = 1, ONE_OURS = 13, SEVERAL_OURS = 5, ONE_THEIRS = 1, SEVERAL_THEIRS = 4;

    void add(int cell, Word line) { lines_[cell][sizes_[cell]++] = line; }

    std::array<std::array<Word, 4 * Size::MAX_LINE>, 8 * sizeof(Word)> lines_{};
    std::array<int, 8 * sizeof(Word)> sizes_{};
};

// A position with a choice of moves, in which nobody can win at once.
template <class Word>
struct Node {
    Word own, mask;             // the discs of the side to move, and all
    Word own_wins, other_wins;  // the empty cells that complete a line
    Word last;                  // the disc laid last; none at the root
    int alpha, left;            // `left`: the number of empty cells

    Word other() const { return mask ^ own; }
};

// How often something was so lately: a mean that forgets, from -WHOLE to WHOLE. Each time counts 1 in 2^Memory.
template <int Memory>
class Lately {
  public:
    static constexpr int WHOLE = 1024;

    operator int() const { return mean_; }
    void count(bool so) { mean_ += ((so ? WHOLE : -WHOLE) - mean_) >> Memory; }

  private:
    std::int16_t mean_ = 0;
};

template <class Size>
class Ordering {
    using Word = typename Size::Word;
    static constexpr int BITS = Size::MAX_BITS;

    template <class Count>
    using ByCell = std::array<Count, BITS>;

  public:
    // Variants other than 0 order equal moves differently, so that threads meet different positions.
    Ordering(const Shape<Size>& shape, const Lines<Size>& lines, int variant) : shape_(shape), lines_(lines) {
        for (int column = 0; column < shape_.columns; ++column) {
            const int from_edge = std::min(column, shape_.columns - 1 - column);
            for (int row = 0; row < shape_.rows; ++row) {
                const int cell = column * shape_.stride() + row;
                place_[cell] = COLUMN * from_edge + ROW * row;
                place_[cell] += variant == 0 ? 0 : (cell + 1) * (2 * variant + 1) % 7;
            }
        }
    }

    // What the moves of one position have in common.
    struct Outlook {
        Word given;  // the cells of the rows that the waiting game gives to the side to move
        int threat, given_threat;
        const ByCell<Lately<3>>& by_side;
        const ByCell<Lately<2>>&by_left, &by_last;
    };

    Outlook outlook(const Node<Word>& node) const {
        const Word given = node.left % 2 == 0 ? ~shape_.follower_rows : shape_.follower_rows;
        const bool late = node.left < LATE_THREATS_LEFT;
        return {given,
                late ? LATE_THREAT : THREAT,
                late ? LATE_GIVEN_THREAT : GIVEN_THREAT,
                by_side_[node.left & 1],
                by_left_[node.left],
                by_last_[last_cell(node)]};
    }

    // Larger for moves to be tried earlier. `wins`: the empty cells that complete a line once the side to move has
    // moved.
    int promise(const Node<Word>& node, const Outlook& outlook, Word move, Word wins) const {
        const auto& [given, threat, given_threat, by_side, by_left, by_last] = outlook;
        const int cell = lowest_index(move);
        int sum = place_[cell] + threat * count(wins) + given_threat * count(Word(wins & given));
        if ((move & given) != 0) sum += GIVEN;
        if ((node.own_wins & move << 1) != 0) sum -= SPOILT;   // the answer above takes the threat away
        if ((node.own_wins & move << 2) != 0) sum += GUARDED;  // there is no answer above: it allows the threat
        if (node.left >= LINES_LEFT) sum += lines_.worth(cell, node.own, node.other());
        if (node.left < EXPERIENCE_LEFT) return sum;
        return sum + (BY_SIDE * by_side[cell] + BY_LEFT * by_left[cell] + BY_LAST * by_last[cell]) / 1024;
    }

    // Unlearns everything.
    void forget() {
        if (!learned_) return;
        learned_ = false;
        by_side_ = {};
        by_left_ = {};
        by_last_ = {};
    }

    // Learns that a move refuted what went before it, or did not.
    void learn(const Node<Word>& node, Word move, bool refuted) {
        if (node.left < EXPERIENCE_LEFT) return;
        learned_ = true;
        const int cell = lowest_index(move);
        by_side_[node.left & 1][cell].count(refuted);
        by_left_[node.left][cell].count(refuted);
        by_last_[last_cell(node)][cell].count(refuted);
    }

  private:
    // Found by trial on some hundred positions of 6 x 7 after ten moves: these took the fewest visits.
    static constexpr int THREAT = 45, GIVEN_THREAT = 12, LATE_THREAT = 109, LATE_GIVEN_THREAT = 130,
                         LATE_THREATS_LEFT = 14;
    static constexpr int SPOILT = 120, GUARDED = 20, GIVEN = 4, COLUMN = 10, ROW = 3;
    static constexpr int LINES_LEFT = 21;  // with fewer empty cells lines are not worth the time to look at them

    static constexpr int BY_SIDE = 16, BY_LEFT = 9, BY_LAST = 7;
    static constexpr int EXPERIENCE_LEFT = 14;  // with fewer it takes longer to ask experience than to search

    // No disc was laid last at the root.
    static int last_cell(const Node<Word>& node) { return node.last == 0 ? BITS : lowest_index(node.last); }

    const Shape<Size>& shape_;
    const Lines<Size>& lines_;
    ByCell<int> place_{};
    // How often moves to a cell refuted what went before: by the same side, with as many empty cells, after the same
    // disc.
    bool learned_ = false;
    std::array<ByCell<Lately<3>>, 2> by_side_{};
    std::array<ByCell<Lately<2>>, BITS + 1> by_left_{};
    std::array<ByCell<Lately<2>>, BITS + 1> by_last_{};
};

}  // namespace plyground::connect_four
