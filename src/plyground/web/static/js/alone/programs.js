// The programs that can be played against without a server: the engine at its levels, and plain searches with weights.

import { Refusal } from "../api.js";

const SEARCHES = ["alpha-beta", "minimax"];

// The parts of a limit {depth, nodes, seconds} that say something.
export const given = (limit) => Object.fromEntries(Object.entries(limit).filter(([, value]) => value !== null && value !== undefined));

// Whether a program plays by what somebody typed in Python.
export const isTyped = (spec) => spec.includes(".py:");

// What a spec asks for: {limit, slips, guarded}, {search, depth, heuristic} or {depth} of what was typed in Python; a Refusal for what is not there.
export function programOf(table, spec) {
  const [name, rest = ""] = spec.split(/:(.*)/s);
  const options = Object.fromEntries(rest.split(",").filter(Boolean).map((part) => part.split(/=(.*)/s).slice(0, 2)));
  if (name === "engine") {
    if (options.level === undefined) return { kind: "engine", limit: {}, slips: 0, guarded: true };
    const level = table.data.levels.find((one) => one.number === Number(options.level));
    if (level) return { kind: "engine", limit: level.limit, slips: level.slips, guarded: level.guarded };
  }
  if (name === SEARCHES[0] && isTyped(spec)) return { kind: "python", depth: Number(options.depth ?? 2) };
  if (SEARCHES.includes(name)) return { kind: "plain", search: name, depth: Number(options.depth ?? 4), heuristic: options.heuristic ?? "lines" };
  throw new Refusal(422, { error: "bad-player", message: `the program ${spec} is not part of this page` });
}

// The programs of a game as the page lists them.
export function listed(table) {
  const [low, high] = [table.data.levels[0], table.data.levels.at(-1)].map((level) => level.number);
  return [
    {
      name: "engine",
      title: "engine",
      summary: "",
      options: [{ name: "level", default: low, choices: [], number: true, low, high }],
      sides: ["first", "second"],
      levels: table.data.levels,
    },
  ];
}
