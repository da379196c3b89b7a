// What a proof search remembers: proof and disproof numbers by key, in a table of fixed size.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

namespace plyground {

constexpr std::uint32_t ENDLESS = (1u << 28) - 1;  // the proof number of what cannot be proved

inline std::uint32_t capped(std::uint64_t number) {
    return number >= ENDLESS ? ENDLESS : static_cast<std::uint32_t>(number);
}

struct Numbers {
    std::uint32_t proof = 1, disproof = 1;
    bool decided() const { return proof == 0 || disproof == 0; }
};

constexpr Numbers PROVED{0, ENDLESS}, DISPROVED{ENDLESS, 0};

class ProofTable {
  public:
    struct Known {
        Numbers numbers;
        bool searched;  // false: a first look only
    };

    // `bytes` are LEAST_BYTES or more; `ready` says whether there was so much memory.
    explicit ProofTable(std::size_t bytes)
        : count_(bytes / sizeof(Bucket)), buckets_(static_cast<Bucket*>(std::calloc(count_, sizeof(Bucket)))) {}

    bool ready() const { return buckets_ != nullptr; }

    std::optional<Known> find(std::uint64_t key) const {
        for (const Slot& slot : buckets_[index(key)])
            if (slot.key == key && slot.work)
                return Known{{static_cast<std::uint32_t>(slot.proof), static_cast<std::uint32_t>(slot.disproof)},
                             slot.work > LOOK};
        return std::nullopt;
    }

    // Remembers numbers and how many positions they cost, 0 for a first look; of those in a bucket the cheapest gives
    // way.
    void store(std::uint64_t key, Numbers numbers, std::uint64_t positions) {
        Bucket& slots = buckets_[index(key)];
        Slot* victim = &slots[0];
        for (Slot& slot : slots) {
            if (slot.key == key) {
                victim = &slot;
                break;
            }
            if (slot.work < victim->work) victim = &slot;
        }
        *victim = {key, numbers.proof, numbers.disproof, LOOK + static_cast<std::uint64_t>(std::bit_width(positions))};
    }

  private:
    static constexpr std::uint64_t LOOK = 1;  // work 0: empty

    struct Slot {
        std::uint64_t key;
        std::uint64_t proof : 28, disproof : 28, work : 8;
    };
    using Bucket = std::array<Slot, 4>;

  public:
    static constexpr std::size_t LEAST_BYTES = sizeof(Bucket);

  private:
    // Any number of buckets is addressed evenly by the upper half of the product.
    std::size_t index(std::uint64_t key) const { return static_cast<std::size_t>(((key >> 32) * count_) >> 32); }

    struct Free {
        void operator()(Bucket* buckets) const { std::free(buckets); }
    };

    std::size_t count_;
    std::unique_ptr<Bucket[], Free> buckets_;  // zeroed by the system when a page is first touched
};

}  // namespace plyground
