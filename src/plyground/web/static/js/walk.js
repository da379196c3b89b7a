// A search that is over, ready to be looked at at any of its steps.

const FIELDS = ["kind", "node", "source", "line", "alpha", "beta", "value", "child", "count"];

export class Walk {
  constructor(found) {
    Object.assign(this, found);
    const { parents, moves, movers, values, cut, over } = found.nodes;
    this.nodes = parents.map((parent, id) => ({ id, parent, move: moves[id], mover: movers[id], value: values[id], cut: cut[id], over: over[id], kids: [], steps: [] }));
    for (const node of this.nodes) {
      node.level = node.parent === null ? 0 : this.nodes[node.parent].level + 1;
      if (node.parent !== null) this.nodes[node.parent].kids.push(node);
    }
    this.steps = found.steps.map((step, index) => ({ index, ...Object.fromEntries(FIELDS.map((name, i) => [name, step[i]])) }));
    this.entered = [];
    for (const step of this.steps) {
      this.nodes[step.node].steps.push(step);
      if (step.kind === "enter") this.entered.push(step.index);
    }
    for (const node of [...this.nodes].reverse()) node.size = 1 + node.kids.reduce((sum, kid) => sum + kid.size, 0);
    this.depths = Math.max(...this.nodes.map((node) => node.level));
  }

  get root() {
    return this.nodes[0];
  }

  get last() {
    return this.steps.length - 1;
  }

  // How many positions have been looked at at a step.
  visited(step) {
    let [low, high] = [0, this.entered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entered[middle] <= step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The last step at which so many positions have been looked at.
  stepAt(positions) {
    return positions >= this.entered.length ? this.last : Math.max(0, this.entered[positions] - 1);
  }

  // The next cut-off after a step, or the first one.
  nextCut(step) {
    return this.steps.find((one) => one.kind === "cut" && one.index > step) ?? this.steps.find((one) => one.kind === "cut");
  }

  // What is known of a node at a step: null before it was entered.
  state(node, step) {
    const known = node.steps.filter((one) => one.index <= step);
    const latest = known.at(-1);
    if (!latest) return null;
    const done = ["over", "leaf", "done"].includes(latest.kind);
    const best = known.findLast((one) => one.kind === "better" || one.kind === "looked");
    return { alpha: latest.alpha, beta: latest.beta, done, cut: known.some((one) => one.kind === "cut"), value: done ? node.value : (best?.value ?? null) };
  }

  path(node) {
    const way = [];
    for (let at = node; at; at = at.parent === null ? null : this.nodes[at.parent]) way.unshift(at);
    return way;
  }

  // The moves that lead to a node from where the search began.
  line(node) {
    return this.path(node).slice(1).map((one) => one.move);
  }
}
