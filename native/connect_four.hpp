// The exact score of a Connect Four position, by alpha-beta with windows of one point.
//
// 0 is a draw, n > 0 a win of the side to move with its n-th disc counted from its last one, -n a loss likewise.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "connect_four_bounds.hpp"
#include "connect_four_busy.hpp"
#include "connect_four_late.hpp"
#include "connect_four_ordering.hpp"
#include "connect_four_shape.hpp"
#include "connect_four_table.hpp"
#include "control.hpp"

namespace plyground::connect_four {

// Discs on a board: the side to move's, and all.
template <class Word>
struct Discs {
    Word own, mask;
};

// One thread's search; the threads of a solver share its table.
template <class Size>
class Search {
    using Word = typename Size::Word;

  public:
    // Thread 0 is the one that looks at the clock; the others order equal moves differently, to meet other positions.
    Search(const Shape<Size>& shape, const Lines<Size>& lines, Table<Word>& table, Control& control, int thread,
           Busy<Word>* busy)
        : shape_(shape),
          table_(table),
          control_(control),
          watches_(thread == 0),
          busy_(busy),
          waiting_(shape),
          ordering_(shape, lines, thread) {}

    struct OutOfTime {};

    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

    // The score of a position in which nobody has won, or the nearest of `lower` and `upper` when it is not
    // between them. Throws OutOfTime.
    int solve(Discs<Word> discs, int lower, int upper) {
        const auto [own, mask] = discs;
        const Word empty = shape_.board & ~mask;
        const Word own_wins = shape_.completing(own) & empty, other_wins = shape_.completing(mask ^ own) & empty;
        const int left = count(empty);
        if (left == 0) return std::clamp(0, lower, upper);
        if ((own_wins & shape_.playable(mask)) != 0) return std::clamp((left + 1) / 2, lower, upper);
        // Positions that follow can be each other's mirror images only if the root agrees with its own image.
        mirrors_ = (shape_.mirrored(own) & (mask ^ own)) == 0;
        int low = std::clamp(-(left / 2), lower, upper), high = std::clamp((left - 1) / 2, lower, upper);
        for (int round = 0; low < high; ++round) {
            const int alpha = window(low, high, left, round);
            const int score = visit(own, mask, own_wins, other_wins, alpha, left);
            if (score > alpha) low = std::min(score, high);
            else high = std::max(score, low);
        }
        return low;
    }

  private:
    static constexpr int late_left = 18;
    static constexpr int look_ahead_left = 13;
    static constexpr int bound_children_left = 19;
    static constexpr int shared_left = 24;   // more than look_ahead_left and late_left: children have their keys
    static constexpr int mirrored_discs = 20;
    static constexpr int first = 1 << 20;   // a promise beyond all others

    struct Child {
        Word move, wins, key;
        int promise;
    };

    // The next alpha to ask about. Quick wins and losses are cheap to find and to rule out, so they come first; then
    // who wins at all, then how far from a draw, step by step: near a draw most positions need no search.
    int window(int low, int high, int left, int round) const {
        const int quick = left / 5;
        if (round == 0 && high - quick > std::max(low, 0)) return high - quick;
        if (round == 1 && low + quick < std::min(high, 0)) return low + quick;
        return low >= 0 ? low : high <= 0 ? high - 1 : -1;
    }

    bool kept_apart(int left) const { return left <= late_left && table_.large(); }

    Word key_of(Word own, Word mask, int left) const {
        Word key = own + mask;
        if (mirrors_ && shape_.cells() - left <= mirrored_discs) key = std::min(key, shape_.mirrored(key));
        return table_.scrambled(key);
    }

    // A bound on the score that tells whether it is above alpha. The side to move cannot win at once; `own_wins` and
    // `other_wins` are the empty cells that complete a line for it and for the other side, `left` is the
    // number of empty cells. Plays on while there is one move that does not lose at once.
    int visit(Word own, Word mask, Word own_wins, Word other_wins, int alpha, int left) {
        for (int sign = 1;; sign = -sign) {
            const Word next = shape_.playable(mask), forced = next & other_wins;
            const Word moves = (forced != 0 ? forced : next) & ~(other_wins >> 1);
            if (moves == 0 || several(forced)) return sign * -(left / 2);
            if (left <= 2) return 0;
            const int most = (left - 1) / 2, least = -((left - 2) / 2);
            if (alpha >= most) return sign * most;
            if (alpha < least) return sign * least;
            if (several(moves)) return sign * choose(own, mask, own_wins, other_wins, moves, alpha, left);
            const Word wins = shape_.completing(own | moves) & shape_.board & ~(mask | moves);
            own ^= mask;
            mask |= moves;
            own_wins = other_wins & ~moves;
            other_wins = wins;
            --left;
            alpha = -alpha - 1;
        }
    }

