// Threads, in one place: what runs beside a search, and where the threads of a search wait for each other.
//
// Where there are none (WebAssembly: PLYGROUND_ONE_THREAD) every search is alone, and nothing here waits.
#pragma once

#if !defined(PLYGROUND_ONE_THREAD)
#include <condition_variable>
#include <mutex>
#include <thread>
#endif

#include <cstdint>
#include <utility>
#include <vector>

#include "core/lines.hpp"

namespace plyground {

#if defined(PLYGROUND_ONE_THREAD)

constexpr int MOST_THREADS = 1;

class Lock {
  public:
    void lock() {}
    void unlock() {}
};

class Threads {
  public:
    template <class F>
    void start(F) {}
    void join() {}
};

class Gathering {
  public:
    void enter() {}
    void leave() {}
    template <class F>
    void hold(F&& f) {
        f();
    }
};

#else

constexpr int MOST_THREADS = 256;

using Lock = std::mutex;

// Threads that are waited for at the latest when this ends.
class Threads {
  public:
    Threads() = default;
    ~Threads() { join(); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    template <class F>
    void start(F work) {
        threads_.emplace_back(std::move(work));
    }
    void join() {
        for (auto& thread : threads_) thread.join();
        threads_.clear();
    }

  private:
    std::vector<std::thread> threads_;
};

// Threads that stop together while one of them does what none may disturb.
class Gathering {
  public:
    void enter() {
        const std::scoped_lock held(lock_);
        ++members_;
    }

    // Whoever leaves is not waited for any more.
    void leave() {
        const std::scoped_lock held(lock_);
        if (--members_ > 0 && here_ == members_) dissolve();
    }

    // Waits until every member is here; the last one to come does it for all.
    template <class F>
    void hold(F&& f) {
        std::unique_lock held(lock_);
        if (++here_ == members_) {
            f();
            dissolve();
            return;
        }
        over_.wait(held, [&, before = held_] { return held_ != before; });
    }

  private:
    std::mutex lock_;
    std::condition_variable over_;
    int members_ = 0, here_ = 0;
    std::uint64_t held_ = 0;

    void dissolve() {
        here_ = 0;
        ++held_;
        over_.notify_all();
    }
};

#endif

}  // namespace plyground
