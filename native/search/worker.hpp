// One thread's search: principal variation search, forced moves seen first.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "core/evaluate.hpp"
#include "core/hot.hpp"
#include "core/position.hpp"
#include "core/refusal.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"
#include "search/best_lines.hpp"
#include "search/busy.hpp"
#include "search/control.hpp"
#include "search/move_picker.hpp"
#include "search/nearby.hpp"
#include "search/node.hpp"
#include "search/roots.hpp"
#include "search/table.hpp"
#include "search/tactics.hpp"
#include "search/threads.hpp"
#include "search/value.hpp"

namespace plyground {

template <int W>
class Worker {
  public:
    // The one that leads looks at the clock.
    Worker(const Tables& tables, const Evaluator& evaluator, const Tactics<W>& tactics, const Nearby<W>& nearby,
           Table& table, Control& control, Busy* busy, bool leads)
        : t_(tables),
          e_(evaluator),
          tactics_(tactics),
          nearby_(nearby),
          table_(table),
          control_(control),
          busy_(busy),
          leads_(leads),
          symmetries_(evaluator.symmetric ? tables.symmetries : 1),
          picker_(tables) {}

    alignas(CACHE_LINES) std::uint64_t nodes = 0;
    alignas(CACHE_LINES) std::atomic<bool> dismissed{false};  // written by the one that leads

    // With moves given only those are looked at.
    Refusal begin(const State& state, const std::vector<Move>& among) {
        position_ = std::make_unique<Position<W>>(t_, e_, state);
        picker_.forget();
        window_ = FIRST_WINDOW;
        nodes = 0;
        if (position_->outcome()) return "the game is over";
        if (!roots_.begin(*position_, among)) return "none of the moves is legal";
        if (!position_->recycling()) roots_.keep_sensible(*position_, tactics_);
        if (nearby_.counts()) roots_.keep_near(near_[0] = nearby_.near(*position_));
        return {};
    }

    // Looks `depth` plies ahead, in a window around the expected score where there is one.
    Deepened deepen(int depth, const RootMove* before) {
        int alpha = -INFINITE, beta = INFINITE;
        if (before && depth > 3 && !is_mate(before->score)) {
            alpha = before->score - window_;
            beta = before->score + window_;
        }
        Deepened result;
        while (true) {
            const Value value = search_root(alpha, beta, depth, result);
            if (!result.complete) return result;
            if (value.score <= alpha && alpha > -INFINITE)
                alpha = -INFINITE;
            else if (value.score >= beta && beta < INFINITE)
                beta = INFINITE;
            else
                break;
            result.complete = false;
        }
        if (before && !is_mate(result.score)) window_ = std::max(8, 2 * std::abs(result.score - before->score));
        return result;
    }

    const RootMove& best_root() const { return roots_.best(); }

    // Scores every legal move `depth` plies deep, as far as the limit allows; whether all were done.
    bool score_all(int depth) {
        const Move last = position_->last;
        for (auto& root : roots_.all()) {
            if (root.proved && root.depth > 0) {
                root.depth = depth;
                continue;
            }
            position_->make(root.move);
            const Value value = below(-INFINITE, INFINITE, depth - 1, 0);
            position_->unmake(last);
            if (stopped()) return false;
            root = {root.move, value.score, depth, value.proved || is_mate(value.score), lines_.from(root.move)};
        }
        return true;
    }

    const std::vector<RootMove>& all_roots() const { return roots_.all(); }

  private:
    static constexpr int FORCED_DEPTH = 8;  // how far forced replies are followed below depth 0
    static constexpr int FIRST_WINDOW = 64;
    static constexpr int MOST_FORCED = 2, MOST_PRESSED = 4;
    static constexpr int SHARED_DEPTH = 3, MOST_PUT_OFF = 64;

    const Tables& t_;
    const Evaluator& e_;
    const Tactics<W>& tactics_;
    const Nearby<W>& nearby_;
    Table& table_;
    Control& control_;
    Busy* const busy_;  // none where one thread is alone
    const bool leads_;
    const int symmetries_;
    std::unique_ptr<Position<W>> position_;
    MovePicker picker_;
    BestLines lines_;
    Roots<W> roots_;
    std::array<Mask<W>, MAX_LINE + 2> near_;  // what is near to what lies there, by plies from the root
    int window_ = FIRST_WINDOW;

