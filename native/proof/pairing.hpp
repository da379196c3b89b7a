// Pairings: disjoint pairs of cells, one inside every given pattern. `solve/pairing.py` says what they prove
// and is the reference: the same pairs are tried in the same order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/mask.hpp"

namespace plyground {

enum class Pairable { NO, YES, UNKNOWN };

template <int W>
class PairingFinder {
  public:
    using Pair = std::pair<int, int>;

    // Whether there is a pairing, its pairs left in `pairs`; unknown when `effort` pairs were tried in vain.
    Pairable find(std::span<const Mask<W>> patterns, std::uint64_t effort) {
        pairs.clear();
        left_ = effort;
        keep_minimal(patterns);
        const auto found = settle(0, Mask<W>{});
        if (found != Pairable::YES) pairs.clear();
        return found;
    }

    // Whether the pairs found last settle these patterns too.
    bool settles(std::span<const Mask<W>> patterns) const {
        return std::ranges::all_of(patterns, [&](const Mask<W>& pattern) {
            return std::ranges::any_of(pairs, [&](Pair pair) { return holds(pattern, pair); });
        });
    }

    std::vector<Pair> pairs;

  private:
    struct Candidate {
        Pair pair;
        int settled;
    };

    struct Remainder {
        std::vector<Mask<W>> unsettled;
        std::vector<Candidate> candidates;
    };

    static bool holds(const Mask<W>& pattern, Pair pair) {
        return pattern.test(pair.first) && pattern.test(pair.second);
    }

    // A pair inside a smaller pattern settles every pattern around it.
    void keep_minimal(std::span<const Mask<W>> patterns) {
        auto& kept = remainder(0).unsettled;
        kept.clear();
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            bool needed = true;
            for (std::size_t j = 0; j < patterns.size() && needed; ++j) {
                bool inside = !(patterns[j] - patterns[i]).any();
                bool equal = inside && !(patterns[i] - patterns[j]).any();
                needed = !inside || (equal && j >= i);
            }
            if (needed) kept.push_back(patterns[i]);
        }
    }

    Remainder& remainder(std::size_t depth) {
        while (remainders_.size() <= depth) remainders_.emplace_back();
        return remainders_[depth];
    }

    Pairable settle(std::size_t depth, Mask<W> used) {
        remainder(depth + 1);
        Remainder& here = remainders_[depth];
        if (here.unsettled.empty()) return Pairable::YES;
        Mask<W> tightest{};
        int fewest = W * 64 + 1;
        for (const auto& pattern : here.unsettled) {
            auto free = pattern - used;
            if (int count = free.count(); count < fewest) {
                fewest = count;
                tightest = free;
            }
        }
        collect(here, tightest);
        for (std::size_t i = 0; i < remainders_[depth].candidates.size(); ++i) {
            auto pair = remainders_[depth].candidates[i].pair;
            if (left_ == 0) return Pairable::UNKNOWN;
            --left_;
            auto& rest = remainders_[depth + 1].unsettled;
            rest.clear();
            for (const auto& pattern : remainders_[depth].unsettled)
                if (!holds(pattern, pair)) rest.push_back(pattern);
            auto taken = used;
            taken.set(pair.first);
            taken.set(pair.second);
            pairs.push_back(pair);
            auto found = settle(depth + 1, taken);
            if (found != Pairable::NO) return found;
            pairs.pop_back();
        }
        return Pairable::NO;
    }

    // The pairs of free cells, those that settle most patterns first.
    static void collect(Remainder& here, const Mask<W>& free) {
        here.candidates.clear();
        free.each([&](int low) {
            free.each([&](int high) {
                if (low >= high) return;
                Pair pair{low, high};
                int settled = static_cast<int>(
                    std::ranges::count_if(here.unsettled, [&](const auto& pattern) { return holds(pattern, pair); }));
                here.candidates.push_back({pair, settled});
            });
        });
        std::ranges::stable_sort(here.candidates, std::ranges::greater{}, &Candidate::settled);
    }

    std::uint64_t left_ = 0;
    std::vector<Remainder> remainders_;
};

}  // namespace plyground
