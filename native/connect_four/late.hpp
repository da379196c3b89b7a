// What one thread remembers of positions late in the game, in the processor's own cache.
//
// Late positions are most of all, are met again soon or never, and take less time to search than a large table
// takes to answer. So once the shared table has outgrown the cache they are kept here; a new one replaces
// the old one in its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "connect_four/table.hpp"

namespace plyground::connect_four {

template <class Word>
class LateTable {
  public:
    // Takes its memory when first asked.
    bool find(Word key, Known& known) {
        if (entries_.empty()) entries_.resize(std::size_t(1) << BITS);
        const Entry& entry = entries_[index(key)];
        if (entry.key != key) return false;
        known = {entry.lower, entry.upper, entry.column, 0};
        return true;
    }

    void prefetch(Word key) const {
        if (!entries_.empty()) __builtin_prefetch(&entries_[index(key)]);
    }

    // After find() of the same key.
    void store(Word key, const Known& known) {
        entries_[index(key)] = {key, static_cast<std::int8_t>(known.lower), static_cast<std::int8_t>(known.upper),
                                static_cast<std::int8_t>(known.column)};
    }

  private:
    static constexpr int BITS = 15;

    // No position has the key 0.
    struct Entry {
        Word key;
        std::int8_t lower, upper, column;
    };

    static std::size_t index(Word key) {
        auto mixed = static_cast<std::uint64_t>(key);
        if constexpr (sizeof(Word) > 8) mixed ^= static_cast<std::uint64_t>(key >> 64) * 0xD6E8FEB86659FD93u;
        return static_cast<std::size_t>(mixed * 0x9E3779B97F4A7C15u >> (64 - BITS));
    }

    std::vector<Entry> entries_;
};

}  // namespace plyground::connect_four
