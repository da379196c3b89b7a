// Claims about a move, as data: each can be checked in its position. `judge/claims.py` says what each kind means.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/rules.hpp"
#include "judge/tempo.hpp"

namespace plyground {

enum class ClaimKind : std::uint8_t {
    COMPLETES,
    STOPS,
    LEAVES,
    GIVES_CELL,
    LETS,
    TWO_THREATS,
    ZUGZWANG,
    NO_REPLY,
    FORCES,
    MUST_FILL,
    FOLLOWS,
    CANNOT_WIN,
    PAIRING,
    POLES,
    ONLY,
    LASTS,
    THREATENS,
    BLOCKS,
    BUILDS,
};

constexpr int CLAIM_KINDS = 19;

// The names that claims have in every language and in every file, by kind.
constexpr std::array<const char*, CLAIM_KINDS> CLAIM_NAMES{
    "completes", "stops",  "leaves",    "gives-cell", "lets",       "two-threats", "zugzwang",
    "no-reply",  "forces", "must-fill", "follows",    "cannot-win", "pairing",     "poles",
    "only",      "lasts",  "threatens", "blocks",     "builds"};

using Pairs = std::vector<std::pair<int, int>>;

struct Claim {
    ClaimKind kind;
    int side;                   // whom it is about
    std::vector<Move> moves{};  // those that it names, in the order of the kind
    std::vector<Move> after{};  // those after the move that lead to the position for which it holds
    CellSet cells{};            // those that it names
    std::vector<CellSet> patterns{};
    Pairs pairs{};
    int number = 0;  // plies, or how many patterns
};

// Whether a kind says why the game is won, lost or held, and not only what a move does.
constexpr bool explains(ClaimKind kind) {
    return kind != ClaimKind::THREATENS && kind != ClaimKind::BLOCKS && kind != ClaimKind::BUILDS;
}

// Whether two kinds are so similar that an explanation uses one of them.
constexpr bool alike(ClaimKind one, ClaimKind other) {
    using enum ClaimKind;
    constexpr auto in = [](auto... kinds) { return ((1u << static_cast<int>(kinds)) | ...); };
    constexpr unsigned GROUPS[] = {
        in(COMPLETES),
        in(TWO_THREATS, ZUGZWANG, NO_REPLY, THREATENS, FORCES),
        in(FOLLOWS, MUST_FILL),
        in(STOPS, POLES, BLOCKS),
        in(GIVES_CELL, LEAVES, LETS, FORCES),
        in(PAIRING, CANNOT_WIN, FOLLOWS),
        in(BUILDS, BLOCKS),
    };
    for (const unsigned group : GROUPS)
        if (group >> static_cast<int>(one) & 1 && group >> static_cast<int>(other) & 1) return true;
    return false;
}

}  // namespace plyground
