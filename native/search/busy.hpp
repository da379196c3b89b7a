// What the threads of a search are looking at, so that others look elsewhere meanwhile.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace plyground {

// By keys that are random in their low bits, none of them 0. A key may be forgotten, or taken for another: then two
// threads do the same, or one does it later, which is no harm.
class Busy {
  public:
    bool has(std::uint64_t key) const { return at(key).load(std::memory_order_relaxed) == key; }
    void enter(std::uint64_t key) { at(key).store(key, std::memory_order_relaxed); }
    void leave(std::uint64_t key) { at(key).store(0, std::memory_order_relaxed); }

  private:
    static constexpr std::size_t PLACES = 1 << 14;

    const std::atomic<std::uint64_t>& at(std::uint64_t key) const { return places_[key % PLACES]; }
    std::atomic<std::uint64_t>& at(std::uint64_t key) { return places_[key % PLACES]; }

    std::array<std::atomic<std::uint64_t>, PLACES> places_{};
};

}  // namespace plyground
