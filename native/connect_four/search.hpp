// The exact score of a Connect Four position, by alpha-beta with windows of one point.
//
// 0 is a draw, n > 0 a win of the side to move with its n-th disc counted from its last one, -n a loss likewise.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "connect_four/bounds.hpp"
#include "connect_four/late.hpp"
#include "connect_four/ordering.hpp"
#include "connect_four/shape.hpp"
#include "connect_four/table.hpp"
#include "connect_four/together.hpp"
#include "search/control.hpp"

namespace plyground::connect_four {

// The scores that matter: one beyond them is reported as the nearest of the two.
struct Window {
    int lower, upper;
};

constexpr std::uint64_t NEVER_CALLED = std::numeric_limits<std::uint64_t>::max();

// Discs on a board: the side to move's, and all.
template <class Word>
struct Discs {
    Word own, mask;
};

// What the threads of a solver have in common.
template <class Size>
struct Shared {
    const Shape<Size>& shape;
    const Lines<Size>& lines;
    Table<typename Size::Word>& table;
    Control& control;
};

// One thread's search.
template <class Size>
class Search {
    using Word = typename Size::Word;

  public:
    // Thread 0 is the one that looks at the clock; the others order equal moves differently, to meet other positions.
    Search(const Shared<Size>& shared, int thread)
        : shape_(shared.shape),
          table_(shared.table),
          control_(shared.control),
          watches_(thread == 0),
          waiting_(shared.shape),
          ordering_(shared.shape, shared.lines, thread) {}

    // Positions visited.
    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

    // Has something done once it has visited so many positions.
    void call_at(std::uint64_t nodes, std::function<void()> call) {
        call_at_ = nodes;
        call_ = std::move(call);
    }

    // From here on it searches together with others; alone where there are none.
    void join(Together* together) { together_ = together; }

    // The score of a position in which nobody has won, or the nearest of the window when it is not within;
    // nothing when it was stopped.
    std::optional<int> solve(Discs<Word> discs, Window within) {
        const auto [own, mask] = discs;
        const auto [lower, upper] = within;
        stopped_ = false;
        nodes_.store(0, std::memory_order_relaxed);
        const Word empty = shape_.board & ~mask;
        const Word own_wins = shape_.completing(own) & empty, other_wins = shape_.completing(mask ^ own) & empty;
        const int left = count(empty);
        if (left == 0) return std::clamp(0, lower, upper);
        if ((own_wins & shape_.playable(mask)) != 0) return std::clamp((left + 1) / 2, lower, upper);
        // Positions that follow can be each other's mirror images only if the root agrees with its own image.
        mirrors_ = (shape_.mirrored(own) & (mask ^ own)) == 0;
        ordering_.forget();
        int low = std::clamp(-(left / 2), lower, upper), high = std::clamp((left - 1) / 2, lower, upper);
        for (int round = 0; low < high; ++round) {
            asked_ = window(low, high, left, round);
            last_ = 0;
            const int score = visit(own, mask, own_wins, other_wins, asked_, left);
            if (stopped_) {
                // Another thread may have the answer to what was asked; then it goes on with what is left to ask.
                if (!together_ || !together_->settled(asked_)) return {};
                stopped_ = false;
            } else if (score > asked_) {
                low = std::min(score, high);
            } else {
                high = std::max(score, low);
            }
            if (together_) together_->agree(low, high);
        }
        return low;
    }

  private:
    static constexpr int LATE_LEFT = 14;
    static constexpr int LOOK_AHEAD_LEFT = 13;
    static constexpr int BOUND_CHILDREN_LEFT = 19;
    static constexpr int SHARED_LEFT = 24;  // more than LOOK_AHEAD_LEFT and LATE_LEFT: children have their keys
    static constexpr int MIRRORED_DISCS = 20;
    static constexpr int QUICK_DISCS = 6;  // late in the game a win with one of the next so many discs is quick
    static constexpr int FIRST = 1 << 20;  // a promise beyond all others

    using Node = connect_four::Node<Word>;

    struct Child {
        Word move, wins, key;
        int promise;
    };

    // The moves of a node, the most promising first once they are sorted.
    class Children {
      public:
        void add(const Child& child) { list_[size++] = child; }

