// What a search remembers: bounds on the value of positions, in buckets of two entries.
//
// A key of k bits is scrambled by a bijection on k bits; its low bits choose the bucket and all the others
// are stored, so an entry is never taken for another position. An entry, from the low end:
//
//     | lower bound | upper bound | best column | work | rest of the key |
//
// The first entry of a bucket keeps what was most work to find out, the second takes whatever comes.
// A table starts small, to stay in the processor's cache, and quadruples as it fills: no key is lost, as
// bucket number and rest give it back.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "connect_four/shape.hpp"
#include "search/threads.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace plyground::connect_four {

// Bounds of a position for the side to move, and the column that was best.
struct Known {
    int lower, upper;
    int column;
    int work;
};

constexpr int NO_COLUMN = 31;

// The work of finding something out is kept as a class from 0 to this.
constexpr int MOST_WORK = 7;

template <class Word>
class Table {
  public:
    // Keys have key_bits bits, scores lie within +-max_score, `bytes` are least_bytes() or more; `ready` says
    // whether there was so much memory.
    Table(int key_bits, int max_score, std::size_t bytes)
        : key_bits_(key_bits),
          score_bits_(score_bits(max_score)),
          offset_(max_score),
          least_bits_(least_bits(key_bits, max_score)),
          max_bits_(std::min(static_cast<int>(std::bit_width(bytes / sizeof(Bucket))) - 1, key_bits)) {
        const std::size_t room = sizeof(Bucket) << max_bits_;
        buckets_ = static_cast<Bucket*>(std::aligned_alloc(PAGE, (room + PAGE - 1) / PAGE * PAGE));
        if (!buckets_) return;
#if defined(__linux__)
        madvise(buckets_, room, MADV_HUGEPAGE);
#endif
        clear();
    }
    ~Table() { std::free(buckets_); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    // What the keys of a board need.
    static std::size_t least_bytes(int key_bits, int max_score) {
        return sizeof(Bucket) << least_bits(key_bits, max_score);
    }

    bool ready() const { return buckets_ != nullptr; }

    // Cheap: what lies beyond the first size is wiped when the table grows.
    void clear() {
        bits_ = start_bits();
        stored_ = 0;
        full_ = false;
        std::memset(static_cast<void*>(buckets_), 0, sizeof(Bucket) << bits_);
    }

    // Whether it has outgrown the processor's cache.
    bool large() const { return bits_ >= 18; }

    // From here on the table does not grow any more: needed before threads share it that do not wait for each other.
    void grow_to_full_size() {
        while (bits_ < max_bits_) grow();
    }

    Word scrambled(Word key) const {
        const int half = key_bits_ / 2;
        key = key * MULTIPLIER & key_mask();
        key ^= key >> half;
        key = key * MULTIPLIER & key_mask();
        return key ^ key >> (half + 1);
    }

    void prefetch(Word scrambled) const { __builtin_prefetch(&bucket(scrambled)); }

    bool find(Word scrambled, Known& known) const {
        const Bucket& at = bucket(scrambled);
        const Word rest = scrambled >> bits_;
        for (int slot = 0; slot < 2; ++slot) {
            const Word entry = at.load(slot);
            if (entry >> payload_bits() == rest && entry != 0) {
                known = unpacked(entry);
                return true;
            }
        }
        return false;
    }

    void store(Word scrambled, const Known& known) {
        if (bits_ < max_bits_ && count_stored()) grow();
        place(bits_, scrambled, known);
    }

    // The same where threads share the table: it does not grow, but says that it is full. `stores` is the caller's own
    // count, which is added up now and then only, so that threads do not wait for each other's counting.
    void store_together(Word scrambled, const Known& known, int& stores) {
        if (bits_ < max_bits_ && ++stores == STORES_COUNTED) {
            stores = 0;
            if (count_stored_together()) full_.store(true, std::memory_order_relaxed);
        }
        place(bits_, scrambled, known);
    }

    // Whether threads that share the table must meet, so that one of them makes room.
    bool full() const { return full_.load(std::memory_order_relaxed); }
    void make_room(int threads) {
        if (full()) grow(threads);
    }

  private:
    static constexpr int WORD_BITS = 8 * sizeof(Word);
    static constexpr int COLUMN_BITS = 5, WORK_BITS = 3;
    static constexpr int STORES_COUNTED = 256;
    static constexpr std::size_t SPREAD_AT_ONCE = 4096;
    static constexpr std::size_t PAGE = std::size_t(1) << 21;
    static constexpr Word MULTIPLIER =
        sizeof(Word) == 8 ? Word(0x9E3779B97F4A7C15u)
                          : (Word(0x9E3779B97F4A7C15u) << (WORD_BITS - 64)) | Word(0xF39CC0605CEDC835u);

    struct alignas(2 * sizeof(Word)) Bucket {
        std::uint64_t parts[2 * sizeof(Word) / 8];

        // Other threads may write meanwhile. One word is read whole; of two, the second is stored disguised
        // by the first, so that halves of different entries do not pass for one.
        Word load(int slot) const {
            if constexpr (sizeof(Word) == 8) {
                return relaxed(parts[slot]).load(std::memory_order_relaxed);
            } else {
                const std::uint64_t low = relaxed(parts[2 * slot]).load(std::memory_order_relaxed);
                const std::uint64_t high = relaxed(parts[2 * slot + 1]).load(std::memory_order_relaxed);
                return Word(high ^ low * DISGUISE) << 64 % WORD_BITS | low;
            }
        }
        void save(int slot, Word entry) {
            const auto low = static_cast<std::uint64_t>(entry);
            if constexpr (sizeof(Word) == 8) {
                relaxed(parts[slot]).store(low, std::memory_order_relaxed);
            } else {
                const auto high = static_cast<std::uint64_t>(entry >> 64 % WORD_BITS);
                relaxed(parts[2 * slot]).store(low, std::memory_order_relaxed);
                relaxed(parts[2 * slot + 1]).store(high ^ low * DISGUISE, std::memory_order_relaxed);
            }
        }
        static std::atomic_ref<std::uint64_t> relaxed(const std::uint64_t& part) {
            return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(part));
        }
        static constexpr std::uint64_t DISGUISE = 0xD6E8FEB86659FD93u;
    };

