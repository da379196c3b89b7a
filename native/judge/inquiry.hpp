// How a position is judged: facts first, then opinions about the rest, and at any time what follows from both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/state.hpp"
#include "judge/analysis.hpp"
#include "judge/exact.hpp"
#include "judge/findings.hpp"
#include "judge/judge.hpp"
#include "judge/numbers.hpp"
#include "judge/opinions.hpp"
#include "judge/outlook.hpp"
#include "judge/proofs.hpp"
#include "judge/solutions.hpp"

namespace plyground {

struct Wish {
    Budget budget;
    bool all_moves = true;  // whether every move is asked about, also where one keeps what the position is worth
    bool opinions = false;  // whether moves that are proved to draw are ranked by opinion, once all is proved
    bool proofs_only = false;
};

// One question to a judge, which gathers evidence within a limit. The judge must outlive it.
class Inquiry {
  public:
    // For a position that goes on.
    Inquiry(Judge& judge, const State& state, Wish wish)
        : judge_(judge),
          wish_(wish),
          outlook_(Outlook::of(judge.core(), state)),
          findings_(outlook_, judge.at_a_glance(outlook_)) {}

    const Outlook& outlook() const { return outlook_; }

    // Whether there was another judgement, which is found() now: by proofs first, then with the engine's opinions depth
    // by depth. It ends when every move asked about is settled.
    bool next() {
        while (stage_ != Stage::END)
            if (step()) {
                if (!quiet_ && stage_ != Stage::END) conclude();
                return true;
            }
        return false;
    }

    // Runs to the end.
    const Judgement& last() {
        quiet_ = true;
        while (next()) {
        }
        return found_;
    }

    const Judgement& found() const { return found_; }
    // A heuristic's value that ended the search because none may be so; 0 where there was none.
    std::int64_t unsound() const { return unsound_; }

  private:
    // How much of the rest of the limit one question may take: which move keeps the known verdict on the position, what
    // the solver says about each move (less where it will hardly finish), whether a win can be forced, how soon a game
    // is won.
    static constexpr double KEEPING_SHARE = 0.5, SOLVING_SHARE = 0.6, TRYING_SHARE = 0.1, FORCING_SHARE = 0.15,
                            SETTLING_SHARE = 0.15;
    static constexpr int SOLVABLE_CELLS = 40;  // empty cells up to which the solver often finishes in time
    // Positions the solver may visit for each move in the first round, and the factor from round to round.
    static constexpr std::uint64_t FIRST_TRY_NODES = 1'000, EFFORT_GROWTH = 8;
    static constexpr std::uint64_t SETTLING_NODES = 1'000'000;  // by the solver, to find out how soon known games end
    static constexpr std::uint64_t DRAWING_NODES = 1'000'000;   // to show that a move draws
    static constexpr std::uint64_t REFUTING_NODES = 2'000;  // to show that a side that cannot lose cannot win either
    // For opinions of moves that are all proved to draw: little, since nothing depends on it.
    static constexpr std::uint64_t OPINION_NODES = 50'000;

    enum class Stage { START, KEEP, SOLVE, FORCE, PAIR, SEARCH_PROOF, DRAWS, BEGIN_OPINIONS, OPINIONS, SETTLE, END };

    Judge& judge_;
    const Wish wish_;
    const Outlook outlook_;
    Findings findings_;
    Judgement found_;
    Stopwatch watch_;
    Stage stage_ = Stage::START;
    bool quiet_ = false;  // whether only the last judgement is wanted
    std::uint64_t nodes_ = 0;
    std::int64_t unsound_ = 0;

    // Of the solver's rounds: the moves to be solved, those too hard for the round, what each and all may take.
    bool solving_ = false;
    std::vector<std::size_t> waiting_, hard_;
    std::uint64_t effort_ = FIRST_TRY_NODES;
    Budget solving_budget_;
    double solving_until_ = 0;
    std::optional<Solving> proof_;
    std::size_t drawing_ = 0;
    std::unique_ptr<Opinions> opinions_;
    std::uint64_t ranked_ = 0;    // of the positions visited: those of the engine
    bool final_ranking_ = false;  // whether what the engine is asked about is proved to draw

