// The numbers in which the solver of Connect Four scores positions, and the verdicts they stand for: 0 is a draw, n > 0
// a win of the side to move with its n-th disc counted from its last one, -n a loss likewise.
#pragma once

#include <cstdlib>
#include <optional>

#include "connect_four/board.hpp"
#include "connect_four/search.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"
#include "judge/score.hpp"

namespace plyground {

using connect_four::Window;

constexpr int WIDEST = 128;  // the bits of the largest board: its cells and one more row
constexpr Window EXACT{-WIDEST, WIDEST};
constexpr Window WHO_WINS{-1, 1};

// The score of whoever completes a line with the next disc while so many cells are empty.
constexpr int number_of_win(int empty) { return (empty + 1) / 2; }

// How many plies a game of that score goes on if nobody errs.
constexpr int plies_left(int empty, int number) {
    if (number > 0) return 2 * (number_of_win(empty) - number) + 1;
    return number < 0 ? 2 * (empty / 2 + number) + 2 : empty;
}

// What a number says to the side to move; at the ends of a window the game may end sooner.
inline Score verdict(int empty, int number, Window window = EXACT) {
    if (number == 0) return Score::draw();
    const bool at_end = number == window.lower || number == window.upper;
    const bool at_most = at_end && number_of_win(empty) != std::abs(number);
    const int plies = plies_left(empty, number);
    return number > 0 ? Score::win(plies, at_most) : Score::loss(plies, at_most);
}

// The number for a verdict.
inline int number_of(int empty, const Score& score) {
    if (!score.decided()) return 0;
    return score.won() ? number_of_win(empty) - (score.number - 1) / 2 : (score.number - 2) / 2 - empty / 2;
}

inline int empty_cells(const State& state) {
    int empty = 0;
    for (int kind : state.kinds) empty += kind == 0;
    return empty;
}

// The discs of a position as the solver reads them; nothing where they cannot come from turns taken one by one.
inline std::optional<connect_four::Board> to_board(const State& state) {
    std::array<connect_four::Word128, 2> sides{};
    int discs[2] = {};
    for (std::size_t cell = 0; cell < state.kinds.size(); ++cell)
        if (const int kind = state.kinds[cell]) {
            sides[kind - 1] |= connect_four::Word128(1) << cell;
            ++discs[kind - 1];
        }
    if (discs[0] != (state.ply + 1) / 2 || discs[1] != state.ply / 2) return {};
    const int mover = state.ply & 1;
    return connect_four::Board{sides[mover], sides[mover ^ 1]};
}

}  // namespace plyground
