// How a position is judged: facts first, then opinions about the rest, and at any time what follows from both. Every step
// is that of the twin in Python, in the same order, so that both find the same with the same effort.

import { scoreOf } from "../../core/solver.js";
import { DRAW, afterMove, beforeMove, emptyCells, loss, numberOf, proved, same, win, won, worse } from "../scores.js";
import { possibleNumbers } from "./books.js";
import { proofOf, settled, undecided } from "./facts.js";
import { Findings } from "./findings.js";
import { forcedWin } from "./forced.js";
import { keepingMoves } from "./goal.js";
import { now, part } from "./limits.js";
import { settle } from "./settling.js";

// One question to a judge, which gathers evidence within a limit.
export class Inquiry {
  // `allMoves`: whether every move is asked about, also where one is known to win.
  constructor(judge, position, limit, { allMoves, stopped }) {
    Object.assign(this, { judge, position, limit, allMoves, stopped, game: judge.game, settings: judge.settings });
    this.started = now();
    this.nodes = 0;
    this.facts = judge.atAGlance(position);
    this.findings = new Findings(judge.table, position, this.facts);
    this.legal = this.findings.legal;
  }

  // What is known, again and again: by proofs first, then with the engine's opinions depth by depth.
  async *run() {
    const known = this.judgement();
    if ([...known.compared, ...known.others].some((one) => one.score)) yield known;
    if (this.open || this.nearlySettled) {
      await this.keep();
      const { SOLVABLE_CELLS, SOLVING_SHARE, TRYING_SHARE } = this.settings;
      for await (const _ of this.solve(this.left(emptyCells(this.position) <= SOLVABLE_CELLS ? SOLVING_SHARE : TRYING_SHARE)));
    }
    if (this.open) await this.force();
    if (this.open) await this.pair();
    if (this.open) for await (const _ of this.gatherOpinions()) yield this.judgement();
    yield await this.last();
  }

  // What is proved, again and again, with all of the limit spent on proofs.
  async *prove() {
    yield this.judgement();
    if (this.open || this.nearlySettled) {
      await this.pair();
      for await (const _ of this.judge.solver ? this.solve(this.left()) : this.searchProof()) yield this.judgement();
    }
    yield await this.last();
  }

  async last() {
    await settle(this.judge, this.findings, this.left(this.settings.SETTLING_SHARE));
    const last = this.judgement();
    this.remember(last);
    return last;
  }

  // Whether something that was asked for is not decided yet.
  get open() {
    if (this.stopped() || (!this.allMoves && this.facts.all.some(({ score }) => won(score)))) return false;
    return this.legal.some((move) => undecided(this.facts.of(move)));
  }

  // Whether some ends are known, and a solver may settle the moves of which a book knows only who wins.
  get nearlySettled() {
    const ends = this.legal.map((move) => settled(this.facts.of(move)));
    return !this.stopped() && Boolean(this.judge.solver) && this.allMoves && ends.includes(true) && ends.includes(false);
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

  // Finds the exact scores of moves in rounds of growing effort, so that easy moves are solved in any case. Yields
  // whenever a move is solved.
  async *solve({ depth, nodes: most = Infinity, seconds = Infinity }) {
    const { solver } = this.judge;
    if (!solver || depth !== undefined) return;
    const until = now() + seconds;
    let waiting = this.legal.filter((move) => !settled(this.facts.of(move)));
    for (let effort = this.settings.FIRST_TRY_NODES; waiting.length; effort *= this.settings.MORE) {
      const hard = [];
      for (const move of waiting) {
        const last = this.lastLeft(move);
        if (last) {
          this.facts.add(last);
          yield;
          continue;
        }
        const left = until - now();
        if (left <= 0 || most <= 0 || this.stopped()) return;
        const limit = { nodes: Math.min(effort, most), ...(left < Infinity ? { seconds: left } : {}) };
        const after = this.game.play(this.position, move);
        const found = await solver.solve(after, limit, possibleNumbers(after, this.judge.books, solver.board.columns));
        this.nodes += found.nodes;
        most -= found.nodes;
        if (found.number === null) hard.push(move);
        else {
          this.facts.add(proofOf(beforeMove(scoreOf(after, found.number)), [move], "solver"));
          yield;
        }
      }
      waiting = hard;
    }
  }

  // What the known score of the position says of a move if all others are worth less; null where it says nothing.
  lastLeft(move) {
    const known = this.judge.known(this.position);
    if (!known || known.score.at_most) return null;
    const others = this.legal.filter((other) => other !== move).map((other) => this.facts.of(other));
    if (!others.every((fact) => settled(fact) && worse(fact.score, known.score))) return null;
    return proofOf(known.score, [move], known.source);
  }

  // Finds a move that keeps the known verdict on the position, if none is known to.
  async keep() {
    const { judge, settings, position } = this;
    const known = judge.known(position);
    if (!known || !judge.solver || known.score.at_most || this.facts.all.some(({ score }) => same(score, known.score))) return;
    const goal = { game: this.game, solver: judge.solver, side: position.ply & 1, least: numberOf(position, known.score), visited: 0 };
    for await (const move of keepingMoves(goal, position, this.left(settings.KEEPING_SHARE), settings.goal, this.stopped)) {
      this.facts.add(proofOf(known.score, [move], "solver"));
      break;
    }
    this.nodes += goal.visited;
  }

  // Looks for a forced win of the side to move, by proof search.
  async force() {
    if (this.facts.all.some(({ score }) => won(score))) return;
    const found = await forcedWin(this.judge, this.position, this.left(this.settings.FORCING_SHARE), 1);
    if (!found) return;
    this.nodes += found.nodes;
    this.facts.add(found);
  }

  // Finds out who wins by force, by proof search, or which moves draw. Yields whenever more is known.
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
    judge.remember(position, proofOf(DRAW, [], "proof search"));
    yield;
    yield* this.draws();
  }

