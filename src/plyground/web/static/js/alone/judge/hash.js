// BLAKE2b with a digest of 8 bytes, as a number: the key of a description in a book.

const DIGEST_BYTES = 8n;
const BLOCK_BYTES = 128;
const IV = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const ORDERS = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const COLUMNS = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];

const whole = (number) => BigInt.asUintN(64, number);
const rotated = (number, by) => whole((number >> by) | (number << (64n - by)));

function mix(v, [a, b, c, d], x, y) {
  for (const [added, first, second] of [[x, 32n, 24n], [y, 16n, 63n]]) {
    v[a] = whole(v[a] + v[b] + added);
    v[d] = rotated(v[d] ^ v[a], first);
    v[c] = whole(v[c] + v[d]);
    v[b] = rotated(v[b] ^ v[c], second);
  }
}

// The digest of some bytes, read as a number with the first byte in front.
export function hashOf(bytes) {
  const h = [...IV];
  h[0] ^= 0x01010000n ^ DIGEST_BYTES;
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK_BYTES) {
    const block = new Uint8Array(BLOCK_BYTES);
    block.set(bytes.subarray(at, at + BLOCK_BYTES));
    const view = new DataView(block.buffer);
    const words = Array.from({ length: 16 }, (_, i) => view.getBigUint64(8 * i, true));
    const v = [...h, ...IV];
    v[12] ^= BigInt(Math.min(bytes.length, at + BLOCK_BYTES));
    if (at + BLOCK_BYTES >= bytes.length) v[14] = whole(~v[14]);
    for (let round = 0; round < 12; round++) {
      const order = ORDERS[round % 10];
      for (const [i, column] of COLUMNS.entries()) mix(v, column, words[order[2 * i]], words[order[2 * i + 1]]);
    }
    for (let i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
  }
  const digest = new DataView(new ArrayBuffer(8));
  digest.setBigUint64(0, h[0], true);
  return digest.getBigUint64(0);
}