    bool stopped() const { return control_.stopped() || dismissed.load(std::memory_order_relaxed); }
    bool poll() { return (leads_ && control_.poll(nodes)) || stopped(); }

    Move mapped(Move move, int symmetry, const decltype(Tables::images)& to) const {
        const int side = position_->to_move();
        if (move.place >= t_.places[side] || move.lift >= t_.places[side]) return {};
        if (move.place >= 0) move.place = to[side][move.place][symmetry];
        if (move.lift >= 0) move.lift = to[side][move.lift][symmetry];
        return move;
    }

    // The value of a move at the root: all but the first have to show that they are better in a window of one point.
    Value root_value(Move move, bool first, int alpha, int beta, int depth) {
        const Move last = position_->last;
        position_->make(move);
        Value value = below(alpha, first ? beta : alpha + 1, depth - 1, 0);
        if (!first && !stopped() && value.score > alpha && value.score < beta) value = below(alpha, beta, depth - 1, 0);
        position_->unmake(last);
        return value;
    }

    Value search_root(int alpha, int beta, int depth, Deepened& result) {
        Value best{-INFINITE, true};
        bool all_proved = true;
        const int floor = alpha;
        const Key root = position_->least_key(symmetries_);
        std::vector<Move> moves = roots_.moves();
        for (std::size_t i = 0, count = moves.size(); i < moves.size() || takes_far_roots(best, moves); ++i) {
            const Move move = moves[i];
            const std::uint64_t key = busy_ ? shared_key(root, depth, move) : 0;
            // What another thread is looking at is left for later; by then the table knows it.
            if (busy_ && i > 0 && i < count && busy_->has(key)) {
                moves.push_back(move);
                continue;
            }
            if (busy_) busy_->enter(key);
            const Value value = root_value(move, i == 0, alpha, beta, depth);
            if (busy_) busy_->leave(key);
            if (stopped()) return best;
            all_proved &= value.proved;
            if (value.score <= best.score) continue;
            best = value;
            if (best.score <= floor) continue;
            alpha = std::max(alpha, best.score);
            lead_with(move, best.score, result);
            if (best.score >= beta) break;
        }
        result.complete = true;
        result.proved = is_mate(best.score) || (all_proved && !roots_.left_out());
        return best;
    }

    // Near moves alone prove no loss: the others are looked at too.
    bool takes_far_roots(Value best, std::vector<Move>& moves) {
        return is_mate(best.score) && best.score < 0 && roots_.take_far(moves);
    }

    // A root move is the best so far.
    void lead_with(Move move, int score, Deepened& result) {
        roots_.lead_with(move, score, lines_.from(move));
        result.found = true;
        result.score = score;
        result.proved = is_mate(score) && score > 0;
        result.line = roots_.best().line;
    }

    // The value of the position just reached by a move, for the side that made it.
    Value below(int alpha, int beta, int depth, int plies) {
        const Key key = position_->least_key(symmetries_);
        table_.prefetch(key.key);
        if (nearby_.counts()) near_[plies + 1] = near_[plies] | nearby_.around(position_->last.place);
        if (const auto over = position_->outcome()) {
            ++nodes;
            lines_.end(plies + 1);
            if (over.winner < 0) return {0, true};
            return {over.winner == position_->to_move() ? -(WIN - plies - 1) : WIN - plies - 1, true};
        }
        return -search(-beta, -alpha, depth, plies + 1, key);
    }

    // The value of a position that goes on. Inside the window it is exact as far as the depth goes; at or below
    // alpha it is an upper bound, at or above beta a lower one. Means nothing once the search is stopped.
    PLYGROUND_HOT Value search(int alpha, int beta, int depth, int plies, Key key) {
        if (poll()) return {};
        ++nodes;
        lines_.end(plies);
        Node<W> node{alpha, beta, depth, plies, key, depth >= t_.data.max_plies - position_->ply, {}, {}, {}, 0, false};
        if (decided(node) || remembered(node) || lost(node)) return node.value;
        const bool deeper = depth > 0 || (node.plain.forced && depth > -FORCED_DEPTH);
        return deeper && plies < MAX_LINE ? search_moves(node) : evaluated();
    }