  // Adds a forced win to the facts; remembers one that is not tied to a known move for the position.
  takeSolution({ winner, plies, shortest, first, line }) {
    const own = winner === (this.position.ply & 1);
    const score = (own ? win : loss)(plies, !shortest);
    if (own && first) {
      this.facts.add(proofOf(score, line.length ? line : [first], "proof search"));
      this.findings.soonest = shortest;
    } else this.judge.remember(this.position, proofOf(score, [], "proof search"));
  }

  // Finds the moves that keep a draw, by proof search. Yields whenever one is found.
  async *draws() {
    for (const move of this.legal) {
      const after = this.game.play(this.position, move);
      const plies = this.game.data.rules.max_plies - after.ply;
      if (this.facts.of(move) || this.stopped()) continue;
      const { seconds } = this.left();
      const limit = { nodes: this.settings.DRAWING_NODES, ...(seconds === undefined ? {} : { seconds }) };
      if ((await this.judge.prover.canWin(after, after.ply & 1, plies, limit)) !== false) continue;
      this.facts.set(move, proofOf(DRAW, [move], "proof search"));
      yield;
    }
  }

  // Finds what pairings prove: moves after which the mover cannot lose, and that it cannot win.
  async pair() {
    const { judge, findings, position } = this;
    const paired = judge.cannotWin(position);
    const safe = judge.safeMoves(position, this.limit);
    findings.safeMoves = new Set(judge.table.texts(safe));
    findings.cannotWin = paired || (safe.length > 0 && (await this.refuted()));
    if (!findings.cannotWin) return;
    for (const move of safe) if (!this.facts.of(move)) this.facts.set(move, proofOf(DRAW, [move], paired ? "pairing" : "proof search"));
  }

  // Whether proof search shows at once that the side to move cannot win.
  async refuted() {
    const { ply } = this.position;
    const plies = this.game.data.rules.max_plies - ply;
    return (await this.judge.prover.canWin(this.position, ply & 1, plies, { nodes: this.settings.REFUTING_NODES })) === false;
  }

  // Asks the engine to rank the moves whose game is not decided. Yields after each depth.
  async *gatherOpinions() {
    const among = this.legal.filter((move) => undecided(this.facts.of(move)));
    if (!among.length) return;
    const before = this.nodes;
    for await (const found of this.game.rank(this.position, this.left(), { among })) {
      const all = [...found.compared, ...found.others];
      this.nodes = before + Math.max(0, ...all.map((one) => one.nodes));
      for (const one of all) if (proved(one.score)) this.facts.add({ ...one, source: "search" });
      this.findings.opinions = found;
      yield;
      if (this.stopped()) return;
    }
  }

  // What is known by now: {position, compared, others, best, whole, nodes, seconds}; `whole` is about the position.
  judgement() {
    const conclusion = this.findings.conclusion(this.judge.known(this.position));
    return { position: this.position, ...conclusion, nodes: this.nodes, seconds: now() - this.started };
  }

  // Keeps what is proved about the position and the positions after its moves for later questions.
  remember({ whole, best, compared, others }) {
    // The verdict on the position need not hold for the move that seems best, unless that is proved too.
    this.judge.remember(this.position, same(best.score, whole.score) ? whole : { ...whole, line: [] });
    for (const one of [...compared, ...others]) {
      if (!proved(one.score)) continue;
      const after = this.game.play(this.position, one.line[0]);
      if (!this.game.outcome(after)) this.judge.remember(after, { ...one, line: one.line.slice(1), score: afterMove(one.score) });
    }
  }
}