        // Where each belongs is counted: the outcome of so few comparisons is hard to foresee, so it decides no branch.
        void sort() {
            std::array<int, Size::MAX_COLUMNS> ranks;  // different ones, those of equal moves in the order they came
            for (int at = 0; at < size; ++at) ranks[at] = list_[at].promise * Size::MAX_COLUMNS - at;
            for (int at = 0; at < size; ++at) {
                int before = 0;
                for (int other = 0; other < size; ++other) before += ranks[other] > ranks[at];
                order_[before] = static_cast<std::uint8_t>(at);
            }
        }

        const Child& operator[](int place) const { return list_[order_[place]]; }
        const Child& last_tried() const { return (*this)[tried - 1]; }
        // Puts the next one off until after all the others.
        void put_off() { std::rotate(order_.begin() + tried, order_.begin() + tried + 1, order_.begin() + size); }

        int size = 0, tried = 0;

      private:
        std::array<Child, Size::MAX_COLUMNS> list_;
        std::array<std::uint8_t, Size::MAX_COLUMNS> order_;
    };

    // The next alpha to ask about. Quick wins and losses are cheap to find and to rule out, so they come first; then
    // who wins at all, then how far from a draw, step by step: near a draw most positions need no search.
    int window(int low, int high, int left, int round) const {
        const int quick = std::max(std::min(left / 4, QUICK_DISCS), left / 5);
        if (round == 0 && high - quick > std::max(low, 0)) return high - quick;
        if (round == 1 && low + quick < std::min(high, 0)) return low + quick;
        return low >= 0 ? low : high <= 0 ? high - 1 : -1;
    }

    bool kept_apart(int left) const { return left <= LATE_LEFT && table_.large(); }

    Word key_of(Word own, Word mask, int left) const {
        Word key = own + mask;
        if (mirrors_ && shape_.cells() - left <= MIRRORED_DISCS) key = std::min(key, shape_.mirrored(key));
        return table_.scrambled(key);
    }

