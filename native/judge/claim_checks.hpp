// Checks whether a claim about a move is true: on the board, by playing it out, or by a proof.
//
// A check trusts nothing of how a claim was found: every move that it names is tried, every pattern looked up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/position.hpp"
#include "core/rules.hpp"
#include "judge/claims.hpp"
#include "judge/oracle.hpp"
#include "judge/tempo.hpp"

namespace plyground {

// What patterns were worth before a move, to compare with what they are after it.
template <int W>
class PatternsBefore {
  public:
    PatternsBefore(const Tables& tables, const Position<W>& position) : tables_(tables) {
        for (int p = 0; p < tables.patterns; ++p) {
            views_.push_back(position.pattern(p).views);
            occupied_.push_back(position.pattern(p).occupied);
        }
        for (int cell = 0; cell < tables.cells; ++cell) kinds_.push_back(position.kind(cell));
    }

    // The numbers of the patterns that were live for a side and are not any more, once for each layer, in the order of
    // layers and patterns.
    std::vector<int> gone(const Position<W>& after, int side) const {
        std::vector<int> found;
        for (std::size_t v = 0; v < tables_.views.size(); ++v)
            for (int p = 0; tables_.views[v].side == side && p < tables_.patterns; ++p)
                if (views_[p] >> v & 1 && !(after.pattern(p).views >> v & 1)) found.push_back(p);
        return found;
    }

    // How many cells a live pattern lacked.
    int lacked(int pattern) const { return tables_.shapes[pattern].size - occupied_[pattern]; }

    // How many live patterns that a side had begun are live no more.
    int blocked(const Position<W>& after, int side) const {
        const auto lost = gone(after, side);
        return static_cast<int>(std::ranges::count_if(lost, [&](int p) { return occupied_[p] > 0; }));
    }

    // In how many live patterns a side has more cells than before.
    int advanced(const Position<W>& after, int side) const {
        int count = 0;
        each_live(tables_, after, side, [&](int view, int p) {
            const auto& cells = tables_.data.patterns[p].cells;
            const int layer = tables_.views[view].layer;
            const auto held = std::ranges::count_if(cells, [&](int cell) { return kinds_[cell] >> layer & 1; });
            count += after.pattern(p).occupied > held;
        });
        return count;
    }

  private:
    const Tables& tables_;
    std::vector<int> views_, occupied_, kinds_;
};

template <int W>
CellSet cells_laid(const Tables& tables, int side, Move move) {
    CellSet set;
    for (auto [cell, kind] : tables.covered[side][move.place]) set.set(cell);
    return set;
}

// Whether a pattern of the opponent is dead because a move of a side has taken the last of its poles.
inline bool touches_poles(const PatternData& pattern, const CellSet& laid) {
    return (cell_set(pattern.neutraliser) & laid).any() && !(cell_set(pattern.cells) & laid).any();
}

// Checks claims about legal moves of positions.
template <int W>
class ClaimChecks {
  public:
    explicit ClaimChecks(ProofOracle& oracle) : oracle_(oracle), tables_(oracle.tables()) {}

