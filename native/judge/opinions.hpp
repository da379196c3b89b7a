// What the engine thinks of moves of which nothing is proved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/state.hpp"
#include "judge/analysis.hpp"
#include "judge/findings.hpp"
#include "judge/judge.hpp"
#include "judge/proofs.hpp"
#include "search/engine.hpp"

namespace plyground {

// The engine's ranking of some moves, deeper and deeper.
class Opinions {
  public:
    Opinions(Judge& judge, const State& state, std::vector<Move> among, const Budget& budget)
        : judge_(judge), among_(std::move(among)), engine_(judge.take_engine()) {
        const auto& data = judge.tables().data;
        deepest_ = std::min(data.max_plies - state.ply, budget.depth.value_or(data.max_plies));
        ended_ = !engine_ || engine_->begin(state, among_, budget.limit(), judge.halting());
    }
    ~Opinions() {
        if (engine_) judge_.give_back(std::move(engine_));
    }
    Opinions(const Opinions&) = delete;
    Opinions& operator=(const Opinions&) = delete;

    // Whether there was another ranking, which is found() now. When time is up within a depth it is that of the last
    // complete one, with what was proved since.
    bool next() {
        if (ended_ || depth_ == deepest_) return false;
        const bool complete = engine_->score_all(++depth_);
        std::vector<Analysis> scored;
        for (const auto& root : engine_->all_roots())
            if (root.depth > 0) scored.push_back(analysis_of(root));
        const bool all = std::ranges::all_of(scored, [](const auto& each) { return each.proved(); });
        found_ = complete ? Ranking::of(in_order(scored)) : broken_off(scored);
        ended_ = !complete || all;
        if (complete) before_ = std::move(scored);
        return true;
    }

    const Ranking& found() const { return found_; }
    std::uint64_t nodes() const { return engine_ ? engine_->nodes() : 0; }
    // A heuristic's value that no heuristic may have; 0 where there was none.
    std::int64_t unsound() const { return engine_ ? engine_->unsound() : 0; }

  private:
    // A win that takes more plies than these may be one that the engine has not seen the shortest way to.
    static constexpr int SURELY_SOONEST_PLIES = 3;

    Judge& judge_;
    const std::vector<Move> among_;
    std::unique_ptr<Engine> engine_;
    int depth_ = 0, deepest_ = 0;
    bool ended_ = false;
    Ranking found_;
    std::vector<Analysis> before_;

    Analysis analysis_of(const RootMove& root) const {
        Analysis found;
        found.line = root.line;
        Score score = Score::of_value(root.score);
        if (score.decided())
            score.at_most = score.number > SURELY_SOONEST_PLIES + score.lost();
        else if (root.proved)
            score = Score::draw();
        found.score = score;
        found.depth = root.depth;
        found.nodes = engine_->nodes();
        found.seconds = engine_->seconds();
        if (!score.decided()) found.points = root.score;
        return found;
    }

    static const Analysis* find(const std::vector<Analysis>& among, Move move) {
        const auto found = std::ranges::find(among, move, &Analysis::move);
        return found == among.end() ? nullptr : &*found;
    }

    std::vector<Analysis> in_order(const std::vector<Analysis>& scored) const {
        std::vector<Analysis> listed;
        for (Move move : among_)
            if (const auto* found = find(scored, move)) listed.push_back(*found);
        return listed;
    }

    Ranking broken_off(const std::vector<Analysis>& scored) const {
        std::vector<Analysis> listed, others;
        for (Move move : among_) {
            const auto* found = find(scored, move);
            if (found && found->proved())
                listed.push_back(*found);
            else if (const auto* before = find(before_, move))
                listed.push_back(*before);
            else
                others.push_back(found ? *found : Analysis::unsearched(move));
        }
        auto ranking = Ranking::of(std::move(listed), std::move(others));
        ranking.cut_off = true;
        return ranking;
    }
};

}  // namespace plyground
