// Unpacks what zlib has packed (RFC 1950 and 1951), so that a book is read wherever the core runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace plyground {

class Inflating {
  public:
    // The bytes that were packed, the first so many; nothing where the data cannot be unpacked.
    static std::optional<std::vector<std::uint8_t>> unpack(std::span<const std::uint8_t> packed, std::size_t most) {
        if (packed.size() < 2 || (packed[0] & 15) != 8) return {};
        Inflating inflating(packed.subspan(2), most);
        if (!inflating.run() && !inflating.full_) return {};
        return std::move(inflating.out_);
    }

  private:
    static constexpr int LONGEST_CODE = 15, LITERALS = 288, DISTANCES = 30, END_OF_BLOCK = 256;

    // A prefix code: how many codes there are of each length, and the symbols in the order of their codes.
    struct Code {
        std::array<std::uint16_t, LONGEST_CODE + 1> count{};
        std::array<std::uint16_t, LITERALS> symbols{};

        Code() = default;
        explicit Code(std::span<const std::uint8_t> lengths) {
            for (auto length : lengths) ++count[length];
            count[0] = 0;
            std::array<std::uint16_t, LONGEST_CODE + 2> next{};
            for (int length = 1; length <= LONGEST_CODE; ++length) next[length + 1] = next[length] + count[length];
            for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
                if (lengths[symbol]) symbols[next[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
        }
    };

    Inflating(std::span<const std::uint8_t> packed, std::size_t most) : packed_(packed), most_(most) {}

    bool run() {
        for (bool last = false; !last;) {
            last = bits(1);
            switch (bits(2)) {
                case 0:
                    stored();
                    break;
                case 1:
                    fixed();
                    break;
                case 2:
                    dynamic();
                    break;
                default:
                    return false;
            }
            if (failed_) return false;
        }
        return true;
    }

    unsigned bits(int wanted) {
        while (held_ < wanted) {
            if (at_ == packed_.size()) {
                failed_ = true;
                return 0;
            }
            buffer_ |= static_cast<std::uint32_t>(packed_[at_++]) << held_;
            held_ += 8;
        }
        const unsigned value = buffer_ & ((1u << wanted) - 1);
        buffer_ >>= wanted;
        held_ -= wanted;
        return value;
    }

    void put(std::uint8_t byte) {
        if (out_.size() == most_)
            failed_ = full_ = true;
        else
            out_.push_back(byte);
    }

    void stored() {
        buffer_ = held_ = 0;
        const unsigned length = bits(16);
        if ((bits(16) ^ length) != 0xffff || packed_.size() - at_ < length) failed_ = true;
        for (unsigned left = failed_ ? 0 : length; left && !failed_; --left) put(packed_[at_++]);
    }

    // The next symbol: codes of one length follow each other, the shorter ones come first.
    int symbol(const Code& code) {
        int value = 0, first = 0, index = 0;
        for (int length = 1; length <= LONGEST_CODE && !failed_; ++length) {
            value |= static_cast<int>(bits(1));
            const int count = code.count[length];
            if (value - first < count) return code.symbols[index + value - first];
            index += count;
            first = (first + count) << 1;
            value <<= 1;
        }
        failed_ = true;
        return END_OF_BLOCK;
    }

    void fixed() {
        std::array<std::uint8_t, LITERALS> lengths;
        for (int symbol = 0; symbol < LITERALS; ++symbol)
            lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
        std::array<std::uint8_t, DISTANCES> distances;
        distances.fill(5);
        block(Code(lengths), Code(distances));
    }

    void dynamic() {
        static constexpr std::uint8_t PLACES[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        const unsigned literals = bits(5) + 257, distances = bits(5) + 1, codes = bits(4) + 4;
        if (literals > 286 || distances > DISTANCES) failed_ = true;
        std::array<std::uint8_t, 19> few{};
        for (unsigned i = 0; i < codes; ++i) few[PLACES[i]] = static_cast<std::uint8_t>(bits(3));
        const Code code(few);
        std::array<std::uint8_t, 320> lengths{};
        for (unsigned at = 0; at < literals + distances && !failed_;) {
            const int found = symbol(code);
            if (found < 16) {
                lengths[at++] = static_cast<std::uint8_t>(found);
                continue;
            }
            if (found == 16 && at == 0) failed_ = true;
            const auto again = found == 16 && at ? lengths[at - 1] : std::uint8_t{0};
            unsigned times = found == 16 ? 3 + bits(2) : found == 17 ? 3 + bits(3) : 11 + bits(7);
            if (at + times > literals + distances) failed_ = true;
            for (; times && !failed_; --times) lengths[at++] = again;
        }
        if (!failed_) block(Code({lengths.data(), literals}), Code({lengths.data() + literals, distances}));
    }

    void block(const Code& literals, const Code& distances) {
        static constexpr std::uint16_t LENGTH[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                   31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
        static constexpr std::uint8_t LENGTH_BITS[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
        static constexpr std::uint16_t BACK[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                 33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
        while (!failed_) {
            const int found = symbol(literals);
            if (found == END_OF_BLOCK) return;
            if (found < END_OF_BLOCK) {
                put(static_cast<std::uint8_t>(found));
                continue;
            }
            if (found > 285) break;
            const unsigned length = LENGTH[found - 257] + bits(LENGTH_BITS[found - 257]);
            const int far = symbol(distances);
            if (failed_ || far >= DISTANCES) break;
            const std::size_t back = BACK[far] + bits(far < 2 ? 0 : far / 2 - 1);
            if (back > out_.size()) break;
            for (unsigned left = length; left && !failed_; --left) put(out_[out_.size() - back]);
        }
        failed_ = true;
    }

    std::span<const std::uint8_t> packed_;
    const std::size_t most_;
    std::vector<std::uint8_t> out_;
    std::size_t at_ = 0;
    std::uint32_t buffer_ = 0;
    int held_ = 0;
    bool failed_ = false, full_ = false;
};

}  // namespace plyground
