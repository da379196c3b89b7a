// What was proved about positions, remembered so that it stays proved for everybody who asks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/rules.hpp"
#include "judge/analysis.hpp"
#include "judge/outlook.hpp"

namespace plyground {

class Memory {
  public:
    // What was found first is forgotten first.
    static constexpr std::size_t MOST_POSITIONS = 20'000;

    // A proof as it is remembered: for all images of a position, its line as the least of them shows it. One without a
    // score says which move was advised.
    struct Entry {
        std::uint64_t key;
        int ply;
        Analysis proof;
    };

    explicit Memory(const Tables& tables) : tables_(tables) {}

    std::size_t size() const { return known_.size(); }

    // What was proved about a position, for the side to move there.
    std::optional<Analysis> find(const Spot& spot) const {
        const auto found = known_.find(spot.key);
        if (found == known_.end()) return {};
        Analysis proof = found->second.proof;
        turn(proof.line, spot.state.ply, tables_.origins, spot.symmetry);
        return proof;
    }

    // Remembers a proof, combined with what is known already.
    void add(const Spot& spot, Analysis proof) {
        turn(proof.line, spot.state.ply, tables_.images, spot.symmetry);
        add({spot.key, spot.state.ply, std::move(proof)});
    }

    // Remembers which move somebody was advised to make, so that nobody calls it a mistake later.
    void advise(const Spot& spot, Move move) {
        auto entry = Entry{spot.key, spot.state.ply, Analysis::unsearched(move)};
        turn(entry.proof.line, spot.state.ply, tables_.images, spot.symmetry);
        add(std::move(entry));
    }

    // Whether somebody was advised to make a move, or one that is its image.
    bool advised(const Spot& spot, Move move) const {
        const auto found = advice_.find(spot.key);
        if (found == advice_.end()) return false;
        std::vector<Move> shown{move};
        turn(shown, spot.state.ply, tables_.images, spot.symmetry);
        return std::ranges::find(found->second, shown.front()) != found->second.end();
    }

    // The same for one that another memory of the same rules has given.
    void add(Entry entry) {
        Analysis& proof = entry.proof;
        if (!proof.score) {
            auto& moves = advice_[entry.key];
            if (std::ranges::find(moves, proof.move()) != moves.end()) return;
            moves.push_back(proof.move());
            advice_news_.push_back(std::move(entry));
            return;
        }
        const auto found = known_.find(entry.key);
        if (found != known_.end()) {
            const Analysis& before = found->second.proof;
            Score score = *before.score;
            agree(score, *proof.score, contradiction);
            // Its line only while no better proof is known.
            const bool fits = proof.score == score, fitted = before.score == score;
            if (!fits || (fitted && (!before.line.empty() || proof.line.empty()))) return;
        }
        proof.depth = 0;
        proof.nodes = 0;
        proof.seconds = 0;
        proof.points.reset();
        news_.push_back(entry.key);
        if (news_.size() > MOST_POSITIONS) news_.pop_front();
        if (found != known_.end()) {
            found->second = std::move(entry);
            return;
        }
        order_.push_back(entry.key);
        known_.emplace(entry.key, std::move(entry));
        if (known_.size() > MOST_POSITIONS) {
            known_.erase(order_.front());
            order_.pop_front();
        }
    }

    Contradiction contradiction;  // what was proved against what was known

    // What is known of one position as it is remembered; nothing where nothing is.
    const Entry* entry(std::uint64_t key) const {
        const auto found = known_.find(key);
        return found == known_.end() ? nullptr : &found->second;
    }

    // What was learned since the last call, for another memory.
    std::vector<Entry> take_news() {
        std::vector<Entry> news;
        for (const auto key : std::exchange(news_, {}))
            if (const auto* known = entry(key)) news.push_back(*known);
        for (auto& advised : std::exchange(advice_news_, {})) news.push_back(std::move(advised));
        return news;
    }

  private:
    // A line as a symmetry shows it, or the other way round.
    void turn(std::vector<Move>& line, int ply, const decltype(Tables::images)& by, int symmetry) const {
        for (auto& move : line) {
            const auto& places = by[ply++ & 1];
            move.place = places[move.place][symmetry];
            if (move.lift >= 0) move.lift = places[move.lift][symmetry];
        }
    }

    const Tables& tables_;
    std::unordered_map<std::uint64_t, Entry> known_;
    std::deque<std::uint64_t> order_, news_;
    std::unordered_map<std::uint64_t, std::vector<Move>> advice_;
    std::vector<Entry> advice_news_;
};

}  // namespace plyground