    // A bound on the score that shows whether it is above alpha. The side to move cannot win at once; `own_wins` and
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
            last_ = moves;
            own_wins = other_wins & ~moves;
            other_wins = wins;
            --left;
            alpha = -alpha - 1;
        }
    }

    // The same where there is a choice of `moves`, none of which loses at once.
    int choose(Word own, Word mask, Word own_wins, Word other_wins, Word moves, int alpha, int left) {
        const std::uint64_t before = nodes();
        if ((watches_ ? control_.poll(before) : control_.stopped()) || (together_ && met())) {
            stopped_ = true;
            return 0;
        }
        if (before == call_at_) [[unlikely]]
            call_();
        nodes_.store(before + 1, std::memory_order_relaxed);
        const bool late = kept_apart(left);
        const Word key = late ? Word(own + mask) : key_of(own, mask, left);
        if (late)
            late_.prefetch(key);
        else
            table_.prefetch(key);
        const int bound = waiting_.bound(own, mask, own_wins, other_wins, left, alpha);
        if (bound != UNKNOWN) return bound;

        Known known{-((left - 2) / 2), (left - 1) / 2, NO_COLUMN, 0};
        if (Known found; late ? late_.find(key, found) : table_.find(key, found)) {
            if (found.lower > alpha) return found.lower;
            if (found.upper <= alpha) return found.upper;
            known = found;
        }
        const Node node{own, mask, own_wins, other_wins, last_, alpha, left};
        Children children;
        if (const int score = expand(node, moves, known.column, children); score != UNKNOWN) return score;
        const int best = try_all(node, children);
        if (stopped_) return 0;
        learn(node, children, best, known);
        known.work = std::min(MOST_WORK, static_cast<int>(std::bit_width(nodes() - before)) / 3);
        if (late)
            late_.store(key, known);
        else if (together_)
            table_.store_together(key, known, stores_);
        else
            table_.store(key, known);
        return best;
    }

    // Lets the table grow if it must; whether another thread has the answer, to all or to what is asked now.
    bool met() {
        if (table_.full()) together_->gathering.hold([&] { table_.make_room(together_->threads); });
        return together_->done.load(std::memory_order_relaxed) || together_->settled(asked_);
    }

    // Lists the moves. A lower bound above alpha, if one of them is seen to be so good without a visit.
    int expand(const Node& node, Word moves, int best_column, Children& children) {
        const auto outlook = ordering_.outlook(node);
        const bool looks_ahead = node.left >= LOOK_AHEAD_LEFT && !kept_apart(node.left - 1);
        for (; moves != 0; moves &= moves - 1) {
            const Word move = lowest(moves), all = node.mask | move;
            const Word wins = shape_.completing(node.own | move) & shape_.board & ~all;
            const Word threats = wins & shape_.playable(all);
            // Two threats at once, or one on top of the other: only one can be stopped, and nothing wins earlier.
            if (several(threats) || (wins & threats << 1) != 0) return (node.left - 1) / 2;
            const bool best_so_far = shape_.column_of(move) == best_column;
            Child child{move, wins, 0, best_so_far ? FIRST : ordering_.promise(node, outlook, move, wins)};
            if (looks_ahead) {
                child.key = key_of(node.other(), all, node.left - 1);
                table_.prefetch(child.key);
            }
            children.add(child);
        }
        children.sort();
        if (looks_ahead)
            if (const int score = remembered(node, children); score != UNKNOWN) return score;
        return node.left >= BOUND_CHILDREN_LEFT ? waited(node, children) : UNKNOWN;
    }

    // What the table knows of a child, if that is above alpha.
    int remembered(const Node& node, const Children& children) const {
        Known reply;
        for (int at = 0; at < children.size; ++at)
            if (table_.find(children[at].key, reply) && -reply.upper > node.alpha) return -reply.upper;
        return UNKNOWN;
    }

    // What the waiting game gives in a child, if that is above alpha. The first child is visited right away, and asks
    // for itself.
    int waited(const Node& node, const Children& children) const {
        for (int at = 1; at < children.size; ++at) {
            const auto& [move, wins, key, promise] = children[at];
            const int reply = waiting_.bound(node.other(), node.mask | move, node.other_wins & ~move, wins,
                                             node.left - 1, -node.alpha - 1);
            if (reply != UNKNOWN && -reply > node.alpha) return -reply;
        }
        return UNKNOWN;
    }

    // The best of the moves, as far as it takes to exceed alpha. Means nothing once the search is stopped.
    int try_all(const Node& node, Children& children) {
        int best = -UNKNOWN;
        auto* const busy = together_ && node.left >= SHARED_LEFT ? &together_->busy : nullptr;
        for (int put_off = 0; children.tried < children.size && best <= node.alpha;) {
            // What another thread is looking at is left for later; by then the table knows it.
            if (busy && children.tried > 0 && children.tried + put_off < children.size &&
                busy->has(Word64(children[children.tried].key))) {
                children.put_off();
                ++put_off;
                continue;
            }
            const Child& child = children[children.tried++];
            if (busy) busy->enter(Word64(child.key));
            last_ = child.move;
            const int score = -visit(node.other(), node.mask | child.move, node.other_wins & ~child.move, child.wins,
                                     -node.alpha - 1, node.left - 1);
            if (busy) busy->leave(Word64(child.key));
            if (stopped_) return 0;
            best = std::max(best, score);
        }
        return best;
    }

    // Enters the score found into what is known, and what it says about the order of moves.
    void learn(const Node& node, const Children& children, int best, Known& known) {
        if (best <= node.alpha) {
            known.upper = best;
            return;
        }
        const Word move = children.last_tried().move;
        for (int at = 0; at < children.tried - 1; ++at) ordering_.learn(node, children[at].move, false);
        ordering_.learn(node, move, true);
        known.lower = best;
        known.column = shape_.column_of(move);
    }

    const Shape<Size>& shape_;
    Table<Word>& table_;
    Control& control_;
    const bool watches_;
    Together* together_ = nullptr;  // none where one thread is alone
    const WaitingGame<Size> waiting_;
    Ordering<Size> ordering_;
    LateTable<Word> late_;
    int asked_ = 0;  // whether the score is above this
    Word last_ = 0;  // the disc laid last on the way to the position that is visited; none at the root
    bool mirrors_ = false;
    bool stopped_ = false;  // once it is, what the positions on the path return means nothing
    std::uint64_t call_at_ = NEVER_CALLED;
    std::function<void()> call_;
    int stores_ = 0;
    std::atomic<std::uint64_t> nodes_{0};
};

}  // namespace plyground::connect_four
