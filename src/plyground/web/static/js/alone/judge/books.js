// Books: a number for each of many positions of a game, in the files that the program in Python reads too. What a number
// means depends on the kind of the book: the move of a side, or the score of the position.

import { EXACT, RESULT, scoreOf } from "../../core/solver.js";
import { file, gameFile } from "../library.js";
import { loss, win } from "../scores.js";
import { winsOf } from "../seen.js";
import { hashOf } from "./hash.js";
import { Stacked, earlier } from "./stacked.js";

const [NOT_LOST, NOT_WON] = [2, -2]; // numbers of positions of which half is known: a draw at least, a draw at most
const KEY_BYTES = 8;

// The books that know positions of a game, in the order in which they are asked.
export async function booksOf(table) {
  if (!table.data.books) return [];
  const { books, groups, notes } = await gameFile(table.spec, "books");
  return Promise.all(books.map(async (about) => Book.read(table, { ...about, notes, own: groups[0], group: groups[about.group] }, await file(about.file))));
}

export class Book {
  // From the bytes of a file: a line of JSON, the entries, and a checksum, which the index has checked already.
  static async read(table, about, bytes) {
    const line = bytes.indexOf(10);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, line)));
    const rest = bytes.subarray(line + 1, bytes.length - 32);
    const found = head.sizes ? await Stacked.read(rest, head.sizes, about) : new Hashed(rest, head.entries);
    return new Book(table, about, head, found);
  }

  constructor(table, about, { kind, plies, side = null }, found) {
    Object.assign(this, { table, game: table.game, ...about, kind, plies, found });
    this.side = side === null ? null : ["first", "second"].indexOf(side);
  }

  // The number of a position; null where the book does not know it.
  number(position) {
    return this.find(position)?.number ?? null;
  }

  // The same, with the image of the position that the book describes.
  find(position) {
    const shown = this.like ? turned(position, this.like) : position;
    if (this.found instanceof Stacked) {
      const number = this.found.number(shown);
      return number === null ? null : { number };
    }
    const [described, image] = least(shown, this.group, this.recycle_from);
    const number = this.found.number(hashOf(described));
    return number === null ? null : { number, image };
  }

  // The move of the book's side; null where the book is silent.
  reply(position) {
    const side = position.ply & 1;
    const found = side === this.side ? this.find(position) : null;
    if (!found) return null;
    const shown = ([place]) => found.image.places[side][this.like ? this.like.places[side][place] : place];
    return this.game.moves(position).find((move) => shown(move) === found.number) ?? null;
  }

  // The score of a position; null where the book does not say it.
  scoreOf(position) {
    const number = this.side === null ? this.number(position) : null;
    return number === null ? null : this.scoreBy(number, position);
  }

  // What it says about moves of a position that goes on: {move, score, note}.
  entries(position) {
    if (this.side === null) return this.byScores(position);
    if ((position.ply & 1) !== this.side) return this.kind === "defence" ? [] : this.replied(position);
    const reply = this.reply(position);
    if (!reply) return [];
    const { notes, kind, plies } = this;
    if (kind !== "defence") {
      const end = this.end(position);
      return sameMoves(position, reply, this.own, this.recycle_from).map((move) => ({ move, score: win(end - position.ply, true), note: notes.wins.replace("#", end) }));
    }
    if (position.ply) return [{ move: reply, score: null, note: notes.defence }]; // the opponent may have erred
    return sameMoves(position, reply, this.own, this.recycle_from).map((move) => ({ move, score: loss(plies), note: notes.longest }));
  }

  byScores(position) {
    return this.following(position).flatMap(({ move, after }) => {
      const number = this.number(after);
      const score = number === null ? null : this.scoreBy(0 - number, position);
      const note = score === null && number === NOT_WON ? this.notes.kept : "";
      return score || note ? [{ move, score, note }] : [];
    });
  }

  // The moves that the winner has an answer to, who is not to move.
  replied(position) {
    return this.following(position).flatMap(({ move, after }) => {
      if (!this.wonHere(after)) return [];
      const end = this.end(after);
      return [{ move, score: loss(end - position.ply, true), note: this.notes.loses.replace("#", end) }];
    });
  }

  // The legal moves without those that a symmetry of the position makes of an earlier one.
  distinct(position) {
    const alike = symmetriesOf(position, this.own, this.recycle_from);
    const found = new Map();
    for (const move of this.game.moves(position)) {
      const images = alike.map((image) => String(imageOf(move, image, position.ply & 1)));
      if (!images.some((image) => found.has(image))) found.set(String(move), move);
    }
    return [...found.values()];
  }

  // The legal moves after which the game goes on, with the positions they lead to.
  following(position) {
    const all = this.game.moves(position).map((move) => ({ move, after: this.game.play(position, move) }));
    return all.filter(({ after }) => !this.game.outcome(after));
  }

  // Whether the side to move, the book's own, has an answer; a strategy is silent where a move wins at once.
  wonHere(position) {
    return this.reply(position) !== null || (this.kind === "strategy" && position.ply < this.plies && winsOf(this.table, position, this.side).length > 0);
  }

  // The ply after which the book's side, which is to move, has won at the latest.
  end(position) {
    if (this.kind !== "wins") return this.plies;
    const last = this.game.data.rules.max_plies;
    return (last - position.ply) % 2 ? last : last - 1;
  }

  // What a number means to the side to move; null where only half is known.
  scoreBy(number, position) {
    if (this.kind === "scores") return scoreOf(position, number);
    return number === NOT_LOST || number === NOT_WON ? null : scoreOf(position, number, RESULT);
  }
}

