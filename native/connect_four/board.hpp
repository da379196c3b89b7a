// A board as others hand it over: cells numbered row by row from the bottom left, one bit each.
#pragma once

#include <algorithm>
#include <array>

#include "connect_four/shape.hpp"

namespace plyground::connect_four {

struct Board {
    Word128 own, other;  // `own`: of the side to move
};

// Carries discs from the cells of a board to those of a shape, which are numbered column by column.
template <class Size>
class Carrier {
    using Word = typename Size::Word;

  public:
    explicit Carrier(const Shape<Size>& shape) : shape_(shape) {
        for (int half = 0; half < 2; ++half)
            for (int discs = 0; discs < 1 << HALF; ++discs)
                for (int bit = 0; bit < HALF; ++bit)
                    if (const int column = half * HALF + bit; discs >> bit & 1 && column < shape_.columns)
                        rows_[half][discs] |= Word(1) << column * shape_.stride();
    }

    // Row by row; most boards have no second half.
    Word to_shape(Word128 discs) const {
        Word cells = 0;
        for (int row = 0; row < shape_.rows; ++row, discs >>= shape_.columns) {
            cells |= rows_[0][static_cast<int>(discs) & ((1 << std::min(HALF, shape_.columns)) - 1)] << row;
            if (shape_.columns > HALF)
                cells |= rows_[1][static_cast<int>(discs >> HALF) & ((1 << (shape_.columns - HALF)) - 1)] << row;
        }
        return cells;
    }

    Word128 to_board(Word cells) const {
        Word128 discs = 0;
        for (; cells != 0; cells &= cells - 1) {
            const int at = lowest_index(cells), column = at / shape_.stride(), row = at % shape_.stride();
            discs |= Word128(1) << (row * shape_.columns + column);
        }
        return discs;
    }

  private:
    static constexpr int HALF = 8;

    const Shape<Size>& shape_;
    std::array<std::array<Word, 1 << HALF>, 2> rows_{};  // by half of a row and its discs, as cells of the lowest row
};

}  // namespace plyground::connect_four
