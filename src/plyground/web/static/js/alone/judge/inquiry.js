// One question to a judge: it gathers facts, then opinions of what is left, and says at any time what follows from both.
// Every step is that of the program's own, in the same order, so that both find the same with the same effort.

import { EXACT, scoreOf } from "../../core/solver.js";
import { DRAW, afterMove, beforeMove, loss, lost, numberOf, points, proved, rank, ranking, same, together, win, won } from "../scores.js";
import { leastNumber } from "./books.js";
import { forcedWin } from "./forced.js";
import { keepingMoves } from "./goal.js";
import { bestOf, fact, settled } from "./judge.js";
import { now, part } from "./limits.js";
import { Allowance } from "./prover.js";

export const CANNOT_LOSE = "cannot lose";

export class Inquiry {
  constructor(judge, position, limit, whole, stopped) {
    Object.assign(this, { judge, position, limit, whole, stopped, game: judge.game, table: judge.table, settings: judge.settings });
    this.started = now();
    this.nodes = 0;
    this.legal = this.game.moves(position);
    this.facts = judge.glance(position);
    this.kept = new Set(); // texts of moves after which the mover cannot lose
    this.held = false; // whether the other side cannot lose, so that the position is no better than a draw
    this.soonest = false; // whether no move wins sooner than the soonest known
    this.opinions = { compared: [], others: this.legal.map(unsearched) };
  }

  // Everything there is to ask, one after the other.
  async *run() {
    const known = this.judgement();
    if ([...known.compared, ...known.others].some((one) => one.score)) yield known;
    if (this.open) {
      await this.keep();
      const { SOLVABLE_CELLS, SOLVING_SHARE, TRYING_SHARE } = this.settings;
      const empty = this.position.kinds.filter((kind) => !kind).length;
      for await (const _ of this.solve(this.left(empty <= SOLVABLE_CELLS ? SOLVING_SHARE : TRYING_SHARE)));
    }
    if (this.open) await this.force();
    if (this.open) await this.pair();
    if (this.open) for await (const _ of this.rank()) yield this.judgement();
    yield await this.last();
  }

  // Everything that proves something, with all the time there is.
  async *prove() {
    yield this.judgement();
    if (this.open) {
      await this.pair();
      for await (const _ of this.judge.solver ? this.solve(this.left()) : this.searchProof()) yield this.judgement();
    }
    yield await this.last();
  }

  async last() {
    await this.settle();
    const last = this.judgement();
    this.remember(last);
    return last;
  }

  // Whether something is left to find out that was asked for.
  get open() {
    if (this.stopped() || (!this.whole && this.facts.all.some(({ score }) => won(score)))) return false;
    return this.legal.some((move) => this.undecided(move));
  }

  // Whether the engine's opinion of a move is of interest.
  undecided(move) {
    const known = this.facts.of(move);
    return !known || known.score.plies === null;
  }

  // A share of what is left of the limit.
  left(share = 1) {
    const { depth, nodes, seconds } = this.limit;
    const left = {};
    if (depth !== undefined) left.depth = depth;
    if (nodes !== undefined) left.nodes = Math.max(1, nodes - this.nodes);
    if (seconds !== undefined) left.seconds = Math.max(0.001, seconds - (now() - this.started));
    return part(left, share);
  }

  // ------------------------------------------------------------ what is proved

  // The exact worth of moves, with an effort that grows: what is easy is known even where the rest is not.
  async *solve({ depth, nodes: most = Infinity, seconds = Infinity }) {
    const { solver } = this.judge;
    if (!solver || depth !== undefined) return;
    const until = now() + seconds;
    let waiting = this.legal.filter((move) => !settled(this.facts.of(move)));
    for (let effort = this.settings.FIRST_TRY_NODES; waiting.length; effort *= this.settings.MORE) {
      const hard = [];
      for (const move of waiting) {
        const left = until - now();
        if (left <= 0 || most <= 0 || this.stopped()) return;
        const limit = { nodes: Math.min(effort, most), ...(left < Infinity ? { seconds: left } : {}) };
        const after = this.game.play(this.position, move);
        const found = await solver.solve(after, limit, this.window(after));
        this.nodes += found.nodes;
        most -= found.nodes;
        if (found.number === null) hard.push(move);
        else {
          this.facts.add(fact([move], beforeMove(scoreOf(after, found.number)), "solver"));
          yield;
        }
      }
      waiting = hard;
    }
  }

