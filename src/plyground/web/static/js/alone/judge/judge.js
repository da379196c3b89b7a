// What is known about positions of one game: the twin of the judge in Python, with the same answers. Books are asked
// first, then the solver, proof search and pairings, then the engine for an opinion about the rest.

import { file } from "../library.js";
import { DRAW, beforeMove, loss, proved, ranking, same, unsearched, win, won } from "../scores.js";
import { booksOf } from "./books.js";
import { Facts, proofOf, settled } from "./facts.js";
import { bestOf } from "./findings.js";
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

  // What is known about moves without a search: games that are over, what was proved before, books.
  atAGlance(position) {
    const facts = new Facts(this.table);
    for (const move of this.game.moves(position)) {
      const after = this.game.play(position, move);
      const outcome = this.game.outcome(after);
      const known = outcome ? null : this.memory.find(after);
      if (outcome) facts.add({ ...proofOf(ended(outcome, position.ply & 1), [move], "search"), depth: 1 });
      else if (known) facts.add({ ...known, line: [move, ...known.line], score: beforeMove(known.score) });
    }
    for (const { move, score, note } of this.entries(position)) if (score) facts.add(proofOf(score, [move], "book", note));
    return facts;
  }

  // What books say about moves: {move, score, note}; the score of a move recommended without a proof is null.
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

  // What is known about a position as a whole without a search: proved before, or in a book.
  known(position) {
    const found = this.memory.find(position);
    if (found) return found;
    for (const book of this.books) {
      const score = book.scoreOf(position);
      if (score) return proofOf(score, [], "book");
    }
    return null;
  }

  // The move to make if the board, the books and earlier proofs show it at once; null otherwise.
  advice(position) {
    const facts = this.atAGlance(position);
    const touched = this.touched[position.ply & 1];
    // Of equal moves, one that lies on more patterns sets the opponent more problems.
    const sorted = facts.all.sort((a, b) => touched[b.line[0][0]] - touched[a.line[0][0]]);
    const best = sorted.length ? bestOf(ranking(sorted)) : null;
    const whole = this.known(position);
    const everything = facts.all.length === this.game.moves(position).length;
    if (best && (won(best.score) || (everything && settled(best)))) return best;
    if (best && whole && same(best.score, DRAW) && same(whole.score, DRAW)) return best;
    const recommended = this.entries(position).find((entry) => !entry.score);
    return recommended ? { ...unsearched(recommended.move), source: "book", note: recommended.note } : null;
  }

  // The moves after which a pairing proves that the mover never loses; none where pairings say nothing.
  safeMoves(position, limit) {
    const { MANY_PATTERNS, GLANCE_TRIES } = this.settings;
    if (!this.pairable || this.game.live(position, 1 - (position.ply & 1)).length > MANY_PATTERNS) return [];
    const effort = this.tries(position, limit);
    const found = this.game.keeping(position, GLANCE_TRIES);
    return found.length || effort <= GLANCE_TRIES ? found : this.game.keeping(position, effort);
  }

  // How many pairs may be tried for each move, so that all of them together take no more than PAIRING_SHARE.
  tries(position, { nodes, seconds }) {
    const { EFFORT_TRIES, PAIRING_SHARE, TRIES_PER_SECOND } = this.settings;
    const moves = this.game.moves(position).length;
    const share = [EFFORT_TRIES];
    if (seconds !== undefined) share.push(Math.floor(Math.trunc(seconds * PAIRING_SHARE * TRIES_PER_SECOND) / moves));
    if (nodes !== undefined) share.push(Math.floor(Math.trunc(nodes * PAIRING_SHARE) / moves));
    return Math.min(...share);
  }

  // Whether a pairing proves that the side to move cannot win, whatever it plays.
  cannotWin(position) {
    const mover = position.ply & 1;
    if (!this.pairable || this.game.live(position, mover).length > this.settings.MANY_PATTERNS) return false;
    return this.game.pairing(position, 1 - mover, this.settings.GLANCE_TRIES * 10).found === true;
  }

  // ------------------------------------------------------------ what is known

  // Ever better judgements of a position that goes on. Unless all moves are wanted, a winning move ends it.
  rank(position, limit, options = {}) {
    return this.inquiry(position, limit, options).run();
  }

  // Ever better judgements of a position that goes on, by proofs alone.
  prove(position, limit, options = {}) {
    return this.inquiry(position, limit, options).prove();
  }

  async judge(position, limit, options = {}) {
    let last;
    for await (last of this.rank(position, limit, options));
    return last;
  }

  inquiry(position, limit, { allMoves = true, stopped = () => false }) {
    this.prover.stopped = stopped;
    return new Inquiry(this, position, limit, { allMoves, stopped });
  }

  // Keeps what is proved about a position; an opinion is not kept.
  remember(position, analysis) {
    if (proved(analysis.score)) this.memory.add(position, analysis);
  }
}

// What the end of a game says to the side that made the last move.
function ended({ winner }, mover) {
  if (winner === null) return DRAW;
  return winner === mover ? win(1) : loss(1);
}

// How many patterns share a cell with each placement of a side.
const touchedBy = ({ patterns, placements }, side) =>
  placements[side].map(([adds]) => patterns.filter(([cells]) => cells.some((cell) => adds.some((added) => added.includes(cell)))).length);
