// What was proved about positions, remembered so that it stays proved.

import { combined, same } from "../scores.js";

export class Memory {
  constructor(most, recycleFrom) {
    Object.assign(this, { most, recycleFrom, known: new Map() });
  }

  find(position) {
    return this.known.get(this.key(position)) ?? null;
  }

  // Equal for equal positions; once cards are lifted, the one laid last is part of the position, since it must stay.
  key({ kinds, ply, cards, last }) {
    const barred = this.recycleFrom !== null && ply >= this.recycleFrom ? last?.[0] : "";
    return `${ply} ${kinds} ${[...cards].sort((a, b) => a - b)} ${barred}`;
  }

  // Remembers a proof, combined with what is known already; its line only while no better proof is known.
  add(position, analysis) {
    const key = this.key(position);
    const before = this.known.get(key);
    let kept = analysis;
    if (before) {
      const score = combined(before.score, analysis.score);
      const fitting = [before, analysis].filter((proof) => same(proof.score, score));
      kept = fitting.find((proof) => proof.line.length) ?? fitting[0];
    }
    this.known.set(key, { ...kept, depth: 0, nodes: 0, seconds: 0, points: null });
    if (this.known.size > this.most) this.known.delete(this.known.keys().next().value);
  }
}
