// A guard for the engine: it plays what the judge knows, and lets the engine choose among the remaining moves.

import { less, now, part } from "./judge.js";
import { loss, lost, proved, unsearched, won } from "./scores.js";

// It never gives away what is proved: it wins by the book, and keeps a proved draw.
export class Safeguard {
  constructor(judge, table, stopped) {
    const { shares, notes } = judge.settings;
    this.judge = judge;
    this.table = table;
    this.game = table.game;
    this.stopped = stopped;
    this.shares = shares;
    this.notes = notes;
  }

  // What the engine finds among the moves that the proofs allow; a book's move or a forced win at once.
  async *think(position, limit) {
    const started = now();
    const { then, answer, moves } = await this.judge.counsel(position, limit);
    const rest = less(limit, started);
    if (answer) {
      yield answer;
      if (then === "choose") for await (const { line } of this.search(position, rest, { among: moves })) yield { ...answer, line };
    } else if (then === "defend") yield* this.defend(position, rest);
    else if (!moves.length) yield* this.search(position, rest);
    else {
      const everything = moves.length === this.game.moves(position).length;
      const answers = everything ? this.search(position, rest) : this.ratherAmong(moves, position, rest);
      for await (const one of answers) yield proved(one.score) ? one : { ...one, note: this.notes.cannot_lose };
    }
  }

  // What the engine finds; nothing once it is stopped.
  async *search(position, limit, options = {}) {
    if (!this.stopped()) yield* this.game.think(position, limit, options);
  }

  // What the engine finds if it is a safe move or wins; else the best of the safe moves. A search for the best move of all
  // reaches a greater depth than one among some moves.
  async *ratherAmong(safe, position, limit) {
    const names = new Set(this.table.texts(safe));
    const isSafe = ({ line }) => names.has(this.table.text(line[0]));
    let [best, answer, allowed] = [null, null, false];
    for await (answer of this.search(position, part(limit, this.shares.thinking))) {
      allowed = isSafe(answer) || won(answer.score);
      if (!allowed) continue;
      best = answer;
      yield best;
    }
    if (!answer || (allowed && (proved(answer.score) || (limit.nodes === undefined && limit.seconds === undefined)))) return;
    // An engine that searches the same again starts where it stopped, as far as its table remembers.
    for await (const later of this.search(position, part(limit, 1 - this.shares.thinking), allowed ? {} : { among: safe })) {
      if (!isSafe(later) || (best && later.depth <= best.depth)) continue;
      best = { ...later, nodes: answer.nodes + later.nodes, seconds: answer.seconds + later.seconds };
      yield best;
    }
    if (!best) yield unsearched(safe[0]);
  }

  // What the engine finds; if that is proved to lose, the move that lasts longest.
  async *defend(position, limit) {
    let answer = null;
    for await (answer of this.search(position, part(limit, this.shares.thinking))) yield answer;
    if (!answer) return;
    const defence = await this.judge.defend(position, answer.line[0], lost(answer.score), limit);
    if (!defence) return;
    const { moves, within } = defence;
    let best = answer;
    if (!this.table.texts(moves).includes(this.table.text(answer.line[0]))) {
      for await (best of this.search(position, part(limit, this.shares.ranking), { among: moves })) if (within === null) yield best;
    }
    if (within === null) return;
    const { line, nodes, seconds } = best;
    yield { line: line.slice(0, 1), score: loss(within), depth: within, nodes, seconds, points: null, source: "proof search", note: this.notes.longest_defence };
  }
}
