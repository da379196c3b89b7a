// A game as text, compiled by the module of the core that does nothing else. What is wrong with a text is a CoreError.

import { Module } from "./module.js";

// What Python's compile_game answers, by the same names.
export class Compiler {
  static async load(source) {
    return new Compiler(await Module.load(source));
  }

  constructor(module) {
    this.module = module;
  }

  compile(source) {
    this.module.handOverBytes(new TextEncoder().encode(source));
    return read(this.module.call("compile_game"));
  }
}

const text = (answer) => new TextDecoder().decode(Uint8Array.from(answer.numbers()));
const list = (answer, each) => Array.from({ length: answer.number() }, () => each(answer));

function read(answer) {
  const [title, credit, first, second] = [0, 1, 2, 3].map(() => text(answer));
  const [layers, families, goal, special] = [0, 1, 2, 3].map(() => list(answer, text));
  const places = list(answer, () => answer.numbers(2));
  const watches = [answer.numbers(), answer.numbers()];
  const patterns = list(answer, () => {
    const [cells, neutraliser, barred, swapped] = [0, 1, 2, 3].map(() => answer.numbers());
    const [family, loses, owner, layer] = answer.numbers(4);
    return { cells, neutraliser, family, barred, swapped, loses: loses === 1, owner, layer };
  });
  const placement = () => ({ name: text(answer), adds: layers.map(() => answer.numbers()), rests_on: answer.numbers() });
  const placements = [list(answer, placement), list(answer, placement)];
  const symmetries = list(answer, () => ({ name: text(answer), cells: answer.numbers(), layers: answer.numbers() }));
  const passes = answer.numbers();
  const [max_plies, recycle_from, writing, ties, full, symmetries_found, first_moves] = answer.numbers(7);
  return {
    ...{ title, credit, sides: [first, second], layers, families, goal, special, places, watches, patterns, placements, symmetries, passes, max_plies },
    ...{ recycle_from: recycle_from < 0 ? null : recycle_from, writing, mover_wins_ties: ties === 1, full_winner: full < 0 ? null : full, symmetries_found, first_moves },
  };
}
