// The engine: principal variation search with iterative deepening, a shared table, forced moves seen first.
//
// Scores are for the side to move; a game won n plies below the root scores WIN - n. Beside its score a search
// tells whether it is proved: whether no heuristic had a say in it. What is proved, every mate included, is the
// truth about a position whatever the depth it was found with.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "control.hpp"
#include "position.hpp"
#include "table.hpp"

namespace plyground {

constexpr int WIN = 1'000'000'000;
constexpr int INFINITE = WIN + 1;
constexpr int MAX_LINE = 120;  // plies below the root at which even forced lines end

inline bool is_mate(int score) { return std::abs(score) > MAX_HEURISTIC; }

struct Value {
    int score = 0;
    bool proved = false;
    Value operator-() const { return {-score, proved}; }
};

struct RootMove {
    Move move;
    int score = -INFINITE, depth = 0;
    bool proved = false;
    std::vector<Move> line;
};

struct Deepened {
    bool complete = false;  // false: a limit came first; the rest tells what was found until then
    bool found = false;
    int score = 0;
    bool proved = false;
    std::vector<Move> line;
};

// Which placements of the opponent a placement gets in the way of, by their side.
template <int W>
using Conflicts = std::array<std::vector<Mask<W>>, 2>;

template <int W>
Conflicts<W> conflicts_of(const Tables& t) {
    Conflicts<W> conflicts;
    for (int side = 0; side < 2; ++side)
        for (int place = 0; place < t.places[side]; ++place) {
            Mask<W> mask;
            for (auto [cell, kind] : t.covered[side][place])
                for (int other : t.covering[t.shape_of[side ^ 1]][cell]) mask.set(other);
            conflicts[side].push_back(mask);
        }
    return conflicts;
}

// One thread's search.
template <int W>
class Worker {
  public:
    Worker(const Tables& tables, const Evaluator& evaluator, const Conflicts<W>& conflicts, Table& table,
           Control& control, bool leads)
        : t(tables), e(evaluator), conflicts_(conflicts), table_(table), control_(control), leads_(leads),
          symmetries_(evaluator.symmetric ? tables.symmetries : 1) {
        moves_.resize(1 << 14);
        for (auto& side : history_) side.resize(std::max(t.places[0], t.places[1]));
        lifts_.resize(t.places[0]);
    }

    std::uint64_t nodes = 0;
    std::atomic<bool> dismissed{false};
    std::exception_ptr fault;