    const State& state() const { return outlook_.here.state; }
    Facts& facts() { return findings_.facts; }
    const Facts& facts() const { return findings_.facts; }
    void add(std::size_t move, Analysis proof) { findings_.add(move, std::move(proof)); }

    // Goes a step on; whether there is a judgement to show.
    bool step() {
        switch (stage_) {
            case Stage::START:
                stage_ = wish_.proofs_only ? Stage::PAIR : Stage::KEEP;
                if (settled()) stage_ = Stage::BEGIN_OPINIONS;
                return wish_.proofs_only || knows_something();
            case Stage::KEEP:
                if (solves()) keep(left(KEEPING_SHARE));
                stage_ = Stage::SOLVE;
                return false;
            case Stage::SOLVE:
                if (!solves() || !solve()) stage_ = wish_.proofs_only ? Stage::SETTLE : Stage::FORCE;
                return wish_.proofs_only && stage_ == Stage::SOLVE;
            case Stage::FORCE:
                if (open()) force();
                stage_ = Stage::PAIR;
                return false;
            case Stage::PAIR:
                if (open()) pair();
                stage_ = !wish_.proofs_only ? Stage::BEGIN_OPINIONS
                         : judge_.solver()  ? Stage::SOLVE
                         : open()           ? Stage::SEARCH_PROOF
                                            : Stage::SETTLE;
                return false;
            case Stage::SEARCH_PROOF:
                return search_proof();
            case Stage::DRAWS:
                return prove_draws();
            case Stage::BEGIN_OPINIONS:
                stage_ = begin_opinions() ? Stage::OPINIONS : Stage::SETTLE;
                // What is known comes first, however long the opinions take.
                return stage_ == Stage::OPINIONS && final_ranking_;
            case Stage::OPINIONS:
                return rank();
            case Stage::SETTLE:
                if (may_win_sooner()) hasten();
                if (!settled() && !chosen()) Settling(judge_.proofs(), outlook_, findings_, left(SETTLING_SHARE)).run();
                opinions_.reset();
                stage_ = Stage::END;
                conclude();
                remember();
                return true;
            case Stage::END:
                break;
        }
        return false;
    }

    bool knows_something() {
        return known() || std::ranges::any_of(facts(), [](const auto& fact) { return fact.has_value(); });
    }

    std::optional<Analysis> known() { return judge_.known(outlook_.here); }

    // Whether every move is proved to the ply.
    bool settled() const {
        return std::ranges::all_of(facts(), [](const auto& fact) { return fact && fact->settled(); });
    }

    // The soonest win among the facts; nothing where no move is known to win.
    std::optional<Score> soonest_win() const {
        std::optional<Score> best;
        for (const auto& fact : facts())
            if (known_to_win(fact) && (!best || fact->score->number < best->number)) best = fact->score;
        return best;
    }

    // Whether the game is won, and perhaps sooner than by the moves that are known to win.
    bool may_win_sooner() {
        const auto best = soonest_win();
        if (!best || settled()) return false;
        if (const auto whole = known(); whole && whole->settled()) return *best != *whole->score;
        return best->at_most || !(findings_.soonest || best->number == 1);
    }

    // Whether one move is asked for, and it is known to the ply.
    bool chosen() {
        if (wish_.all_moves || open() || may_win_sooner()) return false;
        const auto ranking = findings_.conclusion(outlook_, known()).first;
        return ranking.best().settled();
    }

    // Whether something that was asked for is not decided yet.
    bool open() {
        if (judge_.halted()) return false;
        std::size_t unknown = 0;
        bool draws = false;
        for (const auto& fact : facts()) {
            if (!wish_.all_moves && known_to_win(fact)) return false;
            draws |= fact && fact->score->drawn();
            unknown += !fact;
        }
        if (unknown == 0) return false;
        const auto whole = known();
        const bool drawn = findings_.cannot_win || (whole && whole->score->drawn());
        if (!wish_.all_moves && draws && drawn) return false;
        return !(whole && unknown == 1 && std::ranges::all_of(facts(), [&](const auto& fact) {
                     return !fact || fact->score->rank() < whole->score->rank();
                 }));
    }

