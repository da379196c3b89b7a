// Solvers of Connect Four for one size of board each: the threads of a search share a table.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connect_four/board.hpp"
#include "connect_four/ordering.hpp"
#include "connect_four/shape.hpp"
#include "connect_four/table.hpp"
#include "connect_four/team.hpp"
#include "core/refusal.hpp"
#include "search/control.hpp"

namespace plyground::connect_four {

// What a solver offers, whatever the size of its board.
class Solver {
  public:
    virtual ~Solver() = default;

    // Why a board cannot be solved: it cannot be, or it is won.
    virtual Refusal refusal_of(const Board& board) const = 0;
    // The board after moves were played from one that can be solved, a digit for each, the column from 1 on; nothing
    // where one of them is no digit, its column full, or a line complete, and where there are more columns than digits.
    virtual std::optional<Board> played(const Board& start, std::string_view columns) const = 0;
    // The score for the side to move within a window; `control` has begun, and any thread may stop it.
    virtual Found solve(const Board& board, Window window, int threads, Control& control) = 0;
    // The same for many boards, each within the limit, unless one of them cannot be solved; those are not answered that
    // are left once `control` is stopped.
    virtual Refusal solve_many(std::span<const Board> boards, Window window, int threads, Limit each, Control& control,
                               std::span<Found> found) = 0;
    virtual void clear() = 0;
    // From here on several threads may call solve() at once. Takes all the memory of the table.
    virtual void share() = 0;
};

template <class Size>
class SizedSolver final : public Solver {
    using Word = typename Size::Word;

  public:
    SizedSolver(Shape<Size> shape, std::size_t table_bytes)
        : shape_(shape), carrier_(shape_), lines_(shape_), table_(shape_.key_bits(), max_score(shape_), table_bytes) {}

    static int max_score(const Shape<Size>& shape) { return (shape.cells() + 1) / 2; }

    bool ready() const { return table_.ready(); }

    Refusal refusal_of(const Board& board) const override {
        if (auto refusal = beside(board)) return refusal;
        return refusal_of(discs_of(board));
    }

    std::optional<Board> played(const Board& start, std::string_view columns) const override {
        if (shape_.columns > 9) return {};
        auto [own, mask] = discs_of(start);
        for (const char digit : columns) {
            const int column = digit - '1';
            if (column < 0 || column >= shape_.columns) return {};
            const Word move = shape_.playable(mask) & shape_.column(column);
            if (move == 0 || shape_.has_line(mask ^ own)) return {};
            own ^= mask;
            mask |= move;
        }
        if (shape_.has_line(mask ^ own)) return {};
        return Board{carrier_.to_board(own), carrier_.to_board(mask ^ own)};
    }

    Found solve(const Board& board, Window window, int threads, Control& control) override {
        Team<Size> team({shape_, lines_, table_, control}, threads);
        return team.solve(discs_of(board), window);
    }

    Refusal solve_many(std::span<const Board> boards, Window window, int threads, Limit each, Control& control,
                       std::span<Found> found) override {
        std::vector<Discs<Word>> all;
        all.reserve(boards.size());
        for (const Board& board : boards) {
            if (auto refusal = beside(board)) return refusal;
            if (auto refusal = refusal_of(all.emplace_back(discs_of(board)))) return refusal;
        }
        Control one;
        const bool limited = !each.unlimited();
        Team<Size> team({shape_, lines_, table_, limited ? one : control}, threads);
        for (std::size_t at = 0; at < all.size() && !control.stopped(); ++at) {
            // Whoever ends them all ends the one that is being solved.
            if (limited) one.begin(each, [&control] { return control.poll(0); }, false);
            found[at] = team.solve(all[at], window);
        }
        return {};
    }

    void clear() override {
        table_.clear();
        if (shared_) table_.grow_to_full_size();
    }

    void share() override {
        shared_ = true;
        table_.grow_to_full_size();
    }

  private:
    // Why its discs cannot be those of a board of this size.
    Refusal beside(const Board& board) const {
        const auto cells = (Word128(1) << (shape_.cells() - 1) << 1) - 1;
        if (((board.own | board.other) & ~cells) != 0) return "a disc lies beside the board";
        if ((board.own & board.other) != 0) return "two discs lie in one cell";
        return {};
    }

    Refusal refusal_of(Discs<Word> discs) const {
        const auto [own, mask] = discs;
        // Below a disc that hangs there is an empty cell of its column.
        if ((mask & (~mask & shape_.board) << 1) != 0) return "a disc hangs over an empty cell";
        if (shape_.has_line(own) || shape_.has_line(mask ^ own)) return "the game is won";
        const int ahead = count(Word(mask ^ own)) - count(own);
        if (ahead != 0 && ahead != 1) return "the sides have not taken turns";
        return {};
    }

    Discs<Word> discs_of(const Board& board) const {
        const Word own = carrier_.to_shape(board.own);
        return {own, Word(own | carrier_.to_shape(board.other))};
    }

    const Shape<Size> shape_;
    const Carrier<Size> carrier_;
    const Lines<Size> lines_;
    Table<Word> table_;
    bool shared_ = false;
};

// A solver for a size of board, or why there is none; neither where there is too little memory.
struct MadeSolver {
    std::unique_ptr<Solver> solver;
    Refusal refusal;
};

template <class Size>
MadeSolver sized_solver(Shape<Size> shape, std::size_t table_bytes) {
    using Keys = Table<typename Size::Word>;
    const std::size_t least = Keys::least_bytes(shape.key_bits(), SizedSolver<Size>::max_score(shape));
    if (table_bytes < least)
        return {nullptr, "the table of this board needs at least " + std::to_string(least) + " bytes, got " +
                             std::to_string(table_bytes)};
    auto solver = std::make_unique<SizedSolver<Size>>(shape, table_bytes);
    if (!solver->ready()) return {};
    return {std::move(solver), {}};
}

inline MadeSolver make_solver(int rows, int columns, int line, std::size_t table_bytes) {
    const bool sound = rows >= 1 && rows <= 16 && columns >= 1 && columns <= 16 && line >= 3 && line <= 6;
    if (!sound) return {nullptr, "a board has 1 to 16 rows and columns and lines of 3 to 6"};
    if (rows == 6 && columns == 7 && line == 4) return sized_solver(Shape<FixedSize<Word64, 6, 7, 4>>(), table_bytes);
    if (rows == 7 && columns == 8 && line == 4) return sized_solver(Shape<FixedSize<Word64, 7, 8, 4>>(), table_bytes);
    const int bits = (rows + 1) * columns;
    if (bits <= 64) return sized_solver(Shape<AnySize<Word64>>(rows, columns, line), table_bytes);
    if (bits <= 128) return sized_solver(Shape<AnySize<Word128>>(rows, columns, line), table_bytes);
    return {nullptr, "the board does not fit 128 bits"};
}

}  // namespace plyground::connect_four
