// What the threads of a solver share while they look at one position, beside the table.
#pragma once

#include <atomic>

#include "search/busy.hpp"
#include "search/threads.hpp"

namespace plyground::connect_four {

struct Together {
    Busy busy;
    Gathering gathering;  // for a table that is to grow
    alignas(CACHE_LINES) std::atomic<bool> done{false};
};

}  // namespace plyground::connect_four