    // Whether the solver is asked: something is open, or some ends are known and it may settle the moves of which a
    // book knows only who wins.
    bool solves() {
        if (!judge_.solver() || judge_.halted()) return false;
        if (open()) return true;
        const auto ends = std::ranges::count_if(facts(), [](const auto& fact) { return fact && fact->settled(); });
        return wish_.all_moves && ends > 0 && ends < static_cast<std::ptrdiff_t>(outlook_.size());
    }

    // A share of what is left of the limit.
    Budget left(double share = 1.0) const {
        Budget left = wish_.budget;
        if (left.seconds) left.seconds = std::max(*left.seconds - watch_.seconds(), 0.001);
        if (left.nodes) left.nodes = *left.nodes > nodes_ ? *left.nodes - nodes_ : 1;
        return left.part(share);
    }

    // ------------------------------------------------------------ by the solver

    // Finds the exact scores of moves in rounds of growing effort, so that easy moves are solved in any case. Whether
    // another move is solved, and there is more to do.
    bool solve() {
        if (wish_.budget.depth || !to_board(state())) return false;
        if (!solving_) {
            solving_ = true;
            const double share = wish_.proofs_only                        ? 1.0
                                 : empty_cells(state()) <= SOLVABLE_CELLS ? SOLVING_SHARE
                                                                          : TRYING_SHARE;
            solving_budget_ = left(share);
            // Where it is known who wins, how soon is worth no more than a moment.
            if (!wish_.proofs_only && !open())
                solving_budget_.nodes = std::min(solving_budget_.nodes.value_or(SETTLING_NODES), SETTLING_NODES);
            solving_until_ = watch_.seconds() + solving_budget_.seconds.value_or(0);
            for (std::size_t i = 0; i < outlook_.size(); ++i)
                if (!facts()[i] || !facts()[i]->settled()) waiting_.push_back(i);
        }
        bool solved = false;
        while (!waiting_.empty() || !hard_.empty()) {
            if (waiting_.empty()) {
                waiting_ = std::exchange(hard_, {});
                effort_ *= EFFORT_GROWTH;
            }
            const auto move = waiting_.front();
            waiting_.erase(waiting_.begin());
            if (auto last = last_left(move)) {
                add(move, std::move(*last));
            } else {
                Budget each{{}, effort_, {}};
                if (solving_budget_.seconds) each.seconds = solving_until_ - watch_.seconds();
                if (solving_budget_.nodes) each.nodes = std::min(effort_, *solving_budget_.nodes);
                if ((each.seconds && *each.seconds <= 0) || *each.nodes == 0 || judge_.halted()) return false;
                const auto& after = outlook_.after[move].state;
                std::uint64_t visited = 0;
                const auto number = judge_.solve(after, judge_.books().possible_numbers(after, judge_.columns()),
                                                 each.limit(), visited);
                nodes_ += visited;
                if (solving_budget_.nodes) *solving_budget_.nodes -= std::min(*solving_budget_.nodes, visited);
                if (!number) {
                    hard_.push_back(move);
                    continue;
                }
                add(move,
                    Analysis::proof(verdict(empty_cells(state()), -*number), {outlook_.moves[move]}, Source::SOLVER));
            }
            solved = true;
            if (!quiet_ && wish_.proofs_only) return true;
            if (!wish_.all_moves && !solves()) return false;
        }
        return solved && wish_.proofs_only && !quiet_;
    }

    // What the known score of the position says of a move if all others are worth less.
    std::optional<Analysis> last_left(std::size_t move) {
        const auto whole = known();
        if (!whole || whole->score->at_most) return {};
        for (std::size_t i = 0; i < outlook_.size(); ++i)
            if (i != move &&
                !(facts()[i] && facts()[i]->settled() && facts()[i]->score->order() < whole->score->order()))
                return {};
        return Analysis::proof(*whole->score, {outlook_.moves[move]}, whole->source);
    }