    // The same where there is a choice of `moves`, none of which loses at once.
    int choose(Word own, Word mask, Word own_wins, Word other_wins, Word moves, int alpha, int left) {
        const std::uint64_t before = nodes();
        if (watches_ ? control_.poll(before) : control_.stopped()) throw OutOfTime{};
        nodes_.store(before + 1, std::memory_order_relaxed);
        const bool late = kept_apart(left);
        const Word key = late ? Word(own + mask) : key_of(own, mask, left);
        if (!late) table_.prefetch(key);
        const int bound = waiting_.bound(own, mask, own_wins, other_wins, left, alpha);
        if (bound != unknown) return bound;

        Known known{-((left - 2) / 2), (left - 1) / 2, no_column, 0};
        if (Known found; late ? late_.find(key, found) : table_.find(key, found)) {
            if (found.lower > alpha) return found.lower;
            if (found.upper <= alpha) return found.upper;
            known = found;
        }
        const Word other = mask ^ own;
        const bool looks_ahead = left >= look_ahead_left && !kept_apart(left - 1);
        std::array<Child, Size::max_columns> children;
        int size = 0;
        for (; moves != 0; moves &= moves - 1) {
            const Word move = lowest(moves), all = mask | move;
            const Word wins = shape_.completing(own | move) & shape_.board & ~all;
            const Word threats = wins & shape_.playable(all);
            // Two threats at once, or one on top of the other: only one can be stopped, and nothing wins earlier.
            if (several(threats) || (wins & threats << 1) != 0) return (left - 1) / 2;
            const bool best_so_far = shape_.column_of(move) == known.column;
            Child child{move, wins, 0, best_so_far ? first : ordering_.promise(move, own, other, own_wins, wins, left)};
            if (looks_ahead) {
                child.key = key_of(other, all, left - 1);
                table_.prefetch(child.key);
            }
            int at = size++;
            for (; at > 0 && children[at - 1].promise < child.promise; --at) children[at] = children[at - 1];
            children[at] = child;
        }
        if (looks_ahead) {
            Known reply;
            for (int at = 0; at < size; ++at) {
                if (table_.find(children[at].key, reply) && -reply.upper > alpha) return -reply.upper;
            }
        }
        if (left >= bound_children_left) {
            // The first child is visited right away, and asks for itself.
            for (int at = 1; at < size; ++at) {
                const auto& [move, wins, child_key, promise] = children[at];
                const int reply = waiting_.bound(other, mask | move, other_wins & ~move, wins, left - 1, -alpha - 1);
                if (reply != unknown && -reply > alpha) return -reply;
            }
        }
        int best = -unknown, tried = 0;
        const bool shares = busy_ && left >= shared_left;
        for (int put_off = 0; tried < size && best <= alpha;) {
            // What another thread is looking at is left for later; by then the table knows it.
            if (shares && tried > 0 && tried + put_off < size && busy_->has(children[tried].key)) {
                std::rotate(children.begin() + tried, children.begin() + tried + 1, children.begin() + size);
                ++put_off;
                continue;
            }
            const Child& child = children[tried++];
            const Word wins = other_wins & ~child.move;
            if (shares) busy_->enter(child.key);
            best = std::max(best, -visit(other, mask | child.move, wins, child.wins, -alpha - 1, left - 1));
            if (shares) busy_->leave(child.key);
        }
        if (best > alpha) {
            for (int at = 0; at < tried - 1; ++at) ordering_.failed(children[at].move, left);
            ordering_.refuted(children[tried - 1].move, left);
            known.lower = best;
            known.column = shape_.column_of(children[tried - 1].move);
        } else {
            known.upper = best;
        }
        known.work = std::min(most_work, static_cast<int>(std::bit_width(nodes() - before)) / 3);
        if (late) late_.store(key, known);
        else table_.store(key, known);
        return best;
    }

