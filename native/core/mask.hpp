// A fixed set of small numbers, one bit each, in W machine words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace plyground {

template <int W>
struct Mask {
    std::array<std::uint64_t, W> words{};

    void set(int i) { words[i >> 6] |= std::uint64_t{1} << (i & 63); }
    void reset(int i) { words[i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }
    bool test(int i) const { return words[i >> 6] >> (i & 63) & 1; }

    bool any() const {
        std::uint64_t all = 0;
        for (auto word : words) all |= word;
        return all != 0;
    }

    int count() const {
        int total = 0;
        for (auto word : words) total += std::popcount(word);
        return total;
    }

    // The lowest member; the set must not be empty.
    int first() const {
        int i = 0;
        while (!words[i]) ++i;
        return i * 64 + std::countr_zero(words[i]);
    }

    // Calls f with every member, lowest first.
    template <class F>
    void each(F&& f) const {
        for (int i = 0; i < W; ++i)
            for (auto word = words[i]; word; word &= word - 1) f(i * 64 + std::countr_zero(word));
    }

    // Calls f with every member, lowest first, until it answers true; whether it did.
    template <class F>
    bool any_of(F&& f) const {
        for (int i = 0; i < W; ++i)
            for (auto word = words[i]; word; word &= word - 1)
                if (f(i * 64 + std::countr_zero(word))) return true;
        return false;
    }

    friend Mask operator&(Mask a, const Mask& b) {
        for (int i = 0; i < W; ++i) a.words[i] &= b.words[i];
        return a;
    }
    friend Mask operator|(Mask a, const Mask& b) {
        for (int i = 0; i < W; ++i) a.words[i] |= b.words[i];
        return a;
    }
    friend bool operator==(const Mask&, const Mask&) = default;

    // The members of a that are not in b.
    friend Mask operator-(Mask a, const Mask& b) {
        for (int i = 0; i < W; ++i) a.words[i] &= ~b.words[i];
        return a;
    }
};

}  // namespace plyground
