// Candidates for claims about a move, the most important first; whether they are true is checked afterwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/position.hpp"
#include "core/rules.hpp"
#include "judge/claim_checks.hpp"
#include "judge/claims.hpp"
#include "judge/oracle.hpp"
#include "judge/score.hpp"
#include "judge/tempo.hpp"
#include "proof/pairing.hpp"

namespace plyground {

// Looks for claims about one move. `offer` is called with each candidate until it answers that these are enough; what
// follows is not looked for, and no question is asked about it.
template <int W, class Offer>
class ClaimSearch {
  public:
    static constexpr int SHORT_WIN_PLIES = 9;  // of forced wins that are looked for where nothing is known
    static constexpr int SHOWN_MOVES = 7;      // of a forced play, at most
    static constexpr int PAIRING_TRIES = 20'000;

    // `score` is what is proved about the move, for its mover; nothing or an opinion if nothing is.
    ClaimSearch(ProofOracle& oracle, Position<W>& position, Move move, std::optional<Score> score, Offer offer)
        : oracle_(oracle),
          tables_(oracle.tables()),
          position_(position),
          move_(move),
          score_(score && score->proved() ? score : std::nullopt),
          mover_(position.to_move()),
          other_(mover_ ^ 1),
          offer_(std::move(offer)) {}

    void run() {
        std::optional<Score> score = score_;
        const auto outcome = after([&] { return position_.outcome(); });
        if (outcome) {
            if (outcome.winner < 0)
                offer({ClaimKind::CANNOT_WIN, other_});
            else
                offer({.kind = ClaimKind::COMPLETES,
                       .side = outcome.winner,
                       .patterns = {after([&] {
                           return cell_set(tables_.data.patterns[completed_pattern(tables_, position_)].cells);
                       })}});
            return;
        }
        if (!score) score = after([&] { return short_end(); });
        const bool enough = score && score->won()    ? winning(*score)
                            : score && score->lost() ? losing(*score)
                                                     : holding(score.has_value());
        if (!enough) plain();
    }

  private:
    ProofOracle& oracle_;
    const Tables& tables_;
    Position<W>& position_;
    const Move move_;
    const std::optional<Score> score_;
    const int mover_, other_;
    Offer offer_;

    bool offer(Claim claim) { return offer_(std::move(claim)); }

    // What f says of the position after the move.
    template <class F>
    auto after(F&& f) {
        return ProofOracle::after(position_, move_, f);
    }

    // A short forced win or loss after the move, if nothing is proved about it yet.
    std::optional<Score> short_end() {
        for (int plies = 1; plies < SHORT_WIN_PLIES; ++plies)
            for (int side : {mover_, other_}) {
                const auto won = oracle_.wins(position_, side, plies);
                if (!won) return {};  // longer ones take longer
                if (*won) return side == mover_ ? Score::win(plies + 1) : Score::loss(plies + 1);
            }
        return {};
    }

    // The plies of a win counted from before the move, exactly.
    std::optional<int> length_of(int winner, Score score) {
        if (!score.at_most && score.decided()) return score.number;
        const auto found = after([&] { return oracle_.length(position_, winner, score.number); });
        if (!found) return {};
        return *found + 1;
    }

    // ------------------------------------------------------------ won

    bool winning(Score score) {
        const auto length = length_of(mover_, score);
        return stops() || decided(mover_, {}, length) || played_out(mover_, length) || only();
    }

    // Claims about why the game is decided for a side that is not to move after these replies to the move.
    bool decided(int side, const std::vector<Move>& replies, std::optional<int> length) {
        if (length == 3 + static_cast<int>(replies.size())) {
            if (two_threats(side, replies)) return true;
            if (replies.empty() && (offer({ClaimKind::ZUGZWANG, side}) || offer({ClaimKind::NO_REPLY, side})))
                return true;
        }
        return follows(side, replies, true);
    }

    bool two_threats(int side, const std::vector<Move>& replies) {
        const auto found = after([&] {
            const Line<W> line(position_, replies);
            return wins_at_once(tables_, position_, side);
        });
        // Two different patterns say more than two ways to complete one.
        std::vector<std::size_t> chosen;
        for (std::size_t at = found.size(); at-- > 0;) {
            const auto same = std::ranges::find_if(
                chosen, [&](std::size_t other) { return found[other].pattern == found[at].pattern; });
            if (same == chosen.end())
                chosen.push_back(at);
            else
                *same = at;
        }
        for (std::size_t at = 0; at < found.size(); ++at)
            if (std::ranges::find(chosen, at) == chosen.end()) chosen.push_back(at);
        if (chosen.size() < 2) return false;
        const auto [first, second] = std::minmax(chosen[0], chosen[1]);
        return offer({.kind = ClaimKind::TWO_THREATS,
                      .side = side,
                      .moves = {found[first].move, found[second].move},
                      .after = replies,
                      .patterns = {found[first].pattern, found[second].pattern}});
    }

    bool follows(int side, const std::vector<Move>& replies, bool wins) {
        std::optional<Claim> claim = after([&]() -> std::optional<Claim> {
            const Line<W> line(position_, replies);
            const auto way = oracle_.piles().waiting(position_);
            if (!way || way->follower != side) return {};
            auto patterns = patterns_with(tables_, position_, side, way->settled);
            if (patterns.empty() && wins) return {};
            patterns.resize(wins ? 1 : 0);
            return Claim{.kind = ClaimKind::FOLLOWS,
                         .side = side,
                         .after = replies,
                         .cells = way->settled,
                         .patterns = std::move(patterns),
                         .number = way->odd};
        });
        return claim && offer(std::move(*claim));
    }

