// The review of a game: what each position was worth, what each move gave away, and why where that is a mistake.
#pragma once

#include <algorithm>
#include <array>
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

// What is wrong with a move by comparable evidence: it gave a proved win or a proved draw away, or in the judge's
// opinion too much.
enum class Fault : std::uint8_t { NONE, LOST_WIN, LOST_DRAW, MISTAKE };

// How good a move was, by what it gave away.
enum class Grade : std::uint8_t { UNKNOWN, BEST, GOOD, INACCURATE, MISTAKE, BLUNDER };
constexpr int GRADES = 6;
constexpr std::array<int, GRADES> GRADE_POINTS{-1, 100, 90, 60, 30, 0};  // of which accuracy is the mean

// What it gave away: the win, the draw, the game, in which nothing was proved before; with the same result so many
// moves of the winner, by which the win comes later or the loss sooner; or points of an opinion.
enum class Loss : std::uint8_t { NONE, WIN, DRAW, GAME, LATER, SOONER, POINTS };

struct Cost {
    Loss what = Loss::NONE;
    int number = 0;
};

// Up to so many moves, or points, a move is still good, or only inaccurate. A win that comes later is never worse.
constexpr int GOOD_MOVES = 1, INACCURATE_MOVES = 4, GOOD_POINTS = 50;

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

// The fault of a move that is worth so much, and is not the best one, if comparable evidence shows one. `whole` is what
// the position is worth, `best` its best move, which was looked at `depth` plies deep if that is an opinion.
inline Fault fault_of(const std::optional<Score>& whole, const std::optional<Score>& best,
                      const std::optional<Score>& worth, int depth) {
    if (!whole || !worth) return Fault::NONE;
    if (whole->proved() && worth->proved()) {
        if (whole->won()) return worth->won() ? Fault::NONE : Fault::LOST_WIN;
        return whole->drawn() && worth->lost() ? Fault::LOST_DRAW : Fault::NONE;
    }
    if (worth->lost() && best && best->drawn()) return Fault::LOST_DRAW;  // also where another move might have won
    // The best move was searched so deep and does not lose as soon.
    if (worth->proved()) return worth->lost() && worth->number <= depth ? Fault::MISTAKE : Fault::NONE;
    return points_beside(*whole) - worth->number > FALL_POINTS ? Fault::MISTAKE : Fault::NONE;
}

struct Graded {
    Grade grade = Grade::UNKNOWN;
    Cost cost;
};

inline Graded graded_by_moves(int plies, bool won) {
    const int moves = (plies + 1) / 2;
    if (moves <= 0) return {Grade::BEST, {}};
    const Cost cost{won ? Loss::LATER : Loss::SOONER, moves};
    if (moves <= GOOD_MOVES) return {Grade::GOOD, cost};
    return {won || moves <= INACCURATE_MOVES ? Grade::INACCURATE : Grade::MISTAKE, cost};
}

inline Graded graded_by_points(int points) {
    if (points <= 0) return {Grade::BEST, {}};
    const Cost cost{Loss::POINTS, points};
    if (points <= GOOD_POINTS) return {Grade::GOOD, cost};
    return {points <= FALL_POINTS ? Grade::INACCURATE : Grade::MISTAKE, cost};
}

// The grade of a move that is not the best one, by its fault and by what it gave away against what the position is
// worth.
inline Graded grade_of(Fault fault, const std::optional<Score>& whole, const std::optional<Score>& worth,
                       const Gap& gap) {
    if (!whole || !worth) return {};
    switch (fault) {
        case Fault::LOST_WIN:
            return {Grade::BLUNDER, {Loss::WIN}};
        case Fault::LOST_DRAW:
            return {Grade::BLUNDER, {Loss::DRAW}};
        case Fault::MISTAKE:
            // Whoever was not far behind has lost the game by it.
            if (worth->lost())
                return {points_beside(*whole) > -FALL_POINTS ? Grade::BLUNDER : Grade::MISTAKE, {Loss::GAME}};
            break;
        case Fault::NONE:
            break;
    }
    if (gap.results && *gap.results != 0) return {*gap.results < 0 ? Grade::BEST : Grade::BLUNDER, {}};
    if (gap.plies) return graded_by_moves(*gap.plies, whole->won());
    if (gap.results) return {whole->drawn() ? Grade::BEST : Grade::GOOD, {}};  // how much later or sooner is not known
    if (!worth->proved()) return whole->lost() ? Graded{Grade::GOOD, {}} : graded_by_points(*gap.points);
    if (worth->won()) return {Grade::BEST, {}};
    return worth->drawn() ? graded_by_points(points_beside(*whole)) : Graded{};
}

