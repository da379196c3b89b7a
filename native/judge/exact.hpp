// What the solver of Connect Four says of a position as a whole: the moves that keep a score, and its exact value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "judge/judge.hpp"
#include "judge/numbers.hpp"
#include "judge/outlook.hpp"
#include "judge/proofs.hpp"

namespace plyground {

// The moves of the side to move after which it has at least a score, as they are found: all are tried, with an effort
// that grows. The judge must have a solver, and both must outlive it.
class Keeping {
  public:
    Keeping(Judge& judge, const Outlook& outlook, int least, const Budget& budget)
        : judge_(judge), outlook_(outlook), least_(least), budget_(budget) {
        for (std::size_t i = 0; i < outlook.size(); ++i) {
            const auto& after = outlook.after[i];
            if (!after.outcome) {
                waiting_.push_back(i);
                continue;
            }
            const int winner = after.outcome.winner;
            const int number = winner < 0 ? 0 : number_of_win(empty_cells(outlook.here.state));
            if ((winner == outlook.to_move() ? number : -number) >= least) ended_.push_back(i);
        }
    }

    // The number of another move that keeps the score; nothing when there is none, or a limit came first.
    std::optional<std::size_t> next() {
        if (!ended_.empty()) {
            const auto move = ended_.front();
            ended_.erase(ended_.begin());
            return move;
        }
        while (!waiting_.empty() || !hard_.empty()) {
            if (waiting_.empty()) {
                waiting_ = std::exchange(hard_, {});
                effort_ *= EFFORT_GROWTH;
            }
            Budget each{{}, effort_, {}};
            if (budget_.seconds) each.seconds = *budget_.seconds - watch_.seconds();
            if (budget_.nodes) each.nodes = std::min(effort_, *budget_.nodes - std::min(*budget_.nodes, visited_));
            if ((each.seconds && *each.seconds <= 0) || *each.nodes == 0 || judge_.halted()) return {};
            const auto move = waiting_.front();
            waiting_.erase(waiting_.begin());
            const auto found = judge_.solve(outlook_.after[move].state, {-least_, 1 - least_}, each.limit(), visited_);
            if (!found)
                hard_.push_back(move);
            else if (-*found >= least_)
                return move;
        }
        return {};
    }

    // Positions that the solver visited.
    std::uint64_t visited() const { return visited_; }

  private:
    static constexpr std::uint64_t FIRST_TRY_NODES = 1'000, EFFORT_GROWTH = 8;

    Judge& judge_;
    const Outlook& outlook_;
    const int least_;
    const Budget budget_;
    Stopwatch watch_;
    std::vector<std::size_t> ended_, waiting_, hard_;
    std::uint64_t effort_ = FIRST_TRY_NODES, visited_ = 0;
};

// The exact value of a position, and moves that keep it.
struct Exact {
    std::vector<Move> moves;  // all equally good; with little time perhaps not all of them
    Score score;              // it says `at most` if there was no time to find out how soon
    std::uint64_t nodes = 0;
    double seconds = 0;
};

// Whether enough of the board is filled for a solver to answer within a limit, by experience.
inline bool worth_asking(const State& state, const Budget& budget) {
    static constexpr double FILLED_SHARE = 0.3, EARLY_FILLED_SHARE = 0.2;  // the latter for a generous limit
    static constexpr std::uint64_t GENEROUS_NODES = 1'000'000;
    static constexpr double GENEROUS_SECONDS = 0.3;
    if (!to_board(state)) return false;
    const bool generous = budget.nodes.value_or(GENEROUS_NODES) >= GENEROUS_NODES &&
                          budget.seconds.value_or(GENEROUS_SECONDS) >= GENEROUS_SECONDS;
    const auto cells = static_cast<double>(state.kinds.size());
    return (cells - empty_cells(state)) / cells >= (generous ? EARLY_FILLED_SHARE : FILLED_SHARE);
}

// The value of a position, if a share of the limit is enough for it; nothing with a limit of depth.
inline std::optional<Exact> exact_value(Judge& judge, const Outlook& outlook, const Budget& budget) {
    // How much of the limit it may take to find out who wins, how soon, and by which moves.
    static constexpr double WHO_SHARE = 0.3, WHEN_SHARE = 0.15, WHICH_SHARE = 0.15;
    const State& state = outlook.here.state;
    if (!judge.solver() || budget.depth || !worth_asking(state, budget.part(WHO_SHARE))) return {};
    const Stopwatch watch;
    Exact exact;
    const auto who = judge.solve(state, WHO_WINS, budget.part(WHO_SHARE).limit(), exact.nodes);
    if (!who) return {};
    const auto whole = judge.solve(state, EXACT, budget.part(WHEN_SHARE).limit(), exact.nodes);
    const int value = whole.value_or(*who);
    const bool latest = !whole && *who != 0;
    if (latest && value < 0) {
        exact.moves = outlook.moves;  // whatever is played
    } else {
        // Quick, since the solver remembers what it has just met.
        Keeping keeping(judge, outlook, value, budget.part(WHICH_SHARE));
        while (const auto move = keeping.next()) exact.moves.push_back(outlook.moves[*move]);
        exact.nodes += keeping.visited();
    }
    if (exact.moves.empty()) return {};
    exact.score = verdict(empty_cells(state), value, latest ? WHO_WINS : EXACT);
    exact.seconds = watch.seconds();
    return exact;
}

}  // namespace plyground
