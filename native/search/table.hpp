// The transposition table: what earlier searches found about positions, in the memory asked for and no more.
//
// Threads share it without locks. An entry is two words, the key xor the data and the data, so that an entry
// torn by two writers has a key that fits no position:
//
//   data   63..32 score   31..30 bound   29 proved   28..23 depth   22..20 age   19..10 lift   9..0 place
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>

#include "core/rules.hpp"

namespace plyground {

enum class Bound : std::uint8_t { NONE, UPPER, LOWER, EXACT };

struct Entry {
    std::int32_t score = 0;
    Bound bound = Bound::NONE;
    bool proved = false;
    int depth = 0;
    Move move;
};

class Table {
  public:
    static constexpr int NO_MOVE = 1023, MAX_DEPTH = 63, AGES = 8;

    // As large as asked for, one bucket at least; `ready` says whether there was so much memory.
    explicit Table(std::size_t bytes) : buckets_(std::max<std::size_t>(1, bytes / sizeof(Bucket))), used_(buckets_) {
        // Fresh zeroed pages cost nothing until they are touched. One bucket more leaves room to align the first.
        memory_.reset(buckets_ < MOST_BUCKETS ? std::calloc(buckets_ + 1, sizeof(Bucket)) : nullptr);
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
        slots_ = reinterpret_cast<Bucket*>((address + alignof(Bucket) - 1) / alignof(Bucket) * alignof(Bucket));
    }

    bool ready() const { return memory_ != nullptr; }
    std::size_t bytes() const { return buckets_ * sizeof(Bucket); }

    // Entries from before count as older from now on.
    void next_age() {
        age_ = (age_ + 1) % AGES;
        used_ = buckets_;
    }

    // Forgets everything and uses as much of the table as a search of so many nodes can fill, so that a short
    // search that must not depend on earlier ones starts at once.
    void forget(std::uint64_t nodes) {
        used_ = std::min<std::uint64_t>(buckets_, nodes / BUCKET + 1);
        for (std::size_t i = 0; i < used_; ++i)
            for (auto& slot : slots_[i].slots) {
                slot.check.store(0, std::memory_order_relaxed);
                slot.data.store(0, std::memory_order_relaxed);
            }
        age_ = 0;
    }

    void prefetch(std::uint64_t key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&bucket(key));
#endif
    }

    bool find(std::uint64_t key, Entry& entry) const {
        for (const auto& slot : bucket(key).slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            if (!data || (slot.check.load(std::memory_order_relaxed) ^ data) != key) continue;
            entry.score = static_cast<std::int32_t>(data >> 32);
            entry.bound = static_cast<Bound>(data >> 30 & 3);
            entry.proved = data >> 29 & 1;
            entry.depth = static_cast<int>(data >> 23 & 63);
            const int place = data & 1023, lift = data >> 10 & 1023;
            entry.move = {static_cast<std::int16_t>(place == NO_MOVE ? -1 : place),
                          static_cast<std::int16_t>(lift == NO_MOVE ? -1 : lift)};
            return true;
        }
        return false;
    }

    void store(std::uint64_t key, const Entry& entry) {
        auto& slots = bucket(key).slots;
        Slot* worst = nullptr;
        int least = 1 << 20;
        for (auto& slot : slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            if (!data || (slot.check.load(std::memory_order_relaxed) ^ data) == key) {
                worst = &slot;
                break;
            }
            // What was proved stays true, so it is kept as if it had been searched a little deeper.
            const int age = (age_ - static_cast<int>(data >> 20 & 7) + AGES) % AGES;
            const int worth = static_cast<int>(data >> 23 & 63) + 4 * static_cast<int>(data >> 29 & 1) - 8 * age;
            if (worth < least) least = worth, worst = &slot;
        }
        const auto place = static_cast<std::uint64_t>(entry.move.place < 0 ? NO_MOVE : entry.move.place);
        const auto lift = static_cast<std::uint64_t>(entry.move.lift < 0 ? NO_MOVE : entry.move.lift);
        const std::uint64_t data = static_cast<std::uint64_t>(static_cast<std::uint32_t>(entry.score)) << 32 |
                                   static_cast<std::uint64_t>(entry.bound) << 30 |
                                   static_cast<std::uint64_t>(entry.proved) << 29 |
                                   static_cast<std::uint64_t>(std::clamp(entry.depth, 0, MAX_DEPTH)) << 23 |
                                   static_cast<std::uint64_t>(age_) << 20 | lift << 10 | place;
        worst->data.store(data, std::memory_order_relaxed);
        worst->check.store(key ^ data, std::memory_order_relaxed);
    }

  private:
    static constexpr int BUCKET = 4;
    struct Slot {
        std::atomic<std::uint64_t> check, data;
    };
    struct alignas(64) Bucket {
        std::array<Slot, BUCKET> slots;
    };
    static constexpr std::size_t MOST_BUCKETS = std::numeric_limits<std::size_t>::max() / sizeof(Bucket) - 1;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    std::size_t buckets_, used_;
    std::unique_ptr<void, Free> memory_;
    Bucket* slots_ = nullptr;
    int age_ = 0;

    Bucket& bucket(std::uint64_t key) const {
        // The high half of key x count spreads keys evenly over a count that is no power of two.
        const std::uint64_t high = key >> 32, low = key & 0xffffffff, count = used_;
        return slots_[(high * count + (low * count >> 32)) >> 32];
    }
};

}  // namespace plyground
