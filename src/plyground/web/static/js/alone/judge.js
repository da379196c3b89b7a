// What is known of a position and of each of its moves, as the server's judge answers: what ends the game, what was
// proved before, the book, the solver, proof search and pairings, then the engine's opinion of what is left.

import { DRAW, afterMove, beforeMove, better, loss, lost, points, proved, together, win, won } from "./scores.js";

const SOLVING = 0.6; // how much of what is left of the time the solver may take,
const TRYING = 0.1; // less where it will hardly finish,
const FORCING = 0.15; // the search for a forced win,
const PAIRING_TRIES_PER_SECOND = 150_000; // and how many pairs are tried
const SOLVABLE = 40; // empty cells up to which the solver often finishes
const FIRST_TRY = 1000; // positions that it may visit for each move at first,
const MORE = 8; // and how many times as many with each round
const SHORT = 5; // plies up to which a forced win is looked for length by length
const STEP = 12; // a long one ends at a multiple of these plies, the next but one
const MOST_PAIRS = 300_000;
const REMEMBERED = 20_000;
export const CANNOT_LOSE = "cannot lose";

const memories = new Map();

// What was proved of the positions of a game in this worker.
function memoryOf(spec) {
  if (!memories.has(spec)) memories.set(spec, new Map());
  return memories.get(spec);
}

const keyOf = ({ kinds, ply, cards, last }) => `${ply} ${kinds.join("")} ${cards.join()} ${cards.length ? last?.[0] : ""}`;

export class Inquiry {
  constructor(table, position, seconds, { whole = true, stopped = () => false } = {}) {
    Object.assign(this, { table, position, seconds, whole, stopped, game: table.game, nodes: 0, kept: new Set(), held: false });
    this.began = performance.now();
    this.legal = table.game.moves(position);
    this.names = new Map(this.legal.map((move) => [table.text(move), move]));
    this.memory = memoryOf(table.spec);
    this.facts = new Map(); // text of a move -> what is proved of it
    this.opinions = { compared: [], others: this.legal.map(unsearched) };
    this.glance();
  }

  get spent() {
    return (performance.now() - this.began) / 1000;
  }

  left(share = 1) {
    return { seconds: Math.max(0.001, (this.seconds - this.spent) * share) };
  }

  get open() {
    if (this.stopped()) return false;
    if (!this.whole && [...this.facts.values()].some((fact) => won(fact.score))) return false;
    return this.legal.some((move) => this.undecided(move));
  }

  undecided(move) {
    const fact = this.facts.get(this.table.text(move));
    return !fact || fact.score.plies === null;
  }

  // Take a proof among the facts, together with what is known of the move already.
  add(fact) {
    const name = this.table.text(fact.line[0]);
    const before = this.facts.get(name);
    if (!before) return this.facts.set(name, fact);
    const score = together(before.score, fact.score);
    return this.facts.set(name, score === before.score ? before : { ...fact, score });
  }

  // ------------------------------------------------------------ what is proved

  glance() {
    for (const move of this.legal) {
      const after = this.game.play(this.position, move);
      const outcome = this.game.outcome(after);
      if (outcome) this.add(fact([move], outcome.winner === null ? DRAW : (outcome.winner === (this.position.ply & 1) ? win : loss)(1), "search", 1));
      const known = !outcome && this.memory.get(keyOf(after));
      if (known) this.add(fact([move, ...known.line], beforeMove(known.score), known.source));
    }
    const known = this.memory.get(keyOf(this.position));
    if (known?.line.length) this.add(known);
    for (const { move, score } of this.table.book?.movesOf(this.position) ?? []) this.add(fact([move], score, "book"));
  }

  // What is known of the position as a whole.
  get known() {
    const remembered = this.memory.get(keyOf(this.position));
    if (remembered) return remembered;
    const score = this.table.book?.scoreOf(this.position);
    return score ? fact([], score, "book") : null;
  }

  // The exact worth of moves, with an effort that grows: what is easy is known even where the rest is not.
  async *solve({ seconds }) {
    const solver = await this.table.solver();
    if (!solver) return;
    const until = performance.now() + 1000 * seconds;
    let waiting = this.legal.filter((move) => this.facts.get(this.table.text(move))?.score.at_most ?? !this.facts.has(this.table.text(move)));
    for (let effort = FIRST_TRY; waiting.length; effort *= MORE) {
      const hard = [];
      for (const move of waiting) {
        const remaining = (until - performance.now()) / 1000;
        if (remaining <= 0 || this.stopped()) return;
        const found = await solver.solve(this.game.play(this.position, move), { nodes: effort, seconds: remaining });
        this.nodes += found.nodes;
        if (found.score === null) hard.push(move);
        else {
          this.add(fact([move], beforeMove(found.score), "solver"));
          yield;
        }
      }
      waiting = hard;
    }
  }

  // A forced win of the side to move, by proof search.
  async force() {
    if ([...this.facts.values()].some((one) => won(one.score))) return;
    const side = this.position.ply & 1;
    const { seconds } = this.left(FORCING);
    const until = performance.now() + 1000 * seconds;
    const most = this.horizon();
    let refuted = 0;
    for (const plies of [...new Set([1, 3, 5].filter((n) => n < most && n <= SHORT)), most]) {
      const remaining = (until - performance.now()) / 1000;
      if (remaining <= 0 || this.stopped()) return;
      const { answer, nodes } = await this.game.canWin(this.position, { side, plies, seconds: plies === most ? remaining : remaining / 4 });
      this.nodes += nodes;
      if (answer === false) refuted = plies;
      if (!answer) continue;
      const line = await this.game.winningLine(this.position, { side, plies, seconds: remaining });
      if (line.length) this.add(fact(line, win(plies, refuted < plies - 1), "proof search"));
      return;
    }
  }

