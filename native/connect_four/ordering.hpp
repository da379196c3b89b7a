// In which order moves are tried: what decides a position soonest should come first.
#pragma once

#include <algorithm>
#include <array>

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

    // What a move to a cell adds to lines that are still open to its side, and takes from the other's; lines with
    // several discs count most.
    int worth(int cell, Word own, Word other) const {
        int sum = 0;
        for (int at = 0; at < sizes_[cell]; ++at) {
            const Word line = lines_[cell][at], ours = own & line, theirs = other & line;
            if (ours != 0 && theirs != 0) continue;
            const Word discs = ours | theirs;
            sum += discs == 0 ? 1 : several(discs) ? 6 : 2;
        }
        return sum;
    }

  private:
    void add(int cell, Word line) { lines_[cell][sizes_[cell]++] = line; }

    std::array<std::array<Word, 4 * Size::MAX_LINE>, 8 * sizeof(Word)> lines_{};
    std::array<int, 8 * sizeof(Word)> sizes_{};
};

template <class Size>
class Ordering {
    using Word = typename Size::Word;

  public:
    // Variants other than 0 order equal moves differently, so that threads meet different positions.
    Ordering(const Shape<Size>& shape, const Lines<Size>& lines, int variant) : shape_(shape), lines_(lines) {
        for (int column = 0; column < shape_.columns; ++column) {
            const int from_edge = std::min(column, shape_.columns - 1 - column);
            for (int row = 0; row < shape_.rows; ++row) {
                const int cell = column * shape_.stride() + row;
                central_[cell] = 6 * from_edge + (variant == 0 ? 0 : (cell + 1) * (2 * variant + 1) % 7);
            }
        }
    }

    // Larger for moves to be tried earlier. `own_wins`: the cells that complete a line of the side to move;
    // `wins`: those once it has moved; `left`: the empty cells before it.
    int promise(Word move, Word own, Word other, Word own_wins, Word wins, int left) const {
        // A threat in a row that the waiting game gives to its owner is worth more than one in the others.
        const Word given = left % 2 == 0 ? ~shape_.follower_rows : shape_.follower_rows;
        const int cell = lowest_index(move);
        int sum = THREAT * count(wins) + THREAT * count(wins & given) + central_[cell];
        sum += std::clamp(refutations_[left & 1][cell], -4, 4);
        if ((own_wins & move << 1) != 0) sum -= THREAT;  // the answer above takes the threat away
        if (left >= LINES_LEFT) sum += lines_.worth(cell, own, other);
        return sum;
    }

    // Unlearns everything.
    void forget() { refutations_ = {}; }

    // Learns that a move refuted what went before it, or did not.
    void refuted(Word move, int left) { ++refutations_[left & 1][lowest_index(move)]; }
    void failed(Word move, int left) { --refutations_[left & 1][lowest_index(move)]; }

  private:
    static constexpr int THREAT = 64;
    static constexpr int LINES_LEFT = 20;  // with fewer empty cells lines are not worth the time to look at them

    const Shape<Size>& shape_;
    const Lines<Size>& lines_;
    std::array<int, 8 * sizeof(Word)> central_{};
    std::array<std::array<int, 8 * sizeof(Word)>, 2> refutations_{};
};

}  // namespace plyground::connect_four
