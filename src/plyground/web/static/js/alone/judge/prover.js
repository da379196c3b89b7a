// Questions to a proof search, and what they may spend of a limit.

import { now } from "./limits.js";

const MOVES_PER_NODE = 4; // so many moves does a proof search list while the engine's search visits a node

export class Prover {
  constructor(game, bytes) {
    Object.assign(this, { game, bytes, nodes: 0, stopped: () => false });
  }

  // Whether a side can force a win within so many plies; null where the limit came first.
  async canWin(position, side, plies, limit = {}) {
    if (this.stopped()) return null;
    const { answer, nodes } = await this.game.canWin(position, this.question(side, plies, limit));
    this.nodes += nodes;
    return answer;
  }

  // The play after a win that was proved.
  async line(position, side, plies, seconds) {
    const { line, nodes } = await this.game.winningLine(position, this.question(side, plies, { seconds }));
    this.nodes += nodes;
    return line;
  }

  // A move of the side to move that keeps a win proved a moment ago; null when it is forgotten.
  async winningMove(position, plies) {
    for (const move of this.game.moves(position)) {
      if (await this.canWin(this.game.play(position, move), position.ply & 1, plies - 1, { nodes: 0 })) return move;
    }
    return null;
  }

  // What the winner's strategy takes at the most, and its first move; null where the limit came first.
  async strategy(position, side, plies, seconds) {
    const { nodes, ...found } = await this.game.strategy(position, this.question(side, plies, { seconds }));
    this.nodes += nodes;
    return found.complete ? found : null;
  }

  question(side, plies, limit) {
    return { side, plies, table: this.bytes, ...limit };
  }
}

// Nodes and seconds that several questions share, a share of a limit; it begins to run when it is made. A question costs
// `toll` nodes even if it is answered at a glance.
export class Allowance {
  constructor(prover, position, limit, share, toll = 1) {
    Object.assign(this, { prover, before: prover.nodes, started: now(), questions: 0, toll });
    this.seconds = limit.seconds === undefined ? null : limit.seconds * share;
    const cost = Math.max(1, Math.floor(prover.game.moves(position).length / MOVES_PER_NODE));
    this.nodes = limit.nodes === undefined ? null : Math.floor(Math.trunc(limit.nodes * share) / cost);
    if (this.nodes === null && this.seconds === null) this.nodes = (limit.depth ?? 1) ** 3;
  }

  get visited() {
    return this.prover.nodes - this.before + this.questions * this.toll;
  }

  get spent() {
    return now() - this.started;
  }

  get over() {
    const { nodes, seconds } = this.part(1);
    return nodes === 0 || seconds === 0 || this.prover.stopped();
  }

  // Asked as the first of so many questions that share what is left; null when that was not enough.
  async canWin(position, side, plies, questions = 1) {
    if (this.over) return null;
    this.questions += 1;
    return this.prover.canWin(position, side, plies, this.part(questions));
  }

  part(questions) {
    const left = {};
    if (this.nodes !== null) left.nodes = Math.floor(Math.max(0, this.nodes - this.visited) / questions);
    if (this.seconds !== null) left.seconds = Math.max(0, this.seconds - this.spent) / questions;
    return left;
  }
}