// What a Connect Four position one move beyond the books can be worth to the side to move, in the solver's numbers: whatever
// position its last disc was laid in is worth no less than that move.
export function possibleNumbers(position, books, columns) {
  const near = books.filter((book) => book.kind === "scores" && position.ply <= (book.found.lastPly ?? book.plies) + 1);
  if (!near.length) return EXACT;
  const first = (before) => near.map((book) => book.number(before)).find((number) => number !== null);
  const known = withoutLast(position, columns).map(first).filter((number) => number !== undefined);
  return [Math.max(EXACT[0], ...known.map((number) => 0 - number)), EXACT[1]];
}

// The positions without one of the discs that may have been laid last; cells are numbered row by row.
function withoutLast(position, columns) {
  const { kinds, ply } = position;
  const theirs = ((ply - 1) & 1) + 1;
  const last = [...kinds.keys()].filter((cell) => kinds[cell] === theirs && !kinds[cell + columns]);
  return last.map((cell) => ({ ...position, kinds: kinds.map((kind, at) => (at === cell ? 0 : kind)), ply: ply - 1 }));
}

// Numbers of positions by their keys, which increase.
class Hashed {
  constructor(bytes, count) {
    if (bytes.length !== count * (KEY_BYTES + 2)) throw new Error(`a book of ${count} entries has ${bytes.length} bytes`);
    Object.assign(this, { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), count });
  }

  number(key) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.view.getBigUint64(middle * KEY_BYTES) < key) low = middle + 1;
      else high = middle;
    }
    const found = low < this.count && this.view.getBigUint64(low * KEY_BYTES) === key;
    return found ? this.view.getInt16(this.count * KEY_BYTES + 2 * low) : null;
  }
}

// All that matters of the image of a position: the ply, then where cards lie or the cells of each layer.
function described({ kinds, ply, cards, last }, image, recycleFrom) {
  if (recycleFrom !== null) {
    const places = cards.map((card) => image.places[0][card]).sort((a, b) => a - b);
    if (ply >= recycleFrom && last) places.push(image.places[0][last[0]]);
    return Uint8Array.from([ply, ...places].flatMap((number) => [number >> 8, number & 255]));
  }
  const size = (kinds.length + 7) >> 3;
  const bytes = new Uint8Array(2 + image.layers.length * size);
  bytes.set([ply >> 8, ply & 255]);
  for (const [cell, kind] of kinds.entries()) {
    const to = image.cells[cell];
    for (let layer = 0; kind >> layer; layer++) if ((kind >> layer) & 1) bytes[2 + (image.layers[layer] + 1) * size - 1 - (to >> 3)] |= 1 << (to & 7);
  }
  return bytes;
}

// The least description among all images of a position, and the image that it describes.
function least(position, group, recycleFrom) {
  let best = null;
  for (const image of group) {
    const found = described(position, image, recycleFrom);
    if (!best || earlier(found, best[0])) best = [found, image];
  }
  return best;
}

// The images of the board under which a position stays the same; the first one is the board itself.
function symmetriesOf(position, group, recycleFrom) {
  const here = String(described(position, group[0], recycleFrom));
  return group.filter((image) => String(described(position, image, recycleFrom)) === here);
}

const imageOf = ([place, lift], { places }, side) => [places[side][place], lift === null ? null : places[side][lift]];

// A move and its images under the symmetries of the position, all worth the same.
function sameMoves(position, move, group, recycleFrom) {
  const found = symmetriesOf(position, group, recycleFrom).map((image) => imageOf(move, image, position.ply & 1));
  return [...new Map(found.map((one) => [String(one), one])).values()];
}

// A position as other rules see it, which differ from its own only in the names of their layers.
function turned({ kinds, ply, cards, last }, { cells, layers, places }) {
  const shown = Array(kinds.length).fill(0);
  for (const [cell, kind] of kinds.entries()) for (const [layer, to] of layers.entries()) if ((kind >> layer) & 1) shown[cells[cell]] |= 1 << to;
  return { kinds: shown, ply, cards: cards.map((card) => places[0][card]), last: last && [places[1 - (ply & 1)][last[0]], null] };
}
