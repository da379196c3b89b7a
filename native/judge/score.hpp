// What a position or a move is worth to a side: a verdict, which is proved, or an opinion in points.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <utility>

#include "search/value.hpp"

namespace plyground {

enum class Result : std::int8_t { LOSS, DRAW, WIN, OPINION };

struct Score {
    Result result = Result::OPINION;
    int number = 0;        // plies to the end of a game won or lost; the points of an opinion; 0 for a draw
    bool at_most = false;  // whether the game may end sooner: who wins is proved, but not when

    static Score win(int plies, bool at_most = false) { return {Result::WIN, plies, at_most}; }
    static Score loss(int plies, bool at_most = false) { return {Result::LOSS, plies, at_most}; }
    static Score draw() { return {Result::DRAW, 0, false}; }
    static Score points(int number) { return {Result::OPINION, number, false}; }
    // Of a number that searches count in.
    static Score of_value(int value) {
        if (!is_mate(value)) return points(value);
        return value > 0 ? win(WIN - value) : loss(WIN + value);
    }

    bool proved() const { return result != Result::OPINION; }
    bool won() const { return result == Result::WIN; }
    bool lost() const { return result == Result::LOSS; }
    bool drawn() const { return result == Result::DRAW; }
    // Whether it says when the game ends.
    bool decided() const { return won() || lost(); }

    // The same for the other side.
    Score operator-() const {
        if (!proved()) return {Result::OPINION, -number, false};
        return {won() ? Result::LOSS : lost() ? Result::WIN : Result::DRAW, number, at_most};
    }

    // The same seen from so many plies earlier: a win in 3 becomes a win in 4.
    Score later(int plies = 1) const { return decided() ? Score{result, number + plies, at_most} : *this; }
    // The worth of a move to its mover, where this is the worth of the position after it to the side to move.
    Score before_move() const { return (-*this).later(); }
    // The reverse: the worth of the position after a move to the side to move there.
    Score after_move() const { return (-*this).later(-1); }

    // 1 for wins, -1 for losses, 0 for draws and opinions, which lie around a draw.
    int rank() const { return won() - lost(); }
    // By which scores are ordered: a sooner win is better, a later loss too.
    std::pair<int, int> order() const { return {rank(), won() ? -number : number}; }

    friend bool operator==(const Score&, const Score&) = default;
};

// What two proofs about the same thing say together; nothing where they contradict each other. They may differ in how
// soon the game ends if one of them says `at most`.
inline std::optional<Score> combined(const Score& one, const Score& other) {
    const Score& exact = one.at_most ? other : one;
    const Score& bound = one.at_most ? one : other;
    const bool fits = bound.at_most ? exact.number <= bound.number : exact.number == bound.number;
    if (one.result != other.result || !(fits || exact.at_most)) return {};
    if (!exact.at_most) return exact;
    return one.number <= other.number ? one : other;
}

// Two proofs of the same thing that cannot both be true.
using Contradiction = std::optional<std::pair<Score, Score>>;

// Makes a score what it and another proof say together, unless they contradict each other, which is noted.
inline void agree(Score& score, const Score& other, Contradiction& noted) {
    if (const auto both = combined(score, other))
        score = *both;
    else if (!noted)
        noted = {score, other};
}

}  // namespace plyground
