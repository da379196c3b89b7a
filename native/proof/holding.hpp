// Whether a side holds a position by a pairing, and which moves keep it so.
#pragma once

#include <cstdint>
#include <vector>

#include "core/mask.hpp"
#include "core/position.hpp"
#include "core/rules.hpp"
#include "proof/pairing.hpp"

namespace plyground {

class Holder {
  public:
    explicit Holder(const Tables& tables) : pairable_(tables.pairable()) {
        for (const auto& pattern : tables.data.patterns) {
            auto& mask = cells_.emplace_back();
            for (int cell : pattern.cells) mask.set(cell);
        }
    }

    // Whether a pairing keeps the opponent of `side` from every pattern, whoever is to move; no when it is hard to
    // find.
    template <int W>
    bool holds(const Position<W>& position, int side, std::uint64_t effort) {
        if (!pairable_) return false;
        open_.clear();
        position.any_live(side ^ 1, [&](int pattern) {
            auto& cells = open_.emplace_back(cells_[pattern]);
            cells_[pattern].each([&](int cell) {
                if (position.taken(cell)) cells.reset(cell);
            });
            return false;
        });
        return finder_.settles(open_) || finder_.find(open_, effort) == Pairable::YES;
    }

    // The moves that do not lose at once and after which the mover holds the position.
    template <int W>
    std::vector<Move> keeping(Position<W>& position, std::uint64_t effort) {
        const int side = position.to_move();
        const bool held = holds(position, side, effort);  // an extra disc never hurts
        const Move before = position.last;
        std::vector<Move> kept;
        position.any_move([&](Move move) {
            position.make(move);
            const auto outcome = position.outcome();
            if (outcome ? outcome.winner != (side ^ 1) : held || holds(position, side, effort)) kept.push_back(move);
            position.unmake(before);
            return false;
        });
        return kept;
    }

  private:
    static constexpr int WORDS = MAX_CELLS / 64;
    const bool pairable_;
    std::vector<Mask<WORDS>> cells_, open_;
    PairingFinder<WORDS> finder_;
};

}  // namespace plyground
