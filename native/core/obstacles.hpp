// What keeps placements from being made: cells of theirs that are taken, and cells they rest on that are empty.
#pragma once

#include <array>
#include <cstdint>

#include "core/hot.hpp"
#include "core/lines.hpp"
#include "core/mask.hpp"
#include "core/rules.hpp"

namespace plyground {

template <int W>
class Obstacles {
  public:
    // Of an empty board.
    explicit Obstacles(const Tables& tables) {
        for (int shape = 0; shape < tables.shape_count; ++shape) {
            counts_[shape].resize(tables.places[shape]);
            for (int place = 0; place < tables.places[shape]; ++place) {
                counts_[shape][place] = static_cast<std::uint8_t>(tables.rests_on[shape][place].size());
                if (tables.has_passes() && place == tables.pass_of(shape)) counts_[shape][place] = 1;  // never free
                if (!counts_[shape][place]) playable_[shape].set(place);
            }
        }
    }

    // The placements without any, by shape.
    const Mask<W>& playable(int shape) const { return playable_[shape]; }

    // A cell is taken (+1) or emptied (-1).
    template <int D>
    PLYGROUND_HOT void change(const Tables& tables, int cell) {
        for (int shape = 0; shape < tables.shape_count; ++shape) {
            // Bytes may be anything to the compiler: what it would read again after each write is kept here.
            std::uint8_t* const counts = counts_[shape].data();
            auto& playable = playable_[shape];
            for (int place : tables.covering[shape][cell]) {
                counts[place] += D;
                if (counts[place] == (D > 0 ? 1 : 0)) D > 0 ? playable.reset(place) : playable.set(place);
            }
            for (int place : tables.resting[shape][cell]) {
                counts[place] -= D;
                if (counts[place] == (D > 0 ? 0 : 1)) D > 0 ? playable.set(place) : playable.reset(place);
            }
        }
    }

  private:
    std::array<OwnList<std::uint8_t>, 2> counts_;  // by shape and placement
    std::array<Mask<W>, 2> playable_{};
};

}  // namespace plyground