    // Finds a move that keeps the known verdict on the position, if none is known to.
    void keep(const Budget& budget) {
        const auto whole = known();
        if (!whole || whole->score->at_most) return;
        if (std::ranges::any_of(facts(), [&](const auto& fact) { return fact && fact->score == whole->score; })) return;
        const int least = number_of(empty_cells(state()), *whole->score);
        Keeping keeping(judge_, outlook_, least, budget);
        if (const auto move = keeping.next())
            add(*move, Analysis::proof(*whole->score, {outlook_.moves[*move]}, Source::SOLVER));
        nodes_ += keeping.visited();
    }

    // Finds out how soon a won game is won, and by which move: a known win is a worse answer than a sooner one.
    void hasten() {
        if (!judge_.solver() || judge_.halted() || wish_.budget.depth) return;
        Budget budget = left(SETTLING_SHARE);
        budget.nodes = std::min(budget.nodes.value_or(SETTLING_NODES), SETTLING_NODES);
        if (const auto whole = known(); !whole || !whole->settled()) {
            std::uint64_t visited = 0;
            auto window = judge_.books().possible_numbers(state(), judge_.columns());
            window.lower = std::max(window.lower, number_of(empty_cells(state()), *soonest_win()));
            const auto number = judge_.solve(state(), window, budget.limit(), visited);
            nodes_ += visited;
            if (!number) return;
            judge_.remember(outlook_.here, Analysis::proof(verdict(empty_cells(state()), *number), {}, Source::SOLVER));
        }
        keep(budget);
    }

    // ------------------------------------------------------------ by proof search and pairings

    // Looks for a forced win of the side to move.
    void force() {
        if (std::ranges::any_of(facts(), known_to_win)) return;
        if (auto won = forced_win(judge_.proofs(), outlook_, left(FORCING_SHARE), 1.0)) {
            nodes_ += won->nodes;
            const int move = outlook_.index(won->move());
            add(move, std::move(*won));
        }
    }

    // Finds what pairings prove: moves after which the mover cannot lose, and that it cannot win.
    void pair() {
        const bool paired = judge_.cannot_win(state());
        bool any = false;
        const auto tries = Judge::tries(outlook_.size(), wish_.budget.nodes, wish_.budget.seconds);
        for (Move move : judge_.safe_moves(state(), tries)) findings_.safe[outlook_.index(move)] = any = true;
        findings_.cannot_win = paired || (any && is_refuted());
        if (!findings_.cannot_win) return;
        for (std::size_t i = 0; i < outlook_.size(); ++i)
            if (findings_.safe[i] && !facts()[i])
                facts()[i] = Analysis::proof(Score::draw(), {outlook_.moves[i]},
                                             paired ? Source::PAIRING : Source::PROOF_SEARCH);
    }

    // Whether proof search shows at once that the side to move cannot win.
    bool is_refuted() {
        const int plies = judge_.tables().data.max_plies - state().ply;
        return judge_.proofs().can_win(state(), outlook_.to_move(), plies, REFUTING_NODES) == std::optional(false);
    }

    // Finds out who wins by force, or which moves draw. Whether there is more to show.
    bool search_proof() {
        if (!proof_) proof_.emplace(judge_.proofs(), outlook_, std::nullopt, left());
        if (proof_->next()) {
            nodes_ = proof_->found().nodes;
            take(proof_->found());
            return true;
        }
        const bool drawn = proof_->found().drawn();
        if (drawn) judge_.remember(outlook_.here, Analysis::proof(Score::draw(), {}, Source::PROOF_SEARCH));
        stage_ = drawn ? Stage::DRAWS : Stage::SETTLE;
        return drawn;
    }

    // Adds a forced win to the facts; one that is not tied to a known move is remembered for the position.
    void take(const Solution& solution) {
        if (solution.winner < 0) return;
        const bool won = solution.winner == outlook_.to_move(), at_most = !solution.shortest();
        const Score score = won ? Score::win(solution.plies, at_most) : Score::loss(solution.plies, at_most);
        if (won && solution.first) {
            auto line = solution.line.empty() ? std::vector{*solution.first} : solution.line;
            add(outlook_.index(*solution.first), Analysis::proof(score, std::move(line), Source::PROOF_SEARCH));
            findings_.soonest = solution.shortest();
        } else {
            judge_.remember(outlook_.here, Analysis::proof(score, {}, Source::PROOF_SEARCH));
        }
    }