    // With moves given only those are looked at.
    void begin(const State& state, const std::vector<Move>& among) {
        position_ = std::make_unique<Position<W>>(t, e, state);
        for (auto& side : history_) std::ranges::fill(side, 0);
        std::ranges::fill(lifts_, 0);
        killers_ = {};
        window_ = 64;
        fault = nullptr;
        nodes = 0;
        top_ = 0;
        roots_.clear();
        all_roots_.clear();
        if (position_->outcome()) throw std::invalid_argument("the game is over");
        position_->any_move([&](Move move) { return all_roots_.push_back({move, -INFINITE, 0, false, {}}), false; });
        if (!among.empty())
            std::erase_if(all_roots_, [&](const RootMove& root) { return std::ranges::find(among, root.move) == among.end(); });
        if (all_roots_.empty()) throw std::invalid_argument("none of the moves is legal");
        roots_ = all_roots_;
        if (!position_->recycling()) keep_sensible_roots();
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

    const RootMove& best_root() const { return roots_.front(); }

    // Scores every legal move `depth` plies deep, as far as the limits allow; whether all were done.
    bool score_all(int depth) {
        const Move last = position_->last;
        for (auto& root : all_roots_) {
            if (root.proved && root.depth > 0) {
                root.depth = depth;
                continue;
            }
            position_->make(root.move);
            const Value value = below(-INFINITE, INFINITE, depth - 1, 0);
            position_->unmake(last);
            if (stopped()) return false;
            root = {root.move, value.score, depth, value.proved || is_mate(value.score), line_from(root.move)};
        }
        return true;
    }

    const std::vector<RootMove>& all_roots() const { return all_roots_; }

  private:
    struct Candidate {
        Move move;
        int order;
    };
    static constexpr int FORCED_DEPTH = 8;  // how far forced replies are followed below depth 0

    const Tables& t;
    const Evaluator& e;
    const Conflicts<W>& conflicts_;
    Table& table_;
    Control& control_;
    const bool leads_;
    const int symmetries_;
    std::unique_ptr<Position<W>> position_;
    std::vector<Candidate> moves_;  // of all nodes on the path, end to end
    std::size_t top_ = 0;
    std::array<std::vector<int>, 2> history_;
    std::vector<int> lifts_;
    std::array<std::array<Move, 2>, MAX_LINE + 1> killers_{};
    std::array<std::array<Move, MAX_LINE + 2>, MAX_LINE + 2> lines_{};
    std::array<int, MAX_LINE + 2> lengths_{};
    std::vector<RootMove> roots_, all_roots_;
    int window_ = 64;

    bool stopped() const { return control_.stopped() || dismissed.load(std::memory_order_relaxed); }
    bool poll() { return (leads_ && control_.poll(nodes)) || stopped(); }

    Move mapped(Move move, int symmetry, const decltype(Tables::images)& to) const {
        const int side = position_->to_move();
        if (move.place >= t.places[side] || move.lift >= t.places[side]) return {};
        if (move.place >= 0) move.place = to[side][move.place][symmetry];
        if (move.lift >= 0) move.lift = to[side][move.lift][symmetry];
        return move;
    }

    void set_line(int plies, Move move) {
        lines_[plies][0] = move;
        std::copy_n(lines_[plies + 1].begin(), lengths_[plies + 1], lines_[plies].begin() + 1);
        lengths_[plies] = lengths_[plies + 1] + 1;
    }

    std::vector<Move> line_from(Move move) const {
        std::vector<Move> line{move};
        line.insert(line.end(), lines_[1].begin(), lines_[1].begin() + lengths_[1]);
        return line;
    }

    // A move that wins at once; place -1 when there is none or it cannot be told cheaply.
    Move winning_move() {
        if (!t.threats_complete) return {};
        if (position_->recycling()) return position_->winning_recycling();
        const int side = position_->to_move();
        const auto wins = position_->playable(side) & position_->completing(side, side);
        return wins.any() ? Move{static_cast<std::int16_t>(wins.first()), -1} : Move{};
    }

    // The plain moves that do not lose at once, given that none wins at once.
    struct Sensible {
        Mask<W> places;
        bool forced = false;  // the opponent threatens to win
        int lost_in = 0;      // plies to the end when every move loses so fast
    };

    Sensible sensible() const {
        const auto& position = *position_;
        const int side = position.to_move(), other = side ^ 1;
        Sensible found{position.playable(side)};
        if (!t.threats_complete) return found;
        found.places = found.places - position.completing(side, other);
        if (!found.places.any()) {
            found.lost_in = 1;
            return found;
        }
        // When the opponent's next move will be a plain one, it can lay what it could lay now, unless this
        // move takes a cell of it or the last pole of the pattern it would complete.
        if (position.ply + 1 >= t.data.recycle_from || position.last_ply()) return found;
        const auto wins = position.playable(other) & position.completing(other, other);
        if (!wins.any()) return found;
        found.forced = true;
        wins.each([&](int place) {
            auto stops = conflicts_[other][place];
            if (t.has_poles) stops = stops | position.pole_stops(place);
            found.places = found.places & stops;
        });
        if (!found.places.any()) found.lost_in = 2;
        return found;
    }

    void keep_sensible_roots() {
        const Move win = winning_move();
        if (win.place >= 0) {
            auto wins = [&](const RootMove& root) { return root.move == win; };
            if (std::ranges::any_of(roots_, wins)) std::erase_if(roots_, std::not_fn(wins));
        } else if (const auto found = sensible(); !found.lost_in) {
            auto makes_sense = [&](const RootMove& root) { return found.places.test(root.move.place); };
            if (std::ranges::any_of(roots_, makes_sense)) std::erase_if(roots_, std::not_fn(makes_sense));
        }
        for (auto& root : roots_) root.score = position_->potential(root.move.place);
        std::ranges::stable_sort(roots_, std::greater{}, &RootMove::score);
    }

    // The value of the position just reached by a move, for the side that made it.
    Value below(int alpha, int beta, int depth, int plies) {
        const Key key = position_->least_key(symmetries_);
        table_.prefetch(key.key);
        if (const auto over = position_->outcome()) {
            ++nodes;
            lengths_[plies + 1] = 0;
            if (over.winner < 0) return {0, true};
            return {over.winner == position_->to_move() ? -(WIN - plies - 1) : WIN - plies - 1, true};
        }
        return -search(-beta, -alpha, depth, plies + 1, key);
    }

    Value search_root(int alpha, int beta, int depth, Deepened& result) {
        Value best{-INFINITE, true};
        bool all_proved = true;
        const Move last = position_->last;
        const int floor = alpha;
        for (std::size_t i = 0; i < roots_.size(); ++i) {
            const Move move = roots_[i].move;
            position_->make(move);
            Value value = best.score == -INFINITE ? below(alpha, beta, depth - 1, 0)
                                                  : below(alpha, alpha + 1, depth - 1, 0);
            if (!stopped() && i > 0 && value.score > alpha && value.score < beta) value = below(alpha, beta, depth - 1, 0);
            position_->unmake(last);
            if (stopped()) return best;
            all_proved &= value.proved;
            if (value.score <= best.score) continue;
            best = value;
            if (best.score <= floor) continue;
            alpha = std::max(alpha, best.score);
            roots_[i].score = best.score;
            roots_[i].line = line_from(move);
            std::rotate(roots_.begin(), roots_.begin() + i, roots_.begin() + i + 1);
            result.found = true;
            result.score = best.score;
            result.proved = is_mate(best.score) && best.score > 0;
            result.line = roots_.front().line;
            if (best.score >= beta) break;
        }
        result.complete = true;
        result.proved = is_mate(best.score) || all_proved;
        return best;
    }

    // The value of a position that goes on. Inside the window it is exact as far as the depth goes; at or below
    // alpha it is an upper bound, at or above beta a lower one.
    Value search(int alpha, int beta, int depth, int plies, Key key) {
        if (poll()) return {};
        ++nodes;
        lengths_[plies] = 0;
        auto& position = *position_;
        const int side = position.to_move(), other = side ^ 1;
        const bool principal = beta - alpha > 1;

        if (const Move win = winning_move(); win.place >= 0) {
            lengths_[plies + 1] = 0;
            set_line(plies, win);
            return {WIN - plies - 1, true};
        }
        if (WIN - plies - 1 <= alpha) return {WIN - plies - 1, true};
        if (!t.recycles()) {
            // Patterns never come to life again: whoever has none left cannot win.
            const bool mine = position.live(side), theirs = position.live(other);
            if ((!mine && !theirs) || (!mine && alpha >= 0) || (!theirs && beta <= 0)) return {0, true};
        }

        // Deep enough to see the end of the game: nothing is left to opinion, so that the result is proved.
        const bool exhaustive = depth >= t.data.max_plies - position.ply;
        Entry entry;
        Move table_move;
        if (table_.find(key.key, entry)) {
            table_move = mapped(entry.move, key.symmetry, t.origins);
            if (is_mate(entry.score)) entry.score += entry.score > 0 ? -plies : plies;
            const bool cuts = entry.bound == Bound::EXACT || (entry.bound == Bound::LOWER && entry.score >= beta) ||
                              (entry.bound == Bound::UPPER && entry.score <= alpha);
            if (cuts && (entry.proved || (!principal && !exhaustive && entry.depth >= depth))) {
                lengths_[plies + 1] = 0;
                if (table_move.place >= 0) set_line(plies, table_move);
                return {entry.score, entry.proved};
            }
        }

        Sensible plain;
        const bool recycling = position.recycling();
        if (!recycling) {
            plain = sensible();
            if (plain.lost_in) {
                // Any move will do for the line, but it must be one that lasts so long.
                auto any = position.playable(side);
                if (plain.lost_in == 2) any = any - position.completing(side, other);
                lengths_[plies + 1] = 0;
                set_line(plies, {static_cast<std::int16_t>(any.first()), -1});
                return {-(WIN - plies - plain.lost_in), true};
            }
        }
        if ((depth <= 0 && !(plain.forced && depth > -FORCED_DEPTH)) || plies >= MAX_LINE)
            return {static_cast<int>(position.evaluate()), false};

        const std::size_t from = top_;
        if (recycling)
            position.any_move([&](Move move) { return push(move), false; });
        else
            plain.places.each([&](int place) { push({static_cast<std::int16_t>(place), -1}); });
        const std::size_t to = top_;
        const int count = static_cast<int>(to - from);
        order(from, to, depth, plies, table_move);

        const int next = depth - 1 + (plain.forced && count <= 2 && depth > 0);
        const Move last = position.last;
        const int floor = alpha;
        Value best{-INFINITE, false};
        Move best_move;
        bool all_proved = true;
        for (int i = 0; i < count; ++i) {
            const Move move = pick(from + i, to);
            position.make(move);
            Value value;
            if (i == 0) {
                value = below(alpha, beta, next, plies);
            } else {
                const int less = depth >= 3 && i >= 4 && !plain.forced && !exhaustive ? 1 + (i >= 16 && depth >= 5) : 0;
                value = below(alpha, alpha + 1, next - less, plies);
                if (less && value.score > alpha && !stopped()) value = below(alpha, alpha + 1, next, plies);
                if (principal && value.score > alpha && value.score < beta && !stopped())
                    value = below(alpha, beta, next, plies);
            }
            position.unmake(last);
            if (stopped()) {
                top_ = from;
                return {};
            }
            all_proved &= value.proved;
            if (value.score <= best.score) continue;
            best = value;
            best_move = move;
            if (best.score > alpha) {
                alpha = best.score;
                set_line(plies, move);
            }
            if (alpha >= beta) {
                reward(move, depth, plies);
                break;
            }
        }
        top_ = from;

        // A lower bound needs the best move alone, anything else all of them.
        const Bound bound = best.score >= beta ? Bound::LOWER : best.score > floor ? Bound::EXACT : Bound::UPPER;
        if (bound != Bound::LOWER) best.proved = all_proved;
        if (is_mate(best.score) && bound != (best.score > 0 ? Bound::UPPER : Bound::LOWER)) best.proved = true;
        int kept = best.score;
        if (is_mate(kept)) kept += kept > 0 ? plies : -plies;
        table_.store(key.key, {kept, bound, best.proved, depth, mapped(best_move, key.symmetry, t.images)});
        return best;
    }

    void push(Move move) {
        if (top_ == moves_.size()) moves_.resize(2 * top_);
        moves_[top_++] = {move, 0};
    }

    void order(std::size_t from, std::size_t to, int depth, int plies, Move table_move) {
        const int side = position_->to_move();
        for (std::size_t i = from; i < to; ++i) {
            auto& [move, value] = moves_[i];
            if (move == table_move) {
                value = 1 << 30;
                continue;
            }
            value = history_[side][move.place];
            if (move.lift >= 0)
                value += lifts_[move.lift];
            else if (depth > 1)
                value += 16 * position_->potential(move.place);
            if (move == killers_[plies][0] || move == killers_[plies][1]) value += 4096;
        }
    }

    // Brings the best of the moves left to the front of them.
    Move pick(std::size_t at, std::size_t to) {
        std::size_t best = at;
        for (std::size_t i = at + 1; i < to; ++i)
            if (moves_[i].order > moves_[best].order) best = i;
        std::swap(moves_[at], moves_[best]);
        return moves_[at].move;
    }

    void reward(Move move, int depth, int plies) {
        const int side = position_->to_move(), gain = depth > 1 ? depth * depth : 1;
        auto raise = [&](int& value) { value += gain - value * gain / 8192; };
        raise(history_[side][move.place]);
        if (move.lift >= 0) raise(lifts_[move.lift]);
        if (killers_[plies][0] != move) killers_[plies] = {move, killers_[plies][0]};
    }
};

// Searches with a table that lives as long as the engine does. One search at a time.
class Engine {
  public:
    virtual ~Engine() = default;
    virtual void begin(const State& state, const std::vector<Move>& among, Limits limits,
                       std::function<void()> signals) = 0;
    virtual Deepened deepen(int depth) = 0;
    virtual bool score_all(int depth) = 0;
    virtual const std::vector<RootMove>& all_roots() const = 0;
    virtual std::uint64_t nodes() const = 0;

