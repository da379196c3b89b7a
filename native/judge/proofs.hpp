// Questions to proof search within a share of a limit: forced wins, the longest defence, how soon games are won.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "judge/analysis.hpp"
#include "judge/findings.hpp"
#include "judge/outlook.hpp"
#include "proof/prover.hpp"
#include "search/control.hpp"

namespace plyground {

// When a question must be answered; the first limit reached counts, nothing is no limit.
struct Budget {
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
    std::optional<double> seconds;

    // A share of nodes and seconds; the depth stays.
    Budget part(double share) const {
        Budget part{depth, {}, {}};
        if (nodes) part.nodes = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(*nodes * share));
        if (seconds) part.seconds = *seconds * share;
        return part;
    }

    Limit limit() const {
        Limit limit;
        if (nodes) limit.nodes = *nodes;
        if (seconds) limit.seconds = *seconds;
        return limit;
    }
};

// Seconds since it was made.
class Stopwatch {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  private:
    Clock::time_point started_ = Clock::now();
};

// A prover whose questions all end when somebody wishes.
class Proofs {
  public:
    // `halted` says whether somebody has wished so; `halt` asks.
    Proofs(const Core& core, std::size_t bytes, Interrupt halt, const std::atomic<bool>& halted)
        : prover_(core, bytes), halt_(std::move(halt)), halted_(halted) {}

    bool ready() const { return prover_.ready(); }
    const Core& core() const { return prover_.core(); }
    ProofTable& table() { return prover_.table(); }
    // Ends a search that runs in another thread.
    void stop() { prover_.stop(); }
    std::uint64_t nodes() const { return prover_.nodes(); }
    bool halted() const { return halted_.load(std::memory_order_relaxed); }

    ProofAnswer ask(const State& state, Question question, Limit limit) {
        return prover_.ask(state, question, limit, halt_);
    }

    // The play that follows from a proved win, cut short when out of time.
    std::vector<Move> line(const State& state, Question question, Limit limit) {
        return prover_.line(state, question, limit, halt_);
    }

    // Whether the strategy of a proved win is complete; false when a limit was reached first.
    bool strategy(const State& state, Question question, Limit limit, std::vector<Reply>& replies) {
        return prover_.strategy(state, question, limit, halt_, replies);
    }

    // Whether a side can force a win within so many plies; nothing when a limit came first.
    std::optional<bool> can_win(const State& state, int side, int plies, std::optional<std::uint64_t> nodes,
                                std::optional<double> seconds = {}) {
        const auto answer = ask(state, {side, state.ply + plies}, Budget{{}, nodes, seconds}.limit());
        if (answer == ProofAnswer::UNKNOWN) return {};
        return answer == ProofAnswer::WIN_PROVED;
    }

    std::vector<Move> line(const State& state, int side, int plies, std::optional<double> seconds) {
        return line(state, {side, state.ply + plies}, Budget{{}, {}, seconds}.limit());
    }

    // A move of the side to move that keeps a win proved just before; nothing if the table has lost it.
    std::optional<Move> winning_move(const Outlook& outlook, int plies) {
        for (std::size_t i = 0; i < outlook.size(); ++i)
            if (can_win(outlook.after[i].state, outlook.to_move(), plies - 1, 0).value_or(false))
                return outlook.moves[i];
        return {};
    }

  private:
    Prover prover_;
    const Interrupt halt_;
    const std::atomic<bool>& halted_;
};

// Nodes and seconds that several questions share; its clock starts when it is made.
class Allowance {
  public:
    // A share of a limit for questions that begin at a position. With a limit of depth alone it is so many nodes as
    // suit that depth. A question costs `toll` nodes even if it is answered at a glance.
    Allowance(Proofs& proofs, std::size_t moves, const Budget& budget, double share, int toll = 1)
        : proofs_(proofs), before_(proofs.nodes()), toll_(toll) {
        // How many moves a proof search lists in the time in which the engine visits a node.
        static constexpr std::size_t MOVES_PER_NODE = 4;
        if (budget.seconds) seconds_ = *budget.seconds * share;
        if (budget.nodes)
            nodes_ =
                static_cast<std::uint64_t>(*budget.nodes * share) / std::max<std::size_t>(1, moves / MOVES_PER_NODE);
        else if (!seconds_) {
            const auto depth = static_cast<std::uint64_t>(budget.depth.value_or(1));
            nodes_ = depth * depth * depth;
        }
    }

