// What was proved of positions, kept so that it stays proved.

import { same, together } from "../scores.js";

export class Memory {
  constructor(most, recycleFrom) {
    Object.assign(this, { most, recycleFrom, known: new Map() });
  }

  find(position) {
    return this.known.get(this.key(position)) ?? null;
  }

  // What positions share that are the same; once cards are lifted again, that laid last may not be.
  key({ kinds, ply, cards, last }) {
    const barred = this.recycleFrom !== null && ply >= this.recycleFrom ? last?.[0] : "";
    return `${ply} ${kinds} ${[...cards].sort((a, b) => a - b)} ${barred}`;
  }

  // A proof together with what is known already; the play of it only while nothing better is known.
  add(position, analysis) {
    const key = this.key(position);
    const before = this.known.get(key);
    let kept = analysis;
    if (before) {
      const score = together(before.score, analysis.score);
      const fitting = [before, analysis].filter((proof) => same(proof.score, score));
      kept = fitting.find((proof) => proof.line.length) ?? fitting[0];
    }
    this.known.set(key, { ...kept, depth: 0, nodes: 0, seconds: 0, points: null });
    if (this.known.size > this.most) this.known.delete(this.known.keys().next().value);
  }
}
