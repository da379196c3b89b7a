// BLAKE2b with a digest of 8 bytes (RFC 7693): the keys under which a book keeps positions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace plyground {

namespace blake2b {

using Words = std::array<std::uint64_t, 8>;
constexpr std::size_t BLOCK_BYTES = 128, DIGEST_BYTES = 8;
constexpr int ROUNDS = 12;

constexpr Words FIRST{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                      0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// Which word of the block each step takes, by round; the last two rounds are the first two again.
constexpr std::uint8_t ORDER[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

inline void mix(std::array<std::uint64_t, 16>& v, int a, int b, int c, int d, std::uint64_t x, std::uint64_t y) {
    v[a] += v[b] + x;
    v[d] = std::rotr(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = std::rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 63);
}

inline void compress(Words& state, std::span<const std::uint8_t> block, std::uint64_t counted, bool last) {
    std::array<std::uint64_t, 16> words{}, v;
    for (std::size_t at = 0; at < block.size(); ++at) words[at / 8] |= std::uint64_t{block[at]} << 8 * (at % 8);
    std::ranges::copy(state, v.begin());
    std::ranges::copy(FIRST, v.begin() + 8);
    v[12] ^= counted;
    if (last) v[14] = ~v[14];
    for (int round = 0; round < ROUNDS; ++round) {
        const auto& order = ORDER[round % 10];
        for (int i = 0; i < 4; ++i) mix(v, i, 4 + i, 8 + i, 12 + i, words[order[2 * i]], words[order[2 * i + 1]]);
        for (int i = 0; i < 4; ++i)
            mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, words[order[8 + 2 * i]],
                words[order[9 + 2 * i]]);
    }
    for (int i = 0; i < 8; ++i) state[i] ^= v[i] ^ v[i + 8];
}

}  // namespace blake2b

// The digest of some bytes, its first byte the highest.
inline std::uint64_t digest_of(std::span<const std::uint8_t> bytes) {
    using namespace blake2b;
    Words state = FIRST;
    state[0] ^= 0x01010000 ^ DIGEST_BYTES;
    std::uint64_t counted = 0;
    for (; bytes.size() > BLOCK_BYTES; bytes = bytes.subspan(BLOCK_BYTES))
        compress(state, bytes.first(BLOCK_BYTES), counted += BLOCK_BYTES, false);
    compress(state, bytes, counted + bytes.size(), true);
    std::uint64_t digest = 0;
    for (int byte = 0; byte < 8; ++byte) digest = digest << 8 | (state[0] >> 8 * byte & 0xff);
    return digest;
}

}  // namespace plyground
