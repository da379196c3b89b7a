// Why a move wins, loses or holds: up to three claims, each checked in the position before it is used.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/position.hpp"
#include "core/rules.hpp"
#include "judge/claim_checks.hpp"
#include "judge/claim_search.hpp"
#include "judge/claims.hpp"
#include "judge/oracle.hpp"
#include "judge/score.hpp"

namespace plyground {

struct Explanation {
    std::vector<Claim> claims;   // what is true about the move, the most important first
    std::optional<Score> score;  // what the move is worth, made exact by what the claims say
    bool contradicts = false;    // whether a claim is against the score that was given: then a proof is wrong
};

constexpr std::size_t MOST_CLAIMS = 3;

// The plies within which the side of a claim wins, counted from before the move; nothing if it does not say.
inline std::optional<int> plies_of(const Claim& claim) {
    using enum ClaimKind;
    switch (claim.kind) {
        case FORCES:
        case MUST_FILL:
            return claim.number;
        case GIVES_CELL:
        case LEAVES:
        case LETS:
            return 2;
        case TWO_THREATS:
        case ZUGZWANG:
        case NO_REPLY:
            return 3 + static_cast<int>(claim.after.size());
        default:
            return {};
    }
}

// Makes the score of an explanation exact by the claims that say when the game ends.
inline void sharpen(Explanation& found, int mover) {
    for (int winner : {mover, mover ^ 1}) {
        std::optional<int> plies;
        for (const auto& claim : found.claims)
            if (claim.side == winner && plies_of(claim)) plies = plies_of(claim);
        if (!plies) continue;
        const Score exact = winner == mover ? Score::win(*plies) : Score::loss(*plies);
        if (!found.score || !found.score->proved()) {
            found.score = exact;
        } else if (found.score->at_most) {
            const auto both = combined(*found.score, exact);
            found.contradicts = !both;
            if (both) found.score = both;
        } else {
            continue;
        }
        return;
    }
}

// Why a legal move is worth a score, for its mover; without one, or with an opinion, short wins are looked for.
template <int W>
Explanation explain(ProofOracle& oracle, Position<W>& position, Move move, std::optional<Score> score) {
    Explanation found{{}, score};
    ClaimChecks<W> checks(oracle);
    const bool decided = score && score->decided();
    const auto offer = [&](Claim claim) {
        // A game that is decided needs no word about what else the move does.
        if (decided && !found.claims.empty() && !explains(claim.kind)) return true;
        const bool said =
            std::ranges::any_of(found.claims, [&](const Claim& other) { return alike(claim.kind, other.kind); });
        if (!said && checks.holds(claim, position, move)) found.claims.push_back(std::move(claim));
        return found.claims.size() == MOST_CLAIMS;
    };
    ClaimSearch<W, decltype(offer)>(oracle, position, move, score, offer).run();
    sharpen(found, position.to_move());
    return found;
}

}  // namespace plyground