  // The numbers that a position after a move may have, by what books say of the positions around.
  window(after) {
    const { books, solver } = this.judge;
    const least = leastNumber(after, books, solver.board.columns);
    return least === null ? EXACT : [least, EXACT[1]];
  }

  // A move that keeps what is known of the position, where it is not known by which.
  async keep() {
    const known = this.judge.known(this.position);
    const { solver } = this.judge;
    if (!known || !solver || known.score.at_most || this.facts.all.some(({ score }) => same(score, known.score))) return;
    const goal = { game: this.game, solver, side: this.position.ply & 1, least: numberOf(this.position, known.score), visited: 0 };
    for await (const move of keepingMoves(goal, this.position, this.left(this.settings.KEEPING_SHARE), this.settings.goal, this.stopped)) {
      this.facts.add(fact([move], known.score, "solver"));
      break;
    }
    this.nodes += goal.visited;
  }

  // A forced win of the side to move, by proof search.
  async force() {
    if (this.facts.all.some(({ score }) => won(score))) return;
    const found = await forcedWin(this.judge, this.position, this.left(this.settings.FORCING_SHARE), 1);
    if (!found) return;
    this.nodes += found.nodes;
    this.facts.add(found);
  }

  // Who wins by force, by proof search; where nobody does, by which moves.
  async *searchProof() {
    const { judge, position } = this;
    const { solutions } = await import("./solutions.js");
    let solution = null;
    for await (solution of solutions(judge, position, this.left(), this.stopped)) {
      this.nodes = solution.nodes;
      if (solution.winner !== null) this.takeSolution(solution);
      yield;
    }
    if (!solution?.drawn) return;
    judge.remember(position, fact([], DRAW, "proof search"));
    yield;
    yield* this.draws();
  }

  // The moves that keep a draw, by proof search.
  async *draws() {
    for (const move of this.legal) {
      const after = this.game.play(this.position, move);
      const plies = this.game.data.rules.max_plies - after.ply;
      if (this.facts.of(move) || this.stopped()) continue;
      const { seconds } = this.left();
      const limit = { nodes: this.settings.DRAWING_NODES, ...(seconds === undefined ? {} : { seconds }) };
      if ((await this.judge.prover.canWin(after, after.ply & 1, plies, limit)) !== false) continue;
      this.facts.set(move, fact([move], DRAW, "proof search"));
      yield;
    }
  }

  takeSolution({ winner, plies, shortest, first, line }) {
    const own = winner === (this.position.ply & 1);
    const score = (own ? win : loss)(plies, !shortest);
    if (own && first) {
      this.facts.add(fact(line.length ? line : [first], score, "proof search"));
      this.soonest = shortest;
    } else this.judge.remember(this.position, fact([], score, "proof search"));
  }

  // What pairings prove: moves after which the mover cannot lose, and whether the other side can.
  async pair() {
    this.held = this.judge.held(this.position);
    const kept = this.judge.keeping(this.position, this.limit);
    this.kept = new Set(this.table.texts(kept));
    const source = this.held ? "pairing" : "proof search";
    this.held ||= kept.length > 0 && (await this.refuted());
    if (this.held) for (const move of kept) if (!this.facts.of(move)) this.facts.set(move, fact([move], DRAW, source));
  }

