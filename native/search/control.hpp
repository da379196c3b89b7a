// When a search must stop: nodes, time, somebody's wish, or a heuristic that says what none may say.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

namespace plyground {

using Clock = std::chrono::steady_clock;

struct Limit {
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    double seconds = std::numeric_limits<double>::infinity();

    bool unlimited() const { return nodes == Limit{}.nodes && seconds == Limit{}.seconds; }
};

// Whether the outside world wants the search to end.
using Interrupt = std::function<bool()>;

// Watches one search. Threads may ask `stopped` at the same time; `poll` belongs to the thread that began it.
class Control {
  public:
    void begin(Limit limit, Interrupt interrupt, bool every_node) {
        stop_ = false;
        unsound_ = 0;
        started_ = next_interrupt_ = Clock::now();
        nodes_ = limit.nodes;
        timed_ = limit.seconds < 1e9;
        const std::chrono::duration<double> seconds(timed_ ? std::max(0.0, limit.seconds) : 0);
        deadline_ = started_ + std::chrono::duration_cast<Clock::duration>(seconds);
        interrupt_ = std::move(interrupt);
        mask_ = every_node ? 0 : 63;
    }

    void stop() { stop_ = true; }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

    // Until the search must end; infinite where no time is set.
    double seconds_left() const {
        if (!timed_) return std::numeric_limits<double>::infinity();
        return std::chrono::duration<double>(deadline_ - Clock::now()).count();
    }

    // Ends the search for a heuristic's value that is not sound.
    void refuse(std::int64_t value) {
        unsound_ = value;
        stop();
    }
    // That value, 0 where there was none.
    std::int64_t unsound() const { return unsound_; }

    // Whether to stop before a search visits one node more than `nodes`; looks at the clock now and then.
    bool poll(std::uint64_t nodes) {
        if (nodes >= nodes_) stop();
        if ((nodes & mask_) == 0) look();
        return stopped();
    }

    // Looks at the clock, and asks the outside world; whether to stop.
    bool look() {
        if (!timed_ && !interrupt_) return stopped();
        const auto now = Clock::now();
        if (timed_ && now >= deadline_) stop();
        if (interrupt_ && now >= next_interrupt_) {
            next_interrupt_ = now + std::chrono::milliseconds(5);
            if (interrupt_()) stop();
        }
        return stopped();
    }

  private:
    std::atomic<bool> stop_{false};
    std::atomic<std::int64_t> unsound_{0};
    std::uint64_t nodes_ = 0, mask_ = 63;
    bool timed_ = false;
    Clock::time_point started_, deadline_, next_interrupt_;
    Interrupt interrupt_;
};

}  // namespace plyground