    // Claims with the moves that decide the game and, in games with columns, how it ends.
    bool played_out(int winner, std::optional<int> length) {
        if (!length || *length < 2) return false;
        const bool piles = static_cast<bool>(oracle_.piles());
        auto play =
            after([&] { return oracle_.play(position_, winner, *length - 1, piles ? *length - 1 : SHOWN_MOVES); });
        if (play.empty()) return false;
        if (piles && static_cast<int>(play.size()) == *length - 1 && play.size() >= 2) {
            const int pattern = after([&] {
                const Line<W> line(position_, play);
                return completed_pattern(tables_, position_);
            });
            std::vector<CellSet> patterns;
            if (pattern >= 0) patterns.push_back(cell_set(tables_.data.patterns[pattern].cells));
            if (offer({.kind = ClaimKind::MUST_FILL,
                       .side = winner,
                       .moves = play,
                       .patterns = std::move(patterns),
                       .number = *length}))
                return true;
        }
        if (play.size() > SHOWN_MOVES) play.resize(SHOWN_MOVES);
        return offer({.kind = ClaimKind::FORCES, .side = winner, .moves = std::move(play), .number = *length});
    }

    // ------------------------------------------------------------ lost

    bool losing(Score score) {
        const auto length = length_of(other_, score);
        const auto replies = after([&] { return wins_at_once(tables_, position_, other_); });
        if (!replies.empty())
            for (ClaimKind kind : {ClaimKind::GIVES_CELL, ClaimKind::LEAVES, ClaimKind::LETS})
                if (offer({.kind = kind, .side = other_, .moves = {replies[0].move}, .patterns = {replies[0].pattern}}))
                    return true;
        if (length && *length > 2 && (refuted(other_, *length) || played_out(other_, length))) return true;
        if (length && offer({.kind = ClaimKind::LASTS, .side = mover_, .number = *length})) return true;
        return stops();
    }

    // Claims about the reply that refutes the move.
    bool refuted(int side, int length) {
        const auto reply = after([&] { return oracle_.play(position_, side, length - 1, 1); });
        return !reply.empty() && decided(side, reply, length);
    }

    // ------------------------------------------------------------ held

    bool holding(bool drawn) {
        if (stops() || poles() || threatens() || offer({ClaimKind::CANNOT_WIN, other_}) || pairing(mover_) ||
            follows(mover_, {}, false) || only())
            return true;
        return drawn && (offer({ClaimKind::CANNOT_WIN, mover_}) || pairing(other_));
    }

    bool stops() {
        const auto threats = wins_at_once(tables_, position_, other_);
        return !threats.empty() && offer({.kind = ClaimKind::STOPS,
                                          .side = other_,
                                          .moves = {threats[0].move},
                                          .patterns = {threats[0].pattern}});
    }

    // The pattern of the other side that lacked least, of those that a pole takes off the board.
    bool poles() {
        const PatternsBefore<W> before(tables_, position_);
        const auto laid = cells_laid<W>(tables_, mover_, move_);
        auto gone = after([&] { return before.gone(position_, other_); });
        std::erase_if(gone, [&](int p) { return !touches_poles(tables_.data.patterns[p], laid); });
        const auto least = std::ranges::min_element(gone, {}, [&](int p) { return before.lacked(p); });
        if (least == gone.end()) return false;
        const auto& pattern = tables_.data.patterns[*least];
        return offer({.kind = ClaimKind::POLES,
                      .side = other_,
                      .cells = cell_set(pattern.neutraliser),
                      .patterns = {cell_set(pattern.cells)}});
    }

    bool pairing(int side) {
        if (!tables_.pairable()) return false;
        const auto theirs = after([&] { return oracle_.open_to(position_, side ^ 1); });
        if (static_cast<int>(theirs.size()) > ProofOracle::MANY_PATTERNS) return false;
        PairingFinder<MAX_CELLS / 64> finder;
        if (finder.find(theirs, PAIRING_TRIES) != Pairable::YES || finder.pairs.empty()) return false;
        std::ranges::sort(finder.pairs);
        return offer({.kind = ClaimKind::PAIRING, .side = side, .pairs = finder.pairs});
    }

    // The claim that all other moves lose, and within how many plies, if that can be proved.
    bool only() {
        int worst = 0;
        for (Move move : moves_of(position_)) {
            if (move == move_) continue;
            const auto plies = ProofOracle::after(position_, move, [&]() -> std::optional<int> {
                if (position_.outcome()) return {};
                if (!oracle_.wins(position_, other_, SHORT_WIN_PLIES).value_or(false)) return {};
                return oracle_.length(position_, other_, SHORT_WIN_PLIES);
            });
            if (!plies) return false;
            worst = std::max(worst, *plies + 1);
        }
        return worst && offer({.kind = ClaimKind::ONLY, .side = mover_, .number = worst});
    }

    // ------------------------------------------------------------ what a move does

    void plain() {
        if (poles() || threatens()) return;
        const PatternsBefore<W> before(tables_, position_);
        const int blocked = after([&] { return before.blocked(position_, other_); });
        const int advanced = after([&] { return before.advanced(position_, mover_); });
        if (!offer({.kind = ClaimKind::BLOCKS, .side = other_, .number = blocked}))
            offer({.kind = ClaimKind::BUILDS, .side = mover_, .number = advanced});
    }

    bool threatens() {
        const auto threats = after([&] { return wins_at_once(tables_, position_, mover_); });
        return !threats.empty() && offer({.kind = ClaimKind::THREATENS,
                                          .side = mover_,
                                          .moves = {threats[0].move},
                                          .patterns = {threats[0].pattern}});
    }
};

}  // namespace plyground