    // Positions expanded so far, tolls included.
    std::uint64_t visited() const { return proofs_.nodes() - before_ + questions_ * toll_; }
    double spent() const { return watch_.seconds(); }

    bool over() const {
        const auto [nodes, seconds] = part(1);
        return nodes == std::uint64_t{0} || seconds == 0.0 || proofs_.halted();
    }

    // Whether a side can force a win within so many plies, asked as the first of so many that share what is left.
    // Nothing when that was not enough, or nothing was left.
    std::optional<bool> can_win(const State& state, int side, int plies, std::size_t questions = 1) {
        if (over()) return {};
        ++questions_;
        const auto [nodes, seconds] = part(questions);
        return proofs_.can_win(state, side, plies, nodes, seconds);
    }

  private:
    Proofs& proofs_;
    const std::uint64_t before_;
    const std::uint64_t toll_;
    std::uint64_t questions_ = 0;
    std::optional<std::uint64_t> nodes_;
    std::optional<double> seconds_;
    Stopwatch watch_;

    std::pair<std::optional<std::uint64_t>, std::optional<double>> part(std::size_t questions) const {
        std::pair<std::optional<std::uint64_t>, std::optional<double>> part;
        if (nodes_) part.first = (*nodes_ - std::min(*nodes_, visited())) / questions;
        if (seconds_) part.second = std::max(0.0, *seconds_ - spent()) / static_cast<double>(questions);
        return part;
    }
};

// The most plies that a question about a position is about.
inline int horizon(const Tables& tables, int ply, const Budget& budget) {
    static constexpr int STEP_PLIES = 12;  // a long win ends at the next but one multiple of this many plies
    const auto& data = tables.data;
    const int end = ply >= data.recycle_from ? data.max_plies : std::min(data.max_plies, data.recycle_from);
    // The same last ply for several moves, so that what the prover remembers helps with the next move too.
    return budget.depth ? std::min(end - ply, *budget.depth) : std::min(end, (ply / STEP_PLIES + 2) * STEP_PLIES) - ply;
}

// Whether a side has patterns so far advanced that it may force a win: two that lack two cells or fewer.
inline bool may_force(const Core& core, const State& state) {
    const auto& tables = core.tables();
    return core.with_position(core.none(), state, [&](const auto& position) {
        int advanced = 0;
        for (int p = 0; p < tables.patterns && advanced < 2; ++p) {
            const auto& pattern = position.pattern(p);
            if (pattern.occupied + 2 < tables.longest) continue;
            for (std::size_t v = 0; v < tables.views.size(); ++v)
                advanced += tables.views[v].side == position.to_move() && pattern.views >> v & 1;
        }
        return advanced >= 2;
    });
}

// A forced win of the side to move, looked for with a share of the limit where it has patterns far advanced.
inline std::optional<Analysis> forced_win(Proofs& proofs, const Outlook& outlook, const Budget& budget, double share) {
    // Every length of a win up to this many plies is asked about, before a long one.
    static constexpr int SHORT_PLIES = 5;
    const Core& core = proofs.core();
    const State& state = outlook.here.state;
    if (!may_force(core, state)) return {};
    Allowance allowance(proofs, outlook.size(), budget, share);
    const int most = horizon(core.tables(), state.ply, budget), side = outlook.to_move();
    std::vector<int> lengths;
    for (int plies = 1; plies <= std::min(SHORT_PLIES, most); plies += 2) lengths.push_back(plies);
    lengths.push_back(most);
    int refuted = 0;  // within so many plies there is no win
    for (const int plies : lengths) {
        // A short win that takes long to find matters less than a long one that follows from threats.
        const auto answer = allowance.can_win(state, side, plies, plies == most ? 1 : 4);
        if (answer && !*answer) refuted = plies;
        if (!answer.value_or(false)) continue;
        std::vector<Move> line;
        if (!budget.seconds && plies > SHORT_PLIES) {
            // The search for the line is limited by the clock, but with a limit of nodes the answer must not vary.
            if (const auto move = proofs.winning_move(outlook, plies)) line = {*move};
        } else {
            line =
                proofs.line(state, side, plies, budget.seconds ? std::optional(*budget.seconds * share) : std::nullopt);
        }
        if (line.empty()) return {};
        auto found = Analysis::proof(Score::win(plies, refuted < plies - 1), std::move(line), Source::PROOF_SEARCH);
        found.depth = plies;
        found.nodes = allowance.visited();
        found.seconds = allowance.spent();
        return found;
    }
    return {};
}

