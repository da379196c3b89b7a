// What is learned from: positions of games of the engine with itself, and how they turned out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "core/net.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"
#include "search/control.hpp"
#include "search/engine.hpp"
#include "search/nearby.hpp"
#include "search/value.hpp"

namespace plyground {

// What the odds of winning growing e-fold are worth in the engine's numbers.
constexpr double POINTS_PER_LOG_ODDS = 400;

inline double chance_of_odds(double odds) { return 1 / (1 + std::exp(-std::clamp(odds, -30.0, 30.0))); }

// A position as a net is shown it, and what is believed of it.
struct Lesson {
    std::vector<std::uint16_t> rows;  // that count
    float target;                     // the chance of the first side
};

// How the engine plays with itself.
struct SelfPlay {
    std::uint64_t nodes;  // of a search
    int opening;          // random plies at the start, at most
    double explore;       // how often another move than the best is made
    double trust;         // of a position's target, how much is what came after it and not its own search
};

// Numbers by chance, the same for the same seed everywhere.
class Chance {
  public:
    explicit Chance(std::uint64_t seed) : state_(scramble(seed)) {}

    std::uint64_t next() { return scramble(state_ += 0x9e3779b97f4a7c15); }
    int below(int count) { return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(count) >> 32); }
    double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  private:
    std::uint64_t state_;
};

// The rows of a net that count in a position.
template <int W>
std::vector<std::uint16_t> rows_in(const Tables& tables, const NetRows& rows, const Position<W>& position) {
    std::vector<std::uint16_t> found;
    const auto add = [&](int row) { found.push_back(static_cast<std::uint16_t>(row)); };
    add(position.to_move());
    for (int cell = 0; cell < tables.cells; ++cell)
        if (const int kind = position.kind(cell)) add(rows.of_disc(rows.side_of(kind), cell));
    const auto threatened = position.threatened();
    for (int side = 0; side < 2; ++side) threatened[side].each([&](int cell) { add(rows.of_threat(side, cell)); });
    for (int pattern = 0; pattern < tables.patterns; ++pattern)
        if (const int holding = position.pattern(pattern).holding)
            add(rows.of_pattern((holding - 1) / rows.holdings, pattern, (holding - 1) % rows.holdings + 1));
    return found;
}

// One game of the engine with itself; a proof by its own search ends it.
template <int W>
class SelfPlayedGame {
  public:
    SelfPlayedGame(const Core& core, Engine& engine, const SelfPlay& style, std::uint64_t seed)
        : t_(core.tables()),
          rows_(t_),
          engine_(engine),
          style_(style),
          chance_(seed),
          nearby_(t_),
          position_(t_, core.none(), start_of(t_)) {}

    // The lessons, and through `result` who won: 1, 0 or -1 for the first side.
    std::vector<Lesson> play(int& result) {
        for (int left = chance_.below(style_.opening + 1); left > 0 && !position_.outcome(); --left) make_any();
        double end = 0.5;
        while (true) {
            if (const Outcome over = position_.outcome()) {
                if (over.winner >= 0) end = over.winner == 0 ? 1 : 0;
                break;
            }
            const auto [value, proved, best] = search();
            seen_.push_back({{rows_in(t_, rows_, position_), 0}, value, false});
            if (proved) {
                end = value;
                break;
            }
            if (chance_.share() < style_.explore)
                seen_.back().strayed = make_any() != best;
            else
                position_.make(best);
        }
        result = end > 0.5 ? 1 : end < 0.5 ? -1 : 0;
        return lessons(end);
    }

  private:
    struct Seen {
        Lesson lesson;
        double value;
        bool strayed;  // from the best move: what follows says nothing of this position
    };
    struct Found {
        double value;  // the chance of the first side
        bool proved;
        Move best;
    };

    const Tables& t_;
    const NetRows rows_;
    Engine& engine_;
    const SelfPlay& style_;
    Chance chance_;
    const Nearby<W> nearby_;
    Position<W> position_;
    std::vector<Seen> seen_;

    Found search() {
        engine_.begin(position_.state(), {}, {style_.nodes}, {});
        Deepened last;
        Move best = first_move();
        for (int depth = 1, most = t_.data.max_plies - position_.ply; depth <= most; ++depth) {
            auto found = engine_.deepen(depth);
            if (found.found) best = found.line.front();
            if (!found.complete) break;
            last = std::move(found);
            if (last.proved) break;
        }
        const int sign = position_.to_move() == 0 ? 1 : -1;
        if (last.proved && !is_mate(last.score)) return {0.5, true, best};
        if (last.proved) return {sign * last.score > 0 ? 1.0 : 0.0, true, best};
        return {chance_of_odds(sign * last.score / POINTS_PER_LOG_ODDS), false, best};
    }

    Move first_move() {
        Move first;
        position_.any_move([&](Move move) { return first = move, true; });
        return first;
    }

    // Any move; on a large board one near to what lies there.
    Move make_any() {
        const auto near = nearby_.near(position_);
        std::vector<Move> moves;
        for (const bool all : {!near.any(), true}) {
            position_.any_move([&](Move move) {
                if (all || near.test(move.place)) moves.push_back(move);
                return false;
            });
            if (!moves.empty()) break;
        }
        const Move move = moves[chance_.below(static_cast<int>(moves.size()))];
        position_.make(move);
        return move;
    }

    std::vector<Lesson> lessons(double end) {
        std::vector<Lesson> lessons(seen_.size());
        double after = end;
        for (std::size_t i = seen_.size(); i-- > 0;) {
            auto& [lesson, value, strayed] = seen_[i];
            after = strayed ? value : value + style_.trust * (after - value);
            lesson.target = static_cast<float>(after);
            lessons[i] = std::move(lesson);
        }
        return lessons;
    }
};

}  // namespace plyground
