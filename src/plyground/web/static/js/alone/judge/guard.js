// The engine at full strength: it keeps what the judge knows, and chooses among the moves that are left by searching.

import { loss, lost, proved, won } from "../scores.js";
import { RESULT, scoreOf } from "../../core/solver.js";
import { longest, lostWithin } from "./defence.js";
import { forcedWin, horizon } from "./forced.js";
import { keepingMoves } from "./goal.js";
import { CANNOT_LOSE } from "./inquiry.js";
import { less, now, part } from "./limits.js";
import { Allowance } from "./prover.js";

export class Guard {
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
    const value = judge.solver ? await this.exact(position, limit) : null;
    if (value) return yield* this.solved(position, value, limit, started);
    const forced = await forcedWin(judge, position, limit, settings.FORCING_SHARE);
    if (forced) return yield forced;
    if (this.inDanger(position)) return yield* this.defend(position, less(limit, started));
    const kept = judge.keeping(position, limit);
    const left = less(limit, started);
    if (!kept.length) return yield* this.search(position, left);
    const everything = kept.length === this.game.moves(position).length;
    for await (const answer of everything ? this.search(position, left) : this.ratherAmong(kept, position, left)) {
      yield proved(answer.score) ? answer : { ...answer, note: CANNOT_LOSE };
    }
  }

  // What the engine finds; nothing once it is stopped.
  async *search(position, limit, options = {}) {
    if (!this.stopped()) yield* this.game.think(position, limit, options);
  }

  async *solved(position, value, limit, started) {
    const plies = value.score.plies ?? this.game.data.rules.cells - position.ply;
    const found = { line: value.moves.slice(0, 1), score: value.score, depth: plies, nodes: value.nodes, seconds: value.seconds, points: null, source: "solver" };
    yield found;
    // What is left is to tempt the other side to err, or to win soon.
    if ((!won(value.score) || value.score.at_most) && value.moves.length > 1) {
      for await (const answer of this.search(position, less(limit, started), { among: value.moves })) yield { ...found, line: answer.line };
    }
  }

  // The value of a position and the moves that keep it, if a share of the limit is enough for it.
  async exact(position, limit) {
    const { settings, game } = this;
    const { solver } = this.judge;
    if (limit.depth !== undefined || !this.worthAsking(position, part(limit, settings.WHO_SHARE))) return null;
    const started = now();
    const who = await solver.solve(position, part(limit, settings.WHO_SHARE), RESULT);
    if (who.number === null) return null;
    const whole = await solver.solve(position, part(limit, settings.WHEN_SHARE));
    const latest = whole.number === null && who.number !== 0;
    const value = whole.number ?? who.number;
    const goal = { game, solver, side: position.ply & 1, least: value, visited: 0 };
    let moves = [];
    if (latest && value < 0) moves = game.moves(position); // whatever is played
    else for await (const move of keepingMoves(goal, position, part(limit, settings.WHICH_SHARE), settings.goal, this.stopped)) moves.push(move);
    if (!moves.length) return null;
    const score = latest ? scoreOf(position, value, RESULT) : scoreOf(position, value);
    return { moves, score, nodes: who.nodes + whole.nodes + goal.visited, seconds: now() - started };
  }

  // Whether enough of the board is filled for a solver to answer within a limit, by experience.
  worthAsking({ kinds }, { nodes, seconds }) {
    const { GENEROUS_NODES, GENEROUS_SECONDS, EARLY_FILLED_SHARE, FILLED_SHARE } = this.settings;
    const generous = (nodes ?? Infinity) >= GENEROUS_NODES && (seconds ?? Infinity) >= GENEROUS_SECONDS;
    return kinds.filter(Boolean).length / kinds.length >= (generous ? EARLY_FILLED_SHARE : FILLED_SHARE);
  }

  // What the engine finds where that is one of some moves, or wins; else the best of them. Looking for the best move of
  // all goes deeper than looking at some only.
  async *ratherAmong(kept, position, limit) {
    const { THINKING_SHARE } = this.settings;
    const names = new Set(this.table.texts(kept));
    const isKept = ({ line }) => names.has(this.table.text(line[0]));
    let [best, answer, allowed] = [null, null, false];
    for await (answer of this.search(position, part(limit, THINKING_SHARE))) {
      allowed = isKept(answer) || won(answer.score);
      if (!allowed) continue;
      best = answer;
      yield best;
    }
    if (!answer || (allowed && (proved(answer.score) || (limit.nodes === undefined && limit.seconds === undefined)))) return;
    // A search that goes on begins where it was, as far as it remembers.
    for await (const later of this.search(position, part(limit, 1 - THINKING_SHARE), allowed ? {} : { among: kept })) {
      if (!isKept(later) || (best && later.depth <= best.depth)) continue;
      best = { ...later, nodes: answer.nodes + later.nodes, seconds: answer.seconds + later.seconds };
      yield best;
    }
    if (!best) yield { line: [kept[0]], score: null, depth: 0, nodes: 0, seconds: 0, points: null };
  }

  // Whether the side to move was lost from the start by what a book proves.
  inDanger({ ply }) {
    return this.judge.books.some((book) => book.kind === "strategy" && book.side !== (ply & 1));
  }

  // What the engine finds, unless it is proved to lose: then the move that lasts longest.
  async *defend(position, limit) {
    const { THINKING_SHARE, CHECKING_SHARE, DEFENDING_SHARE, RANKING_SHARE, TOLL_NODES, LONGEST_DEFENCE } = this.settings;
    const { prover, books } = this.judge;
    let answer = null;
    for await (answer of this.search(position, part(limit, THINKING_SHARE))) yield answer;
    if (!answer) return;
    const most = horizon(this.judge, position, limit);
    const losing = lost(answer.score) || (await lostWithin(this.game, position, answer.line[0], new Allowance(prover, position, limit, CHECKING_SHARE), most)) !== null;
    if (!losing) return;
    const defence = await longest(books[0], position, new Allowance(prover, position, limit, DEFENDING_SHARE, TOLL_NODES), most);
    let best = answer;
    if (!this.table.texts(defence.moves).includes(this.table.text(answer.line[0]))) {
      for await (best of this.search(position, part(limit, RANKING_SHARE), { among: defence.moves })) if (defence.within === null) yield best;
    }
    if (defence.within === null) return;
    yield { line: best.line.slice(0, 1), score: loss(defence.within), depth: defence.within, nodes: best.nodes, seconds: best.seconds, points: null, source: "proof search", note: LONGEST_DEFENCE };
  }
}
