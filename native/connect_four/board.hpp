// A board as others hand it over: cells numbered row by row from the bottom left, one bit each.
#pragma once

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
        for (int at = 0; at < NIBBLES; ++at)
            for (int bits = 0; bits < 16; ++bits)
                for (int bit = 0; bit < 4; ++bit)
                    if (bits >> bit & 1) cells_[at][bits] |= cell(4 * at + bit);
    }

    Word to_shape(Word128 discs) const {
        Word cells = 0;
        for (int at = 0; discs != 0; discs >>= 4, ++at) cells |= cells_[at][static_cast<int>(discs & 15)];
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
    static constexpr int NIBBLES = 32;

    // The cell of a number, none beyond the board.
    Word cell(int number) const {
        if (number >= shape_.cells()) return 0;
        return Word(1) << (number % shape_.columns * shape_.stride() + number / shape_.columns);
    }

    const Shape<Size>& shape_;
    std::array<std::array<Word, 16>, NIBBLES> cells_{};
};

}  // namespace plyground::connect_four
