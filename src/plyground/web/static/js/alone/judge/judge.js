// What is known of positions of one game: the twin of the program's judge, with the same answers. Books are asked first,
// then the solver, proof search and pairings, then the engine for an opinion of what is left.

import { file } from "../library.js";
import { DRAW, beforeMove, loss, proved, rank, ranking, same, together, win, won } from "../scores.js";
import { booksOf } from "./books.js";
import { Inquiry } from "./inquiry.js";
import { Memory } from "./memory.js";
import { Prover } from "./prover.js";

const judges = new Map();

// The judge of a game that this worker shares.
export function judgeOf(table) {
  if (!judges.has(table)) {
    const making = Judge.of(table);
    making.catch(() => judges.delete(table));
    judges.set(table, making);
  }
  return judges.get(table);
}

export class Judge {
  static async of(table) {
    const { settings } = await file("judge.json");
    return new Judge(table, settings, await table.solver(settings.SOLVER_BYTES), await booksOf(table));
  }

  constructor(table, settings, solver, books) {
    const { game, rules } = table;
    Object.assign(this, { table, game, settings, solver, books, pairable: rules.pairable });
    this.longest = Math.max(...rules.rules.patterns.map(([cells]) => cells.length));
    this.touched = [0, 1].map((side) => touchedBy(rules.rules, side));
    this.prover = new Prover(game, settings.PROVER_MB << 20);
    this.memory = new Memory(settings.MOST_POSITIONS, rules.rules.recycle_from);
  }

  // ------------------------------------------------------------ what is proved

  // What is known of moves without a search, by their texts: games that are over, what was proved before, books.
  glance(position) {
    const facts = new Facts(this.table);
    for (const move of this.game.moves(position)) {
      const after = this.game.play(position, move);
      const outcome = this.game.outcome(after);
      const known = outcome ? null : this.memory.find(after);
      if (outcome) facts.add(fact([move], ended(outcome, position.ply & 1), "search", 1));
      else if (known) facts.add({ ...known, line: [move, ...known.line], score: beforeMove(known.score) });
    }
    for (const { move, score, note } of this.entries(position)) if (score) facts.add({ ...fact([move], score, "book"), note });
    return facts;
  }

  // What books say of moves: {move, score, note}, the score null of a move recommended without a proof.
  entries(position) {
    const found = new Map();
    for (const book of this.books) {
      for (const entry of book.entries(position)) {
        const name = this.table.text(entry.move);
        if (!found.has(name) || (!found.get(name).score && entry.score)) found.set(name, entry);
      }
    }
    return [...found.values()];
  }

  // What is known of a position as a whole without a search.
  known(position) {
    const found = this.memory.find(position);
    if (found) return found;
    for (const book of this.books) {
      const score = book.scoreOf(position);
      if (score) return fact([], score, "book");
    }
    return null;
  }

  // The move to make where a look at the board and at the books is enough; null where it is not.
  advice(position) {
    const facts = this.glance(position);
    const touched = this.touched[position.ply & 1];
    // Among equals what lies on more patterns sets more problems.
    const sorted = facts.all.sort((a, b) => touched[b.line[0][0]] - touched[a.line[0][0]]);
    const best = sorted.length ? bestOf(ranking(sorted), null) : null;
    const whole = this.known(position);
    const everything = facts.all.length === this.game.moves(position).length;
    if (best && (won(best.score) || (everything && settled(best)))) return best;
    if (best && whole && same(best.score, DRAW) && same(whole.score, DRAW)) return best;
    const recommended = this.entries(position).find((entry) => !entry.score);
    return recommended ? { ...fact([recommended.move], null, "book"), note: recommended.note } : null;
  }

  // The moves after which a pairing proves that the mover never loses.
  keeping(position, limit) {
    const { MANY_PATTERNS, GLANCE_TRIES } = this.settings;
    if (!this.pairable || this.game.live(position, 1 - (position.ply & 1)).length > MANY_PATTERNS) return [];
    const effort = this.tries(position, limit);
    const found = this.game.keeping(position, GLANCE_TRIES);
    return found.length || effort <= GLANCE_TRIES ? found : this.game.keeping(position, effort);
  }

  // How many pairs may be tried for each move.
  tries(position, { nodes, seconds }) {
    const { EFFORT_TRIES, PAIRING_SHARE, TRIES_PER_SECOND } = this.settings;
    const moves = this.game.moves(position).length;
    const share = [EFFORT_TRIES];
    if (seconds !== undefined) share.push(Math.floor(Math.trunc(seconds * PAIRING_SHARE * TRIES_PER_SECOND) / moves));
    if (nodes !== undefined) share.push(Math.floor(Math.trunc(nodes * PAIRING_SHARE) / moves));
    return Math.min(...share);
  }

  // Whether a pairing proves that the side not to move cannot lose, whatever is played now.
  held(position) {
    const mover = position.ply & 1;
    if (!this.pairable || this.game.live(position, mover).length > this.settings.MANY_PATTERNS) return false;
    return this.game.pairing(position, 1 - mover, this.settings.GLANCE_TRIES * 10).found === true;
  }

  // ------------------------------------------------------------ what is known

  // More and more that is known of a position that goes on. If not all moves are wanted, a winning move ends it.
  rank(position, limit, options = {}) {
    return this.inquiry(position, limit, options).run();
  }

  // More and more that is proved, with no time spent on opinions.
  prove(position, limit, options = {}) {
    return this.inquiry(position, limit, options).prove();
  }

  async judge(position, limit, options = {}) {
    let last;
    for await (last of this.rank(position, limit, options));
    return last;
  }

  inquiry(position, limit, { whole = true, stopped = () => false }) {
    this.prover.stopped = stopped;
    return new Inquiry(this, position, limit, whole, stopped);
  }

  remember(position, analysis) {
    if (proved(analysis.score)) this.memory.add(position, analysis);
  }
}

// What is proved of moves, by their texts.
export class Facts {
  constructor(table) {
    Object.assign(this, { table, known: new Map() });
  }

  get all() {
    return [...this.known.values()];
  }

  of(move) {
    return this.known.get(this.table.text(move));
  }

  set(move, analysis) {
    this.known.set(this.table.text(move), analysis);
  }

  // Take a proof, together with what is known of the move already.
  add(analysis) {
    const before = this.of(analysis.line[0]);
    const score = before ? together(before.score, analysis.score) : analysis.score;
    if (!before || !same(score, before.score)) this.set(analysis.line[0], { ...analysis, score });
  }
}

export const fact = (line, score, source, depth = 0) => ({ line, score, depth, nodes: 0, seconds: 0, points: null, source });

// Whether nothing more can be found out about a move.
export const settled = (known) => known !== undefined && !known.score.at_most;

// The best move of a ranking as far as is known; one that nobody looked at where all others are proved to be worse.
export function bestOf({ compared, others }, worth) {
  const least = worth ? rank(worth)[0] : 0;
  return compared.find(({ score }) => !proved(score) || rank(score)[0] >= least) ?? others[0] ?? compared[0];
}

function ended({ winner }, mover) {
  if (winner === null) return DRAW;
  return winner === mover ? win(1) : loss(1);
}

// How many patterns share a cell with each placement of a side.
const touchedBy = ({ patterns, placements }, side) =>
  placements[side].map(([adds]) => patterns.filter(([cells]) => cells.some((cell) => adds.some((added) => added.includes(cell)))).length);