    const Shape<Size>& shape_;
    Table<Word>& table_;
    Control& control_;
    const bool watches_;
    Busy<Word>* const busy_;   // none where one thread is alone
    const WaitingGame<Size> waiting_;
    Ordering<Size> ordering_;
    LateTable<Word> late_;
    bool mirrors_ = false;
    std::atomic<std::uint64_t> nodes_{0};
};

// A board as others hand it over: row by row from the bottom left.
enum class Cell : std::uint8_t { Empty, Own, Other };

struct Found {
    std::optional<int> score;   // nothing when a limit came first
    std::uint64_t nodes;        // positions visited
};

// What a solver offers, whatever the size of its board.
class Solver {
  public:
    virtual ~Solver() = default;

    // The score for the side to move, clamped to lower..upper; `control` has begun, and any thread may stop it.
    // std::invalid_argument for a board that cannot be, or that is won.
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
        : shape_(shape), lines_(shape_), table_(shape_.key_bits(), (shape_.cells() + 1) / 2, table_bytes) {}

    Found solve(const std::vector<Cell>& cells, int lower, int upper, int threads, Control& control) override {
        const auto discs = discs_of(cells);
        const auto busy = threads > 1 ? std::make_unique<Busy<Word>>() : nullptr;
        std::vector<std::unique_ptr<Search<Size>>> searches;
        for (int thread = 0; thread < threads; ++thread) {
            searches.push_back(std::make_unique<Search<Size>>(shape_, lines_, table_, control, thread, busy.get()));
        }
        if (threads > 1) table_.grow_to_full_size();
        Found found{std::nullopt, 0};
        std::exception_ptr interrupted;
        std::mutex lock;
        const auto run = [&](Search<Size>& search) {
            try {
                const int score = search.solve(discs, lower, upper);
                const std::scoped_lock held(lock);
                found.score = score;
            } catch (const typename Search<Size>::OutOfTime&) {
            } catch (...) {
                const std::scoped_lock held(lock);
                interrupted = std::current_exception();
            }
            control.stop();
        };
        {
            std::vector<std::jthread> helpers;
            for (int thread = 1; thread < threads; ++thread) helpers.emplace_back(run, std::ref(*searches[thread]));
            run(*searches[0]);
        }
        for (const auto& search : searches) found.nodes += search->nodes();
        if (interrupted) std::rethrow_exception(interrupted);
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
        const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
        if (cells.size() != static_cast<std::size_t>(shape_.cells())) refuse("a board needs all its cells");
        Discs<Word> discs{0, 0};
        for (int column = 0; column < shape_.columns; ++column) {
            for (int row = 0; row < shape_.rows; ++row) {
                const Cell cell = cells[row * shape_.columns + column];
                if (cell == Cell::Empty) continue;
                const Word at = Word(1) << (column * shape_.stride() + row);
                if ((shape_.playable(discs.mask) & at) == 0) refuse("a disc hangs over an empty cell");
                discs.mask |= at;
                if (cell == Cell::Own) discs.own |= at;
            }
        }
        if (shape_.has_line(discs.own) || shape_.has_line(discs.mask ^ discs.own)) refuse("the game is won");
        const int ahead = count(Word(discs.mask ^ discs.own)) - count(discs.own);
        if (ahead != 0 && ahead != 1) refuse("the sides have not taken turns");
        return discs;
    }

    const Shape<Size> shape_;
    const Lines<Size> lines_;
    Table<Word> table_;
    bool shared_ = false;
};

// A solver for a size, or nothing when its cells and a sentinel row do not fit 128 bits. std::invalid_argument for
// a table too small for the keys.
inline std::unique_ptr<Solver> solver(int rows, int columns, int line, std::size_t table_bytes) {
    const auto made = [&]<class Size>(Shape<Size> shape) -> std::unique_ptr<Solver> {
        return std::make_unique<SizedSolver<Size>>(shape, table_bytes);
    };
    const bool sound = rows >= 1 && rows <= 16 && columns >= 1 && columns <= 16 && line >= 3 && line <= 6;
    if (!sound) throw std::invalid_argument("a board has 1 to 16 rows and columns and lines of 3 to 6");
    if (rows == 6 && columns == 7 && line == 4) return made(Shape<FixedSize<Word64, 6, 7, 4>>());
    if (rows == 7 && columns == 8 && line == 4) return made(Shape<FixedSize<Word64, 7, 8, 4>>());
    const int bits = (rows + 1) * columns;
    if (bits <= 64) return made(Shape<AnySize<Word64>>(rows, columns, line));
    if (bits <= 128) return made(Shape<AnySize<Word128>>(rows, columns, line));
    return nullptr;
}

}  // namespace plyground::connect_four