    // Whether a claim about a legal move in a position is true.
    bool holds(const Claim& claim, Position<W>& position, Move move) {
        using enum ClaimKind;
        const int mover = position.to_move();
        switch (claim.kind) {
            case COMPLETES:
                return after(position, move, [&] { return completes(claim, position); });
            case STOPS:
                return wins_with(claim, position) && after(position, move, [&] {
                           return !position.outcome() && !can_win_at_once(tables_, position, claim.side);
                       });
            case LEAVES:
                return wins_with(claim, position) && after(position, move, [&] { return wins_with(claim, position); });
            case GIVES_CELL:
                return rests_on(claim, mover, move) &&
                       after(position, move, [&] { return wins_with(claim, position); });
            case LETS:
                return after(position, move, [&] { return wins_with(claim, position); }) &&
                       std::ranges::none_of(wins_at_once(tables_, position, claim.side),
                                            [&](const Finish& win) { return win.move == claim.moves[0]; });
            case TWO_THREATS:
                return has_two_threats(claim, position, move);
            case ZUGZWANG:
                return after(position, move, [&] {
                    return !position.outcome() && !can_win_at_once(tables_, position, claim.side) &&
                           every_reply_loses(position, claim.side);
                });
            case NO_REPLY:
                return after(position, move, [&] { return every_reply_loses(position, claim.side); });
            case FORCES:
                return after(position, move, [&] { return forces(claim, position); });
            case MUST_FILL:
                return must_fill(claim, position, move);
            case FOLLOWS:
                return follows(claim, position, move);
            case CANNOT_WIN:
                return !tables_.recycles() && tables_.data.full_winner != claim.side &&
                       after(position, move, [&] { return position.live(claim.side) == 0; });
            case PAIRING:
                return after(position, move, [&] { return !position.outcome() && is_paired(claim, position); });
            case POLES:
                return takes_poles(claim, position, move);
            case ONLY:
                return is_only(claim, position, move);
            case LASTS: {
                if (!oracle_.wins(position, claim.side ^ 1, claim.number).value_or(false)) return false;
                const Aim aim{claim.side, Result::LOSS, position.ply + claim.number};
                return after(position, move, [&] { return oracle_.keeps(position, aim).value_or(false); });
            }
            case THREATENS:
                return after(position, move, [&] { return wins_with(claim, position); });
            case BLOCKS: {
                const PatternsBefore<W> before(tables_, position);
                const int count =
                    ProofOracle::after(position, move, [&] { return before.blocked(position, claim.side); });
                return count == claim.number && count > 0;
            }
            case BUILDS: {
                const PatternsBefore<W> before(tables_, position);
                const int count =
                    ProofOracle::after(position, move, [&] { return before.advanced(position, claim.side); });
                return count == claim.number && count > 0;
            }
        }
        return false;
    }

  private:
    ProofOracle& oracle_;
    const Tables& tables_;

    // Whether f is true of the position after a move.
    template <class F>
    static bool after(Position<W>& position, Move move, F&& f) {
        return ProofOracle::after(position, move, f);
    }

    // Whether the game is over because the claim's side has the first pattern that it names.
    bool completes(const Claim& claim, Position<W>& position, std::size_t pattern = 0) {
        return claim.patterns.size() > pattern && position.outcome().winner == claim.side &&
               has_completed(tables_, position, claim.patterns[pattern]);
    }

    // Whether the claim's side wins at once with a move and the pattern that it names.
    bool wins_with(const Claim& claim, Position<W>& position, std::size_t at = 0) {
        if (claim.moves.size() <= at) return false;
        const Turn<W> turn(tables_, position, claim.side);
        if (!turn || !may_play(position, claim.moves[at], turn.passed())) return false;
        return after(position, claim.moves[at], [&] { return completes(claim, position, at); });
    }

    // Whether a move is on the board; a game that goes on because somebody passed may seem to be over.
    static bool may_play(Position<W>& position, Move move, bool passed) {
        if (!passed && position.outcome()) return false;
        return position.any_move([&](Move other) { return other == move; });
    }

    // Whether the move that the claim names fills a cell on one that the move has filled.
    bool rests_on(const Claim& claim, int mover, Move move) const {
        if (claim.moves.empty()) return false;
        return lies_on(claim.side, claim.moves[0], mover, move);
    }

    bool lies_on(int side, Move upper, int other, Move lower) const {
        if (!is_placement(side, upper) || !is_placement(other, lower)) return false;
        const auto laid = cells_laid<W>(tables_, other, lower);
        return std::ranges::any_of(tables_.rests_on[side][upper.place], [&](int cell) { return laid.test(cell); });
    }

    bool is_placement(int side, Move move) const { return move.place >= 0 && move.place < tables_.places[side]; }

    bool has_two_threats(const Claim& claim, Position<W>& position, Move move) {
        if (claim.moves.size() != 2 || claim.patterns.size() != 2 || claim.moves[0] == claim.moves[1]) return false;
        return after(position, move, [&] {
            const Line<W> line(position, claim.after);
            return line && wins_with(claim, position, 0) && wins_with(claim, position, 1) &&
                   every_reply_loses(position, claim.side);
        });
    }

