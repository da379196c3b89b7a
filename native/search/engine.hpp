// The engine: iterative deepening by one thread or several, which share a table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "search/busy.hpp"
#include "search/control.hpp"
#include "search/nearby.hpp"
#include "search/table.hpp"
#include "search/tactics.hpp"
#include "search/threads.hpp"
#include "search/value.hpp"
#include "search/worker.hpp"

namespace plyground {

// Searches with a table that lives as long as the engine does. One search at a time.
class Engine {
  public:
    virtual ~Engine() = default;
    // Must go well before anything is searched. With moves given only those are looked at.
    virtual Refusal begin(const State& state, const std::vector<Move>& among, Limit limit, Interrupt interrupt) = 0;
    virtual Deepened deepen(int depth) = 0;
    virtual bool score_all(int depth) = 0;
    virtual const std::vector<RootMove>& all_roots() const = 0;
    virtual std::uint64_t nodes() const = 0;

    void stop() { control_.stop(); }
    double seconds() const { return control_.seconds(); }
    std::size_t table_bytes() const { return table_.bytes(); }
    // A heuristic's value that ended the search because none may be so; 0 where there was none.
    std::int64_t unsound() const { return control_.unsound(); }

  protected:
    explicit Engine(Table table) : table_(std::move(table)) {}
    Table table_;
    Control control_;
};

// Several threads search the same position to the same depth, each leaving alone what another one is looking at.
template <int W>
class EngineOf final : public Engine {
  public:
    EngineOf(const Tables& tables, const Evaluator& evaluator, Table table, int threads)
        : Engine(std::move(table)), asks_(static_cast<bool>(evaluator.callback)), tactics_(tables), nearby_(tables) {
        const int count = asks_ ? 1 : std::min(threads, MOST_THREADS);
        if (count > 1) busy_ = std::make_unique<Busy>();
        for (int i = 0; i < count; ++i)
            workers_.push_back(std::make_unique<Worker<W>>(tables, evaluator, tactics_, nearby_, table_, control_,
                                                           busy_.get(), i == 0));
    }

    Refusal begin(const State& state, const std::vector<Move>& among, Limit limit, Interrupt interrupt) override {
        control_.begin(limit, std::move(interrupt), asks_);
        // With a limit of nodes the same question must get the same answer, whatever was asked before.
        if (limit.nodes != Limit{}.nodes)
            table_.forget(limit.nodes);
        else
            table_.next_age();
        before_.reset();
        for (auto& worker : workers_)
            if (auto refusal = worker->begin(state, among)) return refusal;
        return {};
    }

    Deepened deepen(int depth) override {
        const auto* before = before_.get();
        const auto result = together(
            depth, [=](Worker<W>& worker) { return worker.deepen(depth, before); },
            // Who is done first goes on: the next depth will find that in the table.
            [=](Worker<W>& worker) {
                for (int ahead = depth; ahead < depth + MOST_AHEAD && worker.deepen(ahead, before).complete;) ++ahead;
            });
        if (result.complete) before_ = std::make_unique<RootMove>(workers_[0]->best_root());
        return result;
    }

    bool score_all(int depth) override {
        const auto score = [=](Worker<W>& worker) { return worker.score_all(depth); };
        return together(depth, score, score);
    }

    const std::vector<RootMove>& all_roots() const override { return workers_[0]->all_roots(); }

    std::uint64_t nodes() const override {
        std::uint64_t total = 0;
        for (const auto& worker : workers_) total += worker->nodes;
        return total;
    }

  private:
    // What takes less than a thread takes to begin is done alone.
    static constexpr int SHARED_FROM_DEPTH = 4, MOST_AHEAD = 8;

    // Nobody looks at the clock while entries move, so that must take a small part of the time that is left: at this
    // rate a twentieth.
    static constexpr double SECONDS_PER_BYTE = 20e-9;

    void make_room() {
        const auto stops = [this] { return control_.look(); };
        while (table_.wants_room(nodes()) && control_.seconds_left() > SECONDS_PER_BYTE * table_.grown_bytes())
            if (!table_.grow(stops)) return;
    }

    // What the first thread finds; the others help until it is done.
    template <class Lead, class Help>
    auto together(int depth, Lead lead, Help help) {
        make_room();
        Threads threads;
        if (depth >= SHARED_FROM_DEPTH)
            for (std::size_t i = 1; i < workers_.size(); ++i) {
                auto& worker = *workers_[i];
                worker.dismissed = false;
                threads.start([&worker, help] { help(worker); });
            }
        const auto result = lead(*workers_[0]);
        for (std::size_t i = 1; i < workers_.size(); ++i) workers_[i]->dismissed = true;
        threads.join();
        return result;
    }

    const bool asks_;  // a heuristic that is no data is asked by one thread only
    const Tactics<W> tactics_;
    const Nearby<W> nearby_;
    std::unique_ptr<Busy> busy_;  // none where one thread is alone
    std::vector<std::unique_ptr<Worker<W>>> workers_;
    std::unique_ptr<RootMove> before_;
};

// An engine for the rules of a core, which must outlive it as the evaluator must; none when there is too little memory.
inline std::unique_ptr<Engine> make_engine(const Core& core, const Evaluator& evaluator, std::size_t table_bytes,
                                           int threads) {
    Table table(table_bytes);
    if (!table.ready()) return nullptr;
    return core.with_width([&]<int W>(std::integral_constant<int, W>) -> std::unique_ptr<Engine> {
        return std::make_unique<EngineOf<W>>(core.tables(), evaluator, std::move(table), threads);
    });
}

}  // namespace plyground
