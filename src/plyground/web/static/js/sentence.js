// What a step of a search does, in a sentence; what stands between asterisks is stressed.

import { make } from "./dom.js";
import { say } from "./lab_texts.js";
import { num } from "./numbers.js";

const words = say.search.steps;

export function sentence(walk, step) {
  const node = walk.nodes[step.node];
  const child = step.child === null ? null : walk.nodes[step.child];
  const who = node.mover === 0 ? say.search.max : say.search.min;
  const other = node.mover === 0 ? say.search.min : say.search.max;
  const window = step.alpha === null ? "" : words.window(num(step.alpha), num(step.beta));
  const name = node.parent === null ? words.root : node.move;
  switch (step.kind) {
    case "enter":
      return node.parent === null ? words.start(window) : words.enter(node.move, who, window);
    case "over":
      return typeof step.value === "object" ? words.over(walk.sides[step.value.wins], num(step.value)) : words.ended(num(step.value));
    case "leaf":
      return words.leaf(walk.heuristic, num(step.value));
    case "better":
      return words.better(child.move, num(step.value), who, bound(node, step));
    case "worse":
      return words.worse(child.move, num(step.value), who);
    case "looked":
      return words.looked(child.move, num(step.value));
    case "kept":
      return words.kept(step.count);
    case "cut":
      return words.cut(num(step.alpha), num(step.beta), step.count, other);
    default:
      return words.done(name, node.cut ? (node.mover === 0 ? words.atLeast : words.atMost) : "", num(step.value));
  }
}

// "α = 4" or "β = 4" where the step has moved that bound.
function bound(node, step) {
  const [sign, value] = node.mover === 0 ? ["α", step.alpha] : ["β", step.beta];
  return value !== null && num(value) === num(step.value) ? `${sign} = ${num(value)}` : "";
}

export function rich(text) {
  return text.split("*").map((part, i) => (i % 2 ? make("b", {}, part) : part));
}
