// The board of Connect Four as one machine word, and the lines on it.
//
// A column takes rows + 1 bits, the lowest row first; the bit on top of each column is a sentinel that
// stays empty, so that nothing runs over into the next column. 6 rows x 7 columns:
//
//      6 13 20 27 34 41 48    sentinels
//     +--------------------+
//     |5 12 19 26 33 40 47 |
//     |4 11 18 25 32 39 46 |
//     |3 10 17 24 31 38 45 |
//     |2  9 16 23 30 37 44 |
//     |1  8 15 22 29 36 43 |
//     |0  7 14 21 28 35 42 |
//     +--------------------+
//
// One step right is a shift by rows + 1, up by 1, along the diagonals by rows + 2 and rows. With the
// discs of the side to move called `own` and all discs `mask`, `own + mask` is different for every
// position: in each column the sum starts from 2^discs - 1.
#pragma once

#include <bit>
#include <cstdint>

namespace plyground::connect_four {

using Word64 = std::uint64_t;
using Word128 = unsigned __int128;

inline int count(Word64 cells) { return std::popcount(cells); }
inline int count(Word128 cells) {
    return std::popcount(static_cast<Word64>(cells)) + std::popcount(static_cast<Word64>(cells >> 64));
}

inline int lowest_index(Word64 cells) { return std::countr_zero(cells); }
inline int lowest_index(Word128 cells) {
    const auto low = static_cast<Word64>(cells);
    return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<Word64>(cells >> 64));
}

template <class Word>
constexpr Word lowest(Word cells) {
    return cells & (~cells + 1);
}

template <class Word>
constexpr bool several(Word cells) {
    return (cells & (cells - 1)) != 0;
}

// What every size computes from its rows and columns; masks of one row or one column.
template <class Word>
constexpr Word every_column(int rows, int columns, Word pattern) {
    Word cells = 0;
    for (int column = 0; column < columns; ++column) cells |= pattern << (column * (rows + 1));
    return cells;
}

// The rows at an even distance below the top row: the cells that fall to whoever answers above.
template <class Word>
constexpr Word rows_of_the_follower(int rows, int columns) {
    Word cells = 0;
    for (int row = rows - 1; row >= 0; row -= 2) cells |= every_column<Word>(rows, columns, Word(1) << row);
    return cells;
}

// A size known when compiling: every shift is a constant.
template <class WordType, int Rows, int Columns, int Line>
struct FixedSize {
    using Word = WordType;
    static constexpr int rows = Rows, columns = Columns, line = Line, MAX_COLUMNS = Columns, MAX_LINE = Line;
    static constexpr int MAX_BITS = (Rows + 1) * Columns;
    static constexpr Word bottom = every_column<Word>(Rows, Columns, 1);
    static constexpr Word board = every_column<Word>(Rows, Columns, (Word(1) << Rows) - 1);
    static constexpr Word follower_rows = rows_of_the_follower<Word>(Rows, Columns);
};

// Any size that fits the word.
template <class WordType>
struct AnySize {
    using Word = WordType;
    static constexpr int MAX_COLUMNS = 16, MAX_LINE = 6, MAX_BITS = 8 * sizeof(Word);
    int rows, columns, line;
    Word bottom, board, follower_rows;

    AnySize(int rows, int columns, int line)
        : rows(rows),
          columns(columns),
          line(line),
          bottom(every_column<Word>(rows, columns, 1)),
          board(every_column<Word>(rows, columns, (Word(1) << rows) - 1)),
          follower_rows(rows_of_the_follower<Word>(rows, columns)) {}
};

template <class Size>
struct Shape : Size {
    using Size::board;
    using Size::bottom;
    using Size::columns;
    using Size::line;
    using Size::rows;
    using typename Size::Word;

    using Size::Size;

    constexpr int stride() const { return rows + 1; }
    constexpr int cells() const { return rows * columns; }
    constexpr int key_bits() const { return stride() * columns; }
    constexpr int column_of(Word cell) const { return lowest_index(cell) / stride(); }
    constexpr Word column(int index) const { return ((Word(1) << rows) - 1) << (index * stride()); }
    constexpr Word playable(Word mask) const { return (mask + bottom) & board; }

    // A line of this many steps needs so many columns and rows; others must not be shifted for, as the
    // shift could exceed the word.
    constexpr bool across() const { return columns >= line; }
    constexpr bool upright() const { return rows >= line; }

    bool has_line(Word discs) const {
        Word found = upright() ? runs(discs, 1) : 0;
        if (across()) {
            found |= runs(discs, stride());
            if (upright()) found |= runs(discs, stride() + 1) | runs(discs, stride() - 1);
        }
        return found != 0;
    }

    // The cells that complete a line with these discs; occupied cells and sentinels may be among them.
    Word completing(Word discs) const {
        Word found = 0;
        if (upright()) {
            found = discs << 1;
            for (int step = 2; step < line; ++step) found &= discs << step;
        }
        if (across()) {
            found |= gaps(discs, stride());
            if (upright()) found |= gaps(discs, stride() + 1) | gaps(discs, stride() - 1);
        }
        return found;
    }

    // The empty cells at and above the lowest of the given ones in each column.
    //
    // With the sentinel set, subtracting 1 from a column flips its lowest bit and all below.
    Word from_lowest_up(Word cells) const {
        const Word ends = cells | bottom << rows;
        return board & ~((ends ^ (ends - bottom)) >> 1);
    }

    Word mirrored(Word word) const {
        const Word whole = (Word(1) << stride()) - 1;
        Word image = 0;
        for (int column = 0; column < columns; ++column) {
            image |= (word >> (column * stride()) & whole) << ((columns - 1 - column) * stride());
        }
        return image;
    }

  private:
    // The first cells of whole lines in one direction; the run looked for doubles until it is long enough.
    Word runs(Word discs, int step) const {
        int length = 1;
        while (length < line) {
            const int more = length < line - length ? length : line - length;
            discs &= discs >> (more * step);
            length += more;
        }
        return discs;
    }

    // The cells with line - 1 discs around them in one direction: `a` on the lower side, the rest on the upper.
    Word gaps(Word discs, int step) const {
        Word upper[8];
        upper[0] = ~Word(0);
        for (int n = 1; n < line; ++n) upper[n] = upper[n - 1] & discs >> (n * step);
        Word found = upper[line - 1];
        Word lower = ~Word(0);
        for (int a = 1; a < line; ++a) {
            lower &= discs << (a * step);
            found |= lower & upper[line - 1 - a];
        }
        return found;
    }
};

}  // namespace plyground::connect_four