    // Whether the board alone decides: a win at once, or a window out of reach.
    PLYGROUND_HOT bool decided(Node<W>& node) {
        if (const Move win = tactics_.winning_move(*position_); win.place >= 0) {
            lines_.set_last(node.plies, win);
            return node.settle(WIN - node.plies - 1, true);
        }
        if (WIN - node.plies - 1 <= node.alpha) return node.settle(WIN - node.plies - 1, true);
        if (t_.recycles() || t_.data.full_winner >= 0) return false;
        // Patterns never come to life again: whoever has none left cannot win.
        const int side = position_->to_move();
        const bool mine = position_->live(side), theirs = position_->live(side ^ 1);
        const bool out_of_reach = (!mine && !theirs) || (!mine && node.alpha >= 0) || (!theirs && node.beta <= 0);
        return out_of_reach && node.settle(0, true);
    }

    // Whether the table settles the node; if not, it may still know a good move.
    PLYGROUND_HOT bool remembered(Node<W>& node) {
        Entry entry;
        if (!table_.find(node.key.key, entry)) return false;
        node.table_move = mapped(entry.move, node.key.symmetry, t_.origins);
        if (is_mate(entry.score)) entry.score += entry.score > 0 ? -node.plies : node.plies;
        const bool cuts = entry.bound == Bound::EXACT || (entry.bound == Bound::LOWER && entry.score >= node.beta) ||
                          (entry.bound == Bound::UPPER && entry.score <= node.alpha);
        const bool deep_enough = !node.principal() && !node.exhaustive && entry.depth >= node.depth;
        if (!cuts || !(entry.proved || deep_enough)) return false;
        lines_.end(node.plies + 1);
        if (node.table_move.place >= 0) lines_.set(node.plies, node.table_move);
        return node.settle(entry.score, entry.proved);
    }

    // Whether every move loses at once; if not, the sensible ones are known from here on.
    PLYGROUND_HOT bool lost(Node<W>& node) {
        if (position_->recycling()) return false;
        node.plain = tactics_.sensible(*position_);
        if (t_.forks && !node.plain.forced && forks(node)) return true;
        const int lost_in = node.plain.lost_in;
        if (!lost_in) return false;
        lines_.set_last(node.plies, tactics_.lasting_move(*position_, lost_in));
        return node.settle(-(WIN - node.plies - lost_in), true);
    }

    // Whether two threats at once win.
    bool forks(Node<W>& node) {
        const auto fork = tactics_.fork(*position_, position_->to_move());
        if (!fork) return false;
        lines_.end(node.plies + 3);
        for (int i = 2; const int cell : {fork.other, fork.one, fork.cell})
            lines_.set(node.plies + i--, {static_cast<std::int16_t>(cell), -1});
        return node.settle(WIN - node.plies - 3, true);
    }

    // What the heuristic says; a value that is not sound ends the search.
    Value evaluated() {
        const auto [value, sound] = position_->evaluate();
        if (!sound) control_.refuse(value);
        return {static_cast<int>(value), false};
    }

    // The moves to be tried, and how deep.
    MovePicker::Moves moves_of(Node<W>& node) {
        const std::size_t from = picker_.top();
        if (position_->recycling()) {
            position_->any_move([&](Move move) { return picker_.push(move), false; });
        } else if (nearby_.counts() && !node.plain.forced && !node.plain.pressed && !node.exhaustive) {
            const auto near = node.plain.places & near_[node.plies];
            push_places(near.any() ? near : node.plain.places);
            node.left_out = near.any() && (node.plain.places - near).any();
        } else {
            push_places(node.plain.places);
        }
        const auto moves = picker_.ordered(from, *position_, node.depth, node.plies, node.table_move);
        // Few answers to a threat, made or to be made, are followed as if they took no ply.
        const bool few = (node.plain.forced && moves.count() <= MOST_FORCED) ||
                         (node.plain.pressed && moves.count() <= MOST_PRESSED);
        node.next = node.depth - 1 + (few && node.depth > 0);
        return moves;
    }

    // The same moves, and behind them those that were left out.
    MovePicker::Moves with_far_moves(Node<W>& node, MovePicker::Moves moves) {
        push_places(node.plain.places - near_[node.plies]);
        node.left_out = false;
        return {moves.from, picker_.ordered(moves.to, *position_, node.depth, node.plies, node.table_move).to};
    }

    void push_places(const Mask<W>& places) {
        places.each([&](int place) { picker_.push({static_cast<std::int16_t>(place), -1}); });
    }