  // Whether proof search shows at once that the side to move cannot win.
  async refuted() {
    const { ply } = this.position;
    const plies = this.game.data.rules.max_plies - ply;
    return (await this.judge.prover.canWin(this.position, ply & 1, plies, { nodes: this.settings.REFUTING_NODES })) === false;
  }

  // The engine's ranking of the moves whose game is not decided.
  async *rank() {
    const among = this.legal.filter((move) => this.undecided(move));
    if (!among.length) return;
    const before = this.nodes;
    for await (const found of this.game.rank(this.position, this.left(), { among })) {
      const all = [...found.compared, ...found.others];
      this.nodes = before + Math.max(0, ...all.map((one) => one.nodes));
      for (const one of all) if (proved(one.score)) this.facts.add({ ...one, source: "search" });
      this.opinions = found;
      yield;
      if (this.stopped()) return;
    }
  }

  // ------------------------------------------------------------ how soon

  // Whether what is won or lost within some plies is so any sooner, as far as proof search finds out.
  async settle() {
    const { SETTLING_NODES } = this.settings;
    const { prover } = this.judge;
    const allowance = new Allowance(prover, this.position, this.forSettling(), 1);
    await this.outlast(allowance);
    for (const known of this.facts.all) {
      if (known.score.at_most && known.source !== "book" && !allowance.over) this.facts.set(known.line[0], await this.settledFact(known));
    }
    const wins = this.facts.all.map(({ score }) => score).filter(won);
    if (!wins.length || this.facts.all.length === this.legal.length) return;
    const soonest = wins.reduce((a, b) => (b.plies < a.plies ? b : a));
    if (soonest.at_most) return;
    const sooner = soonest.plies - 1;
    const answer = sooner > 0 ? await prover.canWin(this.position, this.position.ply & 1, sooner, { nodes: SETTLING_NODES }) : false;
    this.soonest = answer === false;
    const better = answer ? await prover.winningMove(this.position, sooner) : null;
    if (better) this.facts.add(fact([better], win(sooner, true), "proof search"));
  }

  // What the question how soon may take: by nodes where only these are limited, so that the same comes again.
  forSettling() {
    const { USUAL_SETTLING_SECONDS, LEAST_SETTLING_SECONDS, SETTLING_SHARE, SETTLING_NODES } = this.settings;
    const { nodes, seconds } = this.left(SETTLING_SHARE);
    if (seconds !== undefined) return { seconds: Math.max(seconds, LEAST_SETTLING_SECONDS) };
    return nodes === undefined ? { seconds: USUAL_SETTLING_SECONDS } : { nodes: Math.max(nodes, SETTLING_NODES) };
  }

  // Tell lost moves apart of which it is not known how soon they lose: short losses are found first.
  async outlast(allowance) {
    let waiting = this.facts.all.filter(({ score }) => lost(score) && score.at_most).map(({ line }) => line[0]);
    if (waiting.length < 2) return;
    const most = Math.max(...waiting.map((move) => this.facts.of(move).score.plies));
    for (let plies = 1; plies < most; plies++) {
      for (const move of [...waiting]) {
        const after = this.game.play(this.position, move);
        const answer = await this.judge.prover.canWin(after, after.ply & 1, plies, { nodes: Math.floor(this.settings.SETTLING_NODES / 10) });
        if (answer) this.facts.set(move, { ...this.facts.of(move), score: loss(plies + 1), line: [move], note: undefined });
        if (answer !== false) waiting = waiting.filter((other) => other !== move);
        if (allowance.over) return;
      }
    }
  }

  // A fact with the fewest plies that can be proved.
  async settledFact(known) {
    const after = this.game.play(this.position, known.line[0]);
    const mover = this.position.ply & 1;
    let { score } = known;
    while (score.at_most) {
      const sooner = score.plies - 2; // the plies that are left after the move, and one fewer
      const answer = sooner > 0 ? await this.judge.prover.canWin(after, won(score) ? mover : 1 - mover, sooner, { nodes: this.settings.SETTLING_NODES }) : false;
      if (answer === null) break;
      score = (won(score) ? win : loss)(score.plies - Number(answer), answer);
    }
    return { ...known, score, line: known.line.length <= score.plies ? known.line : known.line.slice(0, 1) };
  }

