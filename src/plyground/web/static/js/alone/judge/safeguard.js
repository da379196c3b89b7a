// A guard for the engine: it plays what the judge knows, and lets the engine choose among the remaining moves.

import { loss, lost, proved, unsearched, won } from "../scores.js";
import { longest, lostWithin } from "./defence.js";
import { exact } from "./exact.js";
import { CANNOT_LOSE } from "./findings.js";
import { forcedWin, horizon } from "./forced.js";
import { less, now, part } from "./limits.js";
import { Allowance } from "./prover.js";

// It never gives away what is proved: it wins by the book, and keeps a proved draw.
export class Safeguard {
  constructor(judge, stopped) {
    Object.assign(this, { judge, stopped, game: judge.game, table: judge.table, settings: judge.settings });
    judge.prover.stopped = stopped;
  }

  // What the engine finds among the moves that the proofs allow; a book's move or a forced win at once.
  async *think(position, limit) {
    const { judge, settings } = this;
    const known = judge.advice(position);
    if (known) return yield known;
    const started = now();
    const value = judge.solver ? await exact(judge, position, limit, this.stopped) : null;
    if (value) return yield* this.solved(position, value, limit, started);
    const forced = await forcedWin(judge, position, limit, settings.FORCING_SHARE);
    if (forced) return yield forced;
    if (this.inDanger(position)) return yield* this.defend(position, less(limit, started));
    yield* this.searchSafely(position, judge.safeMoves(position, limit), less(limit, started));
  }

  // What the engine finds; nothing once it is stopped.
  async *search(position, limit, options = {}) {
    if (!this.stopped()) yield* this.game.think(position, limit, options);
  }

  async *solved(position, value, limit, started) {
    const { moves, score, nodes, seconds } = value;
    const depth = score.plies ?? this.game.data.rules.cells - position.ply;
    const found = { line: moves.slice(0, 1), score, depth, nodes, seconds, points: null, source: "solver" };
    yield found;
    // All these moves keep the result, so the engine may choose the one that sets most problems, or wins soon.
    if ((won(score) && !score.at_most) || moves.length < 2) return;
    for await (const answer of this.search(position, less(limit, started), { among: moves })) yield { ...found, line: answer.line };
  }

  // What the engine finds, with a note where a pairing proves that its move cannot lose.
  async *searchSafely(position, safe, limit) {
    if (!safe.length) return yield* this.search(position, limit);
    const everything = safe.length === this.game.moves(position).length;
    for await (const answer of everything ? this.search(position, limit) : this.ratherAmong(safe, position, limit)) {
      yield proved(answer.score) ? answer : { ...answer, note: CANNOT_LOSE };
    }
  }

  // What the engine finds if it is a safe move or wins; else the best of the safe moves. A search for the best move of all
  // reaches a greater depth than one among some moves.
  async *ratherAmong(safe, position, limit) {
    const { THINKING_SHARE } = this.settings;
    const names = new Set(this.table.texts(safe));
    const isSafe = ({ line }) => names.has(this.table.text(line[0]));
    let [best, answer, allowed] = [null, null, false];
    for await (answer of this.search(position, part(limit, THINKING_SHARE))) {
      allowed = isSafe(answer) || won(answer.score);
      if (!allowed) continue;
      best = answer;
      yield best;
    }
    if (!answer || (allowed && (proved(answer.score) || (limit.nodes === undefined && limit.seconds === undefined)))) return;
    // An engine that searches the same again starts where it stopped, as far as its table remembers.
    for await (const later of this.search(position, part(limit, 1 - THINKING_SHARE), allowed ? {} : { among: safe })) {
      if (!isSafe(later) || (best && later.depth <= best.depth)) continue;
      best = { ...later, nodes: answer.nodes + later.nodes, seconds: answer.seconds + later.seconds };
      yield best;
    }
    if (!best) yield unsearched(safe[0]);
  }

  // Whether a book proves that the side to move was lost from the start.
  inDanger({ ply }) {
    return this.judge.books.some((book) => book.kind === "strategy" && book.side !== (ply & 1));
  }

  // What the engine finds; if that is proved to lose, the move that lasts longest.
  async *defend(position, limit) {
    const { settings } = this;
    const { prover, books } = this.judge;
    const allowance = (share, toll) => new Allowance(prover, position, limit, share, toll);
    let answer = null;
    for await (answer of this.search(position, part(limit, settings.THINKING_SHARE))) yield answer;
    if (!answer) return;
    const most = horizon(this.judge, position, limit);
    const losing = lost(answer.score) || (await lostWithin(this.game, position, answer.line[0], allowance(settings.CHECKING_SHARE), most)) !== null;
    if (!losing) return;
    const { moves, within } = await longest(books[0], position, allowance(settings.DEFENDING_SHARE, settings.TOLL_NODES), most);
    let best = answer;
    if (!this.table.texts(moves).includes(this.table.text(answer.line[0]))) {
      for await (best of this.search(position, part(limit, settings.RANKING_SHARE), { among: moves })) if (within === null) yield best;
    }
    if (within === null) return;
    yield { line: best.line.slice(0, 1), score: loss(within), depth: within, nodes: best.nodes, seconds: best.seconds, points: null, source: "proof search", note: settings.LONGEST_DEFENCE };
  }
}
