// Whether a result can be kept, and by which moves: answered exactly by the solver and by proof search.
//
// Opinions do not count here. What takes too much effort is not answered.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "connect_four/solver.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"
#include "judge/score.hpp"
#include "judge/tempo.hpp"
#include "proof/pairing.hpp"
#include "proof/proof.hpp"
#include "proof/proof_table.hpp"
#include "search/control.hpp"

namespace plyground {

// The positions that solver and proof search may visit: for one question, and for all of an oracle's life.
struct Effort {
    std::uint64_t nodes = 300'000;
    std::uint64_t nodes_in_all = ~std::uint64_t{0};
};

// What a side wants to reach: to win by a ply, not to lose, or not to lose before a ply.
struct Aim {
    int side;
    Result result;
    int by;  // counted from the start of the game; 0 for a draw
};

class ProofOracle {
  public:
    // More patterns of the opponent than these are not paired off: it would take long and hardly ever help.
    static constexpr int MANY_PATTERNS = 100;

    // A game has a solver, a table of proofs, or both. `outer` has begun, and ends everything once it is stopped.
    ProofOracle(const Tables& tables, connect_four::Solver* solver, ProofTable* proofs, Control& outer, Effort effort)
        : tables_(tables), solver_(solver), proofs_(proofs), outer_(outer), effort_(effort), piles_(tables) {
        for (int side = 0; side < 2; ++side)
            for (const auto& cover : tables.covered[side])
                for (auto [cell, kind] : cover) serves_[side ^ 1] |= tables.sides_of_kind[kind] >> (side ^ 1) & 1;
    }

    const Tables& tables() const { return tables_; }
    const Piles& piles() const { return piles_; }
    // Positions visited so far.
    std::uint64_t nodes() const { return nodes_; }

    // Whether the side reaches its aim with best play; nothing if that was not found out.
    template <int W>
    std::optional<bool> keeps(Position<W>& position, Aim aim) {
        if (const auto outcome = position.outcome()) {
            if (outcome.winner < 0) return aim.result != Result::WIN;
            if (outcome.winner == aim.side) return aim.result != Result::WIN || position.ply <= aim.by;
            return aim.result == Result::LOSS && position.ply >= aim.by;
        }
        if (solves(position)) {
            const auto found = score(position, 0);
            if (!found) return {};
            return is_good(position, position.to_move() == aim.side ? *found : -*found, aim);
        }
        if (aim.result == Result::WIN) return wins(position, aim.side, aim.by - position.ply);
        const int end = aim.result == Result::DRAW ? tables_.data.max_plies : aim.by - 1;
        const auto beaten = wins(position, aim.side ^ 1, end - position.ply);
        if (!beaten) return {};
        return !*beaten;
    }

    // The moves of the side to move that keep its aim; nothing if that was not found out for one of them.
    template <int W>
    std::optional<std::vector<Move>> right(Position<W>& position, Aim aim) {
        std::vector<Move> found;
        for (Move move : moves_of(position)) {
            const auto kept = after(position, move, [&] { return keeps(position, aim); });
            if (!kept) return {};
            if (*kept) found.push_back(move);
        }
        return found;
    }

    // The exact score of a position that goes on, for the side to move; nothing if it was not found out. Without a
    // solver only wins and losses in at most so many plies are found.
    template <int W>
    std::optional<Score> score(Position<W>& position, int most) {
        if (solves(position)) return solve(position);
        const int mover = position.to_move();
        for (int plies = 1; plies <= most; ++plies)
            for (int side : {mover, mover ^ 1}) {
                if (!may_take(position, side, plies)) continue;
                const auto won = wins(position, side, plies);
                if (!won) return {};
                if (*won) return side == mover ? Score::win(plies) : Score::loss(plies);
            }
        return {};
    }

    // Whether a side can force a win within some plies of a game that goes on; nothing if not found out.
    template <int W>
    std::optional<bool> wins(Position<W>& position, int side, int plies) {
        if (plies <= 0) return false;
        if (solves(position)) {
            const auto found = solve(position);
            if (!found) return {};
            const Score mine = position.to_move() == side ? *found : -*found;
            return mine.won() && mine.number <= plies;
        }
        if (cannot_lose(position, side ^ 1)) return false;
        if (!proofs_) return {};
        std::uint64_t nodes = effort_.nodes;
        // With many moves a position takes a hundred times as long as usual.
        if (const std::uint64_t moves = moves_of(position).size(); moves > MANY_MOVES)
            nodes = std::min(nodes, MANY_MOVES_LISTED / moves);
        return asked(nodes, [&](Control& control) {
            ProofSearch<W> search(tables_, position, *proofs_, control);
            const auto answer = search.ask({side, position.ply + plies});
            nodes_ += search.nodes();
            if (answer == ProofAnswer::UNKNOWN) return std::optional<bool>{};
            return std::optional<bool>{answer == ProofAnswer::WIN_PROVED};
        });
    }

    // The fewest plies found in which a side forces its win of a game that goes on; nothing if not within `most`.
    // A shorter win may exist; `takes` says whether that is ruled out.
    template <int W>
    std::optional<int> length(Position<W>& position, int winner, int most) {
        if (solves(position)) {
            const auto found = solve(position);
            if (!found || !found->decided()) return {};
            return found->number;
        }
        for (int plies = 1; plies <= most; ++plies)
            if (may_take(position, winner, plies) && wins(position, winner, plies).value_or(false)) return plies;
        return {};
    }

