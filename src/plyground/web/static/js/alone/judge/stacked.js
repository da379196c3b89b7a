// A number for every position up to a ply of a game of stacked discs, and for some beyond, kept without keys. The place of a
// number follows from the heights of the columns and from the owners of the discs, column by column, each from the bottom.

const NOTHING = -128;

export class Stacked {
  // From the bytes of a file, where each ply takes so many, packed.
  static async read(bytes, sizes, { rows, columns }) {
    let at = 0;
    const plies = await Promise.all(sizes.map((size) => unpacked(bytes.subarray(at, (at += size)))));
    return new Stacked(plies, rows, columns);
  }

  constructor(plies, rows, columns) {
    Object.assign(this, { plies, rows, columns, blocks: new Map() });
    for (const [ply, numbers] of plies.entries()) {
      const expected = this.numbered(ply).size * colourings(ply);
      if (numbers.length !== expected) throw new Error(`ply ${ply} of the book has ${numbers.length} numbers, expected ${expected}`);
    }
  }

  // The last ply that it has numbers of.
  get lastPly() {
    return this.plies.length - 1;
  }

  // The number of a position; null where it is not here.
  number({ kinds, ply }) {
    if (ply > this.lastPly) return null;
    const stacks = Array.from({ length: this.columns }, (_, column) => this.stack(kinds, column));
    const turned = [...stacks].reverse();
    const found = [stacks, turned].map((some) => [...some.map((stack) => stack.length), ...some.flat()]);
    const [lesser, discs] = earlier(found[1], found[0]) ? [found[1], turned.flat()] : [found[0], stacks.flat()];
    const place = this.numbered(ply).get(String(lesser.slice(0, this.columns))) * colourings(ply) + combination(discs);
    const number = this.plies[ply][place];
    return number === NOTHING ? null : number;
  }

  // Whether the discs of a column are the first side's, from the bottom; cells are numbered row by row.
  stack(kinds, column) {
    const found = Array.from({ length: this.rows }, (_, row) => kinds[row * this.columns + column]);
    return found.filter(Boolean).map((kind) => Number(kind === 1));
  }

  // The heights of columns with so many discs in increasing order, of two mirror images the lesser, by their places.
  numbered(discs) {
    if (!this.blocks.has(discs)) {
      const lesser = [...heights(this.columns, this.rows, discs)].filter((found) => !earlier([...found].reverse(), found));
      this.blocks.set(discs, new Map(lesser.map((found, place) => [String(found), place])));
    }
    return this.blocks.get(discs);
  }
}

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Int8Array(await new Response(stream).arrayBuffer());
}

// Whether a list of numbers comes before another one as long, as words do in a dictionary.
export function earlier(one, other) {
  const at = one.findIndex((number, i) => number !== other[i]);
  return at >= 0 && one[at] < other[at];
}

function* heights(columns, rows, discs) {
  if (!columns) {
    if (!discs) yield [];
    return;
  }
  for (let height = 0; height <= Math.min(rows, discs); height++) for (const others of heights(columns - 1, rows, discs - height)) yield [height, ...others];
}

function choose(from, count) {
  let found = 1;
  for (let i = 0; i < count; i++) found = (found * (from - i)) / (i + 1);
  return found;
}

const colourings = (discs) => choose(discs, (discs + 1) >> 1);

// The place of a choice among all choices of as many.
function combination(chosen) {
  let [number, soFar] = [0, 0];
  for (const [place, own] of chosen.entries()) if (own) number += choose(place, ++soFar);
  return number;
}
