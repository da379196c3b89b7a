// The transposition table: what earlier searches found about positions, in the memory asked for and no more.
//
// It starts small, to stay in the processor's cache, and grows between two depths of a search.
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
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "core/hot.hpp"
#include "core/rules.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

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
    explicit Table(std::size_t bytes) : buckets_(std::max<std::size_t>(1, bytes / sizeof(Bucket))) {
        if (buckets_ > MOST_BUCKETS) return;
        const std::size_t room = buckets_ * sizeof(Bucket);
        const std::align_val_t page{room < PAGE ? alignof(Bucket) : PAGE};
        memory_ = {static_cast<Bucket*>(::operator new(room, page, std::nothrow)), Free{page}};
#if defined(__linux__)
        if (ready() && room >= PAGE) madvise(memory_.get(), room, MADV_HUGEPAGE);
#endif
    }

    bool ready() const { return memory_ != nullptr; }
    std::size_t bytes() const { return buckets_ * sizeof(Bucket); }

    // Entries from before count as older from now on.
    void next_age() {
        age_ = (age_ + 1) % AGES;
        if (!grows_) use(std::min(buckets_, FIRST_BUCKETS));
        grows_ = true;
    }

    // Forgets everything and uses as much of the table as a search of so many nodes can fill, so that a short
    // search that must not depend on earlier ones starts at once.
    void forget(std::uint64_t nodes) {
        use(std::min<std::uint64_t>(buckets_, nodes / BUCKET + 1));
        grows_ = false;
        age_ = 0;
    }

    // Whether a search that has visited so many nodes and is about to look one ply deeper needs more room than is used.
    bool wants_room(std::uint64_t nodes) const { return grows_ && used_ < buckets_ && nodes > used_; }
    // The bytes in use after the next growth.
    std::size_t grown_bytes() const { return std::min(buckets_, GROWTH * used_) * sizeof(Bucket); }

    // From the last bucket to the first, every entry goes to one of a higher number, or stays. No thread may use the
    // table meanwhile. `stops` is asked now and then while memory is wiped; if it says so all stays as it was. Whether
    // the table has grown.
    template <class F>
    bool grow(F&& stops) {
        const std::size_t before = used_, after = std::min(buckets_, GROWTH * before);
        for (std::size_t at = before; at < after; at += WIPED_AT_ONCE) {
            if (stops()) return false;
            wipe(at, std::min(after - at, WIPED_AT_ONCE));
        }
        used_ = after;
        for (std::size_t i = before; i-- > 0;)
            for (auto& slot : memory_.get()[i].slots) {
                const std::uint64_t data = slot.data.exchange(0, std::memory_order_relaxed);
                if (data) put(slot.check.load(std::memory_order_relaxed) ^ data, data);
            }
        return true;
    }

    void prefetch(std::uint64_t key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&bucket(key));
#endif
    }

    PLYGROUND_HOT bool find(std::uint64_t key, Entry& entry) const {
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
        const auto place = static_cast<std::uint64_t>(entry.move.place < 0 ? NO_MOVE : entry.move.place);
        const auto lift = static_cast<std::uint64_t>(entry.move.lift < 0 ? NO_MOVE : entry.move.lift);
        const std::uint64_t data = static_cast<std::uint64_t>(static_cast<std::uint32_t>(entry.score)) << 32 |
                                   static_cast<std::uint64_t>(entry.bound) << 30 |
                                   static_cast<std::uint64_t>(entry.proved) << 29 |
                                   static_cast<std::uint64_t>(std::clamp(entry.depth, 0, MAX_DEPTH)) << 23 |
                                   static_cast<std::uint64_t>(age_) << 20 | lift << 10 | place;
        put(key, data);
    }

  private:
    static constexpr int BUCKET = 4;
    struct Slot {
        std::atomic<std::uint64_t> check, data;
    };
    struct alignas(64) Bucket {
        std::array<Slot, BUCKET> slots;
    };
    static constexpr std::size_t PAGE = std::size_t{1} << 21;  // of the large ones
    static constexpr std::size_t FIRST_BUCKETS = PAGE / sizeof(Bucket), GROWTH = 4;
    static constexpr std::size_t WIPED_AT_ONCE = FIRST_BUCKETS;
    static constexpr std::size_t MOST_BUCKETS = (std::numeric_limits<std::size_t>::max() - PAGE) / sizeof(Bucket);
    struct Free {
        std::align_val_t alignment;
        void operator()(Bucket* memory) const { ::operator delete(memory, alignment); }
    };

    std::size_t buckets_, used_ = 0;
    std::unique_ptr<Bucket, Free> memory_;
    bool grows_ = false;  // otherwise its size depends on the limit of the search alone
    int age_ = 0;

    // Uses so many buckets, all of them empty.
    void use(std::size_t count) {
        used_ = count;
        wipe(0, count);
    }

    void wipe(std::size_t from, std::size_t count) {
        std::memset(static_cast<void*>(memory_.get() + from), 0, count * sizeof(Bucket));
    }

    // Keeps an entry in place of the one that is worth least.
    void put(std::uint64_t key, std::uint64_t data) {
        Slot* worst = nullptr;
        int least = 1 << 20;
        for (auto& slot : bucket(key).slots) {
            const std::uint64_t old = slot.data.load(std::memory_order_relaxed);
            if (!old || (slot.check.load(std::memory_order_relaxed) ^ old) == key) {
                worst = &slot;
                break;
            }
            // What was proved stays true, so it is kept as if it had been searched a little deeper.
            const int age = (age_ - static_cast<int>(old >> 20 & 7) + AGES) % AGES;
            const int worth = static_cast<int>(old >> 23 & 63) + 4 * static_cast<int>(old >> 29 & 1) - 8 * age;
            if (worth < least) least = worth, worst = &slot;
        }
        worst->data.store(data, std::memory_order_relaxed);
        worst->check.store(key ^ data, std::memory_order_relaxed);
    }

    Bucket& bucket(std::uint64_t key) const {
        // The high half of key x count spreads keys evenly over a count that is no power of two.
        const std::uint64_t high = key >> 32, low = key & 0xffffffff, count = used_;
        return memory_.get()[(high * count + (low * count >> 32)) >> 32];
    }
};

}  // namespace plyground
