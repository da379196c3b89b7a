// A plain search step by step, for the search lab: the core walks the tree, and what the search does at each node is
// what Python would report, with the line of its own source. The lines come from the data files.

import { Refusal } from "../api.js";
import { ofValue } from "../core/score.js";
import { file } from "./library.js";
import { dataOf } from "./workbench.js";

const MAX_NODES = 4000; // nobody could follow a larger tree
const MOST_COUNTED = { nodes: 1_000_000, seconds: 1 };
const OTHER = { "alpha-beta": "minimax", minimax: "alpha-beta" };

export async function treeOf(table, position, { search, heuristic, depth: wanted }) {
  const { searches } = await file("searches.json");
  const source = searches[search];
  if (!source) throw new Refusal(422, { error: "cannot", message: `the search ${search} cannot be shown without a server; ${Object.keys(searches).join(" and ")} can` });
  const guess = await dataOf(table, heuristic);
  const depth = Math.min(wanted, table.rules.rules.max_plies - position.ply);
  const found = await table.game.trace(position, { search, depth, heuristic: guess, nodes: MAX_NODES });
  if (!found.finished) throw new Refusal(422, { error: "cannot", message: `${search} looks at more than ${MAX_NODES} positions here; ask for less depth or a later position` });
  const counted = await table.game.plain(position, { search: OTHER[search], depth, heuristic: guess, ...MOST_COUNTED });
  const walk = new Walk(table, position, source, search === "alpha-beta", scaleOf(table, heuristic));
  walk.enter(found.tree, null, -Infinity, Infinity);
  return {
    game: table.spec,
    sides: table.board.sides,
    search,
    heuristic,
    depth,
    evaluations: found.evaluations,
    counterpart: counted.finished ? { search: OTHER[search], nodes: counted.nodes, evaluations: counted.evaluations } : null,
    nodes: walk.nodes,
    steps: walk.steps,
    sources: [source.source],
  };
}

const scaleOf = (table, heuristic) => table.data.scales[heuristic] ?? 1;

// The nodes in the order in which they are entered, and what happens there.
class Walk {
  constructor(table, position, { lines }, pruned, scale) {
    this.table = table;
    this.lines = lines;
    this.pruned = pruned;
    this.scale = scale;
    this.ply = position.ply;
    this.steps = [];
    this.nodes = { parents: [], moves: [], movers: [], values: [], cut: [], over: [] };
  }

  // A number for the first side in the heuristic's own scale.
  number(value, mover) {
    if (value === null) return null;
    const seen = mover ? -value : value;
    if (Math.abs(seen) === Infinity) return seen > 0 ? "+∞" : "−∞";
    const score = ofValue(seen);
    if (score.plies !== undefined && score.plies !== null) return { wins: score.result === "win" ? 0 : 1, plies: score.plies };
    return seen / this.scale || 0;
  }

  note(kind, node, line, [alpha, beta], value = null, child = null, count = 0) {
    const mover = this.nodes.movers[node];
    const [low, high] = !this.pruned ? [null, null] : mover ? [beta, alpha] : [alpha, beta];
    this.steps.push([kind, node, 0, line, this.number(low, mover), this.number(high, mover), this.number(value, mover), child, count]);
  }

  enter(tree, parent, alpha, beta, level = 0) {
    const { nodes, lines } = this;
    const number = nodes.parents.length;
    const mover = (this.ply + level) & 1;
    const over = tree.over !== undefined;
    nodes.parents.push(parent);
    nodes.moves.push(tree.move ? this.table.text(tree.move) : null);
    nodes.movers.push(mover);
    nodes.values.push(this.number(tree.value, mover));
    nodes.cut.push(tree.cut ?? 0);
    nodes.over.push(over);
    this.note("enter", number, lines.enter, [alpha, beta]);
    if (!tree.children) {
      this.note(over ? "over" : "leaf", number, lines[!over ? "leaf" : tree.over === null ? "drawn" : "over"], [alpha, beta], tree.value);
      return number;
    }
    this.look(tree, number, alpha, beta, level);
    return number;
  }

  look(tree, number, alpha, beta, level) {
    const { lines } = this;
    let [best, low] = [-Infinity, alpha];
    for (const child of tree.children) {
      const kid = this.enter(child, number, -beta, -low, level + 1);
      const value = -child.value;
      const better = value > best;
      if (better) best = value;
      const raised = this.pruned && best > low;
      if (raised) low = best;
      this.note(better ? "better" : "worse", number, lines[raised ? "raised" : better ? "better" : "worse"], [low, beta], value, kid);
    }
    if (tree.cut) this.note("cut", number, lines.cut, [low, beta], tree.value, null, tree.cut);
    this.note("done", number, lines.done, [low, beta], tree.value);
  }
}