// The best moves of a side in danger: those that last longest, as far as is known; of images of each other one.
struct Defence {
    std::vector<std::size_t> moves;
    std::optional<int> within;  // the plies within which all of them lose; nothing when that is not proved
};

// The plies within which a move is proved to lose; nothing when it is not, up to `most` plies or the allowance.
inline std::optional<int> lost_within(const Spot& after, Allowance& allowance, int most) {
    for (int plies = 1; plies < most; plies += 2) {
        const auto answer = allowance.can_win(after.state, after.to_move(), plies);
        if (!answer) return {};
        if (*answer) return plies + 1;
    }
    return {};
}

// Of moves that lose within so many plies the ones with the fewest winning replies; all when out of allowance.
inline std::vector<std::size_t> fewest_replies(const Core& core, const Outlook& outlook,
                                               const std::vector<std::size_t>& moves, int attacker, int plies,
                                               Allowance& allowance) {
    std::vector<std::pair<std::size_t, int>> counts;
    for (const auto move : moves) {
        if (outlook.after[move].outcome) continue;  // it completes the opponent's pattern itself
        const auto next = Outlook::of(core, outlook.after[move].state);
        int wins = 0;
        for (const auto& reply : next.after) {
            if (allowance.over()) return moves;
            wins += reply.outcome ? reply.outcome.winner == attacker
                                  : allowance.can_win(reply.state, attacker, plies - 1).value_or(false);
        }
        counts.emplace_back(move, wins);
    }
    if (counts.empty()) return moves;
    const int fewest = std::ranges::min_element(counts, {}, [](const auto& c) { return c.second; })->second;
    std::vector<std::size_t> found;
    for (const auto& [move, wins] : counts)
        if (wins == fewest) found.push_back(move);
    return found;
}

// The moves, out of distinct ones, that are not proved to lose within as many plies as the allowance lets see; if all
// of them are, those that last longest, and of these the ones that leave the opponent the fewest replies that win in
// time.
inline Defence longest_defence(const Core& core, const Outlook& outlook, std::vector<std::size_t> kept,
                               Allowance& allowance, int most) {
    const int attacker = outlook.to_move() ^ 1;
    for (int plies = 1; plies < most; plies += 2) {
        std::vector<std::size_t> lasting;
        bool answered = false;
        for (std::size_t asked = 0; asked < kept.size(); ++asked) {
            if (allowance.over()) {
                // What was not asked any more may last; nothing is known of it.
                lasting.insert(lasting.end(), kept.begin() + static_cast<std::ptrdiff_t>(asked), kept.end());
                return {lasting, {}};
            }
            const auto answer =
                allowance.can_win(outlook.after[kept[asked]].state, attacker, plies, kept.size() - asked);
            answered |= answer.has_value();
            if (!answer.value_or(false)) lasting.push_back(kept[asked]);
        }
        if (lasting.empty()) return {fewest_replies(core, outlook, kept, attacker, plies, allowance), plies + 1};
        kept = std::move(lasting);
        if (!answered) break;
    }
    return {kept, {}};
}

