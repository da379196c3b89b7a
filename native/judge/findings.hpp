// What a judge has found out about one position so far, and what follows from it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "judge/analysis.hpp"
#include "judge/outlook.hpp"

namespace plyground {

// What is proved about the moves of a position, in their order.
using Facts = std::vector<std::optional<Analysis>>;

inline bool known_to_win(const std::optional<Analysis>& fact) { return fact && fact->score->won(); }

// One analysis for each legal move, which is the first of its line.
struct Ranking {
    std::vector<Analysis> compared;  // proved, or searched to the same depth; the best first
    std::vector<Analysis> others;    // not searched yet, or not as deeply
    std::optional<Score> worth;      // what is proved about the position apart from its moves
    bool cut_off = false;            // whether time was up within a depth

    // By score; of equal ones the proved one first, then the one the search prefers. Those without a score are not
    // compared.
    static Ranking of(std::vector<Analysis> listed, std::vector<Analysis> others = {}) {
        Ranking ranking;
        for (auto& each : listed) (each.score ? ranking.compared : ranking.others).push_back(std::move(each));
        const auto order = [](const Analysis& each) {
            const Score& score = *each.score;
            return std::tuple{score.order(), score.proved(), !score.at_most,
                              score.proved() ? each.points.value_or(0) : 0};
        };
        std::ranges::stable_sort(ranking.compared, [&](const auto& a, const auto& b) { return order(a) > order(b); });
        std::ranges::move(others, std::back_inserter(ranking.others));
        return ranking;
    }

    // The best move as far as is known: an unsearched one where all others are proved to be worse.
    const Analysis& best() const {
        const int least = worth ? worth->rank() : 0;
        const auto good = [&](const Analysis& each) { return !(each.proved() && each.score->rank() < least); };
        const auto found = std::ranges::find_if(compared, good);
        if (found != compared.end()) return *found;
        return others.empty() ? compared.front() : others.front();
    }
    Analysis& best() { return const_cast<Analysis&>(std::as_const(*this).best()); }

    template <class F>
    bool all_of(F&& f) const {
        return std::ranges::all_of(compared, f) && std::ranges::all_of(others, f);
    }
};

// What is known about a position that goes on, and about each of its moves.
struct Judgement {
    Ranking ranking;
    Analysis whole;  // the worth of the best move, as far as that is certain
    std::uint64_t nodes = 0;
    double seconds = 0;
};

// Facts about some moves, opinions about the others, and what pairings and proofs say about all of them.
class Findings {
  public:
    explicit Findings(const Outlook& outlook, Facts facts) : facts(std::move(facts)), safe(outlook.size()) {
        for (Move move : outlook.moves) opinions.others.push_back(Analysis::unsearched(move));
    }

    Facts facts;
    Ranking opinions;         // the engine's, of the moves whose game is not decided
    std::vector<char> safe;   // of moves: whether the mover cannot lose after them
    bool cannot_win = false;  // whether the side to move cannot, so that the position is a draw at best
    bool soonest = false;     // whether no move wins sooner than the soonest win among the facts
    mutable Contradiction contradiction;

    // Adds a proof about a move to what is known of it.
    void add(std::size_t move, Analysis proof) {
        auto& fact = facts[move];
        if (fact)
            agree(*fact->score, *proof.score, contradiction);
        else
            fact = std::move(proof);
    }

    // The ranking of all moves, and what follows for the position; `known` is the verdict on it as a whole.
    std::pair<Ranking, Analysis> conclusion(const Outlook& outlook, const std::optional<Analysis>& known) const {
        Ranking ranking = rank(outlook, known);
        Analysis whole = of_position(ranking, known);
        return {std::move(ranking), std::move(whole)};
    }

  private:
    Ranking rank(const Outlook& outlook, const std::optional<Analysis>& known) const {
        Facts found(outlook.size());
        std::vector<char> unsearched(outlook.size());
        for (const auto& each : opinions.compared) found[outlook.index(each.move())] = each;
        for (const auto& each : opinions.others) {
            found[outlook.index(each.move())] = each;
            unsearched[outlook.index(each.move())] = true;
        }
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!facts[i]) continue;
            const auto opinion = std::exchange(found[i], facts[i]);
            if (opinion && !opinion->proved()) found[i]->points = opinion->points;
        }
        for (std::size_t i = 0; i < found.size(); ++i)
            if (found[i]) found[i] = bound(*found[i], safe[i], known);
        eliminate(found, known);
        std::vector<Analysis> comparable, others;
        for (std::size_t i = 0; i < found.size(); ++i) {
            auto each = found[i].value_or(Analysis::unsearched(outlook.moves[i]));
            (unsearched[i] && !each.proved() ? others : comparable).push_back(std::move(each));
        }
        Ranking ranking = Ranking::of(std::move(comparable), std::move(others));
        ranking.cut_off = opinions.cut_off && !ranking.best().proved();
        if (known) ranking.worth = known->score;
        return ranking;
    }

    // What the best move says about the position, if no other can be better; else what is known about it.
    Analysis of_position(const Ranking& ranking, const std::optional<Analysis>& known) const {
        Analysis found = ranking.best();
        const bool all_proved = ranking.all_of([](const Analysis& each) { return each.proved(); });
        if (found.score && found.score->won()) {
            // One move wins; another may win sooner.
            if (!all_proved && !soonest) found.score->at_most |= found.score->number > 1;
        } else if (!all_proved && !(cannot_win && found.proved()) && found.proved()) {
            found.score = Score::points(0);  // a move that draws does not show that no other move wins
        }
        if (!known) return found;
        if (!found.proved()) {
            auto whole = *known;
            whole.line = found.line;
            return whole;
        }
        agree(*found.score, *known->score, contradiction);
        return found;
    }

    // What is known about a move, within what is known about the position.
    Analysis bound(Analysis each, bool is_safe, const std::optional<Analysis>& known) const {
        if (known && known->score->lost()) {
            // Every move loses, and none lasts longer than the best one.
            Score latest = *known->score;
            latest.at_most = true;
            if (!each.proved()) {
                each.score = latest;
                each.source = known->source;
            } else {
                agree(*each.score, latest, contradiction);
            }
            return each;
        }
        if (known && each.score && each.score->won() && !known->score->at_most) {
            // No move wins sooner than the position is won.
            if (each.score->at_most && each.score->number == known->score->number) each.score = known->score;
            return each;
        }
        const bool no_win = cannot_win || (known && !known->score->won());
        if (no_win && each.score && !each.proved() && each.score->number > 0) {
            each.score = Score::points(0);
            return each;
        }
        if (is_safe && !each.proved() && each.note == Note{}) each.note = {Remark::CANNOT_LOSE};
        return each;
    }

    // The verdict of the position is that of the last move that is not proved to be worse.
    static void eliminate(Facts& found, const std::optional<Analysis>& known) {
        std::optional<Analysis>* left = nullptr;
        for (auto& each : found) {
            if (!known || (each && each->proved() && each->score->rank() >= known->score->rank())) return;
            if (!each || each->proved()) continue;
            if (left) return;
            left = &each;
        }
        if (!left) return;
        (*left)->score = known->score;
        (*left)->source = known->source;
    }
};

}  // namespace plyground