    void stop() { control_.stop(); }
    double seconds() const { return control_.seconds(); }
    std::size_t table_bytes() const { return table_.bytes(); }

  protected:
    explicit Engine(std::size_t table_bytes) : table_(table_bytes) {}
    Table table_;
    Control control_;
};

template <int W>
class EngineOf final : public Engine {
  public:
    EngineOf(const Tables& tables, const Evaluator& evaluator, std::size_t table_bytes, int threads)
        : Engine(table_bytes), asks_(static_cast<bool>(evaluator.callback)), conflicts_(conflicts_of<W>(tables)) {
        for (int i = 0; i < (asks_ ? 1 : threads); ++i)
            workers_.push_back(std::make_unique<Worker<W>>(tables, evaluator, conflicts_, table_, control_, i == 0));
    }

    void begin(const State& state, const std::vector<Move>& among, Limits limits,
               std::function<void()> signals) override {
        control_.begin(limits, std::move(signals), asks_);
        // With a limit of nodes the same question must get the same answer, whatever was asked before.
        if (limits.nodes != Limits{}.nodes)
            table_.forget(limits.nodes);
        else
            table_.next_age();
        for (auto& worker : workers_) worker->begin(state, among);
        before_.reset();
    }

    Deepened deepen(int depth) override {
        Deepened result;
        {
            Helpers helpers(*this, [depth, this](Worker<W>& worker, int i) { worker.deepen(depth + i % 2, before_.get()); });
            result = workers_[0]->deepen(depth, before_.get());
        }
        raise_faults();
        if (result.complete) before_ = std::make_unique<RootMove>(workers_[0]->best_root());
        return result;
    }

