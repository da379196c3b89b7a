// Solvers of Connect Four for one size of board each: the threads of a search share a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "connect_four/busy.hpp"
#include "connect_four/ordering.hpp"
#include "connect_four/search.hpp"
#include "connect_four/shape.hpp"
#include "connect_four/table.hpp"
#include "core/refusal.hpp"
#include "search/control.hpp"

namespace plyground::connect_four {

// A board as others hand it over: row by row from the bottom left.
enum class Cell : std::uint8_t { EMPTY, OWN, OTHER };

struct Found {
    std::optional<int> score;  // nothing when a limit came first
    std::uint64_t nodes;       // positions visited
};

// What a solver offers, whatever the size of its board.
class Solver {
  public:
    virtual ~Solver() = default;

    // Why a board cannot be solved: it cannot be, or it is won.
    virtual Refusal refusal_of(const std::vector<Cell>& cells) const = 0;
    // The score for the side to move, clamped to lower..upper; `control` has begun, and any thread may stop it.
    virtual Found solve(const std::vector<Cell>& cells, int lower, int upper, int threads, Control& control) = 0;
    virtual void clear() = 0;
    // From here on several threads may call solve() at once. Takes all the memory of the table.
    virtual void share() = 0;
};

template <class Size>
class SizedSolver final : public Solver {
    using Word = typename Size::Word;

  public:
    SizedSolver(Shape<Size> shape, std::size_t table_bytes)
        : shape_(shape), lines_(shape_), table_(shape_.key_bits(), max_score(shape_), table_bytes) {}

    static int max_score(const Shape<Size>& shape) { return (shape.cells() + 1) / 2; }

    bool ready() const { return table_.ready(); }

    Refusal refusal_of(const std::vector<Cell>& cells) const override {
        if (cells.size() != static_cast<std::size_t>(shape_.cells())) return "a board needs all its cells";
        const auto [own, mask] = discs_of(cells);
        // Below a disc that hangs there is an empty cell of its column.
        if ((mask & (~mask & shape_.board) << 1) != 0) return "a disc hangs over an empty cell";
        if (shape_.has_line(own) || shape_.has_line(mask ^ own)) return "the game is won";
        const int ahead = count(Word(mask ^ own)) - count(own);
        if (ahead != 0 && ahead != 1) return "the sides have not taken turns";
        return {};
    }

    Found solve(const std::vector<Cell>& cells, int lower, int upper, int threads, Control& control) override {
        const auto discs = discs_of(cells);
        const auto busy = threads > 1 ? std::make_unique<Busy<Word>>() : nullptr;
        std::vector<std::unique_ptr<Search<Size>>> searches;
        for (int thread = 0; thread < threads; ++thread) {
            searches.push_back(std::make_unique<Search<Size>>(shape_, lines_, table_, control, thread, busy.get()));
        }
        if (threads > 1) table_.grow_to_full_size();
        Found found{std::nullopt, 0};
        std::mutex lock;
        const auto run = [&](Search<Size>& search) {
            if (const auto score = search.solve(discs, lower, upper)) {
                const std::scoped_lock held(lock);
                found.score = score;
            }
            control.stop();
        };
        {
            std::vector<std::jthread> helpers;
            for (int thread = 1; thread < threads; ++thread) helpers.emplace_back(run, std::ref(*searches[thread]));
            run(*searches[0]);
        }
        for (const auto& search : searches) found.nodes += search->nodes();
        return found;
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
    Discs<Word> discs_of(const std::vector<Cell>& cells) const {
        Discs<Word> discs{0, 0};
        for (int column = 0; column < shape_.columns; ++column) {
            for (int row = 0; row < shape_.rows; ++row) {
                const Cell cell = cells[row * shape_.columns + column];
                const Word at = Word(1) << (column * shape_.stride() + row);
                if (cell != Cell::EMPTY) discs.mask |= at;
                if (cell == Cell::OWN) discs.own |= at;
            }
        }
        return discs;
    }

    const Shape<Size> shape_;
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
