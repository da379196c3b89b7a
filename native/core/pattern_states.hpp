// Everything that can stand on a pattern, numbered: laying or lifting one cell leads from state to state by a table.
//
// A state is how many of the pattern's cells each kind of disc covers, and how many of its poles each side has
// taken, and how many cells that are barred to it each layer has; where exactly does not matter. So what a pattern is
// worth, for whom it is live and what it threatens are looked up, and a move costs one step per pattern it touches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/rules.hpp"

namespace plyground {

struct PatternState {
    std::int64_t value = 0;      // to the first side
    std::uint32_t live = 0;      // views it is live for: the first side's in the low half, the second's in the high
    std::uint8_t views = 0;      // which those are
    std::uint8_t threats = 0;    // those that lack one cell
    std::uint8_t nearly = 0;     // those that lack two, where that is followed
    std::uint8_t completed = 0;  // the sides that have it
    bool eventful = false;       // whether there is anything in the last three
    std::uint8_t occupied = 0;   // cells
    std::array<std::uint8_t, 2> taken{};  // poles, by side
    std::uint8_t holding = 0;             // as a net counts it; 0 where nobody holds it alone
};

class PatternStates {
  public:
    // The worth of a live pattern to a side, by poles its opponent has taken and cells it holds.
    using Worth = std::function<std::int64_t(int pattern, int side, int taken, int own)>;

    // Patterns of one group have the same worth.
    PatternStates(const Tables& tables, const std::vector<int>& groups, const Worth& worth);

    // Whether there are few enough states to number them; if not, nothing else can be asked.
    bool fit() const { return fit_; }

    const PatternState& operator[](int state) const { return states_[state]; }
    std::uint16_t start(int pattern) const { return starts_[pattern]; }

    // The state after a disc of that kind is laid on (D > 0) or lifted from a cell, or a pole.
    template <int D>
    std::uint16_t cell(int state, int kind) const {
        return (D > 0 ? cell_up_ : cell_down_)[state << MAX_LAYERS | kind];
    }
    template <int D>
    std::uint16_t pole(int state, int kind) const {
        return (D > 0 ? pole_up_ : pole_down_)[state << MAX_LAYERS | kind];
    }
    // The same for a barred cell.
    template <int D>
    std::uint16_t bar(int state, int kind) const {
        return (D > 0 ? bar_up_ : bar_down_)[state << MAX_LAYERS | kind];
    }

  private:
    static constexpr std::size_t MOST = 1 << 16;

    bool fit_ = true;
    std::vector<PatternState> states_;
    std::vector<std::uint16_t> starts_;                                                         // by pattern
    std::vector<std::uint16_t> cell_up_, cell_down_, pole_up_, pole_down_, bar_up_, bar_down_;  // by state and kind

    void add_class(const Tables& tables, const Worth& worth, int pattern);
};

}  // namespace plyground
