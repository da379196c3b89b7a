// Who wins a position by force and how soon, by questions to proof search: proved, never guessed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "judge/analysis.hpp"
#include "judge/outlook.hpp"
#include "judge/proofs.hpp"
#include "proof/holding.hpp"

namespace plyground {

// What has been proved about a position so far.
struct Solution {
    int ply = 0, left = 0;          // of the position, and plies to the end of its game at the latest
    int within = 0;                 // the plies asked about
    int winner = -1;                // who has a forced win
    int plies = 0;                  // the winner needs no more than these
    std::array<int, 2> excluded{};  // for each side: it has no forced win within so many plies
    std::optional<Move> first;      // a move by which a winner who is to move needs no more plies than that
    std::vector<Move> line;         // the winner's play against a stubborn defence
    std::uint64_t nodes = 0;
    double seconds = 0;

    // Whether the winner cannot force the win any sooner.
    bool shortest() const { return winner >= 0 && plies == excluded[winner] + 1; }
    // Whether it is known who wins within the plies asked about, or that nobody does.
    bool decided() const { return winner >= 0 || std::min(excluded[0], excluded[1]) >= within; }
    // Whether neither side can force a win for the rest of the game.
    bool drawn() const { return std::min(excluded[0], excluded[1]) >= left; }
};

// Ever better solutions of a position; the last one is final, or the best within the limit. A forced win is reported as
// soon as it is proved, then shortened until it is known to be the shortest; without a limit that may take a minute
// more.
class Solving {
  public:
    Solving(Proofs& proofs, const Outlook& outlook, std::optional<int> within, const Budget& budget)
        : proofs_(proofs), core_(proofs.core()), outlook_(outlook), budget_(budget), before_(proofs.nodes()) {
        const State& state = outlook.here.state;
        solution_.ply = state.ply;
        solution_.left = core_.tables().data.max_plies - state.ply;
        solution_.within = within ? std::min(*within, solution_.left) : solution_.left;
        if (budget.seconds) deadline_ = *budget.seconds;
    }

    // Whether there was another solution, which is found() now.
    bool next() {
        if (ended_) return false;
        if (cases_.empty() && !begun_) {
            begin();
            if (solution_.decided()) return ended_ = true;
        }
        while (!order_.empty() || start_round()) {
            Case& now = cases_[order_.front()];
            if (ask(now)) return true;
            if (!near_) {
                near_ = true;
                continue;
            }
            near_ = false;
            if (open(now).empty()) std::erase(waiting_, now.side);
            order_.erase(order_.begin());
            if (now.proved) order_.clear();
        }
        finish();
        return ended_ = true;
    }

    const Solution& found() const { return solution_; }

  private:
    static constexpr std::uint64_t FIRST_LOOK_NODES =
        2'000;                                        // for each question of the first round; then twice as many
    static constexpr double SHORTENING_SECONDS = 60;  // how long a shorter win is looked for without a limit
    static constexpr double STRATEGY_SECONDS = 5, LINE_SECONDS = 10;
    static constexpr double HOLDING_SHARE = 0.1, PATTERNS_PER_SECOND = 20'000'000;
    static constexpr std::uint64_t EFFORT_TRIES = 300'000;

    // What is known about the forced wins of one side.
    struct Case {
        int side;
        std::vector<int> lengths;  // the numbers of plies after which it may have won, increasing
        int excluded = 0;
        std::optional<int> proved;
        std::optional<Move> first;
    };

    Proofs& proofs_;
    const Core& core_;
    const Outlook& outlook_;
    const Budget budget_;
    const std::uint64_t before_;
    Stopwatch watch_;
    double deadline_ = std::numeric_limits<double>::infinity();
    Solution solution_;
    std::vector<Case> cases_;   // by side
    std::vector<int> waiting_;  // sides whose cases have open questions
    std::vector<int> order_;    // those still to be asked about in this round
    bool begun_ = false, near_ = false, ended_ = false;
    std::uint64_t effort_ = FIRST_LOOK_NODES / 2;
    int asked_ = 0;  // the length with which the win reported last was proved

    const State& state() const { return outlook_.here.state; }
    bool over() const {
        return watch_.seconds() >= deadline_ || proofs_.halted() ||
               (budget_.nodes && proofs_.nodes() - before_ >= *budget_.nodes);
    }
    std::optional<double> seconds_left() const {
        if (deadline_ == std::numeric_limits<double>::infinity()) return {};
        return std::max(0.0, deadline_ - watch_.seconds());
    }

    void begin() {
        begun_ = true;
        for (int side = 0; side < 2; ++side) {
            cases_.push_back(case_of(side));
            waiting_.push_back(side);
            solution_.excluded[side] = cases_[side].excluded;
        }
        measure();
    }