    // Finds the moves that keep a draw. Whether another one is found.
    bool prove_draws() {
        for (; drawing_ < outlook_.size() && !judge_.halted(); ++drawing_) {
            const auto& after = outlook_.after[drawing_];
            if (facts()[drawing_]) continue;
            const int plies = judge_.tables().data.max_plies - after.state.ply;
            const auto answer =
                judge_.proofs().can_win(after.state, after.to_move(), plies, DRAWING_NODES, left().seconds);
            if (answer != std::optional(false)) continue;
            facts()[drawing_] = Analysis::proof(Score::draw(), {outlook_.moves[drawing_]}, Source::PROOF_SEARCH);
            return true;
        }
        stage_ = Stage::SETTLE;
        return false;
    }

    // ------------------------------------------------------------ by opinion

    // Has the engine look at the moves of which nothing is proved, or where opinions are wished at those that may draw.
    bool begin_opinions() {
        if (wish_.proofs_only || judge_.halted()) return false;
        const bool still_open = open();
        if (!still_open && !(wish_.opinions && drawing())) return false;
        std::vector<Move> among;
        for (std::size_t i = 0; i < outlook_.size(); ++i)
            if (!facts()[i] || (wish_.opinions && facts()[i]->score->drawn())) among.push_back(outlook_.moves[i]);
        Budget budget = left();
        final_ranking_ = !still_open;
        if (final_ranking_) {
            if (among.size() < 2) return false;
            budget.nodes = std::min(budget.nodes.value_or(OPINION_NODES), OPINION_NODES);
        }
        opinions_ = std::make_unique<Opinions>(judge_, state(), std::move(among), budget);
        return true;
    }

    // Whether the position may be a draw, so that opinions of drawn moves are of interest.
    bool drawing() const {
        if (std::ranges::any_of(facts(), known_to_win)) return false;
        return std::ranges::any_of(facts(), [](const auto& fact) { return fact && fact->score->drawn(); });
    }

    bool rank() {
        const std::uint64_t before = nodes_ - ranked_;
        if (!opinions_->next()) {
            stage_ = Stage::SETTLE;
            return false;
        }
        unsound_ = opinions_->unsound();
        ranked_ = opinions_->nodes();
        nodes_ = before + ranked_;
        findings_.opinions = opinions_->found();
        const auto take = [&](const std::vector<Analysis>& found) {
            for (const auto& each : found)
                if (each.proved()) add(outlook_.index(each.move()), each);
        };
        take(findings_.opinions.compared);
        take(findings_.opinions.others);
        if (!final_ranking_ && !open()) stage_ = Stage::SETTLE;
        return true;
    }

    // ------------------------------------------------------------ what follows

    void conclude() {
        auto [ranking, whole] = findings_.conclusion(outlook_, known());
        found_ = {std::move(ranking), std::move(whole), nodes_, watch_.seconds()};
        if (findings_.contradiction) judge_.memory().contradiction = findings_.contradiction;
    }

    // Keeps what is proved about the position and the positions after its moves for later questions.
    void remember() {
        const auto& best = found_.ranking.best();
        // The verdict on the position need not hold for the move that seems best, unless that is proved too.
        auto whole = found_.whole;
        if (best.score != whole.score) whole.line.clear();
        judge_.remember(outlook_.here, whole);
        const auto keep = [&](const std::vector<Analysis>& found) {
            for (const auto& each : found) {
                const auto& after = outlook_.after[outlook_.index(each.move())];
                if (!each.proved() || after.outcome) continue;
                auto turned = each;
                turned.line.erase(turned.line.begin());
                turned.score = each.score->after_move();
                judge_.remember(after, turned);
            }
        };
        keep(found_.ranking.compared);
        keep(found_.ranking.others);
    }
};

}  // namespace plyground
