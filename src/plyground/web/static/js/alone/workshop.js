// The workshop on a page without a server: what a text is, or what is wrong with it.

import { CoreError } from "../core/module.js";
import { file, gameFile } from "./library.js";
import { compile, nameOf } from "./text_games.js";

const FAULT = /^line (\d+), column (\d+): (.*?)(?:; did you mean '(.*)'\?)?$/s;

// The game that a text describes, its board and what is known at once; or the fault, with its place.
export async function look({ text }) {
  try {
    const found = await compile(text);
    const { most_patterns: most } = await file("texts.json");
    if (found.patterns.length > most) throw new CoreError(`the game has ${found.patterns.length} patterns, and on the page at most ${most} are played; save it as a file`);
    const game = await nameOf(found, text);
    const { board, start } = await gameFile(game, "game");
    const { symmetries_found: symmetries, first_moves } = found;
    return { game, board, position: start, facts: { cells: found.places.length, patterns: counted(found.patterns), symmetries, first_moves } };
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    return { fault: faultOf(error.message) };
  }
}

function faultOf(message) {
  const [, line = 1, column = 1, what = message, nearest = null] = FAULT.exec(message) ?? [];
  return { line: Number(line), column: Number(column), what, nearest };
}

// How many patterns of each size win, and how many lose.
function counted(patterns) {
  const counts = new Map();
  for (const { cells, loses } of patterns) {
    const key = `${loses} ${cells.length}`;
    const { count = 0 } = counts.get(key) ?? {};
    counts.set(key, { cells: cells.length, loses, count: count + 1 });
  }
  return [...counts.values()].sort((a, b) => Number(a.loses) - Number(b.loses) || b.cells - a.cells);
}