    // Best play of both sides towards a win, at most so many moves: the win is one ply nearer after each. The win is
    // proved to take `length` plies. The play is shorter where something is not found out.
    template <int W>
    std::vector<Move> play(Position<W>& position, int winner, int length, int most) {
        std::vector<Move> played;
        Line<W> line(position);
        while (!position.outcome() && static_cast<int>(played.size()) < most) {
            --length;
            const auto moves = moves_of(position);
            const auto best = std::ranges::find_if(moves, [&](Move move) {
                return after(position, move, [&] { return takes(position, winner, length); });
            });
            if (best == moves.end()) break;
            played.push_back(*best);
            line.play(*best);
        }
        return played;
    }

    // Whether a win is proved to take exactly this many plies.
    template <int W>
    bool takes(Position<W>& position, int winner, int length) {
        if (const auto outcome = position.outcome()) return length == 0 && outcome.winner == winner;
        if (length <= 0 || !wins(position, winner, length).value_or(false)) return false;
        return !wins(position, winner, length - 1).value_or(true);
    }

    // What f says of the position after a move.
    template <int W, class F>
    static auto after(Position<W>& position, Move move, F&& f) {
        Line<W> line(position);
        line.play(move);
        return f();
    }

    // The cells that a side still needs for each pattern it can complete.
    template <int W>
    std::vector<CellSet> open_to(const Position<W>& position, int side) const {
        std::vector<CellSet> open;
        each_live(tables_, position, side, [&](int, int p) {
            auto& cells = open.emplace_back();
            for (int cell : tables_.data.patterns[p].cells)
                if (!position.taken(cell)) cells.set(cell);
        });
        return open;
    }

  private:
    static constexpr std::uint64_t MANY_MOVES = 100, MANY_MOVES_LISTED = 10'000;
    static constexpr std::uint64_t GLANCE_TRIES = 100;  // pairs tried at a look whether a side is safe

    const Tables& tables_;
    connect_four::Solver* solver_;
    ProofTable* proofs_;
    Control& outer_;
    Effort effort_;
    Piles piles_;
    std::array<bool, 2> serves_{};  // whether the opponent's placements may add to a side's patterns
    PairingFinder<MAX_CELLS / 64> finder_;
    std::uint64_t nodes_ = 0;

    // What f finds out with so many positions at most; nothing once the effort is spent.
    template <class F>
    auto asked(std::uint64_t nodes, F&& f) -> decltype(f(outer_)) {
        const std::uint64_t left = effort_.nodes_in_all - std::min(nodes_, effort_.nodes_in_all);
        if (left == 0 || outer_.look()) return {};
        Control control;
        control.begin({std::min(nodes, left), outer_.seconds_left()}, [this] { return outer_.look(); }, true);
        return f(control);
    }

    // Whether a win of a side may take so many plies: only the last move of a side completes its patterns, unless the
    // opponent's moves can add to them too.
    template <int W>
    bool may_take(const Position<W>& position, int side, int plies) const {
        return serves_[side] || plies % 2 == (position.to_move() == side ? 1 : 0);
    }

    // Whether a pairing proves that a side cannot lose.
    template <int W>
    bool cannot_lose(const Position<W>& position, int side) {
        if (!tables_.pairable() || position.live(side ^ 1) > MANY_PATTERNS) return false;
        return finder_.find(open_to(position, side ^ 1), GLANCE_TRIES) == Pairable::YES;
    }

    // Whether there is a solver, and the discs can come from turns taken one by one.
    template <int W>
    bool solves(const Position<W>& position) const {
        if (!solver_) return false;
        std::array<int, 2> discs{};
        for (int cell = 0; cell < tables_.cells; ++cell)
            if (const int kind = position.kind(cell)) ++discs[kind == 1 ? 0 : 1];
        return discs[0] == (position.ply + 1) / 2 && discs[1] == position.ply / 2;
    }

    template <int W>
    std::optional<Score> solve(const Position<W>& position) {
        connect_four::Word128 own = 0, other = 0;
        for (int cell = 0; cell < tables_.cells; ++cell)
            if (const int kind = position.kind(cell))
                (kind == 1 << position.to_move() ? own : other) |= connect_four::Word128(1) << cell;
        const auto found = asked(effort_.nodes, [&](Control& control) {
            const auto answer = solver_->solve({own, other}, {-WIDEST, WIDEST}, 1, control);
            nodes_ += answer.nodes;
            return answer.score;
        });
        if (!found) return {};
        // n > 0: a win with the n-th disc counted from the last one, -n: a loss likewise.
        const int left = position.empty_cells();
        if (*found > 0) return Score::win(2 * ((left + 1) / 2 - *found) + 1);
        if (*found < 0) return Score::loss(2 * (left / 2 + *found) + 2);
        return Score::draw();
    }

    static constexpr int WIDEST = 128;

    // Whether a score, for the aim's side, is as good as the aim.
    template <int W>
    static bool is_good(const Position<W>& position, Score score, Aim aim) {
        if (aim.result == Result::WIN) return score.won() && position.ply + score.number <= aim.by;
        return !score.lost() || (aim.result == Result::LOSS && position.ply + score.number >= aim.by);
    }
};

}  // namespace plyground