  horizon() {
    const { recycle_from: from, max_plies: end } = this.table.rules.rules;
    const { ply } = this.position;
    const last = from === null || ply >= from ? end : from;
    return Math.min(last, (Math.floor(ply / STEP) + 2) * STEP) - ply;
  }

  // What pairings prove: moves after which the mover cannot lose, and whether the other side can.
  pair() {
    const mover = this.position.ply & 1;
    const tries = Math.min(MOST_PAIRS, Math.floor((this.seconds * PAIRING_TRIES_PER_SECOND) / this.legal.length));
    this.held = this.game.pairing(this.position, 1 - mover, tries).found === true;
    this.kept = new Set(this.game.keeping(this.position, tries).map((move) => this.table.text(move)));
    if (!this.held) return;
    for (const name of this.kept) if (!this.facts.has(name)) this.add(fact([this.names.get(name)], DRAW, "pairing"));
  }

  // The engine's ranking of the moves whose game is not decided.
  async *rank() {
    const among = this.legal.filter((move) => this.undecided(move));
    if (!among.length) return;
    const before = this.nodes;
    for await (const ranking of this.game.rank(this.position, this.left(), { among })) {
      const all = [...ranking.compared, ...ranking.others];
      this.nodes = before + Math.max(0, ...all.map((one) => one.nodes));
      for (const one of all) if (proved(one.score)) this.add({ ...one, source: "search" });
      this.opinions = ranking;
      yield;
      if (this.stopped()) return;
    }
  }

  // ------------------------------------------------------------ what is known

  async *run() {
    if (this.facts.size) yield this.judgement();
    if (this.open) {
      const empty = this.position.kinds.filter((kind) => !kind).length;
      for await (const _ of this.solve(this.left(empty <= SOLVABLE ? SOLVING : TRYING)));
    }
    if (this.open) await this.force();
    if (this.open) this.pair();
    if (this.open) for await (const _ of this.rank()) yield this.judgement();
    const last = this.judgement();
    this.remember(last);
    yield last;
  }

  // Everything that proves something, with all the time there is.
  async *prove() {
    yield this.judgement();
    if (this.open) {
      this.pair();
      for await (const _ of this.solve(this.left())) yield this.judgement();
      if (!this.table.rules.solver && this.open) await this.force();
    }
    const last = this.judgement();
    this.remember(last);
    yield last;
  }

  judgement() {
    const opinions = new Map([...this.opinions.compared, ...this.opinions.others].map((one) => [this.table.text(one.line[0]), one]));
    const apart = new Set(this.opinions.others.map((one) => this.table.text(one.line[0])));
    const { known } = this;
    const all = this.legal.map((move) => {
      const name = this.table.text(move);
      const one = this.facts.get(name) ?? opinions.get(name) ?? unsearched(move);
      return { name, one: this.bounded(name, one, known) };
    });
    const inside = all.filter(({ name, one }) => one.score && (proved(one.score) || !apart.has(name))).map(({ one }) => one);
    const others = all.filter(({ name, one }) => !one.score || (!proved(one.score) && apart.has(name))).map(({ one }) => one);
    const compared = inside.map((one, i) => [one, i]).sort(([a, i], [b, j]) => better(a.score, b.score) || i - j).map(([one]) => one);
    const top = compared[0] ?? others[0];
    const best = lost(top.score) && others.length ? others[0] : top;
    return { position: this.position, compared, others, best, whole: this.wholeOf(compared, others, best, known), nodes: this.nodes, seconds: this.spent };
  }

  // What follows for the position: that of its best move where no other can be better, or what is known of it.
  wholeOf(compared, others, best, known) {
    const everything = !others.length && compared.every((one) => proved(one.score));
    let whole = best;
    if (won(best.score)) whole = everything ? best : { ...best, score: win(best.score.plies, best.score.at_most || best.score.plies > 1) };
    else if (!everything && !(this.held && proved(best.score))) whole = proved(best.score) ? { ...best, score: points(0) } : best;
    if (!known) return whole;
    return proved(whole.score) ? { ...whole, score: together(known.score, whole.score) } : { ...known, line: best.line };
  }

  // What is known of a move, within what is known of the whole position.
  bounded(name, one, known) {
    const { score } = one;
    if (known && lost(known.score)) {
      if (!lost(score)) return { ...one, score: loss(known.score.plies, true), source: known.source };
      return score.plies > known.score.plies ? { ...one, score: loss(known.score.plies, true) } : one;
    }
    const noWin = this.held || (known && !won(known.score));
    if (noWin && score && !proved(score) && score.points > 0) return { ...one, score: points(0) };
    if (this.kept.has(name) && !proved(score) && !one.note) return { ...one, note: CANNOT_LOSE };
    return one;
  }

  remember({ whole, compared }) {
    this.keep(this.position, whole);
    for (const one of compared) {
      if (!proved(one.score)) continue;
      const after = this.game.play(this.position, one.line[0]);
      if (!this.game.outcome(after)) this.keep(after, { ...one, line: one.line.slice(1), score: afterMove(one.score) });
    }
  }

  keep(position, one) {
    if (!proved(one.score)) return;
    const key = keyOf(position);
    const before = this.memory.get(key);
    this.memory.set(key, { ...fact(one.line, before ? together(before.score, one.score) : one.score, one.source) });
    if (this.memory.size > REMEMBERED) this.memory.delete(this.memory.keys().next().value);
  }
}

const fact = (line, score, source, depth = 0) => ({ line, score, depth, nodes: 0, seconds: 0, points: null, source });

const unsearched = (move) => ({ line: [move], score: null, depth: 0, nodes: 0, seconds: 0, points: null, source: "search" });
