// A tree of recorded calls, as a check sends it, ready to be walked: nested nodes become steps, as a search in the lab has.
// Values come for the side to move and are turned to the first side's, which is MAX.

import { negated } from "./numbers.js";
import { Walk } from "./walk.js";

const INFINITE = { infinity: "+∞", "-infinity": "−∞" };

const read = (value) => (value === undefined ? null : (INFINITE[value] ?? value));

class Grower {
  constructor() {
    this.nodes = { parents: [], moves: [], movers: [], values: [], cut: [], over: [] };
    this.steps = [];
    this.drawn = []; // what each node is marked with, and how many below it are left out
  }

  add(tree, parent) {
    const id = this.nodes.parents.length;
    const seen = (value) => (tree.mover ? negated(value) : value);
    const [low, high] = (tree.window ?? [null, null]).map(read);
    const bounds = { low: tree.window ? (low ?? "−∞") : null, high: tree.window ? (high ?? "+∞") : null };
    const note = (kind, line, { value = null, child = null, count = 0 } = {}) => {
      const [alpha, beta] = tree.mover ? [negated(bounds.high), negated(bounds.low)] : [bounds.low, bounds.high];
      this.steps.push([kind, id, 0, line, alpha, beta, seen(value), child, count]);
    };
    const value = read(tree.value);
    for (const [name, what] of Object.entries({ parents: parent, moves: tree.move ?? null, movers: tree.mover, values: seen(value), cut: tree.cut ?? 0, over: Boolean(tree.over) })) this.nodes[name].push(what);
    this.drawn.push({ mark: tree.wrong ? "wrong" : tree.off ? "off" : "", more: tree.more ?? 0 });
    note("enter", tree.called ?? tree.line);
    let best = null;
    for (const kid of tree.children ?? []) {
      const child = this.add(kid, id);
      const worth = kid.mover === tree.mover ? read(kid.value) : negated(read(kid.value));
      const better = worth !== null && (best === null || Number(worth) > best);
      if (better) best = Number(worth);
      if (better && bounds.low !== null && (typeof bounds.low === "string" || best > bounds.low)) bounds.low = worth;
      note(better ? "better" : "worse", kid.called ?? tree.line, { value: worth, child });
    }
    if (tree.cut && tree.children) note("cut", tree.line, { value, count: tree.cut });
    note(tree.children ? "done" : tree.over ? "over" : "leaf", tree.line, { value });
    return id;
  }
}

// `about` is what a walk has besides its nodes: {sides, heuristic, sources}.
export function grown(tree, about) {
  const grower = new Grower();
  grower.add(tree, null);
  const walk = new Walk({ ...about, nodes: grower.nodes, steps: grower.steps });
  walk.nodes.forEach((node, id) => Object.assign(node, grower.drawn[id]));
  for (const node of [...walk.nodes].reverse()) node.size = 1 + node.more + node.kids.reduce((sum, kid) => sum + kid.size, 0);
  return walk;
}

// The node that some moves lead to, as far as they do.
export function nodeAt(walk, moves) {
  let node = walk.root;
  for (const move of moves) node = node.kids.findLast((kid) => kid.move === move) ?? node;
  return node;
}