// A game in figures, for both sides.
struct Summary {
    std::array<std::array<int, GRADES>, 2> counts{};
    std::array<std::optional<int>, 2> accuracy;  // the mean points of the graded moves, in percent, rounded down
    std::optional<int> decisive;                 // the ply of the move that decided the game, as far as one did
};

// Of the grades of all moves from the first on; `mover` played the first one, `loser` has lost on the board, or -1.
// Whoever has lost never has 100 percent: where every move was best, the game was lost before it began.
inline Summary summary_of(const std::vector<Grade>& grades, int mover, int loser) {
    Summary found;
    std::array<int, 2> points{}, known{};
    std::optional<int> mistake;
    for (int ply = 0; ply < static_cast<int>(grades.size()); ++ply) {
        const int side = mover ^ (ply & 1);
        const int grade = static_cast<int>(grades[ply]);
        ++found.counts[side][grade];
        if (grades[ply] == Grade::UNKNOWN) continue;
        points[side] += GRADE_POINTS[grade];
        ++known[side];
        if (grades[ply] == Grade::BLUNDER) found.decisive = ply;
        if (grades[ply] == Grade::MISTAKE && side == loser) mistake = ply;
    }
    for (int side = 0; side < 2; ++side)
        if (known[side]) found.accuracy[side] = std::min(points[side] / known[side], side == loser ? 99 : 100);
    if (!found.decisive) found.decisive = mistake;
    return found;
}

struct ReviewedMove {
    State state;
    Outcome outcome;             // of the last position, where the game may be over: then nothing else is known
    std::optional<Move> played;  // none in the last position
    Judgement judgement;
    std::optional<Score> worth;  // what the move played is worth to its mover
    bool advised = false;        // whether the judge has advised it: whatever it thinks now, the player is not to blame
    std::optional<Gap> gap;
    Graded graded;                   // of the move played
    std::optional<Explanation> why;  // of a mistake or blunder
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
            loser_ = winner < 0 ? -1 : winner ^ 1;
            return true;
        }
        Inquiry inquiry(judge_, found_.state, {each_});
        found_.judgement = inquiry.last();
        unsound_ = inquiry.unsound();
        if (found_.played) {
            look_at(inquiry.outlook(), *found_.played);
            grades_.push_back(found_.graded.grade);
        }
        after_ = found_.judgement.whole.score;
        return true;
    }

    const ReviewedMove& found() const { return found_; }
    // Of the moves that were found, once all were.
    Summary summary() const { return summary_of({grades_.rbegin(), grades_.rend()}, found_.state.ply & 1, loser_); }
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
    std::vector<Grade> grades_;   // of the moves, the last one first
    int loser_ = -1;
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
        if (best.move() == played || found_.advised) {
            found_.graded.grade = Grade::BEST;
            return;
        }
        const Fault fault = fault_of(whole, best.score, found_.worth, best.depth);
        Control control;
        control.begin({Limit{}.nodes, patience_}, judge_.halting(), true);
        auto* solver = judge_.solver();
        ProofOracle oracle(judge_.tables(), solver, &judge_.proofs().table(), control, effort_);
        const auto& core = judge_.core();
        core.with_position(core.none(), found_.state, [&](auto& position) {
            if (found_.gap && found_.gap->results == 0 && !found_.gap->plies && whole->lost())
                found_.gap->plies = hastened_by(oracle, position, best.move(), found_.worth->number);
            if (found_.gap) found_.graded = grade_of(fault, whole, found_.worth, *found_.gap);
            if (found_.graded.grade >= Grade::MISTAKE) found_.why = explain(oracle, position, played, found_.worth);
            return 0;
        });
    }

    static constexpr int SOON_PLIES = 12;  // of a loss that is compared with the best move's, if that one is not known

    // By how many plies at least the best move of a lost position lasts longer than so many, as far as it matters for a
    // grade; nothing if that is not found out.
    template <int W>
    static std::optional<int> hastened_by(ProofOracle& oracle, Position<W>& position, Move best, int plies) {
        if (plies > SOON_PLIES) return {};
        const int winner = position.to_move() ^ 1;
        for (const int moves : {INACCURATE_MOVES + 1, GOOD_MOVES + 1}) {
            const auto sooner = ProofOracle::after(
                position, best, [&] { return oracle.wins(position, winner, plies + 2 * moves - 3); });
            if (sooner == false) return 2 * moves;
        }
        return {};
    }
};

}  // namespace plyground