  // ------------------------------------------------------------ what follows

  judgement() {
    const opinions = new Map([...this.opinions.compared, ...this.opinions.others].map((one) => [this.table.text(one.line[0]), one]));
    const apart = new Set(this.table.texts(this.opinions.others.map((one) => one.line[0])));
    const known = this.judge.known(this.position);
    const all = this.legal.map((move) => {
      const [opinion, proof] = [opinions.get(this.table.text(move)), this.facts.of(move)];
      const found = !proof ? opinion : !opinion || proved(opinion.score) ? proof : { ...proof, points: opinion.points };
      return this.bounded(found, known);
    });
    const found = byElimination(all, known);
    const outside = (one) => apart.has(this.table.text(one.line[0])) && !proved(one.score);
    const { compared, others } = ranking(found.filter((one) => !outside(one)), found.filter(outside));
    const best = bestOf({ compared, others }, known?.score);
    return { position: this.position, compared, others, best, whole: this.wholeOf([...compared, ...others], best, known), nodes: this.nodes, seconds: now() - this.started };
  }

  // What follows for the position: that of its best move where no other can be better, or what is known of it.
  wholeOf(all, best, known) {
    const everything = all.every((one) => proved(one.score));
    let whole = best;
    if (won(best.score)) {
      if (!everything && !this.soonest) whole = { ...best, score: win(best.score.plies, best.score.at_most || best.score.plies > 1) };
    } else if (!everything && !(this.held && proved(best.score)) && proved(best.score)) {
      whole = { ...best, score: points(0) }; // that a draw can be had says nothing about more than that
    }
    if (!known) return whole;
    return proved(whole.score) ? { ...whole, score: together(known.score, whole.score) } : { ...known, line: best.line };
  }

  // What is known of a move, within what is known of the whole position.
  bounded(one, known) {
    const { score } = one;
    if (known && lost(known.score)) {
      // Every move loses, and none lasts longer than the best.
      const latest = loss(known.score.plies, true);
      return proved(score) ? { ...one, score: together(score, latest) } : { ...one, score: latest, source: known.source };
    }
    if (known && won(score) && !known.score.at_most) {
      // None wins sooner than the position is won.
      return score.at_most && score.plies === known.score.plies ? { ...one, score: known.score } : one;
    }
    const noWin = this.held || (known && !won(known.score));
    if (noWin && score && !proved(score) && score.points > 0) return { ...one, score: points(0) };
    if (this.kept.has(this.table.text(one.line[0])) && !proved(score) && !one.note) return { ...one, note: CANNOT_LOSE };
    return one;
  }

  remember({ whole, best, compared, others }) {
    // The move that seems best is not the one by which a verdict holds, unless that is proved of it.
    this.judge.remember(this.position, same(best.score, whole.score) ? whole : { ...whole, line: [] });
    for (const one of [...compared, ...others]) {
      if (!proved(one.score)) continue;
      const after = this.game.play(this.position, one.line[0]);
      if (!this.game.outcome(after)) this.judge.remember(after, { ...one, line: one.line.slice(1), score: afterMove(one.score) });
    }
  }
}

const unsearched = (move) => fact([move], null, "search");

// What is known of moves, with the position's verdict for the one that is left where all others are worse.
function byElimination(all, known) {
  const left = all.filter((one) => !proved(one.score));
  if (!known || left.length !== 1) return all;
  if (all.some((one) => one !== left[0] && rank(one.score)[0] >= rank(known.score)[0])) return all;
  return all.map((one) => (one === left[0] ? { ...one, score: known.score, source: known.source } : one));
}