    Case case_of(int side) {
        Case found{side, {}, 0, {}, {}};
        const bool any = serves(core_.tables(), side);
        const int first = any || outlook_.to_move() == side ? 1 : 2;
        for (int plies = first; plies <= solution_.within; plies += any ? 1 : 2) found.lengths.push_back(plies);
        if (found.lengths.empty() || is_excluded(found) || cannot_win(side))
            found.excluded = solution_.within;
        else
            found.excluded = found.lengths[0] - 1;
        return found;
    }

    // Whether a look at the board is enough to see that a side has no win within the plies asked about.
    bool is_excluded(const Case& asked) {
        return proofs_.can_win(state(), asked.side, asked.lengths.back(), 0) == std::optional(false);
    }

    // Whether a pairing proves that a side cannot win, looked for in a share of the time.
    bool cannot_win(int side) {
        if (!core_.tables().pairable()) return false;
        return core_.with_position(core_.none(), state(), [&](const auto& position) {
            const int patterns = position.live(side);
            std::uint64_t tries = EFFORT_TRIES;
            if (budget_.seconds && patterns)
                tries = std::min(tries, static_cast<std::uint64_t>(*budget_.seconds * HOLDING_SHARE *
                                                                   PATTERNS_PER_SECOND / patterns));
            return Holder(core_.tables()).holds(position, side ^ 1, tries);
        });
    }

    // The lengths of which nothing is known.
    static std::vector<int> open(const Case& of) {
        std::vector<int> lengths;
        for (int plies : of.lengths)
            if (plies > of.excluded && (!of.proved || plies < *of.proved)) lengths.push_back(plies);
        return lengths;
    }

    // The length to ask about: a win is most likely at the longest, a refutation at the shortest.
    std::optional<int> choose(const Case& of) const {
        auto lengths = open(of);
        if (lengths.empty()) return {};
        if (near_) return lengths.front();
        // Lifted cards make a different game: whether it is won before is asked first.
        const int change = core_.tables().data.recycle_from;
        for (auto plies = lengths.rbegin(); change != NEVER && plies != lengths.rend(); ++plies)
            if (state().ply + *plies <= change) return *plies;
        return lengths.back();
    }

    bool start_round() {
        if (waiting_.empty() || over()) return false;
        order_ = waiting_;
        effort_ *= 2;
        return true;
    }

    // Asks about one length; whether there was an answer.
    bool ask(Case& now) {
        const auto plies = choose(now);
        if (!plies) return false;
        const auto answer = proofs_.can_win(state(), now.side, *plies, near_ ? effort_ / 8 : effort_, seconds_left());
        if (!answer) return false;
        if (*answer) {
            take_win(now, *plies);
            solution_.winner = now.side;
            solution_.plies = *now.proved;
            solution_.first = now.first;
        } else {
            const auto longer = std::ranges::upper_bound(now.lengths, *plies);
            now.excluded = (longer == now.lengths.end() ? solution_.within + 1 : *longer) - 1;
        }
        solution_.excluded[now.side] = now.excluded;
        measure();
        return true;
    }

    // Goes on with the winner's case alone, since both sides cannot have a forced win.
    void take_win(Case& now, int plies) {
        std::vector<Reply> replies;
        const bool complete = proofs_.strategy(state(), {now.side, state().ply + plies},
                                               Budget{{}, {}, STRATEGY_SECONDS}.limit(), replies);
        now.proved = plies;
        // After an answer the opponent moves, and where no other answer is needed the winner's next move wins.
        int length = outlook_.to_move() == now.side ? 1 : 2;
        for (const auto& [reached, move] : replies) length = std::max(length, reached.ply - state().ply + 3);
        if (complete) now.proved = std::min(plies, length);
        if (outlook_.to_move() == now.side) {
            // The strategy's own move first: another one may keep the win as well, and take longer.
            now.first = complete && !replies.empty() ? std::optional(replies.front().move)
                                                     : proofs_.winning_move(outlook_, *now.proved);
        }
        asked_ = plies;
        waiting_ = {now.side};
        if (deadline_ == std::numeric_limits<double>::infinity()) deadline_ = watch_.seconds() + SHORTENING_SECONDS;
    }

    void finish() {
        if (solution_.winner >= 0) {
            auto line = proofs_.line(state(), solution_.winner, asked_, LINE_SECONDS);
            const bool fits = static_cast<int>(line.size()) <= solution_.plies &&
                              (!solution_.first || (!line.empty() && line.front() == *solution_.first));
            if (fits) solution_.line = std::move(line);
        }
        measure();
    }

    void measure() {
        solution_.nodes = proofs_.nodes() - before_;
        solution_.seconds = watch_.seconds();
    }
};

}  // namespace plyground
