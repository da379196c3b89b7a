// What weights count in a position, and heuristics made of weights as the core takes them.

import { Refusal } from "../api.js";

const PREFIX = "weights:";

// A heuristic for the core: a named one by its name, one given by weights as data.
export function dataOf(table, name) {
  if (!name.startsWith(PREFIX)) {
    if (!(name in table.rules.heuristics)) throw new Refusal(422, { error: "bad-heuristic", message: `the heuristic ${name} is not part of this page; ${table.spec} has ${Object.keys(table.rules.heuristics).join(", ")}` });
    return name;
  }
  const [first, ...added] = name.slice(PREFIX.length).split("+");
  const rows = first.split("|").map((row) => row.split("/").map((number) => whole(name, number)));
  const wanted = table.data.workbench.longest + 1;
  if (rows.some((row) => row.length !== wanted)) throw bad(name, `${table.spec} needs ${wanted} weights in a row`);
  const found = { patterns: [rows], lines: [], cells: [], directions: [], threats: [], nets: [] };
  for (const term of added) {
    const [kind, number] = term.split("/");
    const unit = table.rules.terms[kind];
    if (!unit) throw bad(name, `${table.spec} has no term ${kind}`);
    const weight = whole(name, number);
    found.cells.push(...unit.cells.map((kinds) => kinds.map(([layers, cells]) => [layers, cells.map((one) => one * weight)])));
    found.directions.push(...unit.directions.map((cells) => cells.map((one) => one * weight)));
  }
  return found;
}

const bad = (name, why) => new Refusal(422, { error: "bad-heuristic", message: `bad heuristic '${name}': ${why}` });

function whole(name, text) {
  if (!/^-?\d{1,9}$/.test(text ?? "")) throw bad(name, "weights are whole numbers separated by /");
  return Number(text);
}

// ------------------------------------------------------------------ what is counted

export function workbenchOf(table, moves = []) {
  const position = table.at(moves);
  const counts = { pattern: patterns, directions, cells };
  const { rows, longest, terms } = table.data.workbench;
  const kinds = [...Array(rows).keys()].flatMap((poles) => [...Array(longest - 1).keys()].map((n) => ({ name: "pattern", held: n + 1, poles })));
  const live = [0, 1].map((side) => table.game.live(position, side));
  const wanted = [...kinds, ...terms.map((name) => ({ name, held: 0, poles: 0 }))];
  return { ...table.data.workbench, features: wanted.map((kind) => feature(kind, counts[kind.name](table, position, live, kind))) };
}

// Everything that is counted, {worth, cells, discs}, as one count.
function feature(kind, counted) {
  const shares = new Map();
  for (const { worth, discs } of counted) for (const cell of discs) shares.set(cell, (shares.get(cell) ?? 0) + worth / discs.length);
  const discs = [...shares].filter(([, share]) => Math.abs(share) > 1e-9).sort(([a], [b]) => a - b);
  return {
    ...kind,
    total: counted.reduce((sum, { worth }) => sum + worth, 0),
    discs: discs.map(([cell, share]) => [cell, Math.round(share * 10_000) / 10_000]),
    places: counted.map(({ worth, cells }) => [cells, worth > 0 ? 0 : 1]),
  };
}

const SIGN = [1, -1];

function patterns(table, position, live, { held, poles }) {
  const { rows } = table.data.workbench;
  return [0, 1].flatMap((side) =>
    live[side].flatMap(([number, layer, own, taken]) => {
      if (own !== held || Math.min(taken, rows - 1) !== poles) return [];
      const { cells } = table.board.patterns[number];
      return [{ worth: SIGN[side], cells, discs: cells.filter((cell) => (position.kinds[cell] >> layer) & 1) }];
    }),
  );
}

// Each disc counts the directions in which some pattern through it is alive.
function directions(table, position, live) {
  return [0, 1].flatMap((side) => {
    const found = new Map();
    for (const [number, layer] of live[side]) {
      const { cells, family } = table.board.patterns[number];
      for (const cell of cells.filter((one) => (position.kinds[one] >> layer) & 1)) {
        const key = `${layer} ${cell}`;
        if (!found.has(key)) found.set(key, { cell, families: new Set() });
        found.get(key).families.add(family);
      }
    }
    return [...found.values()].map(({ cell, families }) => ({ worth: SIGN[side] * families.size, cells: [cell], discs: [cell] }));
  });
}

// Each disc counts the patterns through its cell.
function cells(table, position) {
  const worths = new Map(table.rules.terms.cells.cells[0]);
  return position.kinds.flatMap((kind, cell) => (worths.has(kind) && worths.get(kind)[cell] ? [{ worth: worths.get(kind)[cell], cells: [cell], discs: [cell] }] : []));
}