// Replaces `at most` in the facts by exact numbers of plies, as far as `left`, the rest of the limit, allows.
class Settling {
  public:
    Settling(Proofs& proofs, const Outlook& outlook, Findings& findings, const Budget& left)
        : proofs_(proofs), outlook_(outlook), findings_(findings), left_(left) {}

    void run() {
        Allowance allowance(proofs_, outlook_.size(), enough(left_), 1.0);
        part_losses(allowance);
        for (std::size_t i = 0; i < outlook_.size(); ++i) {
            auto& fact = findings_.facts[i];
            if (fact && fact->score->at_most && fact->source != Source::BOOK && !allowance.over()) shorten(i, *fact);
        }
        look_for_a_sooner_win();
    }

  private:
    static constexpr double USUAL_SECONDS = 0.2, LEAST_SECONDS = 0.02;
    static constexpr std::uint64_t NODES = 20'000;  // for each question whether a game is won any sooner

    Proofs& proofs_;
    const Outlook& outlook_;
    Findings& findings_;
    const Budget left_;

    // What all questions may take: nodes where only nodes are limited, so that the same is found again.
    static Budget enough(const Budget& left) {
        if (left.seconds) return {{}, {}, std::max(*left.seconds, LEAST_SECONDS)};
        if (left.nodes) return {{}, std::max(*left.nodes, NODES), {}};
        return {{}, {}, USUAL_SECONDS};
    }

    // Finds out which of several lost moves loses when, the shortest losses first.
    void part_losses(Allowance& allowance) {
        std::vector<std::size_t> waiting;
        int longest = 0;
        for (std::size_t i = 0; i < outlook_.size(); ++i)
            if (const auto& fact = findings_.facts[i]; fact && fact->score->lost() && fact->score->at_most) {
                waiting.push_back(i);
                longest = std::max(longest, fact->score->number);
            }
        if (waiting.size() < 2) return;
        for (int plies = 1; plies < longest; ++plies)
            for (const auto move : std::vector(waiting)) {
                const auto& after = outlook_.after[move];
                const auto answer = proofs_.can_win(after.state, after.to_move(), plies, NODES / 10);
                auto& fact = *findings_.facts[move];
                if (answer.value_or(false)) {
                    fact.score = Score::loss(plies + 1);
                    fact.line.resize(1);
                    fact.note = {};
                }
                if (answer.value_or(true)) std::erase(waiting, move);
                if (allowance.over()) return;
            }
    }

    // Gives a fact the fewest plies that can be proved.
    void shorten(std::size_t move, Analysis& fact) {
        const auto& after = outlook_.after[move];
        Score score = *fact.score;
        const int winner = score.won() ? outlook_.to_move() : outlook_.to_move() ^ 1;
        while (score.at_most) {
            const int sooner = score.number - 2;  // the plies that are left after the move, and one fewer
            const auto answer =
                sooner > 0 ? proofs_.can_win(after.state, winner, sooner, NODES) : std::optional<bool>(false);
            if (!answer) break;
            if (*answer)
                --score.number;
            else
                score.at_most = false;
        }
        fact.score = score;
        if (static_cast<int>(fact.line.size()) > score.number) fact.line.resize(1);
    }

    // Finds out whether a move of which nothing is proved wins sooner than the soonest known win.
    void look_for_a_sooner_win() {
        std::optional<Score> best;
        bool all = true;
        for (const auto& fact : findings_.facts) {
            all &= fact.has_value();
            if (fact && fact->score->won() && (!best || fact->score->order() > best->order())) best = fact->score;
        }
        if (!best || all || best->at_most) return;
        const int sooner = best->number - 1;
        const auto& state = outlook_.here.state;
        const auto answer =
            sooner > 0 ? proofs_.can_win(state, outlook_.to_move(), sooner, NODES) : std::optional<bool>(false);
        findings_.soonest = answer && !*answer;
        if (!answer.value_or(false)) return;
        if (const auto move = proofs_.winning_move(outlook_, sooner))
            findings_.add(outlook_.index(*move),
                          Analysis::proof(Score::win(sooner, true), {*move}, Source::PROOF_SEARCH));
    }
};

}  // namespace plyground
