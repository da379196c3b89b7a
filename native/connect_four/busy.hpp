// Which positions the threads of a solver are looking at, so that others look elsewhere meanwhile.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace plyground::connect_four {

// A position may be forgotten, or taken for another: then two threads do the same, which is no harm.
template <class Word>
class Busy {
  public:
    bool has(Word key) const { return at(key).load(std::memory_order_relaxed) == short_of(key); }
    void enter(Word key) { at(key).store(short_of(key), std::memory_order_relaxed); }
    void leave(Word key) { at(key).store(0, std::memory_order_relaxed); }

  private:
    static constexpr std::size_t PLACES = 1 << 14;

    static std::uint64_t short_of(Word key) { return static_cast<std::uint64_t>(key); }
    const std::atomic<std::uint64_t>& at(Word key) const { return places_[short_of(key) % PLACES]; }
    std::atomic<std::uint64_t>& at(Word key) { return places_[short_of(key) % PLACES]; }

    std::array<std::atomic<std::uint64_t>, PLACES> places_{};
};

}  // namespace plyground::connect_four
