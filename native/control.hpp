// When a search must stop: nodes, time, somebody's wish.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

namespace plyground {

using Clock = std::chrono::steady_clock;

struct Limits {
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    double seconds = std::numeric_limits<double>::infinity();
};

// Watches one search. Threads may ask `stopped` at the same time; `poll` belongs to the thread that began it.
class Control {
  public:
    void begin(Limits limits, std::function<void()> signals, bool every_node) {
        stop_ = false;
        started_ = next_signals_ = Clock::now();
        nodes_ = limits.nodes;
        timed_ = limits.seconds < 1e9;
        if (timed_) deadline_ = started_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
        signals_ = std::move(signals);
        mask_ = every_node ? 0 : 63;
    }

    void stop() { stop_ = true; }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
    std::uint64_t node_limit() const { return nodes_; }

    // Whether to stop before a search visits one node more than `nodes`; looks at the clock now and then.
    // `signals` may throw what an interrupt means to the caller.
    bool poll(std::uint64_t nodes) {
        if (nodes >= nodes_) stop();
        if ((nodes & mask_) == 0 && (timed_ || signals_)) look();
        return stopped();
    }

  private:
    std::atomic<bool> stop_{false};
    std::uint64_t nodes_ = 0, mask_ = 63;
    bool timed_ = false;
    Clock::time_point started_, deadline_, next_signals_;
    std::function<void()> signals_;

    void look() {
        const auto now = Clock::now();
        if (timed_ && now >= deadline_) stop();
        if (signals_ && now >= next_signals_) {
            next_signals_ = now + std::chrono::milliseconds(5);
            signals_();
        }
    }
};

}  // namespace plyground
