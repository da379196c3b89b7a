// What the threads of a solver share while they look at one position, beside the table.
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>

#include "search/busy.hpp"
#include "search/threads.hpp"

namespace plyground::connect_four {

struct Together {
    explicit Together(int threads) : threads(threads) {}

    const int threads;
    Busy busy;
    Gathering gathering;  // for a table that is to grow
    alignas(CACHE_LINES) std::atomic<bool> done{false};

    // Whether the score is known to be above alpha, or not to be.
    bool settled(int alpha) const {
        return low_.load(std::memory_order_relaxed) > alpha || high_.load(std::memory_order_relaxed) <= alpha;
    }

    // Makes what one thread knows of the score known to all, and the other way round.
    void agree(int& low, int& high) {
        low = narrowed(low_, low, [](int a, int b) { return std::max(a, b); });
        high = narrowed(high_, high, [](int a, int b) { return std::min(a, b); });
    }

  private:
    std::atomic<int> low_{std::numeric_limits<int>::min()}, high_{std::numeric_limits<int>::max()};

    template <class F>
    static int narrowed(std::atomic<int>& known, int own, F&& better) {
        int seen = known.load(std::memory_order_relaxed);
        while (better(seen, own) != seen)
            if (known.compare_exchange_weak(seen, own, std::memory_order_relaxed)) return own;
        return seen;
    }
};

}  // namespace plyground::connect_four
