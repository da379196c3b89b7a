// A guard for a player: it plays what the judge knows, and lets the player choose among the remaining moves.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "judge/exact.hpp"
#include "judge/judge.hpp"
#include "judge/outlook.hpp"
#include "judge/proofs.hpp"

namespace plyground {

// What the judge says before a player thinks.
struct Counsel {
    enum class Then {
        DONE,    // the answer stands
        CHOOSE,  // the player may choose among the moves; the answer's score stands
        DEFEND,  // the player thinks, and its answer is checked: the game may be lost
        THINK,   // the player thinks; where moves are given, the mover cannot lose after them
    };
    Then then = Then::THINK;
    std::optional<Analysis> answer;
    std::vector<Move> moves;
};

inline Counsel counsel(Judge& judge, const Outlook& outlook, const Budget& budget) {
    using enum Counsel::Then;
    static constexpr double FORCING_SHARE = 0.15;
    if (auto known = judge.advice(outlook)) return {DONE, std::move(known), {}};
    const auto& state = outlook.here.state;
    if (auto exact = exact_value(judge, outlook, budget)) {
        auto answer = Analysis::proof(exact->score, {exact->moves.front()}, Source::SOLVER);
        answer.depth = exact->score.decided() ? exact->score.number : static_cast<int>(state.kinds.size()) - state.ply;
        answer.nodes = exact->nodes;
        answer.seconds = exact->seconds;
        // All these moves keep the result, so the player may choose the one that sets most problems, or wins soon.
        const bool choose = (!exact->score.won() || exact->score.at_most) && exact->moves.size() > 1;
        return {choose ? CHOOSE : DONE, std::move(answer), std::move(exact->moves)};
    }
    if (auto won = forced_win(judge.proofs(), outlook, budget, FORCING_SHARE)) return {DONE, std::move(won), {}};
    if (judge.books().wins(outlook.to_move() ^ 1)) return {DEFEND, {}, {}};
    return {THINK, {}, judge.safe_moves(state, judge.tries(outlook.size(), budget.nodes, budget.seconds))};
}

// What to play instead of a move that a player has chosen in danger: nothing where it does not lose as far as is found.
inline std::optional<Defence> defend(Judge& judge, const Outlook& outlook, Move chosen, bool lost,
                                     const Budget& budget) {
    // The extra cost of a question about another position, in nodes of a proof search: making it takes that long.
    static constexpr int TOLL_NODES = 8;
    static constexpr double CHECKING_SHARE = 0.1, DEFENDING_SHARE = 0.2;
    const int most = horizon(judge.tables(), outlook.here.state.ply, budget);
    if (!lost) {
        Allowance checking(judge.proofs(), outlook.size(), budget, CHECKING_SHARE);
        if (!lost_within(outlook.after[outlook.index(chosen)], checking, most)) return {};
    }
    Allowance allowance(judge.proofs(), outlook.size(), budget, DEFENDING_SHARE, TOLL_NODES);
    return longest_defence(judge.core(), outlook, judge.books().distinct(outlook), allowance, most);
}

}  // namespace plyground