    static int score_bits(int max_score) { return std::bit_width(static_cast<unsigned>(2 * max_score)); }
    static int least_bits(int key_bits, int max_score) {
        return std::max(0, key_bits + 2 * score_bits(max_score) + COLUMN_BITS + WORK_BITS - WORD_BITS);
    }
    int payload_bits() const { return 2 * score_bits_ + COLUMN_BITS + WORK_BITS; }
    Word key_mask() const { return key_bits_ == WORD_BITS ? ~Word(0) : (Word(1) << key_bits_) - 1; }
    int start_bits() const { return std::min(max_bits_, std::max(least_bits_, 12)); }

    const Bucket& bucket(Word scrambled) const {
        return buckets_[static_cast<std::size_t>(scrambled) & ((std::size_t(1) << bits_) - 1)];
    }

    Word packed(const Known& known) const {
        return Word(known.lower + offset_) | Word(known.upper + offset_) << score_bits_ |
               Word(known.column) << 2 * score_bits_ | Word(known.work) << (2 * score_bits_ + COLUMN_BITS);
    }
    Known unpacked(Word entry) const {
        const int score_mask = (1 << score_bits_) - 1;
        const auto low = static_cast<std::uint32_t>(entry);
        return {static_cast<int>(low & score_mask) - offset_,
                static_cast<int>(low >> score_bits_ & score_mask) - offset_,
                static_cast<int>(low >> 2 * score_bits_ & ((1 << COLUMN_BITS) - 1)), work_of(entry)};
    }
    int work_of(Word entry) const {
        return static_cast<int>(static_cast<std::uint32_t>(entry) >> (2 * score_bits_ + COLUMN_BITS) &
                                ((1 << WORK_BITS) - 1));
    }

    // Into a table of 2 to `bits` buckets.
    void place(int bits, Word scrambled, const Known& known) {
        Bucket& at = buckets_[static_cast<std::size_t>(scrambled) & ((std::size_t(1) << bits) - 1)];
        const Word rest = scrambled >> bits;
        const Word entry = rest << payload_bits() | packed(known);
        const Word first = at.load(0);
        if (first >> payload_bits() == rest) {
            at.save(0, entry);
        } else if (work_of(first) <= known.work) {
            at.save(1, first);
            at.save(0, entry);
        } else {
            at.save(1, entry);
        }
    }

    // By several threads, which have the entries of different buckets to move.
    void grow(int threads = 1) {
        const std::size_t old = std::size_t(1) << bits_;
        const int bits = std::min(bits_ + 2, max_bits_);
        {
            Threads others;
            for (int thread = 1; thread < threads; ++thread)
                others.start([=, this] { spread(old * thread / threads, old * (thread + 1) / threads, bits); });
            spread(0, old / threads, bits);
        }
        bits_ = bits;
        stored_ = 0;
        full_ = false;
    }

    // Lets the entries of some buckets go where they belong in a larger table: some at a time, while the processor's
    // cache has what was wiped for them.
    void spread(std::size_t first, std::size_t end, int bits) {
        const std::size_t old = std::size_t(1) << bits_;
        while (first < end) {
            const std::size_t some = std::min(end - first, SPREAD_AT_ONCE);
            for (std::size_t to = old + first; to < std::size_t(1) << bits; to += old)
                std::memset(static_cast<void*>(buckets_ + to), 0, sizeof(Bucket) * some);
            for (std::size_t at = first; at < first + some; ++at) {
                const Word entries[] = {buckets_[at].load(1), buckets_[at].load(0)};
                buckets_[at] = {};
                for (const Word entry : entries)
                    if (entry != 0) place(bits, entry >> payload_bits() << bits_ | Word(at), unpacked(entry));
            }
            first += some;
        }
    }

    // Counts one more; whether that is as many as there are buckets.
    bool count_stored() {
        const std::size_t stored = stored_.load(std::memory_order_relaxed) + 1;
        stored_.store(stored, std::memory_order_relaxed);
        return stored >> bits_ != 0;
    }
    bool count_stored_together() {
        return (stored_.fetch_add(STORES_COUNTED, std::memory_order_relaxed) + STORES_COUNTED) >> bits_ != 0;
    }

    int key_bits_, score_bits_, offset_, least_bits_, max_bits_, bits_ = 0;
    Bucket* buckets_ = nullptr;
    alignas(CACHE_LINES) std::atomic<std::size_t> stored_{0};
    alignas(CACHE_LINES) std::atomic<bool> full_{false};
};

}  // namespace plyground::connect_four
