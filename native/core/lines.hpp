// Memory that shares no line of the processor's cache with anything else: what one thread writes often, others that
// write beside it would have to wait for.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace plyground {

// A line of the cache, and its neighbour, which processors fetch together.
constexpr std::size_t CACHE_LINES = 128;

template <class T>
struct WholeLines {
    using value_type = T;

    WholeLines() = default;
    template <class Other>
    WholeLines(const WholeLines<Other>&) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = (count * sizeof(T) + CACHE_LINES - 1) / CACHE_LINES * CACHE_LINES;
        return static_cast<T*>(::operator new(bytes, std::align_val_t{CACHE_LINES}));
    }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, std::align_val_t{CACHE_LINES}); }

    friend bool operator==(const WholeLines&, const WholeLines&) { return true; }
};

// A list that a thread has for itself.
template <class T>
using OwnList = std::vector<T, WholeLines<T>>;

}  // namespace plyground
