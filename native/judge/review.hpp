// The review of a game: what each position was worth, what each move gave away, and why where that is a mistake.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/state.hpp"
#include "judge/explain.hpp"
#include "judge/inquiry.hpp"
#include "judge/judge.hpp"
#include "judge/oracle.hpp"
#include "judge/score.hpp"

namespace plyground {

// What is wrong with a move: it gave a proved win or a proved draw away, or in the judge's opinion too much.
enum class MoveMark : std::uint8_t { NONE, LOST_WIN, LOST_DRAW, MISTAKE };

// By how many points the judge's opinion must fall, at equal depth, for a move to be called a mistake. A proved win
// counts as that many points, a proved draw as none: whoever leaves a win for a position that the judge thinks is worse
// than even has made a mistake, although nothing is proved about it.
constexpr int FALL_POINTS = 200;
constexpr int MOST_POINTS = 900'000'000;  // of an opinion

// What the best move counts for beside an opinion: a proved loss can only become better, so it counts for least.
inline int points_beside(const Score& best) {
    return !best.proved() ? best.number : best.won() ? FALL_POINTS : best.drawn() ? 0 : -MOST_POINTS;
}

// What a move gave away against the best one, as far as both can be compared.
struct Gap {
    std::optional<int> results;  // 0 for the same result, 1 from win to draw or draw to loss, 2 from win to loss
    std::optional<int> plies;    // with the same result: how much later the win comes, or how much sooner the loss
    std::optional<int> points;   // where one of them is an opinion
};

inline Gap gap_between(const Score& best, const Score& worth) {
    Gap gap;
    if (best.proved() && worth.proved()) {
        gap.results = best.rank() - worth.rank();
        if (gap.results == 0 && best.decided() && !best.at_most && !worth.at_most)
            gap.plies = best.won() ? worth.number - best.number : best.number - worth.number;
    } else if (!worth.proved()) {
        gap.points = points_beside(best) - worth.number;
    }
    return gap;
}

// The mark of a move that is worth so much, and is not the best one, if comparable evidence shows one. `whole` is what
// the position is worth, `best` its best move, which was looked at `depth` plies deep if that is an opinion.
inline MoveMark mark_of(const std::optional<Score>& whole, const std::optional<Score>& best,
                        const std::optional<Score>& worth, int depth) {
    if (!whole || !worth) return MoveMark::NONE;
    if (whole->proved() && worth->proved()) {
        if (whole->won()) return worth->won() ? MoveMark::NONE : MoveMark::LOST_WIN;
        return whole->drawn() && worth->lost() ? MoveMark::LOST_DRAW : MoveMark::NONE;
    }
    if (worth->lost() && best && best->drawn()) return MoveMark::LOST_DRAW;  // also where another move might have won
    // The best move was searched so deep and does not lose as soon.
    if (worth->proved()) return worth->lost() && worth->number <= depth ? MoveMark::MISTAKE : MoveMark::NONE;
    return points_beside(*whole) - worth->number > FALL_POINTS ? MoveMark::MISTAKE : MoveMark::NONE;
}

struct ReviewedMove {
    State state;
    Outcome outcome;             // of the last position, where the game may be over: then nothing else is known
    std::optional<Move> played;  // none in the last position
    Judgement judgement;
    std::optional<Score> worth;  // what the move played is worth to its mover
    bool advised = false;        // whether the judge has advised it: whatever it thinks now, the player is not to blame
    MoveMark mark = MoveMark::NONE;
    std::optional<Gap> gap;
    std::optional<Explanation> why;  // of a move with a mark
};

// Every position of a game with the move played there, from the last to the first: so what is proved about a position
// is known when the move that led to it is judged.
class Review {
  public:
    // Of legal moves; each position within the budget, each explanation within the effort and so many seconds.
    Review(Judge& judge, const State& start, std::vector<Move> moves, Budget each, Effort effort, double patience)
        : judge_(judge), moves_(std::move(moves)), each_(each), effort_(effort), patience_(patience) {
        judge.core().with_position(judge.core().none(), start, [&](auto& position) {
            states_.push_back(position.state());
            for (Move move : moves_) {
                position.make(move);
                states_.push_back(position.state());
            }
            return 0;
        });
    }

    // Whether there was another position, which is found() now.
    bool next() {
        if (states_.empty()) return false;
        found_ = {};
        found_.state = std::move(states_.back());
        states_.pop_back();
        if (states_.size() < moves_.size()) found_.played = moves_[states_.size()];
        found_.outcome = judge_.core().outcome(found_.state);
        if (found_.outcome) {
            const int winner = found_.outcome.winner;
            after_ = winner < 0 ? Score::draw() : winner == (found_.state.ply & 1) ? Score::win(0) : Score::loss(0);
            return true;
        }
        Inquiry inquiry(judge_, found_.state, {each_});
        found_.judgement = inquiry.last();
        unsound_ = inquiry.unsound();
        if (found_.played) look_at(inquiry.outlook(), *found_.played);
        after_ = found_.judgement.whole.score;
        return true;
    }

    const ReviewedMove& found() const { return found_; }
    // A heuristic's value that no heuristic may have; 0 where there was none.
    std::int64_t unsound() const { return unsound_; }

  private:
    Judge& judge_;
    std::vector<Move> moves_;
    std::vector<State> states_;  // those that are left
    Budget each_;
    Effort effort_;
    double patience_;
    std::optional<Score> after_;  // of the position reviewed last, for its side to move
    ReviewedMove found_;
    std::int64_t unsound_ = 0;

    void look_at(const Outlook& outlook, Move played) {
        const auto& ranking = found_.judgement.ranking;
        const auto same = [&](const Analysis& each) { return each.move() == played; };
        if (const auto compared = std::ranges::find_if(ranking.compared, same); compared != ranking.compared.end())
            found_.worth = compared->score;
        else if (const auto other = std::ranges::find_if(ranking.others, same);
                 other != ranking.others.end() && other->proved())
            found_.worth = other->score;
        if (after_ && after_->proved() && !(found_.worth && found_.worth->proved()))
            found_.worth = after_->before_move();
        const auto& whole = found_.judgement.whole.score;
        const Analysis& best = ranking.best();
        if (whole && found_.worth) found_.gap = gap_between(*whole, *found_.worth);
        found_.advised = judge_.memory().advised(outlook.here, played);
        if (best.move() == played || found_.advised) return;
        found_.mark = mark_of(whole, best.score, found_.worth, best.depth);
        if (found_.mark == MoveMark::NONE) return;
        Control control;
        control.begin({Limit{}.nodes, patience_}, judge_.halting(), true);
        auto* solver = judge_.solver();
        ProofOracle oracle(judge_.tables(), solver, &judge_.proofs().table(), control, effort_);
        const auto& core = judge_.core();
        found_.why = core.with_position(
            core.none(), found_.state, [&](auto& position) { return explain(oracle, position, played, found_.worth); });
    }
};

}  // namespace plyground