    // What stands for a move of a node, to so many plies, where threads say what they are looking at.
    std::uint64_t shared_key(Key key, int depth, Move move) const {
        const Move image = mapped(move, key.symmetry, t_.images);
        const auto number = static_cast<std::uint64_t>(image.place + 1) << 16 | static_cast<std::uint16_t>(image.lift);
        return scramble(key.key ^ number << 8 ^ static_cast<std::uint64_t>(depth)) | 1;
    }

    Value search_moves(Node<W>& node) {
        auto moves = moves_of(node);
        const int floor = node.alpha;
        Tried tried;
        try_moves(node, moves, 0, tried);
        // Near moves alone prove no loss.
        if (node.left_out && is_mate(tried.best.score) && tried.best.score < 0 && !stopped()) {
            const int before = moves.count();
            moves = with_far_moves(node, moves);
            try_moves(node, moves, before, tried);
        }
        picker_.drop(moves);
        if (stopped()) return {};
        // A lower bound needs the best move alone, anything else all of them.
        Value best = tried.best;
        const Bound bound = best.score >= node.beta ? Bound::LOWER : best.score > floor ? Bound::EXACT : Bound::UPPER;
        if (bound != Bound::LOWER) best.proved = tried.all_proved && !node.left_out;
        if (is_mate(best.score) && bound != (best.score > 0 ? Bound::UPPER : Bound::LOWER)) best.proved = true;
        remember(node, best, bound, tried.move);
        return best;
    }

    // Tries the moves from a number on, until one is too good. What another thread is looking at is left for later; by
    // then the table knows it.
    void try_moves(Node<W>& node, MovePicker::Moves moves, int from, Tried& tried) {
        const bool principal = node.principal(), shares = busy_ && node.depth >= SHARED_DEPTH;
        const int count = moves.count();
        std::array<std::uint16_t, MOST_PUT_OFF> put_off;
        int later = 0;
        for (int n = from; n < count + later && !tried.beyond && !stopped(); ++n) {
            const int i = n < count ? n : put_off[n - count];
            const Move move = n < count ? picker_.pick(moves, i) : picker_.at(moves, i);
            const std::uint64_t key = shares ? shared_key(node.key, node.depth, move) : 0;
            if (shares && i > 0 && n < count && later < MOST_PUT_OFF && busy_->has(key)) {
                put_off[later++] = static_cast<std::uint16_t>(i);
                continue;
            }
            if (shares) busy_->enter(key);
            try_move(node, principal, i, move, tried);
            if (shares) busy_->leave(key);
        }
    }

    PLYGROUND_HOT void try_move(Node<W>& node, bool principal, int i, Move move, Tried& tried) {
        const Move last = position_->last;
        position_->make(move);
        const Value value = search_move(node, principal, i, node.next);
        position_->unmake(last);
        if (stopped()) return;
        tried.all_proved &= value.proved;
        if (value.score <= tried.best.score) return;
        tried.best = value;
        tried.move = move;
        if (value.score > node.alpha) {
            node.alpha = value.score;
            lines_.set(node.plies, move);
        }
        if (node.alpha < node.beta) return;
        picker_.reward(position_->to_move(), move, node.depth, node.plies);
        tried.beyond = true;
    }

    // The value of the i-th move, just made, for the side that made it. The later a move comes, the less is expected
    // of it: it has to show that it is better than the best in a window of one point, at first not so deep.
    PLYGROUND_HOT Value search_move(const Node<W>& node, bool principal, int i, int next) {
        const int alpha = node.alpha, beta = node.beta, depth = node.depth, plies = node.plies;
        if (i == 0) return below(alpha, beta, next, plies);
        const bool late = depth >= 3 && i >= 4 && !node.plain.forced && !node.plain.pressed && !node.exhaustive;
        const int less = late ? 1 + (i >= 16 && depth >= 5) : 0;
        Value value = below(alpha, alpha + 1, next - less, plies);
        if (less && value.score > alpha && !stopped()) value = below(alpha, alpha + 1, next, plies);
        if (principal && value.score > alpha && value.score < beta && !stopped())
            value = below(alpha, beta, next, plies);
        return value;
    }

    // Mates are kept as plies from the node, not from the root.
    void remember(const Node<W>& node, Value best, Bound bound, Move move) {
        int score = best.score;
        if (is_mate(score)) score += score > 0 ? node.plies : -node.plies;
        table_.store(node.key.key, {score, bound, best.proved, node.depth, mapped(move, node.key.symmetry, t_.images)});
    }
};

}  // namespace plyground
