// A net that learns from games of the engine with itself: in fractions, by gradient descent on the log loss.
//
// The chance of the first side is 1 / (1 + e^-odds), and the odds are
//
//   the sum over all images of the position and all units of  out[unit] * max(0, sum of rows[row][unit])
//   + the sum over all images of  plain[row], for discs and patterns  + a constant
//
// Games and what is learned from them depend on the seed alone, not on how many threads play.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/core.hpp"
#include "core/evaluate.hpp"
#include "core/net.hpp"
#include "core/refusal.hpp"
#include "learn/lesson.hpp"
#include "search/control.hpp"

namespace plyground {

// How the games of a round went.
struct Played {
    bool finished = false;  // false: interrupted, and nothing of it is kept
    int games = 0, first_won = 0, drawn = 0;
    std::uint64_t positions = 0;
};

// A net in whole numbers, with what discs and patterns are worth by themselves.
struct LearnedNet {
    NetWeights net;
    std::vector<std::int64_t> plain;  // by row, to the first side
};

class Learner {
  public:
    static constexpr int BATCH = 256;                             // lessons between two steps
    static constexpr std::size_t MOST_LESSONS = 1 << 18;          // that are remembered, the latest ones
    static constexpr std::size_t MOST_LESSON_BYTES = 160u << 20;  // what those take at most

    static Refusal refusal_of(const Tables& tables, int units);

    // Of what is not refused; the core must outlive it.
    Learner(const Core& core, int units, std::uint64_t seed);

    // Plays games with a heuristic and remembers their positions.
    Played play(const Evaluator& evaluator, int games, int threads, const SelfPlay& style, const Interrupt& interrupt);

    // Takes so many steps, each a mean over a few lessons, and says their mean log loss; nothing without lessons.
    double learn(int steps, double rate, const Interrupt& interrupt);

    LearnedNet net() const;

    // The rows that count in a position.
    std::vector<std::uint16_t> rows(const State& state) const;

    std::uint64_t games() const { return games_; }
    std::size_t lessons() const { return lessons_.size(); }
    std::uint64_t steps() const { return steps_; }

    // All but the lessons, for a later learner of the same game and units, which goes on or counts its games anew.
    std::vector<std::uint8_t> state() const;
    Refusal restore(const std::vector<std::uint8_t>& bytes, bool goes_on);

  private:
    const Core& core_;
    NetRows rows_;
    std::vector<std::vector<int>> images_;
    int units_;
    std::uint64_t seed_, games_ = 0, steps_ = 0;
    std::vector<float> weights_, slopes_, means_, squares_;  // all weights end to end, and as much of each
    std::vector<float> sums_, through_;                      // while a lesson is learned: by image and unit, by unit
    std::deque<Lesson> lessons_;
    std::size_t lesson_bytes_ = 0;

    std::size_t out_at() const { return static_cast<std::size_t>(rows_.count()) * units_; }
    std::size_t plain_at() const { return out_at() + units_; }
    std::size_t constant_at() const { return plain_at() + rows_.count(); }
    bool is_plain(int row) const {
        return (row >= 2 && row < rows_.of_threat(0, 0)) || row >= rows_.of_pattern(0, 0, 1);
    }

    void remember(std::vector<Lesson> lessons);
    double add_slopes(const Lesson& lesson);
    void move(double rate);
};

}  // namespace plyground
