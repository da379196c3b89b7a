// How a book of all positions of the first plies counts them through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/state.hpp"

namespace plyground {

// The places of all positions with so many discs on a board of some size: `plyground.books.stacked` says how they are
// counted through.
class Numbering {
  public:
    Numbering(int rows, int columns, int discs) : rows_(rows), columns_(columns) {
        colourings_ = choose(discs, (discs + 1) / 2);
        std::vector<int> heights(columns);
        add(heights, 0, discs);
    }

    std::size_t size() const { return blocks_.size() * colourings_; }

    // The place of a position; `size` for one in which discs are not stacked.
    std::size_t place(const State& state) const {
        std::vector<int> heights(columns_);
        for (int column = 0; column < columns_; ++column)
            while (heights[column] < rows_ && state.kinds[heights[column] * columns_ + column]) ++heights[column];
        auto mirrored = heights;
        std::ranges::reverse(mirrored);
        // Of two mirror images that with the lesser heights counts, of equal ones that with the lesser discs.
        bool mirror = mirrored < heights;
        if (mirrored == heights) mirror = owners(state, heights, true) < owners(state, heights, false);
        const auto discs = owners(state, mirror ? mirrored : heights, mirror);
        std::size_t number = 0, chosen = 0;
        for (std::size_t at = 0; at < discs.size(); ++at)
            if (discs[at]) number += choose(static_cast<int>(at), static_cast<int>(++chosen));
        const auto block = blocks_.find(packed(mirror ? mirrored : heights));
        return block == blocks_.end() ? size() : block->second * colourings_ + number;
    }

  private:
    const int rows_, columns_;
    std::size_t colourings_;
    std::unordered_map<std::uint64_t, std::size_t> blocks_;

    static std::size_t choose(int from, int many) {
        if (many < 0 || many > from) return 0;
        std::size_t number = 1;
        for (int i = 1; i <= many; ++i) number = number * (from - many + i) / i;
        return number;
    }

    std::uint64_t packed(const std::vector<int>& heights) const {
        std::uint64_t number = 0;
        for (int height : heights) number = number * (rows_ + 1) + height;
        return number;
    }

    void add(std::vector<int>& heights, int column, int left) {
        if (column == columns_) {
            const bool lesser =
                !std::ranges::lexicographical_compare(std::vector<int>(heights.rbegin(), heights.rend()), heights);
            if (left == 0 && lesser) blocks_.emplace(packed(heights), blocks_.size());
            return;
        }
        for (int height = std::max(0, left - rows_ * (columns_ - column - 1)); height <= std::min(rows_, left);
             ++height) {
            heights[column] = height;
            add(heights, column + 1, left - height);
        }
    }

    // Whose the discs are, column by column, each from the bottom: whether they are the first side's.
    std::vector<std::uint8_t> owners(const State& state, const std::vector<int>& heights, bool mirror) const {
        std::vector<std::uint8_t> found;
        for (int at = 0; at < columns_; ++at) {
            const int column = mirror ? columns_ - 1 - at : at;
            for (int row = 0; row < heights[at]; ++row) found.push_back(state.kinds[row * columns_ + column] == 1);
        }
        return found;
    }
};

}  // namespace plyground
