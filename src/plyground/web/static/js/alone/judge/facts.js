// What is proved about single moves.

import { combined, same } from "../scores.js";

// For each move with a proved score, by its text, an analysis that starts with it.
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

  // Adds a proof, combined with what is known about the move already.
  add(analysis) {
    const before = this.of(analysis.line[0]);
    const score = before ? combined(before.score, analysis.score) : analysis.score;
    if (!before || !same(score, before.score)) this.set(analysis.line[0], { ...analysis, score });
  }
}

// An analysis that proves a score; what it took to find is not part of it.
export const proofOf = (score, line, source, note = "") => ({ line, score, depth: 0, nodes: 0, seconds: 0, points: null, source, note });

// Whether a move is proved to win, draw or lose in an exact number of plies: nothing is left to find out.
export const settled = (fact) => fact !== undefined && !fact.score.at_most;

// Whether a move may neither win nor lose, so that the engine's opinion of it is of interest.
export const undecided = (fact) => fact === undefined || fact.score.plies === null;