    bool score_all(int depth) override {
        bool complete;
        {
            Helpers helpers(*this, [depth](Worker<W>& worker, int i) { worker.score_all(depth + i % 2); });
            complete = workers_[0]->score_all(depth);
        }
        raise_faults();
        return complete;
    }

    const std::vector<RootMove>& all_roots() const override { return workers_[0]->all_roots(); }

    std::uint64_t nodes() const override {
        std::uint64_t total = 0;
        for (const auto& worker : workers_) total += worker->nodes;
        return total;
    }

  private:
    // The other threads fill the table with what the first may need, until it is done.
    struct Helpers {
        template <class F>
        Helpers(EngineOf& engine, F work) : engine(engine) {
            for (std::size_t i = 1; i < engine.workers_.size(); ++i) {
                auto& worker = *engine.workers_[i];
                worker.dismissed = false;
                threads.emplace_back([&worker, i, work] {
                    try {
                        work(worker, static_cast<int>(i));
                    } catch (...) {
                        worker.fault = std::current_exception();
                    }
                });
            }
        }
        ~Helpers() {
            for (std::size_t i = 1; i < engine.workers_.size(); ++i) engine.workers_[i]->dismissed = true;
            for (auto& thread : threads) thread.join();
        }
        EngineOf& engine;
        std::vector<std::thread> threads;
    };

    void raise_faults() const {
        for (const auto& worker : workers_)
            if (worker->fault) std::rethrow_exception(worker->fault);
    }

    const bool asks_;
    Conflicts<W> conflicts_;
    std::vector<std::unique_ptr<Worker<W>>> workers_;
    std::unique_ptr<RootMove> before_;
};

}  // namespace plyground
