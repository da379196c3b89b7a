// One thread or several that solve a position together.
//
// Most positions are solved before a second thread could begin. So one starts alone, and the others come when it has
// looked at some thousand positions; they share its table, and leave alone what another one is looking at.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "connect_four/search.hpp"
#include "connect_four/together.hpp"
#include "search/threads.hpp"

namespace plyground::connect_four {

struct Found {
    std::optional<int> score;  // nothing when a limit came first
    std::uint64_t nodes = 0;   // positions visited
};

// One position after the other. The first thread is the caller's.
template <class Size>
class Team {
    using Word = typename Size::Word;

  public:
    Team(const Shared<Size>& shared, int threads)
        : shared_(shared), threads_(std::min(threads, MOST_THREADS)), first_(shared, 0) {}

    Found solve(Discs<Word> discs, Window window) {
        Found found;
        helpers_.clear();
        found.score = threads_ == 1 ? first_.solve(discs, window) : solve_together(discs, window);
        found.nodes = first_.nodes();
        for (const auto& helper : helpers_) found.nodes += helper->nodes();
        return found;
    }

  private:
    static constexpr std::uint64_t ALONE_NODES = 20'000;

    const Shared<Size> shared_;
    const int threads_;
    Search<Size> first_;
    std::vector<std::unique_ptr<Search<Size>>> helpers_;

    std::optional<int> solve_together(Discs<Word> discs, Window window) {
        std::unique_ptr<Together> together;
        std::atomic<int> by_helper{UNKNOWN};
        Threads threads;
        first_.call_at(ALONE_NODES, [&] {
            together = std::make_unique<Together>(threads_);
            for (int thread = 0; thread < threads_; ++thread) together->gathering.enter();
            for (int thread = 1; thread < threads_; ++thread) {
                auto& helper = *helpers_.emplace_back(std::make_unique<Search<Size>>(shared_, thread));
                helper.join(together.get());
                threads.start([&helper, &by_helper, together = together.get(), discs, window] {
                    if (const auto score = helper.solve(discs, window)) by_helper = *score;
                    together->done = true;
                    together->gathering.leave();
                });
            }
            first_.join(together.get());
        });
        auto score = first_.solve(discs, window);
        first_.call_at(NEVER_CALLED, {});
        if (!together) return score;
        together->done = true;
        together->gathering.leave();
        threads.join();
        first_.join(nullptr);
        if (!score && by_helper != UNKNOWN) score = by_helper;
        return score;
    }
};

}  // namespace plyground::connect_four