    // Whether the other side, which is to move, completes a pattern of the side or lets it do so, whatever it plays.
    bool every_reply_loses(Position<W>& position, int side) {
        if (position.outcome() || position.to_move() == side) return false;
        return std::ranges::all_of(moves_of(position), [&](Move reply) {
            return after(position, reply, [&] {
                if (const auto outcome = position.outcome()) return outcome.winner == side;
                return can_win_at_once(tables_, position, side);
            });
        });
    }

    // The win takes so long before every move of the play named: nobody errs in it.
    bool forces(const Claim& claim, Position<W>& position) {
        int left = claim.number - 1;
        Line<W> line(position);
        for (Move next : claim.moves) {
            if (position.outcome() || !oracle_.takes(position, claim.side, left)) return false;
            if (!Line<W>::is_legal(position, next)) return false;
            line.play(next);
            --left;
        }
        return oracle_.takes(position, claim.side, left);
    }

    bool must_fill(const Claim& claim, Position<W>& position, Move move) {
        if (claim.moves.size() < 2) return false;
        const std::vector<Move> first(claim.moves.begin(), claim.moves.end() - 2);
        const Move forced = claim.moves[first.size()], last = claim.moves.back();
        const bool fills = after(position, move, [&] {
            Line<W> line(position, first);
            if (!line || position.to_move() == claim.side || can_win_at_once(tables_, position, claim.side))
                return false;
            const Line<W> end(position, {forced, last});
            return end && completes(claim, position) && lies_on(claim.side, last, claim.side ^ 1, forced);
        });
        return fills && after(position, move, [&] { return forces(claim, position); });
    }

    bool follows(const Claim& claim, Position<W>& position, Move move) {
        return after(position, move, [&] {
            const Line<W> line(position, claim.after);
            if (!line) return false;
            const auto way = oracle_.piles().waiting(position);
            if (!way || way->follower != claim.side || way->settled != claim.cells || way->odd != claim.number)
                return false;
            if (!patterns_with(tables_, position, claim.side ^ 1, way->open).empty()) return false;
            const auto own = patterns_with(tables_, position, claim.side, way->settled);
            return std::ranges::all_of(
                claim.patterns, [&](const CellSet& pattern) { return std::ranges::find(own, pattern) != own.end(); });
        });
    }

    // Whether disjoint pairs of empty cells lie in every pattern that the opponent can still complete.
    bool is_paired(const Claim& claim, const Position<W>& position) {
        if (!tables_.pairable()) return false;
        CellSet free;
        for (int cell = 0; cell < tables_.cells; ++cell)
            if (!position.taken(cell)) free.set(cell);
        for (const auto& [one, other] : claim.pairs) {
            if (one == other || !free.test(one) || !free.test(other)) return false;
            free.reset(one);
            free.reset(other);
        }
        return std::ranges::all_of(oracle_.open_to(position, claim.side ^ 1), [&](const CellSet& open) {
            return std::ranges::any_of(
                claim.pairs, [&](const auto& pair) { return open.test(pair.first) && open.test(pair.second); });
        });
    }

    bool takes_poles(const Claim& claim, Position<W>& position, Move move) {
        const PatternsBefore<W> before(tables_, position);
        const auto laid = cells_laid<W>(tables_, position.to_move(), move);
        const auto gone = ProofOracle::after(position, move, [&] { return before.gone(position, claim.side); });
        return !claim.patterns.empty() && std::ranges::any_of(gone, [&](int p) {
            const auto& pattern = tables_.data.patterns[p];
            return cell_set(pattern.cells) == claim.patterns[0] && touches_poles(pattern, laid);
        });
    }

    // Every other move loses by the ply; this one does not.
    bool is_only(const Claim& claim, Position<W>& position, Move move) {
        const Aim aim{claim.side, Result::LOSS, position.ply + claim.number + 1};
        const auto moves = moves_of(position);
        if (moves.size() < 2) return false;
        // All are asked, in their order, so that the same is found out whichever is the only one.
        bool only = true;
        for (Move each : moves) {
            const auto kept = ProofOracle::after(position, each, [&] { return oracle_.keeps(position, aim); });
            only = only && kept == std::optional<bool>(each == move);
        }
        return only;
    }
};

}  // namespace plyground
